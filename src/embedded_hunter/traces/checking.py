"""Common parts of both checkers: the events of a trace, read one ahead, and the report."""

from collections.abc import Sequence
from typing import NamedTuple

from embedded_hunter.run.jsonlines import Fields, FormatError, short
from embedded_hunter.traces import events
from embedded_hunter.traces.fields import event_from


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


class Events(NamedTuple):
    """The events on the lines of a trace, as far as the lines are events."""

    events: list[tuple[int, Fields]]
    """The number of a line, and the event on it."""
    error: FormatError | None
    """What is wrong with the line that follows them, if it is no event."""


def events_on(lines: Sequence[str | bytes], first: int, lengths: Sequence[int]) -> Events:
    """Read the lines of a trace after the header.

    Parameters
    ----------
    lines
        The lines.
    first
        The number of the first of them.
    lengths
        The numbers of numerators that a base point can have.
    """
    found: list[tuple[int, Fields]] = []
    try:
        for line, fields in events.read(lines, first):
            found.append((line, event_from(fields, line, lengths)))
    except FormatError as error:
        return Events(found, error)
    return Events(found, None)


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
        self._events, self._error = given
        self.line, self.accepted = 1, 0
        self.event: Fields = {}
        self._advance()

    def _advance(self) -> None:
        if self.accepted < len(self._events):
            self.line, self.event = self._events[self.accepted]
            return
        if self._error is not None:
            raise self._error
        self.line, self.event = self.line + 1, {"event": None}

    def accept(self) -> None:
        """Accept the next event and go on to the one after it."""
        self.accepted += 1
        self._advance()


def pair_of(event: Fields) -> tuple[int, int]:
    """Return the node (h, i) of an event."""
    return event["h"], event["i"]


def name_of(event: Fields) -> str:
    """Return the node of an event as an error message shows it."""
    return f"({short(event['h'])}, {short(event['i'])})"
