"""Common parts of both checkers: the trace, read one event ahead, and the report."""

from collections.abc import Iterator
from typing import NamedTuple

from embedded_hunter.run.jsonlines import Fields, FormatError, short

KINDS = {"evaluate", "sweep", "refine", "visit", "expand", "end"}


class Deviation(NamedTuple):
    """The first event of a trace that breaks a rule."""

    line: int
    """Line of the file, counted from 1."""
    rule: str
    """The broken rule: "initialization" or "line k" of Algorithm 1, or "rule Fk" of `forest`."""
    sentence: str
    """A sentence that says what is wrong."""


class Report(NamedTuple):
    """The outcome of a check."""

    events: int
    """Number of events that conform."""
    deviation: Deviation | None
    """The first event that breaks a rule, None if the whole trace conforms."""
    of: str = "Algorithm 1"
    """What the trace was checked against: Algorithm 1 or the policy forest."""

    @property
    def conforms(self) -> bool:
        """Whether the whole trace conforms."""
        return self.deviation is None

    def __str__(self) -> str:
        """Return the verdict as a sentence."""
        if self.deviation is None:
            return f"The trace conforms to {self.of}: {self.events} events."
        line, rule, sentence = self.deviation
        where = rule if rule == "initialization" else f"{rule} of {self.of}"
        return f"Line {line} of the trace breaks {where}: {sentence}."


class Violation(Exception):
    """The trace breaks a rule. The arguments are the rule and the sentence of a `Deviation`."""


class Trace:
    """The events of a trace.

    Attributes
    ----------
    event
        The next event, which has not been accepted yet. At the end of the trace, {"event": None}.
    line
        Its line, counted from 1.
    accepted
        Number of events accepted so far.
    nu_min
        The value of nu_min at the start of the visit.
    """

    def __init__(self, lines: Iterator[tuple[int, Fields]]) -> None:
        self._lines = lines
        self.line, self.accepted = 1, 0
        self.nu_min: float | None = None
        self.event: Fields = {}
        self._advance()

    def _advance(self) -> None:
        following = next(self._lines, None)
        if following is None:
            self.line, self.event = self.line + 1, {"event": None}
            return
        self.line, self.event = following
        kind = self.event.get("event")
        if not isinstance(kind, str) or kind not in KINDS:
            raise FormatError(
                f"line {self.line}: event must be one of {', '.join(sorted(KINDS))}, "
                f"got {short(kind)}"
            )

    def accept(self) -> None:
        """Accept the next event and read the one after it."""
        self.accepted += 1
        self._advance()


def same(found: object, expected: object) -> bool:
    """Return whether two values of a trace are equal, with equal types.

    So true does not equal 1, and 1.0 does not equal an expected integer 1. An integer may stand
    for an expected float.
    """
    if isinstance(expected, list):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(map(same, found, expected))
        )
    if isinstance(expected, float):
        return type(found) in (int, float) and found == expected
    return type(found) is type(expected) and found == expected


def pair_of(event: Fields) -> tuple[int, int]:
    """Return the node (h, i) of an event; (-1, -1) if h or i is not an integer."""
    h, i = event.get("h"), event.get("i")
    return (h, i) if type(h) is int and type(i) is int else (-1, -1)


def name_of(event: Fields) -> str:
    """Return the node of an event as an error message shows it."""
    h, i = event.get("h"), event.get("i")
    return f"({h!r:.40}, {i!r:.60})"
