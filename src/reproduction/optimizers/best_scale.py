"""The best fixed scale of radial random search, chosen with knowledge of the function."""

from functools import cache

import numpy as np

from embedded_hunter.matrices import Floats
from reproduction.problems.registry import PROBLEMS
from reproduction.seeds import seed_of

PILOT = 100_000
"""Draws for each scale from which the best one is chosen."""


@cache
def best_scale(name: str, d_e: int, v: int, reach: float) -> float:
    """Return the s <= reach with the least E[best of v], estimated on a grid of scales."""
    rng = np.random.default_rng(seed_of("scale", name, d_e))
    problem = PROBLEMS[name](d_e, d_e, rng=np.random.default_rng(seed_of("paper", name, d_e)))
    draws = max(2_000, min(PILOT, 4_000_000 // d_e))
    z: Floats = rng.standard_normal((d_e, draws))
    weights = weights_of_the_best(v, draws)
    grid = [s for s in np.geomspace(1e-3, 3.0, 36) if s < reach] + [reach]

    def expected_best(s: float) -> float:
        values = np.sort(np.asarray(problem.effective(np.clip(s * z, -1.0, 1.0))))
        return float(values @ weights)

    return float(min(grid, key=expected_best))


def weights_of_the_best(v: int, draws: int) -> Floats:
    """Weights of the order statistics in the mean of the least of v of them, with replacement."""
    survival = (1.0 - np.arange(draws + 1) / draws) ** v
    return np.asarray(survival[:-1] - survival[1:])
