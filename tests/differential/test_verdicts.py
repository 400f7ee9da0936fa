# ruff: noqa: E501 -- sentences in one piece
"""What `check` says of a trace that is not a run.

Golden traces are broken in one place. The verdict names the first line that differs, and the line of
Algorithm 1 that it breaks. Every verdict that can be given stands here word for word.
"""

import ast
import math
import random
import sys
from itertools import zip_longest
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from differential.edits import (
    Events,
    Fault,
    again,
    change,
    drop,
    early_end,
    exchange_expansions,
    expand,
    filled,
)
from differential.goldens import FORESTS
from differential.goldens import events as events_of
from differential.package import birth
from differential.test_conformance import checked
from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.traces import differences
from embedded_hunter.traces.check import Deviation, Report, check
from embedded_hunter.traces.reading import FIELDS


def written(events: Events) -> list[str]:
    """The lines of a trace; an event whose kind was changed gets the fields of its new kind."""
    given = events[0]["settings"]
    d = given["dimensions"][0] if "dimensions" in given else given["d"]
    return [dump(filled(event, d)) for event in events]


def broken(name: str, fault: Fault) -> tuple[list[str], int]:
    """The lines of a broken trace, and the number of the first one that differs."""
    before, lines = written(events_of(name)), written(fault(events_of(name)))
    line = next(k for k, (a, b) in enumerate(zip_longest(before, lines), 1) if a != b)
    return lines, line


GO_ON = "the run must go on: the budget is not used up, and the last sweep is not complete, or has expanded a leaf"
MUST_END = "the run must end: the budget is used up, or a sweep has expanded nothing"
ROUNDED = "that integer rounded to 53 bits: compute and write it with all its digits"
Row = tuple[str, Fault, str, str]
"""The name of a golden trace, a fault, and the verdict: the line, and the sentence."""
FIELD_BY_FIELD: list[Row] = [
    ("ties", change("sweep", sweep=99), "line 2", "sweep must be 4, not 99"),
    ("ties", change("sweep", limit=3), "line 3", "limit must be 2, not 3: it is the smaller of depth(T) and h_max at the start of the sweep"),
    ("ties", change("visit", l=99), "line 3", "l must be 1, not 99"),
    ("ties", change("visit", t=99), "line 14", "t must be 8, not 99"),
    ("ties", change("expand", f_star=99), "line 9", "f_star must be 1.0, not 99"),
    ("ties", change("expand", nu_min=1.5), "line 7", "nu_min must be 1.0, not 1.5: it becomes the f* of (1, 1)"),
    ("ties", change("evaluate", c=[0]), "line 8", "c must be [1], not [0]: the numerators of the base point of (2, 5)"),
    ("first-steps", change("evaluate", 1, c=[-1, 0]), "line 8", "c must be [-1], not [-1, 0]: the numerators of the base point of (1, 0)"),
    ("ties", change("evaluate", p=99), "line 9", "p must be 1, not 99"),
    ("ties", change("evaluate", f_star=99), "line 9", "f_star must be 1.0, not 99"),
    ("ties", change("end", answer=-55.0), "line 17", "answer must be 1.0, not -55.0, the least of all values"),
    ("ties", change("end", evaluations=99), "line 1", "evaluations must be 9, not 99"),
    ("ties", change("end", t=99), "line 14", "t must be 8, not 99"),
    ("ties", change("end", sweeps=99), "line 2", "sweeps must be 4, not 99"),
    ("ties", change("end", depth=99), "line 10", "depth must be 2, not 99"),
    ("ties", change("end", leaves=99), "line 10", "leaves must be 9, not 99"),
    ("ties", change("end", reason="h_max"), "line 1", "reason must be 'maxfun', not 'h_max'"),
    ("deep-right", change("expand", 67, i=13897651416388808), "line 8", f"i must be 13897651416388807, not 13897651416388808, {ROUNDED}"),
    ("deep-right", change("evaluate", 135, i=41692954249166424), "line 8", f"i must be 41692954249166421, not 41692954249166424, {ROUNDED}"),
    ("deep-left", change("evaluate", 182, c=[-23841857910156252]), "line 8", f"c must be [-23841857910156251], not [-23841857910156252], {ROUNDED}: the numerators of the base point of (24, 5960464477539061)"),
]  # fmt: skip
"""Each field of an event, and integers that were rounded."""
BROKEN: list[Row] = [
    *FIELD_BY_FIELD,
    ("full-tree", early_end("expand", 3), "line 1", GO_ON),
    ("full-tree", change("end", event="sweep"), "line 1", MUST_END),
    ("first-steps", again("evaluate", -1, i=3), "line 1", MUST_END),
    ("first-steps", again("end"), "line 17", "the run has ended; no event can follow"),
    ("ties", change("sweep", 1, event="visit"), "line 3", "a sweep must begin: the last one has visited all depths up to the bound read at its start"),
    ("full-tree", drop("visit", -1), "line 3", "depth 1 must be visited"),
    ("full-tree", early_end("visit", 1), "line 3", "depth 0 must be visited"),
    ("ties", change("visit", 1, event="sweep"), "line 3", "depth 0 must be visited"),
    ("classes", change("expand", 2, event="visit"), "line 6", "(1, 1) must be expanded: its f*, 0.0, is less than nu_min"),
    ("full-tree", early_end("expand", 0), "line 6", "(0, 0) must be expanded: its f*, 0.0, is less than nu_min"),
    ("classes", exchange_expansions(1), "line 6", "(1, 0) must be expanded before (1, 1): its f*, 36.0, is less than nu_min"),
    ("budget-cut", change("expand", -1, event="visit"), "line 1", "(1, 2) must be expanded as far as the budget allows"),
    ("frozen-classes", change("expand", 10, event="visit"), "line 4", "(2, 5) must be expanded: its f*, 4.0, is less than nu_min, and its class keeps its turn although the class before it has lost its last leaf"),
    ("cap-below", change("expand", 7, i=2), "line 4", "(2, 7) must be expanded: its f*, 1.2083333333333333, is less than nu_min, and its class keeps its turn although the class before it has lost its last leaf"),
    ("better-later", change("expand", 4, i=2), "line 6", "(2, 1) must be expanded: its f*, -1.3333333333333333, is less than nu_min"),
    ("budget-cut", change("expand", 1, i=1), "line 4", "the class of (1, 0) comes before that of (1, 1)"),
    ("first-steps", change("expand", 0, i=1), "line 10", "(0, 1) is not a leaf: already expanded, or never created"),
    ("ties", change("expand", 1, i=2), "line 5", "the leaf of least f* (ties: least index) in the class of (1, 2) is (1, 0)"),
    ("ties", expand("sweep", 2, 1, 0), "line 4", "the class of (1, 0) was already expanded in this visit"),
    ("ties", expand("sweep", 2, 1, 1), "line 6", "(1, 1) must not be expanded: its f* is not less than nu_min"),
    ("ties", change("expand", 1, h=0, i=0), "line 5", "a leaf of depth 1 is chosen in this visit, not (0, 0)"),
    ("first-steps", drop("evaluate", 0), "initialization", "the zero vector, node (0, 0), must be evaluated first, once"),
    ("first-steps", change("evaluate", 1, h=7, i=5), "line 8", "(7, 5) is not a child of the expanded node (0, 0)"),
    ("ties", drop("evaluate", 1), "line 9", "(1, 0) must be evaluated, before the children of greater index"),
    ("cap-squares", expand("evaluate", 12, 2, 8), "line 9", "the center child (3, 25) must be evaluated: past evaluations of its base point: 1, and 1^2 <= (M ||y||)^2 = 16/9"),
    ("five-children", change("evaluate", 1, i=2), "line 9", "the center child (1, 2) must not be evaluated: past evaluations of its base point: 1, and 1^2 > (M ||y||)^2 = 0"),
    ("first-steps", drop("expand", 0), "line 9", "(1, 0) must not be evaluated before (0, 0) is expanded"),
    ("ties", again("evaluate", 0), "line 9", "(0, 0) must not be evaluated here: a child that is not the center is evaluated once"),
    ("ties", change("sweep", 1, event="refine"), "line 1", "the event 'refine' belongs to the policy forest"),
    # Of the forest: the rule, and what must be next.
    ("two-trees", drop("evaluate", 0), "rule F2", "the next event must be {'event': 'evaluate', 'h': 0, 'i': 0, 'c': [0], 'p': 1, "),
    ("two-trees", drop("evaluate", 1), "rule F1", "i of the event 'evaluate' must be 0, not 2"),
    ("two-trees", change("evaluate", 1, event="visit"), "rule F3", "the next event must be {'event': 'evaluate', 'h': 1, 'i': 0, 'c': [-1], 'p': 1, "),
    ("refinement", change("refine", 0, age=7), "rule F7", "age of the event 'refine' must be 0, not 7"),
    ("two-trees", change("expand", 0, nu_min=7.0), "rule F4", "nu_min of the event 'expand' must be 0.6049382716049383, not 7.0"),
    ("two-dimensions", change("expand", 1, i=1), "rule F1", "i of the event 'expand' must be 2, not 1"),
    ("refinement", drop("refine", 0), "rule F6", "the next event must be {'event': 'refine', 'q': 2, 'center': [1, 5], 'mode': 'refine', 'age': 0}, not {'event': 'visit', 't': 4, 'l': 0}"),
    ("refinement", change("evaluate", 7, p=1), "rule F7", "p of the event 'evaluate' must be 3, not 1"),
    ("two-dimensions", expand("visit", 7, 0, 0), "rule F4", "the visit is over; the event {'event': 'expand', 'h': 0, 'i': 0, 'nu_min': 0.0} must not follow"),
    ("cube", again("end", sweeps=0), "rule F8", "the run is over; the event "),
    ("two-trees", lambda events: events[:-2], "rule F8", "the trace ends before the run does"),
]  # fmt: skip
"""Each kind of difference once, unless another row meets another test of the checker."""


@pytest.mark.parametrize(("name", "fault", "rule", "sentence"), BROKEN)
def test_the_verdict_names_the_first_line_that_differs_and_says_why(
    name: str, fault: Fault, rule: str, sentence: str
) -> None:
    lines, line = broken(name, fault)
    report = check(lines)
    assert report.deviation is not None
    assert report.deviation[:2] == (line, rule)
    assert report.deviation.sentence.startswith(sentence)
    assert name in FORESTS or report.deviation.sentence == sentence
    assert report.events == line - 2
    assert report.of == ("the policy forest" if name in FORESTS else "Algorithm 1")


def test_the_report_of_a_difference_is_a_sentence() -> None:
    said = {
        name: str(check(broken(name, drop("evaluate", 0))[0])) for name in ("ties", "two-trees")
    }
    must = "the zero vector, node (0, 0), must be evaluated first, once"
    assert said["ties"] == f"Line 2 of the trace breaks initialization: {must}."
    assert said["two-trees"].startswith("Line 2 of the trace breaks rule F2 of the policy forest: ")


def test_every_verdict_is_met() -> None:
    """Each line of `explain` and its helpers that returns is executed by a row."""
    file = differences.__file__
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    verdicts = [f for f in tree.body if isinstance(f, ast.FunctionDef) and f.name != "rounding"]
    returns = {n.lineno for f in verdicts for n in ast.walk(f) if isinstance(n, ast.Return)}
    executed: set[int] = set()

    def seen(frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code.co_filename == file:
            executed.add(frame.f_lineno)
            return seen
        return None

    traces = [broken(name, fault)[0] for name, fault, *_ in BROKEN]
    before = sys.gettrace()
    sys.settrace(seen)
    try:
        for lines in traces:
            check(lines)
    finally:
        sys.settrace(before)
    assert returns - executed == set()


def edited(event: Fields, draw: random.Random) -> Events:
    """Change a field of an event, not its value, or leave the event out."""
    name = draw.choice(sorted(set(event) - {"value"}))
    if name == "event":
        return []
    old = event[name]
    if isinstance(old, list):
        return [event | {name: [x + 1 for x in old]}]
    if isinstance(old, str):
        return [event | {name: "other"}]
    return [event | {name: old + draw.choice([-1, 1])}]


@pytest.mark.parametrize("name", ["classes", "better-later", "frozen-classes", *FORESTS])
def test_one_edit_is_found_where_it_was_made(name: str) -> None:
    events, draw = events_of(name), random.Random(name)
    plain = [{x: y for x, y in event.items() if x != "value"} for event in events]
    for _ in range(25):
        k = draw.randrange(1, len(events) - 1)
        after = [*events[:k], *edited(events[k], draw), *events[k + 1 :]]
        rest = [{x: y for x, y in event.items() if x != "value"} for event in after]
        lines = (line for line, (a, b) in enumerate(zip_longest(plain, rest), 1) if a != b)
        line = next(lines, None)
        deviation = checked(after).deviation
        assert (deviation and deviation.line) == line


@pytest.mark.parametrize("name", ["first-steps", "many-evaluations", "two-trees"])
def test_an_event_may_say_the_right_f_star(name: str) -> None:
    events = events_of(name)
    K, least = events[0]["settings"]["K"], dict[tuple[int, int], float]()
    worse = 0
    for event in events[1:]:
        if event["event"] == "evaluate":
            first = birth((event["h"], event["i"]), K)
            least[first] = event["f_star"] = min(event["value"], least.get(first, math.inf))
            worse += event["value"] > event["f_star"]
        if event["event"] == "expand":
            event["f_star"] = event["nu_min"]
    assert checked(events).conforms
    assert worse > 0 or name != "many-evaluations"


@pytest.mark.parametrize("name", ["first-steps", "ties", "full-tree", "five-children"])
def test_a_trace_that_breaks_off_is_confirmed_as_far_as_it_goes(name: str) -> None:
    lines = written(events_of(name))
    for kept in range(1, len(lines)):
        missing = Deviation(kept + 1, "line 17", "the trace ends before the run does")
        assert check(lines[:kept]) == Report(kept - 1, missing)
    assert check(lines) == Report(len(lines) - 1, None)


@pytest.mark.parametrize("event", [None, "turn", "", 3, ["visit"], {"visit": 1}, True])
def test_an_event_of_no_kind_is_named(event: object) -> None:
    lines = events_of("first-steps")
    lines[3]["event"] = event
    kinds = ", ".join(sorted(FIELDS))
    with pytest.raises(FormatError, match=f"^line 4: event must be one of {kinds}, got"):
        checked(lines)
