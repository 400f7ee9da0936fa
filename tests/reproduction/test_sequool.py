"""SequOOL's rule against sweeps (`studies/sequool.py`): the functions, the runs, the table."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from kept_results import table_rows
from scipy import stats

from embedded_hunter.run.drive import drive
from reproduction.kept_runs import Values
from reproduction.studies.sequool import (
    D_E,
    METHODS,
    N_ROTATED,
    PAIRS,
    RUNS,
    objective,
    rows_of,
    signed_rank_p,
    table_of,
)

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_of_small_data() -> None:
    sweeps, sequool = PAIRS[0]
    values: Values = {}
    for run in range(RUNS):
        values[sweeps, "ackley", str(run)] = 2.0 + run
        values[sequool, "ackley", str(run)] = 1.0 + run
        values[sweeps, "ellipsoid", str(run)] = 3.0
        values[sequool, "ellipsoid", str(run)] = 3.0 * 1.5 ** ((-1) ** run * (1 + run // 2))
        values[sweeps, "rosenbrock", str(run)] = values[sequool, "rosenbrock", str(run)] = 0.0
        values[sweeps, "distance", str(run)] = 1.0
        values[sequool, "distance", str(run)] = 2.0 + run
        if run > 0:  # a function without all of its runs has no line
            values[sweeps, "absolute", str(run)] = values[sequool, "absolute", str(run)] = 1.0
    ackley, ellipsoid, rosenbrock, distance = table_rows(table_of(values))[1:]
    # Mean of 2, .., 21: its standard deviation is sqrt(35).
    assert ackley[:3] == [sweeps, "Ackley", f"11.5 ± {math.sqrt(35 / 20):.2g} (11.5)"]
    assert ackley[3:5] == ["10.5 ± 1.3 (10.5)", "20:0"]
    # All 20 ranks on one side; the least of four p-values, times 4.
    assert float(ackley[5]) == pytest.approx(4 * 2 * 0.5**20, rel=5e-3)
    assert ackley[6] == "SequOOL's rule is better"
    assert distance[4:] == ["0:20", ackley[5], "sweeps are better"]
    assert ellipsoid[4:] == ["10:10", "1", "no difference shown"]
    assert rosenbrock[2:] == ["0 ± 0 (0)", "0 ± 0 (0)", "0:0", "1", "no difference shown"]


@pytest.mark.parametrize("rotated", ["", "rotated "])
def test_the_functions_of_distance_have_their_least_value_inside(rotated: str) -> None:
    """||Q^T x - x*||^2 is quadratic, and Q^T Q = I: four values give a coordinate of Q x*."""
    rows = rows_of(rotated + "distance")
    assert rows == (N_ROTATED if rotated else D_E)
    f = objective(rotated + "distance", np.random.default_rng(5))
    at = (f(-np.eye(rows)) ** 2 - f(np.eye(rows)) ** 2) / 4
    assert np.abs(at).max() <= 0.5
    assert np.linalg.norm(at) == pytest.approx(f(np.zeros((1, rows)))[0])
    assert f(at[np.newaxis])[0] == pytest.approx(0, abs=1e-9)
    absolute = objective(rotated + "absolute", np.random.default_rng(5))
    assert absolute(at[np.newaxis])[0] == pytest.approx(0, abs=1e-9)
    at[0] += 0.25
    if not rotated:
        assert absolute(at[np.newaxis])[0] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("method", "made"),
    [("forest", 10_000), ("forest, SequOOL's rule", 8_873), ("RESOO, SequOOL's rule", 6_995)],
)
def test_the_evaluations_that_the_page_states(method: str, made: int) -> None:
    """The numbers of leaves, and so of evaluations, do not depend on the values."""
    f = objective("distance", np.random.default_rng(0))
    search = METHODS[method](np.random.default_rng(1), D_E)
    assert sum(len(values) for _, values in drive(search, f)) == made
    page = (DOCS / "paper" / "forest.md").read_text(encoding="utf-8")
    assert made == 10_000 or f"{made:,}" in page


@pytest.mark.parametrize("gaps", [[3, -3, 3, 4, 5, -1, 5, 0], [1, 2, 3, -4, 5, 6, 7]])
def test_the_signed_rank_test_is_exact(gaps: list[int]) -> None:
    """Of all signs of the differences, the share with a sum as extreme; with ties and without."""
    left = [gap for gap in gaps if gap]
    ranks = stats.rankdata(np.abs(left))
    sums = [np.dot(ranks, signs) for signs in itertools.product((-1, 1), repeat=len(left))]
    share = np.mean(np.abs(sums) >= abs(np.dot(ranks, np.sign(left))) - 1e-9)
    assert signed_rank_p(np.exp2(gaps), np.ones(len(gaps))) == pytest.approx(share)
    assert signed_rank_p(np.ones(3), np.ones(3)) == 1
