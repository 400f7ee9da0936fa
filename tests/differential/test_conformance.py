"""The checker: it accepts what Algorithm 1 does, and names the line that anything else breaks."""

from functools import cache

import pytest

from differential import bugs, goldens, instances, package
from differential.strategies import Instance
from embedded_hunter.run.jsonlines import Fields, dump
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
