"""The trace of a run that has been made: it follows from the settings and the values."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, takewhile

from embedded_hunter.policy import Parameters
from embedded_hunter.run.drive import replay
from embedded_hunter.run.header import settings_in
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.run.records import read_run
from embedded_hunter.traces.events import end, events_of, header, visit_begins


def trace_of(settings: Parameters, values: Sequence[float]) -> Iterator[Fields]:
    """Yield the header and the events of the run whose evaluations 1, 2, ... have these values.

    If some are missing, the trace ends with the last one.
    """
    yield header(settings)
    sweep, made = 0, 0
    for visit, known in replay(settings, values):
        yield from visit_begins(visit, sweep, settings)
        sweep, made = visit.sweep, made + len(known)
        if len(known) < len(visit.evaluations):
            yield from _first_of(events_of(visit, known, settings), len(known))
            return
        yield from events_of(visit, known, settings)
    yield end(visit, min(values[:made]), made, settings)


def _first_of(events: Iterator[Fields], evaluations: int) -> Iterator[Fields]:
    """Yield the events up to this number of evaluations."""
    while evaluations > 0:
        event = next(events)
        evaluations -= event["event"] == "evaluate"
        yield event


def trace_of_file(lines: Iterable[bytes]) -> Iterator[Fields]:
    """Yield the header and the events of a run, from the lines of its file.

    Values that were logged before an earlier one is known are left out. FormatError if this is not
    the file of a run, or if it is damaged.
    """
    header, records = read_run(lines)
    header["settings"]["v"] = records.budget
    known = records.values
    values = [known[k] for k in takewhile(known.__contains__, count(1))]
    yield from trace_of(settings_in(header), values)
