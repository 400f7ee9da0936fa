"""Coverage of subspaces that are not along the axes (`reproduction/theory/rotated.py`)."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from embedded_hunter.forest.settings import REACH
from reproduction.theory.coverage_law import law_of_coverage
from reproduction.theory.rotated import (
    TOLERANCE,
    count_rotated_coverage,
    covering_point,
)

STUDY = Path(__file__).parents[3] / "docs" / "results" / "forest" / "study.md"


@pytest.mark.claim("coverage")
def test_a_point_that_is_found_covers() -> None:
    rng, found = np.random.default_rng(7), 0
    for _ in range(20):
        A, z = 0.25 * rng.standard_normal((300, 6)), np.array([0.6, -0.3, 0.2])
        Q = np.linalg.qr(rng.standard_normal((300, 3)))[0]
        y = covering_point(A / 2, Q, z, 2.0)
        if y is not None:
            found += 1
            assert np.abs(y).max() <= 2
            assert np.linalg.norm(Q.T @ np.clip(A @ y / 2, -1, 1) - z) <= TOLERANCE
    assert found >= 5


@pytest.mark.long
@pytest.mark.claim("coverage")
@pytest.mark.parametrize(("d", "norm"), [(2, 0.01), (4, 0.025)])
def test_where_nothing_is_clipped_the_share_is_the_law(d: int, norm: float) -> None:
    """d_e = 2 and a reach of .01: Q^T A is Gaussian. False alarm 1e-6 for each d."""
    scale, matrices = 0.01, 800
    found = count_rotated_coverage(norm, 2, d, scale, 40, matrices, np.random.default_rng(3))
    exact = law_of_coverage(norm, d, 1.0, scale, 2)
    low, high = stats.binom.interval(1 - 1e-6, matrices, exact)
    assert low <= found <= high
    assert 0.2 < exact < 0.8


@pytest.mark.long
@pytest.mark.claim("coverage")
def test_a_rotated_optimum_at_the_defaults() -> None:
    """The numbers of docs/paper/problem.md: n = 1,000, d_e = 10, d = 20, sigma R = .25."""
    found = count_rotated_coverage(
        0.4634 * math.sqrt(10), 10, 20, REACH / 20, 1000, 100, np.random.default_rng(9)
    )
    assert found == 97
    assert stats.binomtest(found, 100).proportion_ci().low > 0.91
    law = law_of_coverage(0.4634 * math.sqrt(10), 20, 1.0, REACH / 20, 10)
    assert law == pytest.approx(0.977, abs=5e-4)
