"""The study of the local search's constants: what a cell changes, its intervals, its report."""

from math import comb
from pathlib import Path

import numpy as np
import pytest

from reproduction.cli import main
from reproduction.studies import forest_constants as constants
from reproduction.studies.forest_constants import (
    CELLS,
    CONSTANTS,
    FUNCTIONS,
    median_interval,
    ratios,
    report,
    sentence,
    value_of,
)
from reproduction.studies.forest_defaults import DEFAULT
from reproduction.studies.study import Task, Values, conduct, read

DOCS = Path(__file__).parents[2] / "docs"
KEPT = DOCS / "results" / "forest-constants"
RUNS = 4


def default_of(name: str) -> float:
    return float(getattr(CONSTANTS[name][0], name))


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_are_halved_and_doubled(name: str) -> None:
    changes = CONSTANTS[name][1]
    assert changes["half"] == pytest.approx(default_of(name) / 2)
    assert changes["double"] == pytest.approx(2 * default_of(name))


def test_a_cell_changes_its_constant_and_leaves_it_as_it_was() -> None:
    """After 500 evaluations of the ridge each cell has led the search elsewhere, but for some.

    Those may be cells of RIDGE and of AGE.
    """
    defaults = [default_of(name) for name in CONSTANTS]
    cells = (DEFAULT, *CELLS)
    found = {cell: value_of(Task(cell, "sharp_ridge", False, 500, 0)) for cell in cells}
    assert [default_of(name) for name in CONSTANTS] == defaults
    same = {cell for cell in CELLS if found[cell] == found[DEFAULT]}
    assert {cell.split()[0] for cell in same} <= {"AGE", "RIDGE"}


def test_a_constant_is_as_it_was_after_a_run_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        assert default_of("GENERATION") == 4
        raise KeyboardInterrupt

    monkeypatch.setattr(constants, "drive", failing)
    with pytest.raises(KeyboardInterrupt):
        value_of(Task("GENERATION half", "ackley", False, 50, 0))
    assert default_of("GENERATION") == 8


@pytest.mark.parametrize("m", [6, 7, 20, 36])
def test_the_interval_of_the_median_has_its_level(m: int) -> None:
    """It misses the median if fewer than `rank` of m values lie on one side: 2 P(B < rank)."""
    _, low, high = median_interval(np.arange(1.0, m + 1))
    rank = int(low)
    assert (rank, high) == (low, m + 1 - low)

    def missed(rank: int) -> float:
        return float(2 * sum(comb(m, k) for k in range(rank)) / 2**m)

    assert missed(rank) <= 0.05 < missed(rank + 1)


def made_up(factors: dict[str, float], runs: int) -> Values:
    """Values of all cells: those of the defaults times a factor."""
    return {
        Task(cell, function, False, constants.V, run).names: (1 + k + run)
        * factors.get(cell, 1 if run or k else 0.5)
        for cell in (DEFAULT, *CELLS)
        for k, function in enumerate(FUNCTIONS)
        for run in range(runs)
    }


def test_what_is_better_and_worse_is_said() -> None:
    values = made_up({DEFAULT: 1.0, "AGE half": 0.5, "AGE double": 3.0}, 2)
    assert sentence(values, "AGE", 2) == (
        "- `AGE`: half: better; double: worse; off: no difference is shown."
    )
    np.testing.assert_array_equal(ratios(values, "AGE half", 2), np.full(18, 0.5))


def test_solved_is_solved() -> None:
    """Values below 10^-12 do not count as different."""
    values = made_up({DEFAULT: 1e-15, "AGE half": 1e-30, "AGE double": 0.0}, 2)
    for cell in ("AGE half", "AGE double"):
        assert constants.compared(values, cell, 2) == (0, 0)


def test_a_study_goes_on_and_writes_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[Task] = []

    def value(task: Task) -> float:
        made.append(task)
        return 1.0 + len(made)

    monkeypatch.setattr(constants, "value_of", value)
    command = ["reproduce", "forest-constants", "--out", str(tmp_path), "--runs"]
    assert main([*command, "1"]) == 0
    one = len(FUNCTIONS) * (1 + len(CELLS))
    assert len(made) == one
    assert main([*command, "2"]) == 0
    assert len(made) == len(set(made)) == 2 * one
    capsys.readouterr()
    written = conduct(constants, tmp_path, 2)
    assert len(made) == 2 * one
    commit = (tmp_path / "commit.txt").read_text().strip()
    assert (tmp_path / "study.md").read_text() == report(written, 2, commit)


def test_the_commit_is_that_of_the_first_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(task: Task) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr(constants, "value_of", stopped)
    with pytest.raises(KeyboardInterrupt):
        conduct(constants, tmp_path, 1, commit="1234567")
    monkeypatch.setattr(constants, "value_of", lambda task: 1.0)
    conduct(constants, tmp_path, 1, commit="7654321")
    assert "commit 1234567. " in (tmp_path / "study.md").read_text()


def test_the_report_is_that_of_the_kept_runs() -> None:
    commit = (KEPT / "commit.txt").read_text().strip()
    assert (KEPT / "study.md").read_text() == report(read(KEPT / "runs.csv"), RUNS, commit)


def test_the_page_on_the_forest_says_what_the_study_shows() -> None:
    values = read(KEPT / "runs.csv")
    said = {name: sentence(values, name, RUNS) for name in CONSTANTS}
    assert said.pop("DAMPING").endswith(": double: better; half, off: no difference is shown.")
    assert said.pop("PRIOR_WEIGHT").endswith(": off: worse; half, double: no difference is shown.")
    assert not [text for text in said.values() if "better" in text or "worse" in text]
    assert constants.compared(values, "GROWTH off", RUNS) == (1, 1)
    assert (len(CONSTANTS), len(FUNCTIONS), len(CELLS)) == (8, 9, 21)
    page = (DOCS / "paper" / "forest.md").read_text()
    assert "twice the damping is better than the present\nvalue" in page
    assert "For the other changes no difference is shown." in page


@pytest.mark.parametrize(
    "task",
    [Task(DEFAULT, "staircase", False, 2_000, 0), Task("AGE half", "zakharov", False, 2_000, 1)],
    ids=lambda task: task.cell,
)
def test_a_kept_run_is_made_again(task: Task) -> None:
    assert value_of(task) == pytest.approx(read(KEPT / "runs.csv")[task.names], rel=1e-6)
