"""`solve`: a run with a checkpoint, what mattered, and one page about both."""

import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from embedded_hunter import Influence, Run, influence, minimize, report
from embedded_hunter.cli import main
from tool.command_spies import complaint

pytest.importorskip("matplotlib")

OBJECTIVE = """
calls = []


def f(x):
    calls.append(1)
    return abs(x[3] - 0.2) + 2 * abs(x[70] + 0.1) - 1


def fails(x):
    if len(calls) == 5:
        raise ZeroDivisionError
    return f(x)


def columns(x):
    assert x.ndim == 2
    return f(x)


def sometimes(x, where):
    if x[where] > 0.5:
        raise ZeroDivisionError
    return f(x)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "solved", raising=False)
    (tmp_path / "solved.py").write_text(OBJECTIVE)


def solve(*words: str) -> int:
    return main(["solve", *words])


def draws_nothing(*given: object, **named: object) -> str:
    """Stands for `report`, whose pictures take longer than the runs."""
    return ""


def test_the_budget_is_divided_and_the_command_that_is_shown_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown continues the same run: no value of the file changes."""
    assert solve("solved.py:f", "--n", "100", "--maxfun", "400", "--seed", "3") == 0
    said = capsys.readouterr().out
    page = Path("report.html").read_text(encoding="utf-8")
    first = Run.read("f.run")
    assert first.known.size == 300
    evaluations = int(re.findall(r"^(\d+) evaluations; ", said, re.MULTILINE)[0])
    assert 0 < evaluations <= 100
    assert "2 of 100 variables matter at this point" in page
    rows = re.findall(r"<tr><td>(\d+)</td><td>(.*?)</td><td>(.*?)</td>", page)
    assert [int(i) for i, _, _ in rows] == [70, 3]
    assert [float(start) for _, start, _ in rows] == [0, 0]
    assert [float(best) for _, _, best in rows] == pytest.approx([-0.1, 0.2], abs=0.05)
    again = re.findall(r"<pre>(.*)</pre>", page)[0]
    assert f"To go on: {again}\n" in said
    program, command, *words = shlex.split(again)
    assert (program, command, words[-2:]) == ("embedded-hunter", "solve", ["--maxfun", "800"])
    monkeypatch.setattr("embedded_hunter.commands.solve.report", draws_nothing)
    assert solve(*words) == 0
    more = Run.read("f.run")
    assert more.known.size == 600
    assert np.array_equal(more.known[:300], first.known)


def test_a_run_that_fails_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert solve("solved.py:fails", "--n", "90", "--maxfun", "40", "--checkpoint", "mine.run") == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == (
        "To go on: embedded-hunter solve solved.py:fails --n 90 --checkpoint mine.run --maxfun 40"
    )
    assert Run.read("mine.run").known.size == 5


@pytest.mark.parametrize(
    "words",
    [["columns", "--vectorized"], ["sometimes", "--args", "[5]", "--on-error", "inf"]],
)
def test_what_mattered_is_found_as_the_run_evaluates(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("embedded_hunter.commands.solve.report", draws_nothing)
    name, *options = words
    given = ["--n", "100", "--maxfun", "800", "--seed", "1", *options]
    assert solve(f"solved.py:{name}", *given) == 0
    found = {int(i) for i in re.findall(r"^ +(\d+) ", capsys.readouterr().out, re.MULTILINE)}
    assert {3, 70} <= found <= {3, 70, 5}


def test_what_cannot_be_solved_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["solve", "solved.py:f", "--n", "9"]
    said = complaint(capsys, *given, "--maxfun", "19")
    assert said == "--maxfun must be at least 20, got 19"
    said = complaint(capsys, *given, "--out", "nowhere/a.html")
    assert said == "--out nowhere/a.html: No such file or directory"
    assert not list(Path().glob("*.run"))


def test_the_page_needs_nothing_else_and_is_safe() -> None:
    """No address of another file, and no markup from names and messages."""
    result = minimize(lambda x: abs(x[3]), [(-1, 2)] * 50, maxfun=300, rng=1, x0=np.full(50, 0.75))
    found = influence(lambda x: abs(x[3]), [(-1, 2)] * 50, result, rng=1)
    page = report(result, found, title="<b>", again="a < b")
    assert "<h1>&lt;b&gt;</h1>" in page
    assert "<pre>a &lt; b</pre>" in page
    assert "<td>3</td><td>0.75</td>" in page
    assert re.findall(r"(?:src|href)=\"(?!data:image/svg)", page) == []
    assert page.count("<img ") == 2
    nothing = Influence(found.order[:0], found.effect[:0], found.interval[:0], [], 9, "cannot tell")
    page = report(result, nothing)
    assert (page.count("<img "), "cannot tell" in page, "<table>" in page) == (1, True, False)
    assert report(result).count("<h2>") == 0
