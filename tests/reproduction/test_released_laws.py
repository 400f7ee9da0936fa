"""The laws of the released program: matrices, trees and rounds, and clipping."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from embedded_hunter.problems.functions import Ackley
from reproduction.released import hunter as released_program
from reproduction.released import resoo as released_resoo
from reproduction.released.hunter import embedded_hunter_released
from reproduction.released.problems import ReleasedProblem, released_problem
from reproduction.released.resoo import resoo_released

pytestmark = pytest.mark.claim("released-program")

N = 10_000


class Seen:
    """An objective that keeps its points, as rows."""

    def __init__(self) -> None:
        self.points: list[NDArray[np.float64]] = []

    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        self.points.append(x.T.copy())
        return np.zeros(x.shape[1])


def test_a_fresh_evaluation_has_the_law_of_a_new_matrix() -> None:
    """Kolmogorov-Smirnov at level 1e-3 (fixed seed); reused rows are detected as correlation."""
    f = Seen()
    problem = ReleasedProblem(f, np.array([1, 0, 1]), 2)
    evaluate = released_program.fresh_evaluations(problem, np.random.default_rng(5))
    for _ in range(700):
        evaluate([0.1, 0.2, 0.05])
    x = np.concatenate(f.points) / np.tile([0.1, 0.2, 0.05], 700)[:, None]
    assert np.array_equal(x[:, 0], x[:, 2])  # one ambient coordinate, drawn twice
    assert stats.kstest(x[:, 0], "norm").pvalue > 1e-3
    assert stats.kstest(x[:, 0] * 1.1, "norm").pvalue < 1e-3  # the test's power
    for lag in (1, 2, 3):
        assert stats.pearsonr(x[:-lag, 0], x[lag:, 0]).pvalue > 1e-3
    assert stats.pearsonr(x[:, 0], x[:, 1]).pvalue > 1e-3


def test_matrices_are_new_when_a_block_of_rows_is_smaller_than_a_visit() -> None:
    f = Seen()
    problem = ReleasedProblem(f, np.array([39_999, 0]), 40_000)
    evaluate = released_program.fresh_evaluations(problem, np.random.default_rng(6))
    assert evaluate([0.1, 0.1, 0.1]) == [0.0] * 3
    assert evaluate([0.1, 0.1]) == [0.0] * 2
    assert len(np.unique(np.concatenate(f.points))) == 10


def test_points_are_clipped_to_the_cube() -> None:
    f = Seen()
    problem = ReleasedProblem(f, np.arange(3), 3)
    for run in (embedded_hunter_released, resoo_released):
        f.points.clear()
        run(problem, n=10, d=3, v=200, M=2, rng=np.random.default_rng(1))
        x = np.concatenate(f.points)
        assert np.abs(x).max() == 1.0
        assert np.any(np.abs(x) < 1.0)


def test_duplicate_coordinates_share_a_row_of_a_tree() -> None:
    problem = released_problem(Ackley(4), np.array([7, 3, 7, 9]), n=N)
    assert problem.row_count == 3
    matrix = released_resoo.effective_rows(problem, N, 5, np.random.default_rng(2))
    assert np.array_equal(matrix[0], matrix[2])
    assert len({tuple(row) for row in matrix}) == 3
    wide = released_resoo.effective_rows(problem, N, 20_000, np.random.default_rng(2))
    assert wide.std() * math.sqrt(N) == pytest.approx(1.0, abs=0.03)
