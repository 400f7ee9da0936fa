"""From which v on the bounds of the paper, corrected, say something."""

import math
from functools import cache, partial
from itertools import count, product

import numpy as np
import numpy.typing as npt
import pytest

from reproduction.theory.finite_time import (
    evaluations_of_sweeps,
    near_optimal_bound,
    sweeps_to_expand,
)
from reproduction.theory.geometry import (
    base_points,
    circumscribed_radius,
    largest_norm,
    norm_class_bound,
)
from reproduction.theory.indexed import indexed_eps, optimal_branch

R = 10 / 0.3


@pytest.mark.claim("theorem-1", "theorem-1-sharp")
def test_theorem_1_says_nothing_beyond_the_zero_vector_and_the_sharper_form_everywhere() -> None:
    """n = 10^4, d = d_e = 10, eta = 0.3: the norms of the page on the problem.

    No difference of two values exceeds ``2 L sqrt(d_e)`` on the cube.
    """
    printed, sharper = (2 * math.sqrt(10) / constant for constant in (8**0.5, 0.002**0.5))
    assert printed == pytest.approx(2.236, abs=1e-3)
    assert printed < largest_norm(1, 10, 3, R) == pytest.approx(22.2, abs=0.1)
    assert sharper > circumscribed_radius(0, 10, 3, R)
    assert sharper == pytest.approx(141.4, abs=0.1)


@pytest.mark.claim("lemma-2")
def test_lemma_2_says_something_about_the_valley_from_depth_2() -> None:
    """Where its bound is less than the number 3^h of all nodes of a depth."""
    valley = [3.0 ** (1 - h) for h in range(20)]
    for C, d_hat, first in ((16 / 5, 0.5, 2), (1.01, 0.0, 1), (16 / 5, 2.0, 20)):
        bounds = near_optimal_bound(C, valley, d_hat)
        assert [bounds[h] < 3**h for h in range(1, 20)] == [h >= first for h in range(1, 20)]


@pytest.mark.claim("theorem-2")
def test_fresh_matrices_tell_nothing_of_a_convex_function() -> None:
    """For every candidate p* of 50 matrices and its branch some matrix has a value >= f(0).

    Of f(x) and f(-x) one is at least f(0), so each matrix but p* has such a value at a node with
    probability at least 1/2, whatever p* and the node are.
    """
    rng = np.random.default_rng(8)
    x_star, v, d = np.array([0.4, -0.2, 0.3]), 50, 3
    assert v * (math.isqrt(v) + 2) * 2.0 ** (1 - v) < 1e-12
    for _ in range(4):
        family = rng.standard_normal((v, 3, d)) / 10
        for best in range(v):
            y = np.clip(np.linalg.solve(family[best], x_star), -R, R)
            for l, i in enumerate(optimal_branch(y, math.isqrt(v), 3, R)):
                point = base_points(l, d, 3, R)[i]
                images = np.clip(family @ point, -1, 1)
                values = np.linalg.norm(images - x_star, axis=1)
                assert values.max() >= np.linalg.norm(x_star)


def budget_for_sweeps(sweeps: int, h: int, d: int, K: int) -> int:
    """Return the least v with which a run is sure to complete `sweeps` sweeps, and ``h <= h_max``.

    h_max is the default ``floor(sqrt(v))``, and the evaluations of a sweep are bounded by the
    numbers of norm classes, as in `finite_time.evaluations_of_sweeps`.
    """
    classes = expansions = 0  # of the depths up to h_max; of the first h_max + 1 sweeps
    for h_max in range(sweeps):
        classes += norm_class_bound(h_max, d, K)
        expansions += classes
        enough = 1 + K * (expansions + (sweeps - h_max - 1) * classes)
        v = max(enough, h**2, h_max**2)
        if h_max >= h and v < (h_max + 1) ** 2:
            return v
    return max(enough, h**2)  # a deeper tree costs no more: these sweeps do not reach it


@pytest.mark.claim("theorem-2", "lemma-1")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_budget_for_sweeps_is_the_least_one(d: int) -> None:
    """Of all v, one after another."""
    made = cache(partial(evaluations_of_sweeps, d=d, K=3))
    for sweeps, h in product(range(1, 7), (0, 2, 5)):
        enough = (v for v in count(max(1, h**2)) if made(sweeps, h_max=math.isqrt(v)) <= v)
        assert budget_for_sweeps(sweeps, h, d, 3) == next(enough)


def depth_and_sweeps(
    x_star: npt.ArrayLike, B: npt.ArrayLike, R: float, enumerated: int
) -> tuple[int, int]:
    """The least h with ``eps_{h+1} < f(0) - f*``, and a lower bound on ``S_h``.

    f is the distance to x*, the most favourable of all 1-Lipschitz functions with this optimiser,
    and the first matrix, of effective rows B, is supposed to cover x*. Nodes are enumerated down to
    the depth `enumerated`; of each deeper level the branch alone is counted.
    """
    x, rows = np.asarray(x_star, dtype=float), np.asarray(B, dtype=float)
    d, eps = rows.shape[1], indexed_eps(100, rows.shape[1], 3, R, 1.0, rows)
    h = next(h for h in range(100) if eps[h + 1] < np.linalg.norm(x))
    last = min(h, enumerated)
    values = [
        np.linalg.norm(np.clip(base_points(k, d, 3, R) @ rows.T, -1, 1) - x, axis=1)
        for k in range(last + 1)
    ]
    return h, sweeps_to_expand(values, 0.0, eps)[last] + h - last


@pytest.mark.claim("theorem-2", "indexed-regret-bound")
@pytest.mark.parametrize(
    ("enumerated", "sweeps", "digits"),
    [(8, 9_844, 942.1), pytest.param(10, 42_555, 4063.5, marks=pytest.mark.long)],
)
def test_the_bound_says_nothing_in_the_paper_s_setting_for_any_run_that_can_be_made(
    enumerated: int, sweeps: int, digits: float
) -> None:
    """n = 10^4, d = d_e = 10, eta = 0.3, K = 3, the distance to Ackley's optimiser."""
    B = np.random.default_rng(0).standard_normal((10, 10)) / 100
    assert depth_and_sweeps(np.full(10, 0.4634), B, R, enumerated) == (14, sweeps)
    assert math.log10(budget_for_sweeps(sweeps, 14, 10, 3)) == pytest.approx(digits, abs=0.1)


@pytest.mark.claim("theorem-2", "indexed-regret-bound")
def test_the_bound_says_something_on_the_line_from_four_evaluations_on() -> None:
    assert depth_and_sweeps([0.3], [[0.1]], 1 / 0.3, 5) == (0, 1)
    assert budget_for_sweeps(1, 0, 1, 3) == 4
    assert indexed_eps(1, 1, 3, 1 / 0.3, 1.0, [[0.1]])[1] == pytest.approx(0.111, abs=1e-3)
