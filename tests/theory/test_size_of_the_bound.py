"""How large the proved bound of the policy `indexed` is in the paper's setting."""

import math

import numpy as np
import pytest

from embedded_hunter.common.arguments import exact
from embedded_hunter.settings import Settings
from reproduction.theory.indexed import indexed_regret_bound

MILLION = 10**6


@pytest.mark.claim("indexed-regret-bound")
@pytest.mark.parametrize("coordinate", [0.2, 0.4634, 0.99])
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 5))]
)
def test_at_d_10_the_bound_is_above_the_first_regret_up_to_a_million_evaluations(
    coordinate: float, seed: int
) -> None:
    """n = 10^4, d = d_e = 10, eta = 0.3, M = 5, h_max = floor(sqrt(v)), K = 3.

    x* is (.2, .., .2), Rosenbrock's, or (.4634, .., .4634), Ackley's and Ellipsoid's, or next to a
    corner, and the first matrix covers it (gap 0). f is the distance to x*, L = 1. Among all
    1-Lipschitz functions with this optimiser no value is greater, so that no function has fewer
    near-optimal nodes or a larger f(0) - f*: what holds for this one holds for each, and by
    scaling for every L.

    The first three depths cost all their nodes; the fourth cannot be reached: three million
    evaluations are needed. h_max only grows with v, and with it the cost.
    """
    d = 10
    x_star = np.full(d, coordinate)
    blocks = np.random.default_rng(seed).standard_normal((200, d, d)) / 100
    first_regret = float(np.linalg.norm(x_star))
    for v in (10, 1000, 10_000, MILLION):
        settings = Settings(10_000, d, v, policy="indexed")
        bound = indexed_regret_bound(
            lambda x: np.linalg.norm(x - x_star, axis=1),
            0.0,
            1.0,
            blocks,
            K=settings.K,
            R=settings.radius,
            M=exact(settings.M),
            h_max=settings.h_max,
            depth=min(4, settings.h_max),
        )
        assert bound.sweeps[:4] == (1, 4, 13, 40)[: settings.h_max + 1]
        assert bound.after_evaluations(v) > first_regret
        assert settings.h_max == math.isqrt(v)
    assert bound.evaluations[2] < 10_000 < MILLION < bound.evaluations[3]
