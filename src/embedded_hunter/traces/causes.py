"""Find the mistake, or the other reading of the paper, that explains where a trace deviates.

A wrong f* shows only later, as a wrong choice of a leaf. So the line that the first deviation seems
to break need not be the one that the program breaks. Here the trace is compared with changed rule
sets, too: one that explains more of the trace than Algorithm 1 names the cause.
"""

from collections.abc import Mapping
from typing import NamedTuple

from embedded_hunter.settings import Settings
from embedded_hunter.traces.check_hunter import Followed, followed
from embedded_hunter.traces.checking import Deviation, Events, Report
from embedded_hunter.traces.rules import ALGORITHM_1, Rules
from embedded_hunter.traces.variants import READINGS, VARIANTS, Variant, with_readings

ENOUGH = 30
"""Number of events that a variant must explain after a deviation, or all that follow."""

MOST_NAMED = 3
"""Greatest number of causes that a sentence names."""


def cause(
    given: Events,
    settings: Settings,
    most: int,
    readings: Mapping[str, str],
    *,
    every: bool = False,
) -> Report:
    """Return the report on a trace, whose deviations name their cause if a `Variant` explains them.

    The parameters are those of `check_hunter.first` and of `check.check`.
    """
    rule_set = with_readings(ALGORITHM_1, readings, given.events)
    passed: frozenset[str] = frozenset()
    deviations: list[Deviation] = []
    accepted = None
    while True:
        found = followed(given, settings, most, rule_set, passed)
        accepted = found.accepted if accepted is None else accepted
        last = deviations[-1].line if deviations else 0
        deviations += [deviation for deviation in found.passed if deviation.line > last]
        violation = found.violation
        if violation is None:
            break
        deviation = Deviation(found.line, violation.rule, violation.sentence)
        causes = _causes(given, settings, most, rule_set, readings, passed, found)
        if causes:
            # Of causes that explain the trace equally well, first those with the line of the
            # violation. The sort keeps the order of the others.
            causes.sort(key=lambda cause: cause.variant.line != violation.rule)
            chosen = causes[0]
            rule_set = chosen.rules
            ways = ", or that ".join(cause.variant.does for cause in causes[:MOST_NAMED])
            deviation = Deviation(
                found.line,
                chosen.variant.line,
                f"{violation.sentence}; this is what a program does that {ways}",
                chosen.reading,
                tuple(dict.fromkeys(cause.variant.line for cause in causes)),
            )
        elif violation.field is not None:
            passed |= {violation.field}
        deviations.append(deviation)
        if not every or not (causes or violation.field):
            break
    if not deviations:
        return Report(accepted, None)
    return Report(accepted, deviations[0], further=tuple(deviations[1:]) if every else ())


class Cause(NamedTuple):
    """A variant that explains a trace further than the rule set it was checked against."""

    reading: int | None
    """The number of our reading in the errata, if the variant is another reading."""
    variant: Variant
    rules: Rules


def _causes(
    given: Events,
    settings: Settings,
    most: int,
    rule_set: Rules,
    readings: Mapping[str, str],
    passed: frozenset[str],
    found: Followed,
) -> list[Cause]:
    """Return the variants that explain a trace best, our readings first.

    A variant must explain the rest of the trace, or at least `ENOUGH` events more than the rule set
    does; one that explains fewer may do so by chance. A trace that breaks off has no cause.
    """
    events = given.events
    if found.accepted == len(events):
        return []
    variants = [
        (reading.number, variant)
        for name, reading in READINGS.items()
        if readings.get(name, reading.ours) == reading.ours
        for variant in reading.others.values()
    ] + [(None, variant) for variant in VARIANTS]
    best: list[Cause] = []
    enough = min(found.accepted + ENOUGH, len(events))
    for number, variant in variants:
        changed = variant.of(rule_set, events)
        rest = Events(events, None)
        explained = followed(rest, settings, most, changed, passed).accepted
        if explained > enough:
            best, enough = [], explained
        if explained == enough:
            best.append(Cause(number, variant, changed))
    return best
