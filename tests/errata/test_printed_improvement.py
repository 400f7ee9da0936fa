"""What Theorem 1 does not say: improvement and variation need not grow with the norm.

n = d = 1, so sigma = 1 and R = 1/eta = 10/3. At a base point of norm s an evaluation is made at
x = clip(s z), z standard normal. The norms are those of depth 2: 2R/9, 4R/9, 6R/9 and 8R/9.
"""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from reproduction.theory.geometry import base_points

NORMS = [float(y) for (y,) in base_points(2, 1, 3, 10 / 3) if y > 0]


def improvement(f: Callable[[float], float], s: float) -> float:
    """E max(0, f(0) - f(clip(s z)))."""
    gain = lambda z: max(0.0, f(0.0) - f(min(1.0, max(-1.0, s * z)))) * stats.norm.pdf(z)  # noqa: E731
    kinks = [c * a / s for c in (-1, 1) for a in (0.2, 0.4, 1.0)]
    return float(sum(integrate.quad(gain, a, b)[0] for a, b in pairwise([-9, *sorted(kinks), 9])))


def variation(law: Callable[[float], float], top: float, points: list[float]) -> float:
    """E|X - X'| = 2 int F (1 - F) for independent X, X' in [0, top] with the law F."""
    return float(
        2 * integrate.quad(lambda t: law(t) * (1 - law(t)), 0, top, points=points, limit=200)[0]
    )


def variation_of_the_square(s: float) -> float:
    """E|X - X'| for X = clip(s z)^2."""
    return variation(lambda t: 2 * stats.norm.cdf(math.sqrt(t) / s) - 1, 1, [1e-4, 1e-2])


@pytest.mark.claim("larger-improvement")
def test_at_greater_norms_an_improvement_can_be_smaller_and_less_probable() -> None:
    """f(x) = |x - 1/5| is below f(0) = 1/5 for 0 < x < 2/5, which a great norm mostly misses."""
    assert pytest.approx([20 / 27, 40 / 27, 60 / 27, 80 / 27]) == NORMS
    chances = [stats.norm.cdf(0.4 / s) - 0.5 for s in NORMS]
    gains = [improvement(lambda x: abs(x - 0.2), s) for s in NORMS]
    print("promised: larger improvement is probable at points with greater norms")
    print(f"happened: probability {np.round(chances, 3)}, mean improvement {np.round(gains, 4)}")
    assert chances == pytest.approx([0.205, 0.106, 0.071, 0.054], abs=1e-3)
    assert all(far < near for near, far in pairwise(chances))
    assert gains == pytest.approx([0.0207, 0.0107, 0.0071, 0.0054], abs=1e-4)
    assert all(far < near for near, far in pairwise(gains))


def variation_of_the_distance(s: float) -> float:
    """E|X - X'| for X = |clip(s z) - 1/5|."""

    def law(t: float) -> float:
        above = 1.0 if t >= 0.8 else stats.norm.cdf((0.2 + t) / s)
        below = 0.0 if t >= 1.2 else stats.norm.cdf((0.2 - t) / s)
        return float(above - below)

    return variation(law, 1.2, [0.8])


@pytest.mark.claim("larger-improvement")
def test_a_second_evaluation_need_not_improve_more_at_a_greater_norm() -> None:
    """E max(0, g_p - g_q) = E|g_p - g_q| / 2. For the distance to 1/5 it grows up to norm 1.02."""
    near = [variation_of_the_distance(s) / 2 for s in (0.01, 0.1, 0.3, 0.9, 1.02)]
    assert all(a < b for a, b in pairwise(near))
    assert variation_of_the_distance(1.02) > variation_of_the_distance(1.03)
    for variation, value, stated in (
        (variation_of_the_distance, lambda x: abs(x - 0.2), [0.2034, 0.2038, 0.1839, 0.1687]),
        (variation_of_the_square, np.square, [0.2051, 0.2120, 0.1730, 0.1421]),
    ):
        gains = [variation(s) / 2 for s in NORMS]
        print(f"promised: larger improvement at greater norms; happened: {np.round(gains, 3)}")
        assert gains == pytest.approx(stated, abs=1e-4)
        assert gains[1] > gains[2] > gains[3]
        z = np.random.default_rng(4).standard_normal((40_000, 2))
        drawn = value(np.clip(NORMS[2] * z, -1, 1))
        mean, error = np.maximum(0, drawn[:, 0] - drawn[:, 1]).mean(), 1.2 / 2 / math.sqrt(40_000)
        assert abs(mean - gains[2]) <= 5 * error  # false alarms below 1e-6: values are in [0, 1.2]


@pytest.mark.claim("conclusion-proportional")
def test_the_mean_variation_is_not_proportional_to_the_norm() -> None:
    """f(x) = x^2: it falls where the norm doubles, as clipping sends most points to -1 and 1."""
    found = [variation_of_the_square(s) for s in NORMS]
    print("promised: stochasticity is on average proportional to the norm")
    print(f"happened: mean variations {np.round(found, 3)} at norms {np.round(NORMS, 2)}")
    assert NORMS[3] == pytest.approx(2 * NORMS[1])
    assert found[3] < 0.7 * found[1]
    # Near 0 it is of second order: a tenth of the norm has a hundredth of the variation.
    assert variation_of_the_square(0.001) / variation_of_the_square(0.01) == pytest.approx(0.01)
    draws = np.clip(NORMS[0] * np.random.default_rng(3).standard_normal((40_000, 2)), -1, 1) ** 2
    mean, error = np.abs(draws[:, 0] - draws[:, 1]).mean(), 0.5 / math.sqrt(40_000)
    assert abs(mean - found[0]) <= 5 * error  # false alarms below 1e-6: values are in [0, 1]
