"""The checker: it accepts what Algorithm 1 does, and names the line that anything else breaks."""

from functools import cache

import instances
import package
import pytest
from faults import FAULTS, Fault, Runaway, faulty
from goldens import GOLDENS
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


# Which line each fault of the core breaks first, as far as a trace can tell: a wrong f* shows as a
# wrong choice, since these traces do not have the field f_star. Faults that only crash, or that
# never end, leave no trace.
BROKEN_LINES = {
    "expand ties": {6},
    "stop a depth early": {1},
    "expand below h_max": {1, 3},
    "re-read the loop bound": {3},
    "forget the root's evaluation": {1},
    "begin an expansion without budget": {1},
    "add the children of a cut expansion": {10},
    "drop an expansion that just fits": {10},
    "keep nu_min from sweep to sweep": {1, 6},
    "set nu_min once": {6},
    "count only visits that expand": {14},
    "stop after a sweep": {1},
    "call every visit the first": {9},
    "return the last value": {17},
    "overwrite f*": {4, 6},
    "forget past evaluations": {9},
    "break ties by the greatest i": {5},
    "take the worst leaf": {4, 5, 6},
    "split the next coordinate": {8},
    "cap strictly": {9},
    "cap at the norm squared": {9},
    "evaluate the center always": {9},
    "give the center no past": {9},
    "give the center no f*": {4, 6, 7},
    "mirror the cells": {8},
    "number children backwards": {9},
    "visit small norms first": {4, 6},
    "one class for all norms": {4, 6, 9},
    "skip too much": {6},
    "keep the parent as a leaf": {10},
    "measure Y by its radius": {9},
}


@pytest.mark.long
@pytest.mark.parametrize(
    "fault",
    [fault for fault in FAULTS if fault.name in BROKEN_LINES],
    ids=lambda fault: fault.name,
)
def test_a_fault_of_an_implementation_is_seen_in_its_traces(fault: Fault) -> None:
    broken_hunt, settings_class = faulty(fault)
    seen: set[int] = set()
    for seed in range(30):
        instance, eta, M, _ = instances.instance(seed)
        settings = settings_class(
            instance.d, instance.d, instance.v, eta=eta, K=instance.K, M=M, h_max=instance.h_max
        )
        try:
            report = checked(events_of(seed, broken_hunt(settings)))
        except Runaway:
            continue
        if report.deviation is not None:
            seen.add(int(report.deviation.rule.removeprefix("line ")))
    assert seen
    assert seen <= BROKEN_LINES[fault.name]
