"""The checker: it accepts what the package does, and names the line that anything else breaks."""

from collections import Counter
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given

from differential import bugs, goldens, instances, package
from differential.forest_instances import ForestInstance, forest_instances
from differential.strategies import Instance
from embedded_hunter.node import splits
from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.run.policies import run_of
from embedded_hunter.run.run import Run
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check import Report, check
from embedded_hunter.traces.writing import trace_of
from paper.instances import visits_of


def events_of(instance: Instance) -> list[Fields]:
    return package.trace_of_run(instance.settings, instances.objective(instance))


@cache
def random_traces() -> list[list[Fields]]:
    return [events_of(instance) for instance in instances.of_algorithm_1()]


def checked(events: list[Fields]) -> Report:
    return check([dump(event) for event in events])


def test_random_runs_conform() -> None:
    for number, events in enumerate(random_traces()):
        report = checked(events)
        assert report.conforms, f"instance {number}: {report}"
        assert report.events == len(events) - 1


@given(forest_instances(max_P=3, max_v=60))
def test_random_runs_of_the_forest_conform(instance: ForestInstance) -> None:
    values: list[float] = []
    for _, told in visits_of(
        run_of(instance.settings), lambda visit: [instance.g(each) for each in visit.evaluations]
    ):
        values += told
    events = trace_of(Run(instance.settings, values=values))
    assert check(map(dump, events)).conforms


def meets_the_cap(event: Fields, s: Settings) -> bool:
    """Tell whether an evaluation is the last one: p - 1 = M ||y||, exactly."""
    if event.get("p", 1) == 1:
        return False
    rounds = splits(event["h"], s.d)
    parts = [Fraction(c, s.K**k) for c, k in zip(event["c"], rounds, strict=True)]
    return bool((event["p"] - 1) ** 2 == s.cap * sum(part**2 for part in parts))


@pytest.mark.claim("termination", "budget-exact", "evaluation-cap")
def test_random_runs_reach_the_corners() -> None:
    seen = Counter[str]()
    for instance, events in zip(instances.of_algorithm_1(), random_traces(), strict=True):
        s = instance.settings
        last = max(
            (k for k, event in enumerate(events) if event.get("event") == "expand"), default=0
        )
        seen["full tree"] += events[-1]["reason"] == "h_max" and len(events) > 20
        seen["cut expansion"] += last > 0 and 0 < len(events) - 2 - last < s.K - 1
        seen["third evaluation"] += any(event.get("p") == 3 for event in events)
        seen["cap met exactly"] += any(meets_the_cap(event, s) for event in events)
    assert all(seen.values()), seen


@pytest.mark.long
def test_the_verdict_on_a_program_with_a_bug_names_the_event_and_mostly_its_line() -> None:
    """On the two shortest golden traces that the program does not give.

    Where the trace leaves the run of its values, the program of the kit tells. A wrong f* or a
    wrong class shows as a wrong choice of a leaf, which breaks another line.
    """
    named = 0
    for bug in bugs.BUGS:
        for name in goldens.caught()[bug.name]:
            of, g = goldens.settings(name), goldens.objective(name)
            trace = bugs.trace_of(bugs.program(bug), of, g)
            deviation, first = checked(trace).deviation, bugs.first_difference(None, trace)
            assert deviation is not None
            assert first is not None
            assert deviation.line == first + 2, (bug.name, name)
            named += deviation.rule == f"line {bug.line}"
    assert named > 150
