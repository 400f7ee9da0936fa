"""The study of the forest's defaults: what is committed is what it says."""

from pathlib import Path

import numpy as np
from scipy import stats

from reproduction.kept_runs import kept, values_of_study
from reproduction.studies import forest_defaults
from reproduction.studies.forest_defaults import CELLS, DEFAULT, FUNCTIONS, RUNS, V
from reproduction.studies.study import Task, better_of, ratios

KEPT = Path(__file__).parents[2] / "docs" / "results" / "forest"


def of_cell(
    rotated: bool, v: int, function: str, cell: str = DEFAULT, n: int = RUNS
) -> list[float]:
    values = values_of_study(kept("forest"), forest_defaults)
    return [values[Task(cell, function, rotated, v, run).names] for run in range(n)]


def test_local_search_pays() -> None:
    """The defaults beat the forest alone, p < .01 in the kept runs."""
    text = (KEPT / "study.md").read_text()
    line = next(line for line in text.splitlines() if line.startswith("Worse than the defaults"))
    worse = line.partition(": ")[2].strip(" .").split("; ")
    assert {cell for cell in CELLS if cell.startswith("forest alone")} <= set(worse)


def test_choosing_says_what_the_study_found_of_d() -> None:
    values = values_of_study(kept("forest"), forest_defaults)
    page = (KEPT.parents[1] / "choosing.md").read_text(encoding="utf-8")
    better, of = better_of(
        ratios(values, "forest alone, d = d_e", "forest alone", FUNCTIONS, V, 10)
    )
    p = stats.binomtest(better, of).pvalue
    assert p < 0.01
    assert f"(better in {better} of {of} runs, $p = {p:.3f}$)".replace("0.", ".") in page
    medians = {
        (function, cell): np.median(of_cell(False, 10_000, function, cell, 10))
        for function in ("ackley", "rosenbrock")
        for cell in (DEFAULT, "d = d_e")
    }
    assert medians["rosenbrock", "d = d_e"] < medians["rosenbrock", DEFAULT]
    there, here = medians["ackley", "d = d_e"], medians["ackley", DEFAULT]
    assert f"the median of Ackley is {there:.2f} instead of {here:.0g}," in page
