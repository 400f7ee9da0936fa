# ruff: noqa: E501 -- sentences in one piece
"""What the checker says, word for word: one broken trace for each sentence that it has.

Of each kind of `broken_traces`, applied to a golden trace, or to the random run of a seed.
"""

import contextlib
import json

import instances
import pytest
from broken_traces import broken, filled
from faults import FAULTS, faulty
from goldens import GOLDENS
from goldens import events as golden_events
from test_conformance import checked, events_of

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.run.policies import run_of
from embedded_hunter.traces.check import check
from embedded_hunter.traces.checking import Deviation, Report
from embedded_hunter.traces.events import traced
from embedded_hunter.traces.fields import FIELDS

VERDICTS: list[tuple[str, str | int, str, str]] = [
    (
        "no evaluation of the root",
        "first-steps",
        "initialization",
        "the root (0, 0) must be evaluated first, once",
    ),
    (
        "a sweep that is not announced",
        "ties",
        "line 3",
        "a trace has an event for each sweep, or for none, and the same for visits",
    ),
    ("a sweep with another number", "ties", "line 2", "this is sweep 4"),
    (
        "a sweep with a larger bound",
        "ties",
        "line 3",
        "the sweep must visit depths 0 to 2, the smaller of depth(T) and h_max at its start, not to 3",
    ),
    ("a depth left out", "ties", "line 3", "the depth to be visited is 0"),
    ("an iteration counted twice", "ties", "line 14", "this is iteration 8"),
    (
        "classes in another order",
        "classes",
        "line 6",
        "the f* of (1, 0), 36.0 from line 6, is less than nu_min, which is infinite: it must be expanded",
    ),
    (
        "an expanded node expanded again",
        "ties",
        "line 10",
        "(0, 0) is not a leaf: already expanded, or never created",
    ),
    (
        "a leaf of another depth",
        "ties",
        "line 5",
        "a leaf of depth 1 is chosen in this visit, not (0, 0)",
    ),
    ("another nu_min", "ties", "line 7", "nu_min becomes the f* of (1, 1), 1.0 from line 2"),
    (
        "another base point",
        "first-steps",
        "line 8",
        "the base point of (1, 0) has the numerators [-1]",
    ),
    (
        "a node that is no child",
        "first-steps",
        "line 8",
        "(7, 5) is not a child of the expanded node (0, 0)",
    ),
    (
        "a child without evaluation",
        "ties",
        "line 9",
        "the children are evaluated by their index, next is (1, 0)",
    ),
    (
        "a base point evaluated twice",
        "ties",
        "line 9",
        "(1, 2) must not be evaluated here: a center child is not evaluated if its base point had more than M ||y|| evaluations, and each other child is evaluated once",
    ),
    ("another visit number", "first-steps", "line 9", "this is evaluation p = 1 of its base point"),
    (
        "an evaluation beyond the budget",
        "first-steps",
        "line 1",
        "the budget is used up: the run ends",
    ),
    (
        "an end before the budget, between sweeps",
        "ties",
        "line 1",
        "the budget is not used up and the last sweep expanded a node",
    ),
    (
        "an end before the budget, within a sweep",
        "ties",
        "line 1",
        "the budget is not used up and the sweep is not complete",
    ),
    (
        "a sweep after the end",
        "first-steps",
        "line 1",
        "the budget is used up, or a sweep expanded nothing: the run ends",
    ),
    ("another answer", "first-steps", "line 17", "answer is -54.0 from line 6, not -55.0"),
    ("another number of evaluations", "first-steps", "line 1", "evaluations is 3, not 4"),
    ("another t", "first-steps", "line 14", "t is 1, not 2"),
    ("another number of sweeps", "first-steps", "line 2", "sweeps is 1, not 2"),
    ("another depth", "first-steps", "line 10", "depth is 1, not 2"),
    ("another number of leaves", "first-steps", "line 10", "leaves is 3, not 2"),
    ("another reason", "first-steps", "line 1", "reason is maxfun, not 'other'"),
    ("another reason", "full-tree", "line 1", "reason is h_max, not 'other'"),
    ("a trace that breaks off", "first-steps", "line 17", "the trace ends before the run does"),
    (
        "an event after the end",
        "first-steps",
        "line 17",
        "the run has ended; no event can follow",
    ),
]

# A fault of an implementation, of `faults`, and the seed of a random run.
OF_FAULTS: list[tuple[str, int, str, str]] = [
    (
        "expand ties",
        1,
        "line 6",
        "the f* of (1, 1), 6.0 from line 2, is not less than nu_min, 6.0, the f* of (1, 2); this is what a program does that expands a leaf whose f* equals nu_min",
    ),
    (
        "expand ties",
        13,
        "line 6",
        "the f* of (2, 0), inf from line 12, is not less than nu_min, inf; this is what a program does that expands a leaf whose f* equals nu_min",
    ),
    ("return the last value", 3, "line 17", "answer is 0.0 from line 13, not 'inf'"),
    (
        "overwrite f*",
        19,
        "line 9",
        "the class of (3, 25) has the larger norm and comes first; this is what a program does that lets a new value replace f*",
    ),
    (
        "forget past evaluations",
        7,
        "line 9",
        "the center child (3, 22) is evaluated although its base point had 2 past evaluations, more than M ||y|| = 1",
    ),
    (
        "break ties by the greatest i",
        3,
        "line 5",
        "(1, 0) and (1, 2) have equal norm: one class; both f* are inf from line 6: the least index is that of (1, 0); this is what a program does that breaks ties in another way",
    ),
    (
        "cap strictly",
        7,
        "line 9",
        "the center child (2, 7) must be evaluated: its base point had 1 past evaluation, at most M ||y|| = 1",
    ),
]


@pytest.mark.parametrize(("kind", "trace", "rule", "sentence"), VERDICTS)
def test_the_verdict_says(kind: str, trace: str | int, rule: str, sentence: str) -> None:
    intact = golden_events(GOLDENS[trace]) if isinstance(trace, str) else events_of(trace)
    changed = broken(kind, intact)
    assert changed is not None
    deviation = checked(changed).deviation
    assert deviation is not None
    assert (deviation.rule, deviation.sentence) == (rule, sentence)


@pytest.mark.parametrize(("name", "seed", "rule", "sentence"), OF_FAULTS)
def test_the_verdict_on_an_implementation_says(
    name: str, seed: int, rule: str, sentence: str
) -> None:
    broken_hunt, settings_class = faulty(next(fault for fault in FAULTS if fault.name == name))
    instance, eta, M, _ = instances.instance(seed)
    settings = settings_class(
        instance.d, instance.d, instance.v, eta=eta, K=instance.K, M=M, h_max=instance.h_max
    )
    deviation = checked(events_of(seed, broken_hunt(settings))).deviation
    assert deviation is not None
    assert (deviation.rule, deviation.sentence) == (rule, sentence)


@pytest.mark.claim("alg1-line-4", "alg1-line-5", "alg1-line-6")
@pytest.mark.parametrize(
    ("i", "rule", "sentence"),
    [
        (0, "line 4", "the class of (1, 0) was already expanded in this visit"),
        (
            2,
            "line 4",
            "(1, 0) and (1, 2) have equal norm: one class, which was already expanded in this visit",
        ),
        (
            1,
            "line 6",
            "the f* of (1, 1), 1.0 from line 2, is not less than nu_min, 1.0, the f* of (1, 0)",
        ),
    ],
)
def test_what_is_expanded_too_much_at_the_end_of_a_visit(i: int, rule: str, sentence: str) -> None:
    """The first visit of depth 1 expands (1, 0); all values are 1."""
    events = golden_events(GOLDENS["ties"])
    first = next(
        k
        for k, event in enumerate(events)
        if event.get("h") == event.get("l", 1) == 1 and event["event"] == "expand"
    )
    assert events[first]["i"] == 0
    end = next(k for k in range(first + 1, len(events)) if events[k]["event"] != "evaluate")
    events.insert(end, {"event": "expand", "h": 1, "i": i, "nu_min": 1.0})
    deviation = checked(events).deviation
    assert deviation is not None
    assert deviation == Deviation(end + 1, rule, sentence)


def test_the_verdict_is_one_sentence_about_a_line() -> None:
    intact = golden_events(GOLDENS["ties"])
    assert str(checked(intact)) == f"The trace conforms to Algorithm 1: {len(intact) - 1} events."
    changed = broken("another nu_min", golden_events(GOLDENS["ties"]))
    assert changed is not None
    line = next(k for k, (a, b) in enumerate(zip(changed, intact, strict=False)) if a != b)
    assert str(checked(changed)) == (
        f"Line {line + 1} of the trace breaks line 7 of Algorithm 1: "
        "nu_min becomes the f* of (1, 1), 1.0 from line 2."
    )
    changed = broken("no evaluation of the root", golden_events(GOLDENS["ties"]))
    assert changed is not None
    assert str(checked(changed)) == (
        "Line 2 of the trace breaks initialization: the root (0, 0) must be evaluated first, once."
    )


# --- events and lines are counted right, whatever is missing -------------------------------------


@pytest.mark.parametrize("name", ["first-steps", "ties", "full-tree", "five-children"])
def test_a_trace_that_breaks_off_is_confirmed_as_far_as_it_goes(name: str) -> None:
    lines = [dump(event) for event in golden_events(GOLDENS[name])]
    for kept in range(1, len(lines)):
        report = check(lines[:kept])
        missing = Deviation(kept + 1, "line 17", "the trace ends before the run does")
        if kept == len(lines) - 1:  # the end of a run need not be told
            assert report == Report(kept - 1, None)
            continue
        assert report == Report(kept - 1, missing)
    assert check(lines) == Report(len(lines) - 1, None)


def test_blank_lines_count_as_lines() -> None:
    lines = [dump(event) for event in golden_events(GOLDENS["ties"])]
    spread = "\n".join(lines).encode().splitlines()
    assert check(spread) == Report(len(lines) - 1, None)
    changed = spread[:6] + spread[8:]  # without the event on line 7: the first visit
    report = check(changed)
    assert report.events > 1
    assert report.deviation is not None
    assert len(changed[report.deviation.line - 1]) > 0
    assert json.loads(changed[report.deviation.line - 1])["event"] == "visit"


@pytest.mark.parametrize("event", [None, "turn", "", 3, ["visit"], {"visit": 1}, True])
@pytest.mark.parametrize("line", [2, 4, 8])
def test_an_event_of_no_kind_is_named(event: object, line: int) -> None:
    lines = golden_events(GOLDENS["first-steps"])
    lines[line - 1]["event"] = event
    with pytest.raises(FormatError) as caught:
        checked(lines)
    assert str(caught.value) == (
        f"line {line}: event must be one of {', '.join(sorted(FIELDS))}, got {event!r}"
    )


@pytest.mark.parametrize("lines", [[], ["\n"], [b"", b"  \n"]])
def test_an_empty_trace_is_none(lines: list[str | bytes]) -> None:
    with pytest.raises(FormatError, match=r"^the trace is empty$"):
        check(lines)


# --- an event put in the place of another --------------------------------------------------------

CENTER = "although its base point had 1 past evaluation, more than M ||y|| = 0"
REPLACED: list[tuple[str, int, Fields, str, str]] = [
    ("first-steps", 2, {"event": "visit"}, "initialization", "the root (0, 0) must be evaluated first, once"),
    ("first-steps", 2, {"p": 2}, "initialization", "the root (0, 0) must be evaluated first, once"),
    ("first-steps", 2, {"c": [1]}, "initialization", "the root (0, 0) must be evaluated first, once"),
    ("first-steps", 3, {"event": "refine"}, "line 1", "the event 'refine' is of the policy forest"),
    ("first-steps", 4, {"event": "sweep"}, "line 6", "the f* of (0, 0), 0.0 from line 2, is less than nu_min, which is infinite: it must be expanded"),
    ("first-steps", 5, {"event": "end"}, "line 1", "the budget is not used up: 1 of 3 evaluations were made"),
    ("first-steps", 6, {"event": "visit"}, "line 9", "the base point of (1, 0) must be evaluated"),
    ("first-steps", 6, {"i": 5}, "line 8", "(1, 5) is not a child of the expanded node (0, 0)"),
    ("first-steps", 6, {"h": 2}, "line 8", "(2, 0) is not a child of the expanded node (0, 0)"),
    ("first-steps", 6, {"c": [1]}, "line 8", "the base point of (1, 0) has the numerators [-1]"),
    ("first-steps", 6, {"p": 2}, "line 9", "this is evaluation p = 1 of its base point"),
    ("first-steps", 6, {"f_star": 7}, "line 9", "the f* of (1, 0) becomes -54.0, not 7.0"),
    ("first-steps", 5, {"f_star": 7}, "line 9", "the f* of (0, 0) is 0.0 from line 2, not 7.0"),
    ("first-steps", 7, {"i": 1}, "line 9", f"the center child (1, 1) is evaluated {CENTER}"),
    ("first-steps", 7, {"i": 0}, "line 9", "the children are evaluated by their index, next is (1, 2)"),
    ("first-steps", 8, {"event": "expand", "h": 1, "i": 0}, "line 1", "the budget is used up: the run ends"),
    ("first-steps", 8, {"event": "evaluate"}, "line 1", "the budget is used up: the run ends"),
    ("five-children", 6, {"i": 2}, "line 9", f"the center child (1, 2) is evaluated {CENTER}"),
    ("five-children", 6, {"i": 1}, "line 9", "the children are evaluated by their index, next is (1, 0)"),
    ("five-children", 7, {"i": 3}, "line 9", "the children are evaluated by their index, next is (1, 1)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "line", "change", "rule", "sentence"), REPLACED)
def test_the_verdict_on_one_event_says(
    name: str, line: int, change: Fields, rule: str, sentence: str
) -> None:
    events = golden_events(GOLDENS[name])
    events[line - 1] = filled(events[line - 1] | change, 1)
    assert checked(events) == Report(line - 2, Deviation(line, rule, sentence))


def test_a_sweep_that_the_trace_announces_later_than_the_first() -> None:
    events = golden_events(GOLDENS["ties"])
    del events[2]
    deviation = checked(events).deviation
    assert deviation is not None
    assert deviation.rule == "line 3"
    assert events[deviation.line - 1]["event"] == "sweep"


@pytest.mark.parametrize("line", [2, 7])
def test_a_value_that_is_none_is_no_verdict_but_an_error(line: int) -> None:
    events = golden_events(GOLDENS["first-steps"])
    events[line - 1]["value"] = True
    with pytest.raises(FormatError) as caught:
        checked(events)
    assert str(caught.value) == f'line {line}: value must be a number, "inf" or "-inf", got True'


def test_a_trace_of_the_forest_is_held_against_the_forest() -> None:
    settings = ForestSettings(5, 2, 60, n_embeddings=2)
    events: list[Fields] = []
    run = traced(run_of(settings), settings, events.append)
    visit, number = next(run), 0
    with contextlib.suppress(StopIteration):
        while True:
            values = [float((number + k) * 7 % 11) for k in range(len(visit.evaluations))]
            number += len(values)
            visit = run.send(values)
    assert number == 60
    report = checked(events)
    assert report == Report(len(events) - 1, None, "the policy forest")
    assert str(report) == f"The trace conforms to the policy forest: {len(events) - 1} events."
    broken_report = checked([events[0], *events[2:]])
    assert broken_report.of == "the policy forest"
    assert str(broken_report).startswith(
        "Line 2 of the trace breaks rule F2 of the policy forest: "
    )


# --- after the first deviation -------------------------------------------------------------------


def test_all_wrong_fields_are_named_if_asked_for() -> None:
    """A wrong p, t and nu_min do not change what the run does: each is named with its own line."""
    intact = golden_events(GOLDENS["ties"])
    assert check(map(dump, intact), every=True) == Report(len(intact) - 1, None)
    at = {
        "t": next(k for k, e in enumerate(intact) if e.get("event") == "visit" and e["l"] == 1),
        "nu_min": max(k for k, e in enumerate(intact) if e.get("event") == "expand"),
        "leaves": len(intact) - 1,
    }
    changed = [dict(event) for event in intact]
    for name, k in at.items():
        changed[k][name] += 5
    report = check(map(dump, changed), every=True)
    assert report.deviation is not None
    found = [(d.line, d.rule) for d in (report.deviation, *report.further)]
    assert (at["t"] + 1, "line 14") == found[0]
    assert (at["nu_min"] + 1, "line 7") in found
    assert found[-1] == (at["leaves"] + 1, "line 10")
    assert len(str(report).splitlines()) == len(found)
    only = check(map(dump, changed))
    assert only.deviation is not None
    assert (only.deviation.line, only.further) == (at["t"] + 1, ())
