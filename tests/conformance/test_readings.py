"""What the paper leaves open: a trace that differs there is told so, and can be accepted."""

from functools import cache

import bugs
import instances
import package
import pytest
from goldens import GOLDENS, objective, text
from oracle import Objective

from embedded_hunter.run.jsonlines import dump
from embedded_hunter.settings import Settings
from embedded_hunter.traces.check import check
from embedded_hunter.traces.readings import READINGS

pytestmark = pytest.mark.long  # starts programs, or makes many runs

OTHERS = [
    ("bound", "reread", 6, "the bound of depths is read anew"),
    ("children", "any", 1, "children are evaluated from right to left"),
    ("children", "any", 1, "the center child is evaluated last"),
    ("classes", "reread", 7, "the j-th class is looked up anew after each expansion"),
    ("ties", "any", 8, "ties go to the greatest index"),
    ("ties", "any", 8, "ties go to the first base point in lexicographic order"),
    ("nu_min", "infinity", 9, "infinity is the first nu_min"),
    ("budget", "whole", 4, "an expansion that does not fit is not begun"),
    ("budget", "expansion", 4, "an expansion is completed"),
    ("budget", "visit", 4, "a visit is completed"),
    ("budget", "sweep", 4, "a sweep is completed"),
    ("root", "free", 4, "the root's evaluation is not counted"),
    ("cut", "children", 4, "the children of a cut expansion enter the tree"),
    ("t", "occupied", 5, "depths without leaves are no visits"),
    ("t", "expanding", 5, "t counts the visits that expand a leaf"),
    ("end", "full", 10, "a run ends when the tree is full"),
    ("answer", "leaves", 11, "the answer is the least f* of the leaves"),
]
"""A reading, its number in the errata, and a program that follows it."""

REASON = ('if made == v else "h_max"', 'if made >= v else "h_max"')
CUT = (
    "if made == v:\n                            break",
    "if False:\n                            break",
)
BEGIN = "            if made == v:\n                break\n            t"
OWN = [
    bugs.bug("an expansion is completed", "1", *REASON, *CUT, "if made == v or not",
             "if made >= v or not", BEGIN, BEGIN.replace("==", ">=")),
    bugs.bug("a visit is completed", "1", *REASON, *CUT, "if made == v or not", "if not",
             BEGIN, BEGIN.replace("==", ">=")),
    bugs.bug("a sweep is completed", "1", *REASON, *CUT, "if made == v or not", "if not",
             BEGIN, "            t"),
    bugs.bug("a run ends when the tree is full", "1", "while made < v and expanded:",
             "while made < v and any(leaf.h <= h_max for leaf in leaves):"),
]  # fmt: skip
PROGRAMS = {bug.name: bug for bug in (*bugs.BUGS, *OWN)}


@cache
def runs() -> list[tuple[str, Settings, Objective]]:
    """The golden instances, and random ones."""
    made = [(name, golden.settings, objective(golden)) for name, golden in GOLDENS.items()]
    for seed in range(20):
        instance, eta, M, g = instances.instance(seed)
        made.append((f"seed {seed}", package.settings_of(instance, eta, M), g))
    return made


def test_each_other_reading_has_a_program() -> None:
    others = {(name, other) for name, reading in READINGS.items() for other in reading.others}
    assert others == {(name, other) for name, other, *_ in OTHERS}


@pytest.mark.parametrize(("name", "other", "number", "program"), OTHERS)
def test_another_reading_is_named_and_accepted(
    name: str, other: str, number: int, program: str
) -> None:
    hunt = bugs.program(PROGRAMS[program])
    named = 0
    for where, settings, g in runs():
        lines = [dump(event) for event in bugs.trace_of(hunt, settings, g)]
        report = check(lines)
        if report.conforms:
            continue
        accepted = check(lines, {name: other})
        assert accepted.conforms, f"{where}: {accepted}"
        assert report.deviation is not None
        named += report.deviation.reading == number
        if report.deviation.reading == number:
            assert f"differs from reading {number} of the errata" in str(report)
    assert named >= 2


def test_a_reading_that_does_not_exist() -> None:
    lines = text(GOLDENS["ties"]).splitlines()
    with pytest.raises(ValueError, match="a reading is of one of children, budget, "):
        check(lines, {"order": "any"})
    with pytest.raises(ValueError, match=r"^bound must be once or reread, got 'twice'$"):
        check(lines, {"bound": "twice"})
    allowed = "evaluation or whole or expansion or visit or sweep"
    with pytest.raises(ValueError, match=rf"^budget must be {allowed}, got 'never'$"):
        check(lines, {"budget": "never"})
