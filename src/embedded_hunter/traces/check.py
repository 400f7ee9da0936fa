"""Check whether a trace is a run of Algorithm 1 or of a forest; name the first broken rule.

The checker runs `hunt`, or `hunt_forest`, and answers its requests with the values in the trace.
Each event of the trace is compared with the event that must come next; see `check_hunter` and
`check_forest`. A conforming trace is a run as this project reads the paper, event by event. A trace
does not show whether its values are those of an objective.
"""

from collections.abc import Iterable, Mapping

from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.run.policies import Parameters, is_algorithm_1, is_forest
from embedded_hunter.settings import Settings
from embedded_hunter.traces import check_forest, events
from embedded_hunter.traces.check_hunter import followed
from embedded_hunter.traces.checking import Deviation, Events, Report, Trace, Violation, events_on
from embedded_hunter.traces.readings import READINGS, Other, with_readings
from embedded_hunter.traces.rules import ALGORITHM_1

AFTER = 10_000
"""Greatest number of events after a deviation that another reading is compared with."""

ENOUGH = 30
"""Number of events that another reading must explain after a deviation, or all that follow."""


def check(lines: Iterable[str | bytes], readings: Mapping[str, str] | None = None) -> Report:
    """Check a trace against Algorithm 1, or against the policy ``forest`` if it is a trace of it.

    Parameters
    ----------
    lines
        The lines of the trace, in the format of `events`.
    readings
        Other readings of Algorithm 1 than ours that the trace may follow: a name of
        `readings.READINGS`, and the reading.

    Returns
    -------
    Report
        The number of events that conform, and the first deviation.

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
        more = events_on(part, number, events.lengths(settings))
        given = Events(given.events + more.events, more.error)
        characters, number = characters + sum(map(len, part)), number + len(part)
        if report is None or report.events == seen:  # nothing was wrong before
            report = _first(settings, given, characters, readings)
        if report.events + AFTER < len(given.events) or given.error is not None:
            break
    assert report is not None  # there is a part, at least
    if report.deviation is None or not is_algorithm_1(settings):
        return report
    most = events.most_evaluations(settings, characters)
    following_events = given.events[: report.events + AFTER]
    return report._replace(
        deviation=_read_in_another_way(report, following_events, settings, most, readings)
    )


def _first(
    settings: Parameters, given: Events, characters: int, readings: Mapping[str, str]
) -> Report:
    """Compare the events on the lines after the header with our readings, or those accepted."""
    if is_forest(settings):
        found = Trace(given)
        try:
            check_forest.follow(found, settings, events.affordable(settings, characters))
        except Violation as violation:
            deviation = Deviation(found.line, violation.rule, violation.sentence)
            return Report(found.accepted, deviation, "the policy forest")
        return Report(found.accepted, None, "the policy forest")
    assert is_algorithm_1(settings)
    rule_set = with_readings(ALGORITHM_1, readings, given.events)
    return followed(given, settings, events.most_evaluations(settings, characters), rule_set)


def _read_in_another_way(
    report: Report,
    given: list[tuple[int, Fields]],
    settings: Settings,
    most: int,
    readings: Mapping[str, str],
) -> Deviation:
    """Return the deviation of a report; it names the other reading that explains the events best.

    A reading must explain all that follows, or at least `ENOUGH` events more; one that explains
    fewer may do so by chance. A trace that breaks off is no other reading.
    """
    deviation = report.deviation
    assert deviation is not None
    if report.events == len(given):
        return deviation
    rule_set = with_readings(ALGORITHM_1, readings, given)
    best: list[tuple[int, Other]] = []
    enough = min(report.events + ENOUGH, len(given))
    for name, reading in READINGS.items():
        for other in reading.others.values():
            if readings.get(name, reading.ours) != reading.ours:
                continue
            changed = other.of(rule_set, given)
            explained = followed(Events(given, None), settings, most, changed).events
            if explained > enough:
                best, enough = [], explained
            if explained == enough:
                best.append((reading.number, other))
    if not best:
        return deviation
    number, other = min(best, key=lambda found: found[1].line != deviation.rule)
    sentence = f"{deviation.sentence}; this is what a program does that {other.does}"
    return Deviation(deviation.line, other.line, sentence, number)
