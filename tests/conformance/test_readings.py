"""What the paper leaves open: a trace that differs there is told so, and can be accepted."""

import bugs
import pytest
from test_bugs import runs, trace_of

from embedded_hunter.run.jsonlines import dump
from embedded_hunter.traces.check import check
from embedded_hunter.traces.variants import READINGS

pytestmark = pytest.mark.long  # starts programs, or makes many runs

OTHERS = [
    ("bound", 6, "the bound of depths is read anew"),
    ("children", 1, "children are evaluated from right to left"),
    ("children", 1, "the center child is evaluated last"),
    ("classes", 7, "the j-th class is looked up anew after each expansion"),
    ("ties", 8, "ties go to the greatest index"),
    ("ties", 8, "ties go to the first base point in lexicographic order"),
    ("nu_min", 9, "infinity is the first nu_min"),
]
"""A reading, its number in the errata, and a program that follows it."""


@pytest.mark.parametrize(("name", "number", "program"), OTHERS)
def test_another_reading_is_named_and_accepted(name: str, number: int, program: str) -> None:
    hunt = bugs.program(next(bug for bug in bugs.BUGS if bug.name == program))
    named = 0
    for where, settings, g in runs()[:30]:
        lines = [dump(event) for event in trace_of(hunt, settings, g)]
        report = check(lines)
        if report.conforms:
            continue
        accepted = check(lines, {name: READINGS[name].other})
        assert accepted.conforms, f"{where}: {accepted}"
        assert report.deviation is not None
        named += report.deviation.reading == number
        if report.deviation.reading == number:
            assert f"differs from reading {number} of the errata" in str(report)
    assert named >= 2


def test_a_reading_that_does_not_exist() -> None:
    from goldens import GOLDENS, text

    lines = text(GOLDENS["ties"]).splitlines()
    with pytest.raises(ValueError, match="a reading is of one of children, bound"):
        check(lines, {"order": "any"})
    with pytest.raises(ValueError, match=r"^bound must be once or reread, got 'twice'$"):
        check(lines, {"bound": "twice"})
