"""Statements of the paper that fail as printed, each by its smallest counterexample.

Those on Lemma 1, Theorem 2 and the coverage stand beside the corrected numbers, in
`test_regret_finite_time.py`, `test_regret_indexed.py` and `test_regret_coverage.py`.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from embedded_hunter.projection import clip
from embedded_hunter.regret import (
    inscribed_radius,
    multiples_of_delta,
    near_optimal_bound,
    near_optimal_nodes,
)

COORDINATES = st.integers(-8, 8).map(lambda k: k / 8)


@pytest.mark.claim("eq-3")
@pytest.mark.parametrize(("a", "y", "printed"), [(0.1, 5.0, 1.0), (10.0, 0.5, 5.0)])
def test_equation_3_tests_the_wrong_vector(a: float, y: float, printed: float) -> None:
    """n = d = 1: the printed map leaves X, or misses the projection."""
    by_equation_3 = 1.0 if y >= 1 else -1.0 if y <= -1 else a * y
    assert by_equation_3 == printed
    assert clip(np.array([a * y]))[0] == min(1.0, a * y) != printed


@pytest.mark.claim("definition-1", "assumption-2", "assumption-4")
@given(
    arrays(np.float64, 3, elements=COORDINATES).filter(lambda y: bool(np.any(y))),
    arrays(np.float64, 5, elements=COORDINATES),
)
def test_every_cell_is_optimal_if_a_random_matrix_is_any_of_its_values(
    y: np.ndarray, x_star: np.ndarray
) -> None:
    """``A = x* y^T / ||y||^2`` maps y to x*, and lies in the support of the Gaussian law.

    So each cell with a non-zero point is optimal (Definition 1), min_p g_p is f* at each non-zero
    base point, and the supremum of Assumption 4 is the oscillation of f.
    """
    A = np.outer(x_star, y) / (y @ y)
    assert A @ y == pytest.approx(x_star, abs=1e-12)
    assert (-A) @ y == pytest.approx(-x_star, abs=1e-12)


@pytest.mark.claim("definition-2")
@pytest.mark.parametrize(("C", "d_m"), [(1.0, 1.0), (1e6, 0.1), (5.0, 3.0)])
def test_no_positive_near_optimality_dimension_serves_every_eps(C: float, d_m: float) -> None:
    """One ball is always there; ``1 < C eps^-d_m`` fails once ``eps >= C^(1/d_m)``."""
    eps = C ** (1 / d_m)
    assert not near_optimal_bound(C, [eps * (1 + 1e-9)], d_m)[0] > 1


@pytest.mark.claim("lemma-2", "definition-2", "supplement-a5")
def test_lemma_2_with_closed_cells_needs_open_balls() -> None:
    """d = n = 1, A = (eta), f(x) = |x - 1/3|, K = 3, delta(h) = 3^-h, tau = 0, m = m_hat = 1.

    Every two closed balls of radius eps with centers in Y_eps = [1/3 - eps, 1/3 + eps] meet, so
    d_hat = 0 serves with C = 1.01. But the closed balls in the cells of (1, 1) and (1, 2) touch
    only, their base points 0 and 2/3 are both 1/3-optimal, and Lemma 2 says ``2 <= 1.01``. With
    open balls these two are disjoint, the count is 2, and C must exceed 2. Half-open cells contain
    closed balls of radius m eps for m < 1 only; of these two are disjoint as well.
    """
    delta, delta_1 = [1.0, 1 / 3, 1 / 9], Fraction(1, 3)
    m_hat = multiples_of_delta([0.0, 0.0, 0.0], delta)[-1]
    assert m_hat == 1
    centers = [Fraction(-2, 3), Fraction(0), Fraction(2, 3)]
    near = [c for c in centers if abs(c - Fraction(1, 3)) <= Fraction(1, 3)]
    assert near == [0, Fraction(2, 3)]
    assert near_optimal_nodes([abs(float(c) - 1 / 3) for c in near], delta[1] + 1e-15) == 2
    assert not near_optimal_bound(1.01, delta, 0.0)[1] >= 2
    # Assumptions 2 and 3 in the optimal cell [-1/3, 1/3], and the two facts on balls:
    inside = np.linspace(-1 / 3, 1 / 3, 1001)
    assert max(abs(1 / 3 - abs(x - 1 / 3)) for x in inside) <= delta[1] + 1e-12
    assert inscribed_radius(1, 1, 3, 1.0) == pytest.approx(delta[1])
    for eps in (Fraction(1, 100), Fraction(1, 3), Fraction(2, 3)):
        width = min(Fraction(1), Fraction(1, 3) + eps) - max(Fraction(-1), Fraction(1, 3) - eps)
        # n disjoint balls need (n - 1) 2 eps < width if closed, <= width if open
        assert math.ceil(width / (2 * eps)) == 1
    assert math.floor(Fraction(2, 3) / (2 * delta_1)) + 1 == len(near)
    for m in (Fraction(1, 2), Fraction(999, 1000)):
        assert math.ceil(Fraction(2, 3) / (2 * m * delta_1)) >= len(near)


@pytest.mark.claim("supplement-a3", "assumption-1")
def test_a_convex_function_on_a_closed_domain_need_not_be_lipschitz() -> None:
    """Supplement A.3 says so, but the slopes of ``-sqrt(1 - x)`` on [-1, 1] exceed every constant.

    It is convex and continuous there. (Convex functions are Lipschitz on compact sets inside
    the interior of their domain; a continuously differentiable one on X is Lipschitz.)
    """
    x = np.linspace(-1, 1, 2001)
    values = -np.sqrt(1 - x)
    assert np.all(np.diff(values, 2) >= 0)
    for L in (1.0, 10.0, 1e4, 1e6):
        h = 1 / (4 * L * L)
        assert abs(-math.sqrt(h) - 0.0) > L * h
