# ruff: noqa: E501 -- sentences in one piece
"""What `check` says of a trace that is not a run.

Golden traces are broken in one place: each kind of difference in the table is met, and the verdict
names the first line that differs. Some verdicts stand here word for word.
"""

import math
import random
from itertools import zip_longest

import pytest
from edits import (
    Events,
    Fault,
    again,
    batched,
    change,
    drop,
    early_end,
    exchange_expansions,
    expand,
    filled,
)
from goldens import FORESTS
from goldens import events as events_of
from package import birth
from test_conformance import checked

from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.traces.check import Deviation, Follower, Report, check
from embedded_hunter.traces.differences import TABLE, kind_of
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


def kind_in(lines: list[str]) -> str:
    """The kind of the first difference."""
    difference = Follower(lines).difference
    assert difference is not None
    return kind_of(difference)


def without_visits(fault: Fault) -> Fault:
    """Break a trace, and leave out the events of visits."""
    return lambda events: [event for event in fault(events) if event.get("event") != "visit"]


WRONG = {"c": [0], "reason": "h_max", "nu_min": 1.5, "answer": -55.0}
"""A wrong value of a field; of all others it is 99."""
FIELD_KINDS = [
    *("sweep sweep", "sweep limit", "visit l", "visit t", "expand f_star", "expand nu_min"),
    *(
        "evaluate c",
        "evaluate p",
        "evaluate f_star",
        *(kind for kind in TABLE if kind[:4] == "end "),
    ),
]
BROKEN: list[tuple[str, Fault, str]] = [
    *(
        ("ties", change(event, -1, **{name: WRONG.get(name, 99)}), f"{event} {name}")
        for event, name in map(str.split, FIELD_KINDS)
    ),
    ("full-tree", early_end("expand", 3), "early end"),
    ("full-dimension", change("end", event="sweep"), "late end"),
    ("first-steps", again("evaluate", -1, i=3), "late end"),
    ("first-steps", again("end"), "trace goes on"),
    ("two-trees", lambda events: events[:-2], "trace ends"),
    ("ties", change("sweep", 1, event="visit"), "sweep too deep"),
    ("full-tree", drop("visit", -1), "visit"),
    ("classes", change("expand", 2, event="visit"), "expand"),
    ("full-tree", early_end("visit", 0), "expand"),
    ("classes", exchange_expansions(1), "expand first"),
    ("budget-cut", change("expand", -1, event="visit"), "expand cut"),
    ("frozen-classes", change("expand", 10, event="visit"), "expand next"),
    ("ties", change("expand", 1, i=2), "least leaf"),
    ("ties", expand("sweep", 2, 1, 0), "class again"),
    ("ties", expand("sweep", 2, 1, 1), "not below"),
    ("two-dimensions", expand("visit", 7, 0, 0), "no leaf"),
    ("ties", change("expand", 1, h=0, i=0), "other depth"),
    ("two-dimensions", change("expand", 1, i=1), "other dimension"),
    ("deep-right", change("expand", 67, i=13897651416388808), "expand i"),
    ("first-steps", drop("evaluate", 0), "root"),
    ("first-steps", change("evaluate", 1, h=7, i=5), "no child"),
    ("ties", drop("evaluate", 1), "child"),
    ("cap-squares", expand("evaluate", 12, 2, 8), "center child"),
    ("five-children", change("evaluate", 1, i=2), "no center child"),
    ("first-steps", drop("expand", 0), "not yet"),
    ("two-trees", again("evaluate", 0), "not again"),
    ("deep-right", change("evaluate", 135, i=41692954249166424), "evaluate i"),
    # Local searches and the evolution strategy.
    ("ties", change("sweep", 1, event="refine"), "refine"),
    ("refinement", drop("refine", 0), "local search"),
    ("two-trees", change("sweep", 1, event="refine"), "no local search"),
    ("refinement", change("refine", 0, center=[0, 0]), "local search field"),
    ("refinement", change("evaluate", 7, p=1), "local search points"),
    ("evolution", drop("refine", 0), "evolution"),
    ("evolution", change("refine", 0, mode="diversify"), "evolution field"),
    ("evolution", change("refine", 2, mode="evolve", q=0), "no evolution"),
    ("evolution", change("evaluate", 7, i=1), "evolution points"),
]  # fmt: skip
"""Each kind of difference once, unless another row meets another test of the checker."""
LOOSE: list[tuple[str, Fault, str]] = [
    ("ties", drop("sweep", 0), "all or none"),
    ("ties", without_visits(drop("sweep", 1)), "sweep"),
    ("first-steps", without_visits(change("expand", 0, i=1)), "no leaf"),
    ("ties", without_visits(change("expand", 1, h=2, i=0)), "expand"),
    ("budget-cut", without_visits(change("expand", 1, i=1)), "class order"),
    ("infinite", without_visits(expand("evaluate", 7, 2, 6)), "least leaf"),
    ("better-later", without_visits(change("expand", 4, i=2)), "expand"),
    ("classes", lambda events: again("expand", 2)(batched(events)), "class again"),
]  # fmt: skip
"""Traces that leave out events, have them in another order, or become wrong later than changed."""


@pytest.mark.parametrize(("name", "fault", "kind"), BROKEN)
def test_the_first_line_that_differs_is_named(name: str, fault: Fault, kind: str) -> None:
    lines, line = broken(name, fault)
    forest = name in FORESTS
    report = check(lines)
    assert kind_in(lines) == kind
    assert report.deviation is not None
    row = TABLE[kind]
    assert report.deviation[:2] == (line, row.rule if forest else row.line)
    assert report.events == line - 2
    assert report.of == ("the policy forest" if forest else "Algorithm 1")


@pytest.mark.parametrize(("name", "fault", "kind"), LOOSE)
def test_a_difference_of_a_trace_in_another_form_is_named(
    name: str, fault: Fault, kind: str
) -> None:
    lines, line = broken(name, fault)
    deviation = check(lines).deviation
    assert kind_in(lines) == kind
    assert deviation is not None
    assert deviation.line >= line


def test_every_kind_of_difference_is_met() -> None:
    assert {kind for *_, kind in (*BROKEN, *LOOSE)} == set(TABLE)


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
    """Behind the first visit, where it is known which kinds of events a trace has."""
    events, draw = events_of(name), random.Random(name)
    first = next(k for k, event in enumerate(events) if event.get("event") == "visit") + 1
    plain = [{x: y for x, y in event.items() if x != "value"} for event in events]
    for _ in range(25):
        k = draw.randrange(first, len(events) - 1)
        after = [*events[:k], *edited(events[k], draw), *events[k + 1 :]]
        rest = [{x: y for x, y in event.items() if x != "value"} for event in after]
        lines = (line for line, (a, b) in enumerate(zip_longest(plain, rest), 1) if a != b)
        line = next(lines, None)
        deviation = checked(after).deviation
        if after[k]["event"] == "expand":  # it may come before evaluations
            assert deviation is None or line is None or deviation.line >= line
        else:
            assert (deviation and deviation.line) == line


ROUNDED = "that integer rounded to 53 bits: compute and write it with all its digits"
SENTENCES: list[tuple[str, Fault, str]] = [
    ("ties", change("sweep", limit=3), "breaks line 3 of Algorithm 1: limit must be 2, not 3: it is the smaller of depth(T) and h_max at the start of the sweep."),
    ("ties", change("expand", 1, i=2), "breaks line 5 of Algorithm 1: the leaf of least f* (ties: least index) in the class of (1, 2) is (1, 0)."),
    ("classes", exchange_expansions(1), "breaks line 6 of Algorithm 1: (1, 0) must be expanded before (1, 1): its f*, 36.0, is less than nu_min."),
    ("first-steps", drop("evaluate", 0), "breaks initialization: the zero vector, node (0, 0), must be evaluated first, once."),
    ("first-steps", change("evaluate", 1, h=7, i=5), "breaks line 8 of Algorithm 1: (7, 5) is not a child of the expanded node (0, 0)."),
    ("cap-squares", expand("evaluate", 12, 2, 8), "breaks line 9 of Algorithm 1: the center child (3, 25) must be evaluated: past evaluations of its base point: 1, and 1^2 <= (M ||y||)^2 = 16/9."),
    ("five-children", change("evaluate", 1, i=2), "breaks line 9 of Algorithm 1: the center child (1, 2) must not be evaluated: past evaluations of its base point: 1, and 1^2 > (M ||y||)^2 = 0."),
    ("deep-left", change("evaluate", 182, c=[-23841857910156252]), f"breaks line 8 of Algorithm 1: c must be [-23841857910156251], not [-23841857910156252], {ROUNDED}: the numerators of the base point of (24, 5960464477539061)."),
    ("first-steps", change("evaluate", 1, c=[-1, 0]), "breaks line 8 of Algorithm 1: c must be [-1], not [-1, 0]: the numerators of the base point of (1, 0)."),
    ("two-trees", change("expand", 0, nu_min=7.0), "breaks rule F4 of the policy forest: nu_min must be 0.6049382716049383, not 7.0: it becomes the f* of (0, 0)."),
    ("two-dimensions", change("expand", 1, i=1), "breaks rule F4 of the policy forest: this sweep ranges over the trees of dimension 1; (0, 1) is a leaf of another tree."),
    ("refinement", drop("evaluate", 14), "breaks rule F7 of the policy forest: the generation of a local search has 8 evaluations here, with the same h, i, c and p."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fault", "sentence"), SENTENCES)
def test_the_verdict_says(name: str, fault: Fault, sentence: str) -> None:
    lines, line = broken(name, fault)
    assert str(check(lines)) == f"Line {line} of the trace {sentence}"


def test_every_sentence_can_be_said() -> None:
    """Each name in the sentences of the table is given a value."""
    for name, fault, _ in (*BROKEN, *LOOSE):
        verdict = str(check(broken(name, fault)[0]))
        assert "{" not in verdict
        assert "None" not in verdict


def test_a_trace_that_conforms_is_told_so() -> None:
    events = events_of("ties")
    assert str(checked(events)) == f"The trace conforms to Algorithm 1: {len(events) - 1} events."


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
    for kept in range(1, len(lines) - 1):
        missing = Deviation(kept + 1, "line 17", "the trace ends before the run does")
        assert check(lines[:kept]) == Report(kept - 1, missing)
    assert check(lines[:-1]) == Report(len(lines) - 2, None)  # the end of a run need not be told
    assert check(lines) == Report(len(lines) - 1, None)


@pytest.mark.parametrize("event", [None, "turn", "", 3, ["visit"], {"visit": 1}, True])
def test_an_event_of_no_kind_is_named(event: object) -> None:
    lines = events_of("first-steps")
    lines[3]["event"] = event
    kinds = ", ".join(sorted(FIELDS))
    with pytest.raises(FormatError, match=f"^line 4: event must be one of {kinds}, got"):
        checked(lines)
