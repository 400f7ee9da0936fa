"""The checker: it accepts what Algorithm 1 does, and names the line that anything else breaks."""

from functools import cache

import bugs
import instances
import package
import pytest
from goldens import GOLDENS, caught, objective
from goldens import events as golden_events

from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.traces.check import check
from embedded_hunter.traces.checking import Report
from embedded_hunter.traces.events import replay, traced

RUNS = 300


def events_of(seed: int, run: Hunt | None = None) -> list[Fields]:
    instance, eta, M, g = instances.instance(seed)
    settings = package.settings_of(instance, eta, M)
    written: list[Fields] = []
    hunter = hunt(settings) if run is None else run
    package.run(settings, g, traced(hunter, settings, written.append))
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


@pytest.mark.slow
def test_ten_thousand_random_runs_conform() -> None:
    """Some 900,000 events; half a minute."""
    for seed in range(10_000):
        report = checked(events_of(seed))
        assert report.conforms, f"seed {seed}: {report}"


def test_replay_gives_the_same_visits() -> None:
    for events in random_traces()[:50]:
        visits = list(replay([dump(event) for event in events]))
        expanded = [(e["h"], e["i"]) for e in events if e.get("event") == "expand"]
        assert [(x.leaf.h, x.leaf.i) for visit in visits for x in visit.expansions] == expanded
        assert visits[-1].t == events[-1]["t"]


def test_a_replay_of_half_a_trace_says_so() -> None:
    lines = [dump(event) for event in golden_events(GOLDENS["classes"])]
    with pytest.raises(FormatError, match="ends within iteration"):
        list(replay(lines[: len(lines) // 2]))
    with pytest.raises(FormatError, match="empty"):
        list(replay([]))


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
