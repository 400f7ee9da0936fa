"""Expectations over the sphere against plain integrals (`regret/sphere.py`)."""

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from embedded_hunter.regret import coverage_of_norm
from embedded_hunter.regret.sphere import expectation


@pytest.mark.claim("coverage")
@pytest.mark.parametrize(
    ("d", "tolerance"),
    [
        (1, 1e-14),
        (2, 1e-13),
        (3, 1e-13),
        (10, 1e-12),
        pytest.param(50, 1e-11, marks=pytest.mark.long),
        pytest.param(100, 1e-8, marks=pytest.mark.long),
    ],
)
def test_the_law_of_the_largest_coordinate_has_mass_one(d: int, tolerance: float) -> None:
    assert expectation(d, np.zeros_like) == pytest.approx(1, abs=tolerance)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize("c", [0.1, 1.0, 4.0])
def test_one_and_two_dimensions_by_a_plain_integral(c: float) -> None:
    def survival(m: float) -> float:
        return 2 * float(stats.norm.sf(c * m))

    assert coverage_of_norm(c, 1, 1.0, 1.0, 1) == pytest.approx(survival(1), rel=1e-12)
    plane, _ = integrate.quad(lambda a: 4 / math.pi * survival(math.cos(a)), 0, math.pi / 4)
    assert coverage_of_norm(c, 2, 1.0, 1.0, 2) == pytest.approx(plane, rel=1e-10)


@pytest.mark.claim("coverage")
def test_three_dimensions_by_a_double_integral_over_the_sphere() -> None:
    def integrand(azimuth: float, z: float) -> float:
        r = math.sqrt(1 - z * z)
        largest = max(z, r * math.cos(azimuth))
        return 2 * float(special.ndtr(-1.7 * largest)) * 4 / math.pi

    # One 16th of the sphere: z > 0 and 0 < azimuth < pi/4; split where the largest changes.
    value, _ = integrate.dblquad(integrand, 0, 1, 0, math.pi / 4, epsabs=1e-7, epsrel=1e-7)
    assert coverage_of_norm(1.7, 3, 1.0, 1.0, 3) == pytest.approx(value, abs=1e-6)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize("c", [1e-300, 1e-12, 1e-3, 1.0, 40.0, 200.0, 1e9])
def test_a_probability_is_one_whatever_floats_do(c: float) -> None:
    """Neither above 1 by rounding nor an error when it underflows, nor a warning."""
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        for d, d_e in ((1, 1), (2, 2), (5, 5), (20, 20), (3, 2), (20, 14), (2, 1), (20, 1)):
            value = coverage_of_norm(c, d, 1.0, 1.0, d_e)
            assert 0.0 <= value <= 1.0
            assert value > 0.0 or c >= 40.0
            assert value == 0.0 or c <= 200.0
