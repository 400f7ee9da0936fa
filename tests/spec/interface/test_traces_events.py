"""Specification of `trace`: what is written, what is read again, what a header may claim."""

from typing import Any

import pytest

from embedded_hunter.forest.search import ForestVisit
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.policy import AnyVisit, Parameters
from embedded_hunter.run.drive import replay
from embedded_hunter.run.header import TRACE
from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.run.policies import run_of
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import header, open_trace, read, settings_from
from embedded_hunter.traces.recorded import trace_of

SETTINGS = Settings(9, 2, 40, K=5, M=1)


def falling(number: int) -> float:
    return 100.0 - number


def run(settings: Parameters) -> tuple[list[Fields], list[AnyVisit], float]:
    """Drive a run by falling values; return the events of its trace, its visits and answer."""
    values: list[float] = []
    visits, generator = [], run_of(settings)
    visit = next(generator)
    while True:
        visits.append(visit)
        told = [falling(len(values) + k) for k in range(len(visit.evaluations))]
        values += told
        try:
            visit = generator.send(told)
        except StopIteration as stop:
            return list(trace_of(settings, values)), visits, stop.value


@pytest.mark.claim("alg1-line-17")
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (SETTINGS, "maxfun"),
        (Settings(9, 1, 400, h_max=1, M=0), "h_max"),
        (Settings(3, 1, 1), "maxfun"),
    ],
)
def test_the_trace_of_a_run_has_its_numbers(settings: Settings, reason: str) -> None:
    events, visits, answer = run(settings)
    assert events[0] == {"format": TRACE, "version": 5, "settings": settings.as_json()}
    assert header(settings) == events[0]
    values = [event["value"] for event in events[1:] if event["event"] == "evaluate"]
    assert values == [falling(number) for number in range(len(values))]
    assert answer == min(values)
    assert type(answer) is float
    last = visits[-1]
    assert events[-1] == {
        "event": "end", "answer": answer, "evaluations": len(values), "t": last.t,
        "sweeps": last.sweep, "depth": last.tree.depth, "leaves": last.tree.leaf_count,
        "reason": reason,
    }  # fmt: skip
    assert [e["t"] for e in events[1:] if e["event"] == "visit"] == [v.t for v in visits[1:]]
    assert [e["l"] for e in events[1:] if e["event"] == "visit"] == [v.l for v in visits[1:]]
    sweeps = [e for e in events[1:] if e["event"] == "sweep"]
    assert [e["sweep"] for e in sweeps] == list(range(1, last.sweep + 1))
    again = [visit for visit, _ in replay(settings, values)]
    assert [visit.t for visit in again] == [visit.t for visit in visits]
    assert again[-1].tree.leaf_count == last.tree.leaf_count


@pytest.mark.parametrize("v", [1, 2, 40, 300])
def test_the_trace_of_some_of_the_values_is_the_beginning(v: int) -> None:
    for settings in (Settings(9, 2, v, K=5, M=1), ForestSettings(6, v, dimensions=[2, 4])):
        events, *_ = run(settings)
        values = [event["value"] for event in events if event.get("event") == "evaluate"]
        assert len(values) == v
        for known in range(0, len(values), 7):
            begun = list(trace_of(settings, values[:known]))
            assert begun == events[: len(begun)]
            assert sum(event.get("event") == "evaluate" for event in begun) == known


# --- reading -------------------------------------------------------------------------------------


def test_lines_are_numbered_from_one_and_blank_ones_passed_over() -> None:
    lines: list[str | bytes] = ['{"a": 1}\n', "\n", b"  ", b'{"a": 2}', "", '{"a": 3}']
    assert list(read(lines)) == [(1, {"a": 1}), (4, {"a": 2}), (6, {"a": 3})]
    with pytest.raises(FormatError, match=r"^line 3 is not JSON: "):
        list(read(["{}", "", "{"]))


REQUIRED = "line 1 must have format 'embedded-hunter trace' and version 5"
EARLIER = "(version 1.0.0 of embedded-hunter has other formats)"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "other"}, f"{REQUIRED}, got 'other' and 5"),
        ({"version": 3}, f"{REQUIRED}, got 'embedded-hunter trace' and 3 {EARLIER}"),
        ({"settings": [1]}, "line 1: settings must be an object, got [1]"),
        ({"settings": None}, "line 1: settings must be an object, got None"),
        (
            {"settings": SETTINGS.as_json() | {"K": 4}},
            "line 1: settings: K must be an odd integer >= 3, got 4",
        ),
        (
            {"settings": SETTINGS.as_json() | {"d": "two"}},
            "line 1: d must be an integer, got 'two'",
        ),
    ],
)
def test_what_is_no_header_is_named(change: dict[str, Any], says: str) -> None:
    assert settings_from(header(SETTINGS)).as_json() == SETTINGS.as_json()
    with pytest.raises(FormatError) as caught:
        settings_from(header(SETTINGS) | change)
    assert str(caught.value) == says


def test_K_d_is_bounded_by_100000() -> None:
    fields: dict[str, Any] = Settings(50_000, 20_000, 9).as_json()
    assert settings_from(header(SETTINGS) | {"settings": fields | {"K": 5}}).K == 5
    with pytest.raises(FormatError, match=r"^line 1: K d must be .*, got K = 5 and d = 20001$"):
        settings_from(header(SETTINGS) | {"settings": fields | {"K": 5, "d": 20_001}})


def test_a_trace_is_read_as_its_events_are_needed() -> None:
    lines = [dump(event) for event in run(SETTINGS)[0]]
    with pytest.raises(FormatError, match=r"^the trace is empty$"):
        open_trace(["\n"])
    unread = iter(lines)
    _, events = open_trace(unread)
    next(events)
    assert list(unread) == lines[2:]
    wrong = [line.replace('"value": 98.0', '"value": true') for line in lines]
    with pytest.raises(FormatError, match=r"^line \d+: value must be a number, .*, got True$"):
        list(open_trace(wrong)[1])


@pytest.mark.parametrize("known", [0, 1, 7, 40])
def test_a_replay_has_the_visits_of_the_run_as_far_as_values_are_known(known: int) -> None:
    _, visits, _ = run(SETTINGS)
    values = [falling(number) for number in range(known)]
    again = list(replay(SETTINGS, values))
    assert [value for _, told in again for value in told] == values
    for (visit, told), expected in zip(again, visits, strict=False):
        leaves = [(e.leaf.h, e.leaf.i) for e in expected.expansions]
        assert [(e.leaf.h, e.leaf.i) for e in visit.expansions] == leaves
        whole = len(told) == len(expected.evaluations)
        assert whole or visit is again[-1][0]
    assert known < 40 or len(again) == len(visits)


# --- the policy forest ---------------------------------------------------------------------------

FOREST = ForestSettings(6, 300, dimensions=[2, 4], n_embeddings=3)


def test_a_trace_of_the_forest_has_its_refinements() -> None:
    events, visits, _ = run(FOREST)
    assert events[0] == {"format": TRACE, "version": 5, "settings": FOREST.as_json()}
    assert settings_from(events[0]).as_json() == FOREST.as_json()
    expected = []
    for visit in visits:
        assert isinstance(visit, ForestVisit)
        if visit.local is None:
            continue
        q, (center, _), mode, age = visit.local
        expected.append({
            "event": "refine", "q": q, "center": [center.h, center.i],
            "mode": mode, "age": age,
        })  # fmt: skip
    assert [event for event in events if event.get("event") == "refine"] == expected
    assert len(expected) > 3


def test_n_embeddings_d_is_bounded_by_100000() -> None:
    fields: dict[str, Any] = FOREST.as_json() | {"dimensions": [4], "n_embeddings": 25_000}
    settings = settings_from(header(FOREST) | {"settings": fields})
    assert isinstance(settings, ForestSettings)
    assert settings.n_embeddings == 25_000
    with pytest.raises(FormatError) as caught:
        settings_from(header(FOREST) | {"settings": fields | {"n_embeddings": 25_001}})
    assert str(caught.value) == ("line 1: P d must be at most 100000, got P = 25001 and d = 4")
