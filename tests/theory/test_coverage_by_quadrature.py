"""The coverage law against independent computations (`theory/coverage.py`, `theory/sphere.py`)."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from reproduction.theory.coverage import (
    box_that_keeps_the_promise,
    coverage_of_matrices,
    coverage_of_norm,
    covering_radius,
)
from reproduction.theory.sphere import expectation

D = st.integers(1, 12)


@pytest.mark.claim("coverage")
@given(D, st.floats(0.05, 30))
@example(12, 30.0)
def test_the_law_lies_between_its_elementary_bounds_and_decreases(d: int, c: float) -> None:
    p = coverage_of_norm(c, d, 1.0, 1.0)
    tail = 2 * float(special.ndtr(-c))
    assert tail * (1 - 1e-9) <= p <= 2 * float(special.ndtr(-c / math.sqrt(d))) * (1 + 1e-9)
    assert tail >= 1 - math.sqrt(2 / math.pi) * c - 1e-12
    assert coverage_of_norm(1.1 * c, d, 1.0, 1.0) < p


@pytest.mark.claim("coverage")
@given(D, st.floats(0.01, 0.99))
def test_the_printed_probability_is_right_for_variance_one(d: int, eta: float) -> None:
    """For every interior x*; the failure is at most sqrt(2/(pi d)) eta."""
    worst = coverage_of_norm(math.sqrt(d), d, 1.0, d / eta)
    assert worst >= 1 - math.sqrt(2 / (math.pi * d)) * eta - 1e-9
    assert worst >= 1 - eta


@pytest.mark.claim("coverage")
@given(st.integers(1, 8), st.floats(0.02, 0.98), st.floats(1e-3, 2))
def test_the_box_that_keeps_the_promise_keeps_it_exactly(d: int, eta: float, sigma: float) -> None:
    R = box_that_keeps_the_promise(eta, d, sigma)
    assert coverage_of_norm(math.sqrt(d), d, sigma, R) == pytest.approx(1 - eta, rel=1e-6)
    assert d / (eta * sigma) > R


def brute_covering_radius(B: np.ndarray, x: np.ndarray) -> float:
    """The same number by bisection on R over feasibility problems: no cost, no box variable."""

    def feasible(R: float) -> bool:
        free = np.abs(x) < 1
        answer = optimize.linprog(
            np.zeros(B.shape[1]),
            A_ub=-(np.sign(x)[:, None] * B)[~free] if (~free).any() else None,
            b_ub=-np.ones((~free).sum()) if (~free).any() else None,
            A_eq=B[free] if free.any() else None,
            b_eq=x[free] if free.any() else None,
            bounds=[(-R, R)] * B.shape[1],
        )
        return bool(answer.status == 0)

    low, high = 0.0, 1e4
    if not feasible(high):
        return math.inf
    while high - low > 1e-7 * high:
        middle = math.sqrt(max(low, 1e-9) * high)
        low, high = (low, middle) if feasible(middle) else (middle, high)
    return high


@pytest.mark.claim("coverage")
@pytest.mark.parametrize(
    ("x", "d"),
    [
        pytest.param([0.3, -0.6], 2, marks=pytest.mark.long),
        ([1.0, -1.0], 2),
        ([1.0, 0.2, -0.4], 3),
        ([0.3, -0.6], 4),
        pytest.param([1.0, 0.5], 3, marks=pytest.mark.long),
        pytest.param([1.0, 1.0, -1.0], 2, marks=pytest.mark.long),
        ([0.2, 0.1, 0.3], 2),
    ],
)
def test_the_covering_radius_by_brute_force(x: list[float], d: int) -> None:
    rng = np.random.default_rng(4)
    for _ in range(3):
        B = rng.standard_normal((len(x), d))
        got = covering_radius(B, x)
        assert got == pytest.approx(brute_covering_radius(B, np.array(x)), rel=1e-5)


@pytest.mark.claim("coverage", "multiple-run-success")
def test_what_is_sure() -> None:
    assert coverage_of_matrices(0.3, 2) == pytest.approx(0.51)
    assert coverage_of_matrices(1, 3) == coverage_of_matrices(1.0, 1) == 1.0
    assert coverage_of_matrices(0.0, 3) == 0.0
    assert coverage_of_norm(0.0, 3, 0.5, 2.0) == 1.0
    # One coordinate: P(|z| >= c), for c = 1, too.
    one = coverage_of_norm(1.0, 1, 1.0, 1.0)
    assert one == pytest.approx(2 * stats.norm.sf(1.0), rel=1e-12)


# --- over the sphere ---------------------------------------------------------------------------


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

    assert coverage_of_norm(c, 1, 1.0, 1.0) == pytest.approx(survival(1), rel=1e-12)
    plane, _ = integrate.quad(lambda a: 4 / math.pi * survival(math.cos(a)), 0, math.pi / 4)
    assert coverage_of_norm(c, 2, 1.0, 1.0) == pytest.approx(plane, rel=1e-10)


@pytest.mark.claim("coverage")
def test_three_dimensions_by_a_double_integral_over_the_sphere() -> None:
    def integrand(azimuth: float, z: float) -> float:
        r = math.sqrt(1 - z * z)
        largest = max(z, r * math.cos(azimuth))
        return 2 * float(special.ndtr(-1.7 * largest)) * 4 / math.pi

    # One 16th of the sphere: z > 0 and 0 < azimuth < pi/4; split where the largest changes.
    value, _ = integrate.dblquad(integrand, 0, 1, 0, math.pi / 4, epsabs=1e-7, epsrel=1e-7)
    assert coverage_of_norm(1.7, 3, 1.0, 1.0) == pytest.approx(value, abs=1e-6)
