"""The checker: it accepts what Algorithm 1 does, and names the line that anything else breaks."""

from functools import cache

import bugs
import instances
import package
import pytest
from goldens import GOLDENS, caught, objective

from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.testing import Instance
from embedded_hunter.traces.check import Report, check


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


ELSEWHERE = {
    "nu_min is set once in a sweep": "7 7",
    "nu_min is kept from sweep to sweep": "6 1",
    "a leaf is expanded iff it equals the best value": "6 1",
    "a leaf must be better than the best value when the sweep began": "6 1",
    "at most one leaf of each depth is expanded": "6 4",
    "at most one leaf of each sweep is expanded": "6 4",
    "small norms come first": "6 4",
    "classes come in order of their best value": "6 6",
    "classes come in order of their creation": "6 6",
    "all leaves of a depth are one class": "6 6",
    "each leaf is a class": "5 5",
    "classes are those of the maximum norm": "6 6",
    "classes are those of the sum of absolute values": "4 6",
    "classes are orbits under permutations and signs": "5 5",
    "norms are floating-point square roots": "8 6",
    "norms are sums of floating-point squares": "5 8",
    "norms are rounded to twelve digits": "8 6",
    "norms are 32-bit numbers": "8 6",
    "the class of the zero vector is left out": "6 4",
    "the j-th class is looked up anew after each expansion": "4 1",
    "the center child does not inherit f*": "6 4",
    "all children inherit f*": "5 7",
    "a new value replaces f*": "6 4",
    "the first value is kept as f*": "6 7",
    "f* is the mean of the values": "7 7",
    "f* is the greatest value": "6 7",
    "a leaf with an infinite value is discarded": "6 17",
}
"""The lines that verdicts name for bugs which show elsewhere. A wrong f* or a wrong class, for
instance, shows as a wrong choice of a leaf."""


@pytest.mark.long
def test_the_verdict_on_a_program_with_a_bug_names_its_line() -> None:
    """On the two shortest golden traces that the program does not give."""
    named = {}
    for bug in bugs.BUGS:
        lines = []
        for name in caught()[bug.name][:2]:
            golden = GOLDENS[name]
            trace = bugs.trace_of(bugs.program(bug), golden.settings, objective(golden))
            deviation = checked(trace).deviation
            assert deviation is not None
            lines.append(deviation.rule.removeprefix("line "))
        if lines != [bug.line] * 2:
            named[bug.name] = " ".join(lines)
    assert named == ELSEWHERE
