"""Common parts of both checkers: the events of a trace, read one ahead, and the report."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from embedded_hunter.run.jsonlines import Fields, short


class Deviation(NamedTuple):
    """An event of a trace that breaks a rule."""

    line: int
    """Line of the file, counted from 1."""
    rule: str
    """The broken rule: "initialization" or "line k" of Algorithm 1, or "rule Fk" of `forest`."""
    sentence: str
    """A sentence that says what is wrong."""
    reading: int | None = None
    """If the trace follows another reading of the paper: the number of ours in the errata."""


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
        line, rule, sentence, reading = self.deviation
        where = rule if rule == "initialization" else f"{rule} of {self.of}"
        if reading is not None:
            differs = f"differs from reading {reading} of the errata, of {where}"
            return f"Line {line} of the trace {differs}: {sentence}."
        return f"Line {line} of the trace breaks {where}: {sentence}."


class Violation(Exception):
    """The trace breaks a rule.

    Parameters
    ----------
    rule, sentence
        Those of a `Deviation`.
    """

    def __init__(self, rule: str, sentence: str) -> None:
        self.rule, self.sentence = rule, sentence


Events = Iterable[tuple[int, Fields]]
"""The line and the fields of each event of a trace."""


class Trace:
    """The events of a trace, one after another.

    Attributes
    ----------
    event
        The next event, which has not been accepted yet. At the end of the trace, {"event": None}.
    line
        Its line, counted from 1.
    accepted
        Number of events accepted so far.

    Raises
    ------
    FormatError
        When the next line is no event.
    """

    def __init__(self, given: Events) -> None:
        self._events = iter(given)
        self.line, self.accepted = 1, 0
        self.event: Fields = {}
        self._advance()

    def _advance(self) -> None:
        end: tuple[int, Fields] = (self.line + 1, {"event": None})
        self.line, self.event = next(self._events, end)

    def accept(self) -> None:
        """Accept the next event and go on to the one after it."""
        self.accepted += 1
        self._advance()


def compared(given: Events, follow: Callable[[Trace], None], of: str = "Algorithm 1") -> Report:
    """Return the report on a trace.

    Parameters
    ----------
    given
        The events of the trace.
    follow
        Compares the trace with what it should be. It raises `Violation` at the first difference.
    of
        What it should be.
    """
    found, deviation = Trace(given), None
    try:
        follow(found)
    except Violation as violation:
        deviation = Deviation(found.line, violation.rule, violation.sentence)
    return Report(found.accepted, deviation, of)


def pair_of(event: Fields) -> tuple[int, int]:
    """Return the node (h, i) of an event."""
    return event["h"], event["i"]


def name_of(event: Fields) -> str:
    """Return the node of an event as an error message shows it."""
    return f"({short(event['h'])}, {short(event['i'])})"
