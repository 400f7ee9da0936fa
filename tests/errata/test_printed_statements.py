"""Statements of the paper that fail as printed, each by its smallest counterexample.

Those on Lemma 1, Theorem 2 and the coverage stand beside the corrected numbers, in
`test_regret_finite_time.py`, `test_regret_indexed.py` and `test_coverage_by_quadrature.py`.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from reproduction.theory.finite_time import (
    multiples_of_delta,
    near_optimal_bound,
    near_optimal_nodes,
)
from reproduction.theory.geometry import inscribed_radius


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
