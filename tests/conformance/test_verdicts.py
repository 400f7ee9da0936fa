# ruff: noqa: E501 -- sentences in one piece
"""What the checker says, word for word: a golden trace is broken in one place."""

from itertools import zip_longest

import package
import pytest
from edits import (
    Fault,
    again,
    batched,
    change,
    drop,
    early_end,
    exchange_expansions,
    expand,
    filled,
    put,
    settings,
)
from goldens import GOLDENS, objective
from goldens import events as golden_events
from test_conformance import checked

from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.traces.check import check
from embedded_hunter.traces.checking import Deviation, Report
from embedded_hunter.traces.events import traced
from embedded_hunter.traces.fields import FIELDS
from embedded_hunter.traces.readings import with_readings
from embedded_hunter.traces.rules import run

ROOT = "the root (0, 0) must be evaluated first, once"
ALL_OR_NONE = "a trace has an event for each sweep, or for none, and the same for visits"
EVERY_OTHER = "a center child is not evaluated if its base point had more than M ||y|| evaluations, and each other child is evaluated once"
ANOTHER_SWEEP = (
    "the sweep has visited all depths up to the bound read at its start; another sweep must begin"
)
AGAIN = "must be evaluated: its base point had"
ROUNDED = "is that integer rounded to 53 bits: compute and write it with all its digits"
CENTER = "although its base point had 1 past evaluation, more than M ||y|| = 0"


def in_batches(fault: Fault) -> Fault:
    """Break a trace whose visits have all expansions before their evaluations."""
    return lambda events: fault(batched(events))


def without_visits(fault: Fault) -> Fault:
    """Break a trace, and leave out the events of visits."""
    return lambda events: [event for event in fault(events) if event.get("event") != "visit"]


BROKEN: list[tuple[str, Fault, str, str]] = [
    ("first-steps", drop("evaluate", 0), "initialization", ROOT),
    ("first-steps", change("evaluate", 0, i=1), "initialization", ROOT),
    # Sweeps and visits.
    ("ties", drop("sweep", 0), "line 3", ALL_OR_NONE),
    ("ties", change("sweep", 1, event="visit"), "line 3", ANOTHER_SWEEP),
    ("ties", change("sweep", 1, event="refine"), "line 1", ANOTHER_SWEEP),
    ("ties", change("sweep", sweep=5), "line 2", "this is sweep 4"),
    ("ties", change("sweep", limit=3), "line 3", "the sweep must visit depths 0 to 2, the smaller of depth(T) and h_max at its start, not to 3"),
    ("ties", drop("visit", 1), "line 3", "the depth to be visited is 0"),
    ("ties", drop("visit", 0), "line 3", ALL_OR_NONE),
    ("ties", change("visit", 2, event="sweep"), "line 3", "depth 1 must be visited"),
    ("full-tree", drop("visit", -1), "line 3", "depth 1 must be visited before the sweep ends"),
    # Leaves.
    ("ties", change("expand", 1, i=2), "line 5", "(1, 0) and (1, 2) have equal norm: one class; both f* are 1.0 from line 6: the least index is that of (1, 0)"),
    ("cap-squares", change("expand", 1, i=0), "line 5", "(1, 2) and (1, 0) have equal norm: one class; the least f* is that of (1, 2), -0.125 from line 7, not 1.2083333333333333 from line 6"),
    ("classes", exchange_expansions(1), "line 6", "the f* of (1, 0), 36.0 from line 6, is less than nu_min, which is infinite: it must be expanded"),
    ("ties", expand("visit", 2, 0, 0), "line 10", "(0, 0) is not a leaf: already expanded, or never created"),
    ("ties", change("expand", 1, h=0, i=0), "line 5", "a leaf of depth 1 is chosen in this visit, not (0, 0)"),
    ("ties", change("expand", nu_min=1.5), "line 7", "nu_min becomes the f* of (1, 1), 1.0 from line 2"),
    ("five-children", change("expand", 3, nu_min=1.0), "line 7", "nu_min becomes the f* of (1, 2), 0.0 from line 2"),
    ("classes", change("expand", 2, event="visit"), "line 6", "the f* of (1, 1), 0.0 from line 2, is less than nu_min, 36.0, the f* of (1, 0): it must be expanded"),
    ("ties", without_visits(change("expand", 1, h=2, i=0)), "line 6", "the f* of (1, 0), 1.0 from line 5, is less than nu_min, which is infinite: it must be expanded"),
    ("full-tree", early_end("visit", 0), "line 6", "the f* of (0, 0), 0.0 from line 2, is less than nu_min, which is infinite: it must be expanded"),
    ("budget-cut", without_visits(change("expand", 1, i=1)), "line 4", "the class of (1, 0) has the larger norm and comes first"),
    ("first-steps", without_visits(change("expand", 0, i=1)), "line 10", "(0, 1) is not a leaf: already expanded, or never created"),
    ("infinite", without_visits(change("expand", 3, h=3)), "line 6", "the f* of (2, 0), 0.8888888888888888 from line 9, is less than nu_min, inf: it must be expanded"),
    ("infinite", without_visits(expand("evaluate", 7, 2, 6)), "line 5", "(2, 2) and (2, 6) have equal norm: one class; the least f* is that of (2, 2), 0.4444444444444444 from line 10, not inf from line 13"),
    ("better-later", without_visits(change("expand", 4, i=0)), "line 6", "the f* of (2, 0), -0.1111111111111111 from line 9, is not less than nu_min, -0.3333333333333333"),
    ("better-later", without_visits(change("expand", 4, i=2)), "line 6", "the f* of (2, 1), -1.3333333333333333 from line 10, is less than nu_min, -0.3333333333333333: it must be expanded, as far as the budget allows"),
    # A leaf too much at the end of a visit, which has expanded (1, 0); all values are 1.
    ("ties", expand("sweep", 2, 1, 0), "line 4", "the class of (1, 0) was already expanded in this visit"),
    ("ties", expand("sweep", 2, 1, 2), "line 4", "(1, 0) and (1, 2) have equal norm: one class, which was already expanded in this visit"),
    ("ties", expand("sweep", 2, 1, 1), "line 6", "the f* of (1, 1), 1.0 from line 2, is not less than nu_min, 1.0, the f* of (1, 0)"),
    # Children.
    ("better-later", without_visits(change("evaluate", 11, i=4)), "line 9", f"the center child (3, 4) {AGAIN} 2 past evaluations, at most M ||y|| = 40/3"),
    ("cap-squares", expand("evaluate", 12, 2, 8), "line 9", f"the center child (3, 25) {AGAIN} 1 past evaluation, at most M ||y|| = 4/3"),
    ("better-later", in_batches(drop("evaluate", 5)), "line 9", "the base point of (2, 2) must be evaluated"),
    ("five-children", settings(M="7"), "line 9", f"the center child (2, 2) {AGAIN} 1 past evaluation, at most M ||y|| = 56/5"),
    ("classes", settings(M="3/10"), "line 9", f"the center child (3, 1) {AGAIN} 1 past evaluation, at most M ||y|| = 1.13137..."),
    ("better-later", put("visit", 5, event="evaluate", h=2, i=7, c=[3], p=3), "line 9", f"(2, 7) must not be evaluated here: {EVERY_OTHER}"),
    ("five-children", again("evaluate", 4, i=2, c=[0]), "line 9", f"the center child (1, 2) is evaluated {CENTER}"),
    ("deep-right", change("expand", 67, i=13897651416388808), "line 8", f"i is 13897651416388807, and 13897651416388808 {ROUNDED}"),
    ("deep-right", change("evaluate", 135, i=41692954249166424), "line 8", f"i is 41692954249166421, and 41692954249166424 {ROUNDED}"),
    ("deep-left", change("evaluate", 182, c=[-23841857910156252]), "line 8", f"c[0] is -23841857910156251, and -23841857910156252 {ROUNDED}"),
    ("first-steps", without_visits(drop("expand", 0)), "line 9", f"(1, 0) must not be evaluated here: {EVERY_OTHER}"),
    ("first-steps", change("evaluate", 1, c=[0]), "line 8", "the base point of (1, 0) has the numerators [-1]"),
    ("first-steps", change("evaluate", 1, h=7, i=5), "line 8", "(7, 5) is not a child of the expanded node (0, 0)"),
    ("ties", drop("evaluate", 1), "line 9", "the children are evaluated by their index, next is (1, 0)"),
    ("first-steps", change("evaluate", p=2), "line 9", "this is evaluation p = 1 of its base point"),
    # An event in the place of another, or with another field.
    ("first-steps", change("evaluate", 0, p=2), "initialization", ROOT),
    ("first-steps", change("sweep", 0, event="refine"), "line 1", "the event 'refine' is of the policy forest"),
    ("first-steps", change("evaluate", 1, event="visit"), "line 9", "the base point of (1, 0) must be evaluated"),
    ("first-steps", change("evaluate", 1, f_star=7), "line 9", "the f* of (1, 0) becomes -54.0, not 7.0"),
    ("first-steps", change("expand", 0, f_star=7), "line 9", "the f* of (0, 0) is 0.0 from line 2, not 7.0"),
    ("better-later", change("evaluate", 4, f_star=7), "line 9", "the f* of (2, 1) becomes -1.3333333333333333, the lesser of -0.3333333333333333 from line 6 and -1.3333333333333333, not 7.0"),
    ("five-children", change("evaluate", 1, i=2), "line 9", f"the center child (1, 2) is evaluated {CENTER}"),
    # The end.
    ("first-steps", again("evaluate", -1, i=3), "line 1", "the budget is used up: the run ends"),
    ("full-tree", early_end("expand", 3), "line 1", "the budget is not used up: 7 of 100 evaluations were made"),
    ("ties", early_end("sweep", 0), "line 1", "the budget is not used up and no sweep has begun"),
    ("ties", early_end("sweep", -1), "line 1", "the budget is not used up and the last sweep expanded a node"),
    ("ties", early_end("visit", 2), "line 1", "the budget is not used up and the sweep is not complete"),
    ("first-steps", change("end", answer=-55.0), "line 17", "answer is -54.0 from line 6, not -55.0"),
    ("first-steps", change("end", t=2), "line 14", "t is 1, not 2"),
    ("first-steps", change("end", sweeps=2), "line 2", "sweeps is 1, not 2"),
    ("first-steps", change("end", depth=2), "line 10", "depth is 1, not 2"),
    ("first-steps", change("end", reason="other"), "line 1", "reason is maxfun, not 'other'"),
    ("full-tree", change("end", reason="other"), "line 1", "reason is h_max, not 'other'"),
    ("first-steps", again("end"), "line 17", "the run has ended; no event can follow"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fault", "rule", "sentence"), BROKEN)
def test_the_verdict_says(name: str, fault: Fault, rule: str, sentence: str) -> None:
    intact = golden_events(GOLDENS[name])
    head, *events = fault(golden_events(GOLDENS[name]))
    changed = [head, *(filled(event, head["settings"]["d"]) for event in events)]
    deviation = checked(changed).deviation
    assert deviation is not None
    assert (deviation.rule, deviation.sentence) == (rule, sentence)
    first = next(k for k, (a, b) in enumerate(zip_longest(changed, intact)) if a != b)
    assert deviation.line >= first + 1


LOOKS = "the run looks whether the budget is used up after each"
OTHERWISE: list[tuple[str, str, str, str, str]] = [
    ("budget-cut", "budget", "sweep", "line 1", f"{LOOKS} sweep only"),
    ("ties", "budget", "sweep", "line 1", f"{LOOKS} sweep only"),
    ("budget-cut", "budget", "visit", "line 1", f"{LOOKS} visit only"),
    ("budget-cut", "budget", "expansion", "line 1", f"{LOOKS} expansion only"),
    ("full-tree", "end", "full", "line 1", "the budget is used up, or a sweep expanded nothing: the run ends"),
    ("full-tree", "root", "free", "line 1", "evaluations is 8, not 9"),
    ("budget-cut", "cut", "children", "line 10", "leaves is 7, not 5"),
    ("ties", "t", "expanding", "line 14", "this is iteration 2"),
]  # fmt: skip
"""What is said of a golden trace where another reading of the paper than ours is required."""


@pytest.mark.parametrize(("name", "decision", "reading", "rule", "sentence"), OTHERWISE)
def test_the_verdict_under_another_reading_says(
    name: str, decision: str, reading: str, rule: str, sentence: str
) -> None:
    report = check(map(dump, golden_events(GOLDENS[name])), {decision: reading})
    assert report.deviation is not None
    assert (report.deviation.rule, report.deviation.sentence) == (rule, sentence)


DOES = "; this is what a program does that"
ANOTHER: list[tuple[str, str, str, Deviation]] = [
    ("frozen-classes", "budget", "whole", Deviation(63, "line 1", f"the f* of (2, 8), 64.0 from line 22, is less than nu_min, which is infinite: it must be expanded{DOES} begins no expansion that the budget would cut", 4)),
    ("frozen-classes", "cut", "children", Deviation(65, "line 10", f"leaves is 29, not 31{DOES} adds the children of an expansion that the budget cuts", 4)),
    ("infinite", "nu_min", "infinity", Deviation(5, "line 6", f"the f* of (0, 0), inf from line 2, is less than nu_min, which is infinite: it must be expanded{DOES} starts a sweep with nu_min = infinity, which no f* = infinity is below", 9)),
]  # fmt: skip
"""What is said of the run of a golden instance under another reading."""


@pytest.mark.parametrize(("name", "decision", "reading", "deviation"), ANOTHER)
def test_the_verdict_names_another_reading(
    name: str, decision: str, reading: str, deviation: Deviation
) -> None:
    golden, written = GOLDENS[name], list[Fields]()
    rules = with_readings({decision: reading}, [])
    made = traced(run(rules, golden.settings), golden.settings, written.append)
    package.run(golden.settings, objective(golden), made)
    report = checked(written)
    assert report == Report(deviation.line - 2, deviation)
    where = f"reading {deviation.reading} of the errata, of {deviation.rule} of Algorithm 1"
    differs = f"Line {deviation.line} of the trace differs from {where}"
    assert str(report) == f"{differs}: {deviation.sentence}."
    assert check(map(dump, written), {decision: reading}).conforms


def test_the_verdict_is_one_sentence_about_a_line() -> None:
    intact = golden_events(GOLDENS["ties"])
    assert str(checked(intact)) == f"The trace conforms to Algorithm 1: {len(intact) - 1} events."
    last = max(k for k, event in enumerate(intact) if event.get("event") == "expand")
    assert str(checked(change("expand", nu_min=1.5)(golden_events(GOLDENS["ties"])))) == (
        f"Line {last + 1} of the trace breaks line 7 of Algorithm 1: "
        "nu_min becomes the f* of (1, 1), 1.0 from line 2."
    )
    assert str(checked(drop("evaluate", 0)(golden_events(GOLDENS["ties"])))) == (
        "Line 2 of the trace breaks initialization: the root (0, 0) must be evaluated first, once."
    )


def test_an_event_may_say_the_right_f_star() -> None:
    events = golden_events(GOLDENS["first-steps"])
    for event in events[1:]:
        if event["event"] in ("evaluate", "expand"):  # each node is evaluated once
            event["f_star"] = event.get("value", event.get("nu_min"))
    assert checked(events).conforms


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
