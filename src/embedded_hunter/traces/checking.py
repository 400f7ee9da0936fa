"""What both checkers share: the trace, read one event ahead, and what is said of it."""

from collections.abc import Iterator
from typing import NamedTuple

from embedded_hunter.run.jsonlines import Fields, FormatError

KINDS = {"evaluate", "sweep", "refine", "visit", "expand", "end"}


class Deviation(NamedTuple):
    """Where a trace leaves Algorithm 1."""

    line: int
    """Line of the file, from 1."""
    rule: str
    """What is broken: "initialization" or "line k" of Algorithm 1, or "rule Fk" of `forest`."""
    sentence: str
    """What is wrong, in words."""


class Report(NamedTuple):
    """The outcome of a check."""

    events: int
    """Events that conform."""
    deviation: Deviation | None
    of: str = "Algorithm 1"
    """What the trace was held against."""

    @property
    def conforms(self) -> bool:
        """Whether the whole trace is a run of Algorithm 1."""
        return self.deviation is None

    def __str__(self) -> str:
        """Return the verdict in a sentence."""
        if self.deviation is None:
            return f"The trace conforms to {self.of}: {self.events} events."
        line, rule, sentence = self.deviation
        where = rule if rule == "initialization" else f"{rule} of {self.of}"
        return f"Line {line} of the trace breaks {where}: {sentence}."


class Broken(Exception):
    """Raised with the rule and the sentence at the first difference."""


class Trace:
    """The events of a trace, one looked at ahead."""

    def __init__(self, lines: Iterator[tuple[int, Fields]]) -> None:
        self._lines = lines
        self.line, self.taken = 1, 0
        self.nu_min: float | None = None  # when the visit began
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
            raise FormatError(f"line {self.line}: event must be one of {', '.join(sorted(KINDS))}")

    def take(self) -> None:
        """Accept the event looked at."""
        self.taken += 1
        self._advance()


def same(found: object, expected: object) -> bool:
    """Equality that does not take true for 1, nor 1.0 where an exact integer stands."""
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
    """The node of an event; what is no integer equals no node."""
    h, i = event.get("h"), event.get("i")
    return (h, i) if type(h) is int and type(i) is int else (-1, -1)


def name_of(event: Fields) -> str:
    """Return the node of an event in words."""
    h, i = event.get("h"), event.get("i")
    return f"({h!r:.40}, {i!r:.60})"


def short(value: object) -> str:
    """Return a value in at most 80 characters."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
