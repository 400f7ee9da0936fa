"""The checker: it accepts what Algorithm 1 does, and names the line that anything else breaks."""

from functools import cache

import bugs
import instances
import package
import pytest
from goldens import GOLDENS, caught, objective

from embedded_hunter.hunter import hunt
from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.traces.check import check
from embedded_hunter.traces.checking import Report
from embedded_hunter.traces.events import traced

RUNS = 300


def events_of(seed: int) -> list[Fields]:
    instance, eta, M, g = instances.instance(seed)
    settings = package.settings_of(instance, eta, M)
    written: list[Fields] = []
    package.run(settings, g, traced(hunt(settings), settings, written.append))
    return written


@cache
def random_traces() -> list[list[Fields]]:
    return [events_of(seed) for seed in range(RUNS)]


def checked(events: list[Fields]) -> Report:
    return check([dump(event) for event in events])


@pytest.mark.parametrize("runs", [RUNS, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_runs_conform(runs: int) -> None:
    """The rule set of the checker makes the runs of `hunt`, event by event.

    The brute force of `spec.algorithm` is not made from a rule set: it is evidence for `hunt`
    because it shares no code with it.
    """
    for seed in range(runs):
        events = random_traces()[seed] if seed < RUNS else events_of(seed)
        report = checked(events)
        assert report.conforms, f"seed {seed}: {report}"
        assert report.events == len(events) - 1


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
