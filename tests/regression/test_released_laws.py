"""The laws of the released program: matrices, trees and rounds, and clipping."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from reproduction.released import hunter as released_program
from reproduction.released.problems import ReleasedProblem

pytestmark = pytest.mark.claim("released-program")


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
