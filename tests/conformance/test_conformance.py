"""The checker: it accepts what Algorithm 1 does, and names the line that anything else breaks."""

from collections.abc import Callable
from functools import cache

import bugs
import instances
import package
import pytest
from goldens import GOLDENS, caught, objective

from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check import check
from embedded_hunter.traces.checking import Report
from embedded_hunter.traces.events import traced
from embedded_hunter.traces.rules import ALGORITHM_1, run

RUNS = 300


def events_of(seed: int, hunter: Callable[[Settings], Hunt] = hunt) -> list[Fields]:
    instance, eta, M, g = instances.instance(seed)
    settings = package.settings_of(instance, eta, M)
    written: list[Fields] = []
    package.run(settings, g, traced(hunter(settings), settings, written.append))
    return written


@cache
def random_traces() -> list[list[Fields]]:
    return [events_of(seed) for seed in range(RUNS)]


def checked(events: list[Fields]) -> Report:
    return check([dump(event) for event in events])


def test_random_runs_conform() -> None:
    for seed, events in enumerate(random_traces()):
        report = checked(events)
        assert report.conforms, f"seed {seed}: {report}"
        assert report.events == len(events) - 1


def test_the_rules_of_algorithm_1_make_the_runs_of_hunt() -> None:
    """Event by event. The brute force of `spec.algorithm` is not made from a rule set: it is
    evidence for `hunt` because it shares no code with it."""
    for seed, events in enumerate(random_traces()[:150]):
        assert events_of(seed, lambda s: run(ALGORITHM_1, s)) == events, f"seed {seed}"


@pytest.mark.slow
def test_ten_thousand_random_runs_conform() -> None:
    """Some 900,000 events; half a minute."""
    for seed in range(10_000):
        report = checked(events_of(seed))
        assert report.conforms, f"seed {seed}: {report}"


@pytest.mark.long
def test_the_verdict_on_a_program_with_a_bug_names_its_line() -> None:
    """Often; a wrong f* shows later, as a wrong choice of a leaf."""
    found = []
    for bug in bugs.BUGS:
        for name in caught()[bug.name][:2]:
            golden = GOLDENS[name]
            trace = bugs.trace_of(bugs.program(bug), golden.settings, objective(golden))
            deviation = checked(trace).deviation
            assert deviation is not None
            found.append(deviation.rule == f"line {bug.line}")
    assert len(found) > 200
    assert sum(found) > 0.8 * len(found)
