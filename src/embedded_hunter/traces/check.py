"""Check whether a trace is a run of Algorithm 1 or of a forest; name the first broken rule.

The reference generator is run on the values in the trace. Each event of the trace is compared with
the event that must come next; see `check_hunter` and `check_forest`. A conforming trace is a run as
this project reads the paper, event by event. A trace does not show whether its values are those of
an objective.
"""

from collections.abc import Iterable, Sequence

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings
from embedded_hunter.traces import check_forest, check_hunter, events
from embedded_hunter.traces.checking import Deviation, Report, Trace, Violation

FIRST_PART = 2**20
"""Number of characters of a trace that are read before the first check."""


def check(lines: Iterable[str | bytes]) -> Report:
    """Check a trace against Algorithm 1, or against the policy ``forest`` if it is a trace of it.

    Parameters
    ----------
    lines
        The lines of the trace, in the format of `events`.

    Returns
    -------
    Report
        The number of events that conform, and the first deviation.

    Raises
    ------
    FormatError
        If the lines are not a trace. The message names the line.
    """
    settings, number, following = events.open_trace(lines)
    # The input may be endless. So a part of it is checked, then a part twice as long, and so on,
    # until a line within the part is wrong or the input ends. A line that is wrong in a part is
    # wrong in the whole.
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
    """Check the lines after the header. The first of them is line `number`."""
    found = Trace(events.read(lines, number))
    of = "the policy forest" if isinstance(settings, ForestSettings) else "Algorithm 1"
    try:
        if isinstance(settings, ForestSettings):
            check_forest.follow(found, settings, events.affordable(settings, lines))
        else:
            check_hunter.follow(found, settings, events.affordable(settings, lines))
    except Violation as violation:
        return Report(found.accepted, Deviation(found.line, *violation.args), of)
    return Report(found.accepted, None, of)
