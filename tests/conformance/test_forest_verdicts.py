# ruff: noqa: E501 -- sentences in one piece
"""What the checker says of a trace of the policy forest, word for word: every sentence it has.

A golden trace is broken in one place; the verdict is its rule, its sentence and the line, which is
the first one that differs from the golden trace.
"""

import json
from itertools import zip_longest

import pytest
from edits import (
    Events,
    Fault,
    again,
    change,
    drop,
    early_end,
    expand,
    filled,
    turn,
    without,
)
from goldens_forest import FOLDER, GOLDENS
from goldens_forest import events as events_of

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run.jsonlines import FormatError, dump
from embedded_hunter.traces.check import check
from embedded_hunter.traces.checking import Deviation, Report


def intact(name: str) -> Events:
    """A golden trace; that of two trees also with five children."""
    if name == "five-children":
        golden = GOLDENS["two-trees"]
        settings = ForestSettings.from_json({**golden.settings.as_json(), "K": 5})
        return events_of(golden._replace(settings=settings))
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


ZERO = "the zero vector, node (0, 0), is evaluated first, once for all roots"
USED = "the budget is used up: the run ends"
OVER = "the budget is used up, or a sweep expanded nothing: the run ends"
NOTHING_MORE = "must not be evaluated here: a center child inherits its value, and each other child is evaluated once"
OLD = "is not a leaf of the forest: already expanded, or never created"
MUST = "is less than its nu_min: it must be expanded"
LEAST = "the leaf of least f* (ties: least index) in its class is"
SWEPT = "the sweep must visit depths 0 to"
BEGIN = "a sweep of the forest must begin"
DUE = "local searches have fewer evaluations than the forest: one is next"
EVOLVES = "a generation of the evolution strategy is next"
NEXT = "the local search that is next has"
BROKEN: list[tuple[str, Fault, str, str]] = [
    # The zero vector.
    ("two-trees", drop("evaluate", 0), "F2", ZERO),
    ("two-trees", change("evaluate", 0, i=1), "F2", ZERO),
    ("two-trees", change("evaluate", 0, c=[1]), "F1", "the base point of (0, 0) has the numerators [0]"),
    ("two-trees", change("evaluate", 0, p=2), "F1", "the tree of (0, 0) has the matrix p = 1"),
    ("two-trees", again("evaluate", 0), "F3", f"(0, 0) {NOTHING_MORE}"),
    ("two-trees", without(("sweep", 0), ("expand", 0)), "F4", "a sweep must begin before a leaf is expanded"),
    # Children.
    ("two-trees", change("evaluate", 1, i=4), "F1", "(1, 4) is not a child of the expanded node (0, 0)"),
    ("two-trees", change("evaluate", 3, h=2), "F1", "(2, 3) is not a child of the expanded node (0, 1)"),
    ("two-trees", change("evaluate", 2, i=1), "F3", "the center child (1, 1) inherits and is never evaluated"),
    ("two-trees", turn("evaluate", 1), "F3", "children are evaluated by their index, next is (1, 0)"),
    ("two-trees", drop("evaluate", 2), "F3", "the child (1, 2) must be evaluated"),
    ("two-trees", again("evaluate", -1), "F4", USED),
    ("five-children", change("evaluate", 1, i=1), "F3", "children are evaluated by their index, next is (1, 0)"),
    # Points of a local search.
    ("refinement", change("evaluate", 7, p=1), "F7", "a point of local search 2 has p = 3"),
    ("refinement", change("evaluate", 7, i=3), "F7", "a point of local search 2 has i = 2"),
    ("refinement", change("evaluate", 7, h=1), "F7", "a point of local search 2 has h = 0"),
    ("refinement", change("evaluate", 7, c=[0, 0]), "F7", "a point of local search 2 has c = []"),
    ("refinement", drop("evaluate", 14), "F7", "local search 2 must evaluate its next point"),
    ("refinement", again("evaluate", 14), "F7", "the generation of 8 points is complete"),
    # Leaves, in the place of another one.
    ("two-trees", change("expand", 0, i=1), "F4", f"{LEAST} (0, 0)"),
    ("two-trees", change("expand", 3, i=0), "F4", "(1, 0) " + OLD),
    ("two-trees", change("expand", 3, i=1), "F5", "the class of (1, 5) comes first: it must be expanded"),
    ("two-trees", change("expand", 4, i=5), "F4", "the class of (1, 5) was already expanded in this visit"),
    ("two-trees", change("expand", 1, h=5), "F4", "a leaf of depth 0 is chosen in this visit, not (5, 1)"),
    ("two-trees", change("expand", 0, nu_min=7.0), "F4", "nu_min becomes the f* of (0, 0), 0.6049382716049383"),
    ("two-trees", drop("expand", 0), "F4", f"the f* of (0, 0) {MUST}"),
    # Leaves too many.
    ("separate-origin", expand("sweep", -1, 2, 0), "F4", "the f* of (2, 0) is not less than the nu_min of its queue"),
    ("separate-origin", expand("sweep", -1, 2, 3), "F4", "in its class (2, 0) has the least f* (ties: least index)"),
    ("separate-origin", expand("visit", 2, 0, 1), "F4", "the class of (0, 1) was already expanded in this visit"),
    # Sweeps and visits.
    ("two-trees", change("sweep", -1, limit=9), "F4", f"{SWEPT} 3, not to 9"),
    ("refinement", change("sweep", -1, sweep=9), "F8", "sweep is 5, not 9"),
    ("two-trees", drop("sweep", -1), "F4", BEGIN),
    ("two-trees", early_end("sweep", 1), "F4", "the budget is not used up and the last sweep expanded a node"),
    ("two-trees", early_end("visit", 1), "F4", "the budget is not used up and the sweep is not complete"),
    ("two-trees", drop("visit", 0), "F4", "depth 0 must be visited"),
    ("two-trees", change("visit", 1, l=3), "F4", "the depth to be visited is 0"),
    ("refinement", change("visit", -1, t=99), "F8", "t is 18, not 99"),
    # Local searches.
    ("refinement", drop("refine", 0), "F6", DUE),
    ("two-trees", change("sweep", 1, event="refine"), "F6", f"no local search is due: {BEGIN}"),
    ("refinement", change("refine", 0, q=3), "F7", f"{NEXT} q = 2"),
    ("refinement", change("refine", 0, center=[0, 0]), "F7", f"{NEXT} center = [1, 5]"),
    ("refinement", change("refine", 0, mode="intensify"), "F7", f"{NEXT} mode = diversify"),
    ("refinement", change("refine", 1, mode="diversify"), "F7", f"{NEXT} mode = intensify"),
    ("refinement", change("refine", 2, age=8), "F7", f"{NEXT} age = 16"),
    # The evolution strategy.
    ("evolution", drop("refine", 0), "F9", EVOLVES),
    ("evolution", change("refine", 0, mode="diversify"), "F9", "the evolution strategy is next, with mode = evolve"),
    ("evolution", change("refine", 1, age=0), "F9", "the evolution strategy is next, with age = 12"),
    ("evolution", change("refine", 1, q=2), "F9", "the evolution strategy is next, with q = 0"),
    ("evolution", change("refine", 2, mode="evolve", q=0), "F9", "the forest is next: a generation of a local search must begin"),
    ("evolution", change("sweep", 1, event="refine", mode="evolve"), "F9", "the forest is next: a sweep must begin"),
    ("evolution", change("evaluate", 7, i=1), "F9", "a point of the evolution strategy has i = 0"),
    ("evolution", drop("evaluate", 18), "F9", "the evolution strategy must evaluate its next point"),
    # The end.
    ("two-trees", drop("end"), "F8", "the trace ends before the run does"),
    ("refinement", again("end"), "F8", "the run has ended; no event can follow"),
    ("two-trees", change("end", event="sweep"), "F4", OVER),
    ("refinement", change("end", answer=0.0), "F8", "answer is -1.46875, not 0.0"),
    ("refinement", change("end", evaluations=59), "F8", "evaluations is 60, not 59"),
    ("refinement", change("end", sweeps=4), "F8", "sweeps is 5, not 4"),
    ("refinement", change("end", depth=3), "F8", "depth is 4, not 3"),
    ("refinement", change("end", leaves=17), "F8", "leaves is 30, not 17"),
    ("refinement", change("end", reason="h_max"), "F8", "reason is maxfun, not 'h_max'"),
    ("refinement", change("end", reason="x" * 60), "F8", "reason is maxfun, not '" + "x" * 49),
]  # fmt: skip


MISTYPED: list[tuple[str, Fault, str]] = [
    ("two-trees", change("expand", 2, i=None), "i must be an integer, got None"),
    ("separate-origin", change("expand", 0, nu_min=False), 'nu_min must be a number, "inf" or "-inf", got False'),
    ("refinement", change("evaluate", -1, value=True), 'value must be a number, "inf" or "-inf", got True'),
    ("refinement", change("refine", 0, mode=1), "mode must be a string, got 1"),
    ("refinement", change("refine", 2, center=[0]), "center must have 2 integers, got 1"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fault", "sentence"), MISTYPED)
def test_a_mistyped_field_is_named(name: str, fault: Fault, sentence: str) -> None:
    before, lines = (list(map(dump, events)) for events in (intact(name), fault(intact(name))))
    line = next(k for k, (a, b) in enumerate(zip(before, lines, strict=True), 1) if a != b)
    with pytest.raises(FormatError) as caught:
        check(lines)
    assert str(caught.value) == f"line {line}: {sentence}"


@pytest.mark.parametrize(("name", "fault", "rule", "sentence"), BROKEN)
def test_the_verdict_says(name: str, fault: Fault, rule: str, sentence: str) -> None:
    golden, events = intact(name), fault(intact(name))
    d = golden[0]["settings"]["dimensions"][0]
    before, lines = ([dump(filled(event, d)) for event in given] for given in (golden, events))
    line = next(k for k, (a, b) in enumerate(zip_longest(before, lines), 1) if a != b)
    report = check(lines)
    assert report == Report(
        line - 2, Deviation(line, f"rule {rule}", sentence), "the policy forest"
    )
    where = f"Line {line} of the trace breaks rule {rule} of the policy forest"
    assert str(report) == f"{where}: {sentence}."


def test_the_run_with_five_children_conforms() -> None:
    events = intact("five-children")
    assert check(map(dump, events)) == Report(len(events) - 1, None, "the policy forest")
