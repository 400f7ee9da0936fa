"""The study of the forest's defaults: it runs, goes on, and what is committed is what it says."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from reproduction.cli import main
from reproduction.kept_runs import read
from reproduction.studies import forest_defaults as forest
from reproduction.studies.forest_defaults import (
    CELLS,
    DEFAULT,
    FUNCTIONS,
    report,
)
from reproduction.studies.study import COLUMNS, Task, conduct

KEPT = Path(__file__).parents[2] / "docs" / "results" / "forest"
RUNS = 20


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest, "V", 60)
    monkeypatch.setattr(forest, "BUDGETS", (30, 60))
    monkeypatch.setattr(forest, "N_ROTATED", 200)
    monkeypatch.setattr(forest, "FUNCTIONS", dict(list(FUNCTIONS.items())[1:3]))
    chosen = (DEFAULT, "d = d_e", "scale .15", "P = 5", "norm classes", "K = 5", "forest alone")
    cells = (*chosen, "forest alone, d = d_e")
    monkeypatch.setattr(forest, "CELLS", {cell: CELLS[cell] for cell in cells})


@pytest.mark.usefixtures("tiny")
def test_a_study_that_is_cut_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["reproduce", "forest", "--runs", "2", "--out", str(tmp_path)]) == 0
    whole = (tmp_path / "runs.csv").read_text()
    text = (tmp_path / "study.md").read_text()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 1 + 8 * 2 * 1 + (2 * 2 * 2 * 2 - 2)
    (tmp_path / "runs.csv").write_text("".join(lines[:12]))
    made: list[Task] = []
    value_of = forest.value_of

    def noted(task: Task) -> float:
        made.append(task)
        return value_of(task)

    monkeypatch.setattr(forest, "value_of", noted)
    conduct(forest, tmp_path, 2)
    assert len(made) == len(lines) - 12
    assert (tmp_path / "runs.csv").read_text() == whole
    assert (tmp_path / "study.md").read_text() == text
    assert f"The tables are in {tmp_path}/study.md" in capsys.readouterr().out


def kept(rotated: bool, v: int, function: str, cell: str = DEFAULT, n: int = RUNS) -> list[float]:
    values = read(KEPT / "runs.csv", COLUMNS)
    return [values[Task(cell, function, rotated, v, run).names] for run in range(n)]


def test_the_report_is_that_of_the_kept_runs() -> None:
    assert (KEPT / "study.md").read_text() == report(read(KEPT / "runs.csv", COLUMNS), RUNS)


def test_local_search_pays() -> None:
    """The defaults beat the forest alone, p < .01 in the kept runs."""
    text = (KEPT / "study.md").read_text()
    line = next(line for line in text.splitlines() if line.startswith("Worse than the defaults"))
    worse = line.partition(": ")[2].strip(" .").split("; ")
    assert {cell for cell in CELLS if cell.startswith("forest alone")} <= set(worse)


def test_choosing_says_what_the_study_found_of_d() -> None:
    values = read(KEPT / "runs.csv", COLUMNS)
    page = (KEPT.parents[1] / "choosing.md").read_text(encoding="utf-8")
    better, of = forest.compared(values, "forest alone, d = d_e", 10, "forest alone")
    assert f"(better in {better} of {of} runs, $p < .001$)" in page
    assert stats.binomtest(better, of).pvalue < 0.001
    medians = {
        (function, cell): np.median(kept(False, 10_000, function, cell, 10))
        for function in ("ackley", "rosenbrock")
        for cell in (DEFAULT, "d = d_e")
    }
    assert medians["rosenbrock", "d = d_e"] < medians["rosenbrock", DEFAULT]
    there, here = medians["ackley", "d = d_e"], medians["ackley", DEFAULT]
    assert f"the median of Ackley is {there:.2f} instead of {here:.0e}" in page.replace("{-", "-")
