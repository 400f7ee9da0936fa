"""Check whether a trace is a run of Algorithm 1 or of a forest; name the first broken rule.

The checker runs `hunt`, or `hunt_forest`, and answers its requests with the values in the trace.
Each event of the trace is compared with the event that must come next; see `check_hunter` and
`check_forest`. A conforming trace is a run as this project reads the paper, event by event. A trace
does not show whether its values are those of an objective.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice

from embedded_hunter.run.jsonlines import Fields, FormatError
from embedded_hunter.run.policies import is_algorithm_1, is_forest
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check_forest import follow
from embedded_hunter.traces.check_hunter import followed
from embedded_hunter.traces.checking import Deviation, Report, compared
from embedded_hunter.traces.events import open_trace
from embedded_hunter.traces.readings import READINGS, Other, with_readings

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
    settings, given = open_trace(lines)
    if is_forest(settings):
        return compared(given, partial(follow, settings=settings), "the policy forest")
    assert is_algorithm_1(settings)
    seen: list[tuple[int, Fields]] = list(given) if readings else []

    def noted() -> Iterator[tuple[int, Fields]]:
        for event in given:
            seen.append(event)
            yield event

    readings = readings or {}
    rule_set = with_readings(readings, seen)
    report = followed(seen if readings else noted(), settings, rule_set)
    if report.deviation is None:
        return report
    with suppress(FormatError):  # what is wrong now is the event before it
        seen.extend(islice(given, max(0, report.events + AFTER - len(seen))))
    deviation = _read_in_another_way(
        report, report.deviation, seen[: report.events + AFTER], settings, readings
    )
    return report._replace(deviation=deviation)


def _read_in_another_way(
    report: Report,
    deviation: Deviation,
    given: list[tuple[int, Fields]],
    settings: Settings,
    readings: Mapping[str, str],
) -> Deviation:
    """Return the deviation of a report; it names the other reading that explains the events best.

    A reading must explain all that follows, or at least `ENOUGH` events more; one that explains
    fewer may do so by chance. A trace that breaks off is no other reading.
    """
    if report.events == len(given):
        return deviation
    rule_set = with_readings(readings, given)
    best: list[tuple[int, Other]] = []
    enough = min(report.events + ENOUGH, len(given))
    for name, reading in READINGS.items():
        for other in reading.others.values():
            if readings.get(name, reading.ours) != reading.ours:
                continue
            changed = other.of(rule_set, given)
            explained = followed(given, settings, changed).events
            if explained > enough:
                best, enough = [], explained
            if explained == enough:
                best.append((reading.number, other))
    if not best:
        return deviation
    number, other = min(best, key=lambda found: found[1].line != deviation.rule)
    sentence = f"{deviation.sentence}; this is what a program does that {other.does}"
    return Deviation(deviation.line, other.line, sentence, number)
