"""Check whether a trace is a run of Algorithm 1 or of a forest; name the first broken rule.

The reference generator is run on the values in the trace. Each event of the trace is compared with
the event that must come next; see `check_hunter` and `check_forest`. A conforming trace is a run as
this project reads the paper, event by event. A trace does not show whether its values are those of
an objective.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings
from embedded_hunter.traces import causes, check_forest, check_hunter, events
from embedded_hunter.traces.checking import Deviation, Report, Trace, Violation, events_on

FIRST_PART = 2**20
"""Number of characters of a trace that are read before the first check."""

AFTER = 2**20
"""Number of characters after a deviation that are read to find its cause."""


def check(
    lines: Iterable[str | bytes],
    readings: Mapping[str, str] | None = None,
    *,
    every: bool = False,
) -> Report:
    """Check a trace against Algorithm 1, or against the policy ``forest`` if it is a trace of it.

    Parameters
    ----------
    lines
        The lines of the trace, in the format of `events`.
    readings
        Other readings of Algorithm 1 than ours that the trace may follow: a name of
        `variants.READINGS`, and the reading.
    every
        Whether to go on after the first deviation, as far as that is possible. All lines are read
        before the check begins.

    Returns
    -------
    Report
        The number of events that conform, and the first deviation, or all that were found.

    Raises
    ------
    FormatError
        If the lines are not a trace. The message names the line.
    ValueError
        If there is no such reading.
    """
    settings, number, following = events.open_trace(lines)
    readings = readings or {}
    if every:
        return _cause(settings, number, list(following), readings, every=True)
    # The input may be endless. So a part of it is checked, then a part twice as long, and so on,
    # until a line within the part is wrong or the input ends. A line that is wrong in a part is
    # wrong in the whole.
    part: list[str | bytes] = []
    size, most = 0, FIRST_PART
    for line in following:
        part.append(line)
        size += len(line)
        if size >= most:
            report = _first(settings, number, part, readings)
            if report.deviation is not None and report.deviation.line < number + len(part):
                break
            most = 2 * size
    else:
        report = _first(settings, number, part, readings)
    if report.deviation is None:
        return report
    part = _with_rest(part, following, report.deviation.line - number)
    return _cause(settings, number, part, readings)


def _with_rest(
    part: list[str | bytes], following: Iterator[str | bytes], wrong: int
) -> list[str | bytes]:
    """Return the lines up to the wrong one, and `AFTER` characters of those that follow it."""
    left, end = AFTER, wrong + 1
    while left > 0:
        if end >= len(part):
            line = next(following, None)
            if line is None:
                break
            part.append(line)
        left -= len(part[end]) + 1
        end += 1
    return part[:end]


def _first(
    settings: Settings, number: int, lines: Sequence[str | bytes], readings: Mapping[str, str]
) -> Report:
    """Check the lines after the header, the first of which is line `number`, without a cause."""
    given = events_on(lines, number, settings.d)
    if not isinstance(settings, ForestSettings):
        affordable = events.affordable(settings, lines)
        return check_hunter.first(given, settings, affordable, readings)
    found = Trace(given)
    try:
        check_forest.follow(found, settings, events.affordable(settings, lines))
    except Violation as violation:
        deviation = Deviation(found.line, violation.rule, violation.sentence)
        return Report(found.accepted, deviation, "the policy forest")
    return Report(found.accepted, None, "the policy forest")


def _cause(
    settings: Settings,
    number: int,
    lines: Sequence[str | bytes],
    readings: Mapping[str, str],
    *,
    every: bool = False,
) -> Report:
    """Check the lines after the header, and look for the cause of a deviation."""
    if isinstance(settings, ForestSettings):
        return _first(settings, number, lines, readings)
    given = events_on(lines, number, settings.d)
    affordable = events.affordable(settings, lines)
    return causes.cause(given, settings, affordable, readings, every=every)
