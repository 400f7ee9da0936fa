"""Expectations over the sphere against plain integrals (`regret/sphere.py`)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from embedded_hunter.regret import coverage_of_norm
from embedded_hunter.regret.sphere import expectation, reduced_rule, sum_of_squares_rule, tilt


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
@given(st.integers(1, 9), st.floats(-3, 3))
def test_the_gauss_rule_has_the_moments_of_a_sum_of_squares(k: int, theta: float) -> None:
    squares, weights, log_mass = sum_of_squares_rule(k, round(theta, 1), 24)
    theta = round(theta, 1)
    moment = [
        integrate.quad(lambda v, p=p: v ** (2 * p) * math.exp(-theta * v * v), 0, 1)[0]
        for p in range(3)
    ]
    mean = moment[1] / moment[0]
    variance = moment[2] / moment[0] - mean**2
    assert np.all(weights >= 0)
    assert log_mass == pytest.approx(k * math.log(moment[0]), abs=1e-9)
    assert weights.sum() == pytest.approx(1)
    assert weights @ squares == pytest.approx(k * mean, rel=1e-9)
    assert weights @ (squares - k * mean) ** 2 == pytest.approx(k * variance, rel=1e-9)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize("a", [-3e5, -50.0, -1.5, -0.5, 0.75, 1.5, 3.0, 200.0, 7e5])
def test_the_tilt_of_an_exponential_is_its_rate(a: float) -> None:
    """log g = -a q has the slope -a everywhere; only a rate beyond a million is given up."""
    tolerance = 0.3 + abs(a) * 1e-4
    assert tilt(3, lambda q: -a * q) == pytest.approx(a, abs=tolerance)
    assert tilt(3, lambda q: -math.copysign(5e6, a) * q) == 0.0


@pytest.mark.claim("coverage")
@pytest.mark.parametrize(("a", "d"), [(2.0, 2), (2.0, 9), (0.5, 30)])
def test_the_tilt_centres_a_bend(a: float, d: int) -> None:
    """log g = -a q^2 / 2: theta = a E[q] under the tilt, by quadrature and a bracketed root."""

    def off(theta: float) -> float:
        top, mass = (
            integrate.quad(lambda v, p=p: v**p * math.exp(-theta * v * v), 0, 1)[0] for p in (2, 0)
        )
        return float(theta - a * (1 + (d - 1) * top / mass))

    exact = optimize.brentq(off, 0, 100)
    assert tilt(d, lambda q: -a * q * q / 2) == pytest.approx(exact, abs=0.2)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize("nodes", [1, 2, 3, 6])
def test_a_reduced_rule_keeps_the_moments(nodes: int) -> None:
    """Of 40 points: all moments up to the degree 2 nodes - 1; the weights add up to 1."""
    rng = np.random.default_rng(5)
    x, w = rng.uniform(0, 3, 40), rng.uniform(0, 1, 40)
    few, weights = reduced_rule(x, w, nodes)
    assert few.size == weights.size == nodes
    for p in range(2 * nodes):
        assert weights @ few**p == pytest.approx(w @ x**p / w.sum(), rel=1e-9)


@pytest.mark.claim("coverage")
def test_few_points_are_kept_as_they_are() -> None:
    few, weights = reduced_rule(np.array([2.0, 5.0, 1.0]), np.array([3.0, 0.0, 1.0]), 2)
    assert few.tolist() == [2.0, 1.0]
    assert weights.tolist() == [0.75, 0.25]


@pytest.mark.claim("coverage")
@pytest.mark.parametrize("seed", range(3))
def test_points_that_are_repeated_are_one_node(seed: int) -> None:
    """Twelve points in three places: three nodes, never beside the range of the points."""
    rng = np.random.default_rng(seed)
    x, w = np.array([0.0, 0.5, 1.0] * 4), rng.uniform(0, 1, 12)
    few, weights = reduced_rule(x, w, 5)
    assert few == pytest.approx(np.array([0.0, 0.5, 1.0]), abs=1e-12)
    assert weights == pytest.approx(w.reshape(4, 3).sum(axis=0) / w.sum(), abs=1e-12)
    assert few.min() >= 0.0
    assert few.max() <= 1.0


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
