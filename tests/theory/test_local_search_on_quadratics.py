"""The local search of the forest on convex quadratic functions: one step, and a whole search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.local_search import LocalSearch
from embedded_hunter.forest.model import QuadraticModel
from embedded_hunter.matrices import Floats

FACTOR = 1 + 1e-9
"""For rounding."""


@pytest.mark.claim("local-search-step")
@given(
    st.integers(0, 2**32), st.integers(1, 12), st.integers(0, 11), st.floats(0, 6),
    st.floats(-6, 6),
)  # fmt: skip
def test_a_step_lowers_a_convex_quadratic_function(
    seed: int, d: int, flat: int, decades: float, scale: float
) -> None:
    """By the stated factor if the damped minimiser is within the radius; and never out of it.

    The last `flat` of the d directions have no curvature and no slope, as a function of d_e
    effective coordinates has none in d - d_e directions.
    """
    rng = np.random.default_rng(seed)
    rank = max(1, d - flat)
    axes, _ = np.linalg.qr(rng.standard_normal((d, d)))
    axes = axes[:, :rank]
    curvatures = 10 ** np.append(rng.uniform(0, decades, rank - 1), decades)
    minimiser = axes @ rng.standard_normal(rank) * 10**scale
    H = (axes * curvatures) @ axes.T
    model = QuadraticModel(-H @ minimiser, H)

    def excess(u: Floats) -> float:
        return float(curvatures @ (axes.T @ (u - minimiser)) ** 2)

    step = model.trust_region_step(1.0)
    assert np.linalg.norm(step) <= FACTOR
    assert excess(step) < excess(np.zeros(d))
    greatest = CONSTANTS.damping * curvatures.max()
    damped = axes @ ((curvatures / (curvatures + greatest)) * (axes.T @ minimiser))
    if np.linalg.norm(damped) <= 1 - 1e-9:
        assert np.allclose(step, damped, rtol=1e-6, atol=1e-9 * np.linalg.norm(minimiser))
        ratio = CONSTANTS.damping * curvatures.max() / curvatures.min()
        assert excess(step) <= (ratio / (1 + ratio)) ** 2 * excess(np.zeros(d)) * (1 + 1e-6)


def evaluations(d: int, d_e: int, kappa: float, seed: int) -> int:
    """How many a local search makes until the excess is 1e-10 of what it was, or 2,000."""
    rng = np.random.default_rng([23, d, d_e, int(kappa), seed])
    E = np.eye(d) if d == d_e else rng.standard_normal((d_e, d)) / np.sqrt(d)
    axes, _ = np.linalg.qr(rng.standard_normal((d_e, d_e)))
    H = (axes * np.geomspace(1, kappa, d_e)) @ axes.T
    minimiser = rng.standard_normal(d_e)
    minimiser /= np.linalg.norm(minimiser)

    def excess(w: Floats) -> Floats:
        away = w @ E.T - minimiser
        return np.asarray(np.einsum("ij,jk,ik->i", away, H, away))

    search = LocalSearch(float(excess(np.zeros((1, d)))[0]), d, rng)
    least = 1e-10 * search.value
    while search.made < 2000 and search.value > least:
        search.tell(excess(search.ask()))
    return search.made


@pytest.mark.parametrize(
    ("d", "d_e", "kappa", "most"),
    [(5, 5, 1, 96), (5, 5, 1e2, 192), (10, 10, 1e2, 256), (10, 5, 1e2, 256), (10, 10, 1e4, 512)],
)
def test_a_search_solves_quadratic_functions(d: int, d_e: int, kappa: float, most: int) -> None:
    """17 of 20 runs within the number of evaluations that the page states.

    The page reports 20 of 20. If the probability of a run to do so is .99, a false alarm has a
    probability below 5e-5 in each of the five cases. The seeds are fixed.
    """
    made = [evaluations(d, d_e, kappa, seed) for seed in range(20)]
    assert sum(count <= most for count in made) >= 17
