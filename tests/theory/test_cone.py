"""The ceiling of the fresh policy for a distance (`reproduction/theory/cone.py`)."""

import math

import numpy as np
import pytest
from scipy import special, stats

from reproduction.theory.cone import (
    distance_regret_floor,
    distance_regret_within_reach,
    fresh_regret_floor,
)


def distance_success_probability(eps: float, norm: float, d_e: int, s: float) -> float:
    """The probability of a regret of at most eps at the scale s, exactly; `norm` is ``||x*||``.

    For ``d_e >= 2`` the ball of radius eps about ``x*`` lies inside the cube, so that clipping does
    not matter. For ``d_e = 1`` an interval that reaches a face takes the points clipped to it.
    """
    if d_e > 1:
        return float(stats.ncx2.cdf((eps / s) ** 2, d_e, (norm / s) ** 2))
    below = float(special.ndtr((eps - norm) / s))
    if eps >= 1 - norm:  # all above the interval is clipped to 1, which is in it
        return 1.0 if eps >= 1 + norm else below
    return below - float(special.ndtr(-(eps + norm) / s))


@pytest.mark.claim("fresh-ceiling", "sharp-fresh-floor")
def test_the_floor_is_the_greater_of_two_roots_of_the_budget() -> None:
    """For v = 1 it is that of v = 2: the zero vector has the regret ||x*||, and not more."""
    for d_e, v in ((2, 2), (3, 2), (10, 1000)):
        assert (distance_regret_floor(3.0, d_e, v) / 3) ** (d_e - 1) * v == pytest.approx(1)
    for d_e, v in ((1, 2), (1, 10**5), (2, 10**4), (3, 10**9)):
        u = distance_regret_floor(3.0, d_e, v) / 3
        assert (u / (1 - u)) ** d_e / math.sqrt(math.pi * d_e) * v == pytest.approx(0.5)
    assert distance_regret_floor(1.0, 10, 10**4) == pytest.approx(0.359, abs=1e-3)
    assert distance_regret_floor(0.4, 2, 10**4) == pytest.approx(4.4e-3, abs=5e-5)
    for d_e in (1, 2, 3, 10):
        floors = [distance_regret_floor(0.4, d_e, v) for v in (1, 2, 3, 10, 100, 10**4)]
        assert floors[0] == floors[1] < 0.4
        assert floors == sorted(floors, reverse=True)


GRID = [(d_e, v) for d_e in (1, 2, 3, 5, 10) for v in (1, 2, 10, 10**3, 10**6)]


@pytest.mark.claim("sharp-fresh-floor")
@pytest.mark.parametrize(("d_e", "v"), GRID)
@pytest.mark.parametrize("norm", [pytest.param(0.01, marks=pytest.mark.long), 0.4])
def test_floor_and_reach_hold_the_exact_median(norm: float, d_e: int, v: int) -> None:
    """Against the exact success probability: its supremum over the scales, and at one of them.

    f(x) = ||x_eff - x*||, x* on a diagonal. v evaluations at one scale fail with probability
    ``(1 - p_s)^v``; no rule fails with less than ``(1 - pbar)^v``.
    """
    x_star = np.full(d_e, norm / math.sqrt(d_e))
    floor = fresh_regret_floor(x_star, v)
    assert floor < 1 - x_star.max()
    assert fresh_regret_floor(x_star, v, 2.0) == pytest.approx(2 * floor)  # f grows twice as fast
    scales = np.geomspace(0.05 * norm, 50 * norm, 300)
    pbar = max(distance_success_probability(floor, norm, d_e, s) for s in scales)
    assert (1 - pbar) ** v >= 0.5
    eps, s = distance_regret_within_reach(norm, d_e, v)
    assert floor < eps <= norm
    if s == 0:
        assert eps == norm
    else:
        p = distance_success_probability(eps, norm, d_e, s)
        assert (1 - p) ** v <= 0.5


@pytest.mark.claim("sharp-fresh-floor")
@pytest.mark.parametrize("d_e", [1, 2, 3, 5, 10])
def test_floor_and_reach_are_of_one_order(d_e: int) -> None:
    """Their ratio tends to ``(2 ln 2 / (kappa sqrt(pi d_e)))^{1/d_e}``, at most 1.39 e^{1/6d_e}."""
    floors, reaches = zip(
        *(
            (distance_regret_floor(0.4, d_e, v), distance_regret_within_reach(0.4, d_e, v)[0])
            for v in (10 ** (4 * d_e), 10 ** (5 * d_e))
        ),
        strict=True,
    )
    assert floors[0] / floors[1] == pytest.approx(10, rel=0.01)
    assert reaches[0] / reaches[1] == pytest.approx(10, rel=0.01)
    most = (2 * math.log(2) * math.exp(1 / (6 * d_e))) ** (1 / d_e)
    assert 1 < reaches[1] / floors[1] < most * (1 + 1e-3)


@pytest.mark.claim("sharp-fresh-floor")
def test_the_floor_is_capped_by_the_room_in_the_cube() -> None:
    near = fresh_regret_floor([0.97, 0.0, 0.0], 2)
    assert distance_regret_floor(0.97, 3, 2) > 0.5
    assert near == pytest.approx(0.03)
    assert near < 1 - 0.97
    # d_e = 1: at the distance 1 - x* itself large scales succeed half of the time.
    assert fresh_regret_floor([0.9], 2) < 1 - 0.9
    assert distance_success_probability(1 - 0.9, 0.9, 1, 1e9) == pytest.approx(0.5)
