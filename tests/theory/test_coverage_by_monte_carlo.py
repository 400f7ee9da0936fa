"""The coverage law by Monte Carlo, on the matrices that the search itself makes.

One sample of covering radii serves every n, since only sigma R counts. Every comparison is
with an exact binomial interval at a level of 1 - 1e-6; each test states how many it makes.
"""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from embedded_hunter.projection import Indexed
from embedded_hunter.settings import Settings
from reproduction.theory.coverage import coverage_of_norm, covering_radius
from reproduction.theory.coverage_law import coverage_at_least, law_of_coverage

LEVEL = 1 - 1e-6
D = 10
NS = [1, 100, 500, 1000, 10_000]
Array = np.typing.NDArray[np.float64]


@cache
def blocks(count: int, rows: int = D, d: int = D, seed: int = 1) -> Array:
    """Blocks of independent rows of the matrices of one run of the indexed policy, over sigma."""
    settings = Settings(10_000, d, 10, policy="indexed")
    project = Indexed(settings, np.random.default_rng(seed), 10_000 // rows * rows)
    matrices = -(-count // (10_000 // rows))
    found = [project.matrix(p).reshape(-1, rows, d) for p in range(1, matrices + 1)]
    return np.concatenate(found)[:count] / settings.sigma


def hits(radii: Array, n: int) -> int:
    """How many of the matrices N(0, 1/n) cover the optimiser with R = d/eta, eta = 0.3."""
    return int(np.count_nonzero(radii <= D / (0.3 * math.sqrt(n))))


def interval(successes: int, trials: int) -> Any:
    """The exact binomial interval of a probability, at the level of the module."""
    return stats.binomtest(successes, trials).proportion_ci(LEVEL, "exact")


@pytest.mark.claim("coverage", "n-invariance")
@pytest.mark.parametrize("a", [0.4634, 0.2])
def test_the_law_of_an_interior_optimiser(a: float) -> None:
    """Five comparisons per case: false-alarm rate 5e-6 each."""
    matrices = blocks(6000)
    y = np.linalg.solve(matrices, np.full((1, D, 1), a))[..., 0]
    radii = np.abs(y).max(axis=1)
    for n in NS:
        law = coverage_of_norm(a * math.sqrt(D), D, 1 / math.sqrt(n), D / 0.3)
        got = interval(hits(radii, n), radii.size)
        assert got.low <= law <= got.high, n


@pytest.mark.long
@pytest.mark.claim("coverage")
@pytest.mark.parametrize(
    ("x", "d"),
    [([1.0] * 4, 4), ([1.0, 1.0, 0.4634, 0.4634], 4), ([1.0, -0.3, 0.2], 5), ([1.0, 1.0, 0.5], 2)],
)
def test_clipped_optimisers_are_covered_at_least_as_often_as_the_bound_says(
    x: list[float], d: int
) -> None:
    """Linear programs, 250 matrices, three scales: false-alarm rate at most 3e-6 per case."""
    radii = np.array([covering_radius(B, x) for B in blocks(250, len(x), d, seed=3)])
    for scale in (0.3, 1.0, 4.0):
        got = interval(int(np.sum(radii <= scale)), radii.size)
        assert got.high >= coverage_at_least(x, d, 1.0, scale)


@pytest.mark.claim("coverage")
def test_a_wrong_law_is_noticed() -> None:
    """Power: one effective row less, variance 1, a smaller norm, d + 5: all outside."""
    radii = np.abs(np.linalg.solve(blocks(6000), np.full((1, D, 1), 0.4634))[..., 0]).max(axis=1)
    norm, n = 0.4634 * math.sqrt(D), 1000
    got = interval(hits(radii, n), radii.size)
    sigma, R = 1 / math.sqrt(n), D / 0.3
    for wrong in (
        law_of_coverage(norm, D, sigma, R, D - 1),
        coverage_of_norm(norm, D, 1.0, R),
        coverage_of_norm(norm * 0.85, D, sigma, R),
        coverage_of_norm(norm, D + 5, sigma, R),
    ):
        assert not got.low <= wrong <= got.high
