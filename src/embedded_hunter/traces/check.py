"""Is this trace a run of Algorithm 1, or of a forest? Names the first line or rule that it breaks.

The reference generator is run on the values that the trace reports, and each event of the trace is
held against the event that must come next: see `check_hunter` and `check_forest`. A trace that
conforms is a run in the reading of this project, event by event. That its values are those of some
objective cannot be seen from a trace.
"""

from collections.abc import Iterable, Sequence

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings
from embedded_hunter.traces import check_forest, check_hunter, events
from embedded_hunter.traces.checking import Broken, Deviation, Report, Trace

FIRST_PART = 2**20
"""Characters of a trace that are read before any of it is checked."""


def check(lines: Iterable[str | bytes]) -> Report:
    """Hold a trace (format: see `trace`) against Algorithm 1.

    Raises
    ------
    FormatError
        If the trace cannot be read as one; the message names the line.
    """
    settings, number, following = events.opened(lines)
    # A file may have no end. So a part of it is read and checked, then one twice as long, and so
    # on until a line of the part is wrong or the part is all: a deviation is the same in both.
    part: list[str | bytes] = []
    size, most = 0, FIRST_PART
    for line in following:
        part.append(line)
        size += len(line)
        if size >= most:
            report = _check(settings, number, part)
            if report.deviation is not None and report.deviation.line < number + len(part):
                return report
            most = 2 * size
    return _check(settings, number, part)


def _check(settings: Settings, number: int, lines: Sequence[str | bytes]) -> Report:
    """Hold the lines after the header, from line `number` on, against what they are a trace of."""
    found = Trace(events.read(lines, number))
    of = "the policy forest" if isinstance(settings, ForestSettings) else "Algorithm 1"
    try:
        if isinstance(settings, ForestSettings):
            check_forest.follow(found, settings, events.affordable(settings, lines))
        else:
            check_hunter.follow(found, settings, events.affordable(settings, lines))
    except Broken as broken:
        return Report(found.taken, Deviation(found.line, *broken.args), of)
    return Report(found.taken, None, of)
