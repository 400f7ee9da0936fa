"""Check whether a trace is a run of Algorithm 1 or of a forest; name the first broken rule.

The checker runs `hunt`, or `hunt_forest`, and answers its requests with the values in the trace.
Each event of the trace is compared with the event that must come next; see `check_hunter` and
`check_forest`. A conforming trace is a run as this project reads the paper, event by event. A trace
does not show whether its values are those of an objective.
"""

from collections.abc import Iterable, Mapping

from embedded_hunter.run.policies import Parameters, refines
from embedded_hunter.traces import causes, check_forest, check_hunter, events
from embedded_hunter.traces.checking import Deviation, Events, Report, Trace, Violation, events_on

AFTER = 10_000
"""Greatest number of events after a deviation that are compared to find its cause."""


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
        before the check begins. A trace of a forest is checked up to the first deviation.

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
    given, characters, report = Events([], None), 0, None
    # The input may be endless. So a part of it is checked, then all up to the end of the next part,
    # and so on, until the input ends or an event is wrong and enough others follow it.
    for part in events.parts(following):
        seen = len(given.events)
        more = events_on(part, number, settings.d, refine=refines(settings))
        given = Events(given.events + more.events, more.error)
        characters, number = characters + sum(map(len, part)), number + len(part)
        if every:
            continue
        if report is None or report.events == seen:  # nothing was wrong before
            report = _first(settings, given, characters, readings)
        if report.events + AFTER < len(given.events) or given.error is not None:
            break
    if settings.policy == "forest":
        return _first(settings, given, characters, readings) if report is None else report
    if report is not None:
        if report.conforms:
            return report
        if report.events + AFTER < len(given.events):
            given = Events(given.events[: report.events + AFTER], None)
    most = events.most_evaluations(settings, characters)
    return causes.cause(given, settings, most, readings, every=every)


def _first(
    settings: Parameters, given: Events, characters: int, readings: Mapping[str, str]
) -> Report:
    """Check the events on the lines after the header, without a cause."""
    if settings.policy != "forest":
        most = events.most_evaluations(settings, characters)
        return check_hunter.first(given, settings, most, readings)
    found = Trace(given)
    try:
        check_forest.follow(found, settings, events.affordable(settings, characters))
    except Violation as violation:
        deviation = Deviation(found.line, violation.rule, violation.sentence)
        return Report(found.accepted, deviation, "the policy forest")
    return Report(found.accepted, None, "the policy forest")
