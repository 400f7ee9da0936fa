"""Is this trace a run of Algorithm 1, or of a forest? Names the first line or rule that it breaks.

The reference generator is run on the values that the trace reports, and each event of the trace is
held against the event that must come next: see `check_hunter` and `check_forest`. A trace that
conforms is a run in the reading of this project, event by event. That its values are those of some
objective cannot be seen from a trace.
"""

from collections.abc import Iterable

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.traces import check_forest, check_hunter, events
from embedded_hunter.traces.checking import Broken, Deviation, Report, Trace


def check(lines: Iterable[str | bytes]) -> Report:
    """Hold a trace (format: see `trace`) against Algorithm 1.

    Raises
    ------
    FormatError
        If the trace cannot be read as one; the message names the line.
    """
    settings, number, lines = events.opened(lines)
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
