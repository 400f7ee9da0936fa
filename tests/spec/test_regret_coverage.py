"""The coverage law against independent computations (`regret/coverage.py`, `regret/sphere.py`)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from embedded_hunter.regret import (
    box_for_coverage,
    box_that_keeps_the_promise,
    coverage_bounds,
    coverage_of_matrices,
    coverage_probability,
    covering_radius,
    expectation_of_largest_coordinate,
    mean_coverage,
    minimum_norm_coverage,
    printed_coverage,
)
from embedded_hunter.regret.sphere import sphere_expectation, sum_of_squares_rule

D = st.integers(1, 12)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize(
    ("d", "tolerance"), [(1, 1e-14), (2, 1e-13), (3, 1e-13), (10, 1e-12), (50, 1e-11), (100, 1e-8)]
)
def test_the_law_of_the_largest_coordinate_has_mass_one(d: int, tolerance: float) -> None:
    assert sphere_expectation(d, np.zeros_like) == pytest.approx(1, abs=tolerance)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("c", [0.1, 1.0, 4.0])
def test_one_and_two_dimensions_by_a_plain_integral(c: float, k: int) -> None:
    def survival(m: float) -> float:
        return float(stats.chi.sf(c * m, k))

    assert expectation_of_largest_coordinate(1, c, k) == pytest.approx(survival(1), rel=1e-12)
    plane, _ = integrate.quad(lambda a: 4 / math.pi * survival(math.cos(a)), 0, math.pi / 4)
    assert expectation_of_largest_coordinate(2, c, k) == pytest.approx(plane, rel=1e-10)


@pytest.mark.claim("coverage")
def test_three_dimensions_by_a_double_integral_over_the_sphere() -> None:
    def integrand(azimuth: float, z: float) -> float:
        r = math.sqrt(1 - z * z)
        largest = max(z, r * math.cos(azimuth))
        return 2 * float(special.ndtr(-1.7 * largest)) * 4 / math.pi

    # One 16th of the sphere: z > 0 and 0 < azimuth < pi/4; split where the largest changes.
    value, _ = integrate.dblquad(integrand, 0, 1, 0, math.pi / 4, epsabs=1e-7, epsrel=1e-7)
    assert expectation_of_largest_coordinate(3, 1.7, 1) == pytest.approx(value, abs=1e-6)


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


@pytest.mark.claim("coverage", "n-invariance")
@given(D, st.floats(0.05, 20), st.floats(0.1, 10), st.floats(0.1, 100))
def test_only_the_norm_over_sigma_R_matters(d: int, c: float, sigma: float, R: float) -> None:
    norm = c * sigma * R
    one = minimum_norm_coverage(norm, d, sigma, R, d)
    assert one == pytest.approx(expectation_of_largest_coordinate(d, c, 1), rel=1e-6)


@pytest.mark.claim("coverage")
@given(D, st.floats(0.05, 30))
def test_the_law_lies_between_its_elementary_bounds_and_decreases(d: int, c: float) -> None:
    p = expectation_of_largest_coordinate(d, c, 1)
    tail = 2 * float(special.ndtr(-c))
    assert tail * (1 - 1e-9) <= p <= 2 * float(special.ndtr(-c / math.sqrt(d))) * (1 + 1e-9)
    assert tail >= 1 - math.sqrt(2 / math.pi) * c - 1e-12
    assert expectation_of_largest_coordinate(d, 1.1 * c, 1) < p
    assert expectation_of_largest_coordinate(d, c, 2) > p


@pytest.mark.claim("coverage")
@pytest.mark.parametrize(
    ("eta", "a", "n", "expected"),
    [
        (0.3, 0.4634, 1, "0.979"),
        (0.3, 0.4634, 100, "0.789"),
        (0.3, 0.4634, 500, "0.550"),
        (0.3, 0.4634, 10**3, "0.400"),
        (0.3, 0.4634, 10**4, "0.0119"),
        (0.3, 0.4634, 5 * 10**4, "6e-07"),
        (0.3, 0.4634, 10**5, "6e-11"),
        (0.3, 0.2, 1, "0.991"),
        (0.3, 0.2, 100, "0.908"),
        (0.3, 0.2, 10**4, "0.254"),
        (0.3, 0.2, 5 * 10**4, "0.0149"),
        (0.3, 0.2, 10**5, "0.00095"),
        (0.2, 0.4634, 100, "0.858"),
        (0.2, 0.4634, 10**4, "0.0835"),
        (0.2, 0.4634, 5 * 10**4, "0.00036"),
    ],
)
def test_the_table_of_d_10(eta: float, a: float, n: int, expected: str) -> None:
    """To every digit of values first computed by Monte Carlo over u."""
    p = coverage_probability([a] * 10, 10, 1 / math.sqrt(n), 10 / eta)
    digits = len(expected.split("e")[0].replace("0.", "").lstrip("0"))
    assert float(f"{p:.{digits}g}") == float(expected)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize(("n", "expected"), [(1, 0.974), (100, 0.742), (10**4, 0.0052)])
def test_a_uniform_optimiser_of_d_10(n: int, expected: float) -> None:
    """Against Monte Carlo over x* of the same law, and stored digits."""
    sigma, R = 1 / math.sqrt(n), 10 / 0.3
    rng = np.random.default_rng(8)
    norms = np.linalg.norm(rng.uniform(-1, 1, (400, 10)), axis=1)
    sample = [minimum_norm_coverage(r, 10, sigma, R, 10) for r in norms]
    got = mean_coverage(10, sigma, R)
    assert got == pytest.approx(expected, rel=5e-3)
    assert abs(got - np.mean(sample)) < 5 * np.std(sample) / 20  # false alarm below 1e-5


@pytest.mark.claim("coverage")
def test_a_uniform_optimiser_in_one_and_two_dimensions_by_a_plain_integral() -> None:
    """To the accuracy that the docstring states."""
    value, _ = integrate.quad(lambda x: 2 * float(special.ndtr(-x / 0.2)), 0, 1)
    assert mean_coverage(1, 0.1, 2.0) == pytest.approx(value, rel=1e-3)
    plane, _ = integrate.dblquad(
        lambda r, a: r * minimum_norm_coverage(r, 2, 0.1, 2.0, 2),
        0,
        math.pi / 4,
        0,
        lambda a: 1 / math.cos(a),
        epsrel=1e-6,
    )
    assert mean_coverage(2, 0.1, 2.0) == pytest.approx(2 * plane, rel=1e-4)


@pytest.mark.claim("coverage")
def test_the_printed_probability_is_refuted_for_variance_one_over_n() -> None:
    eta, d, n = 0.3, 10, 10**4
    p = coverage_probability([0.4634] * d, d, 1 / math.sqrt(n), d / eta)
    assert p < 0.02 < 0.7 == printed_coverage(eta)


@pytest.mark.claim("coverage")
@given(D, st.floats(0.01, 0.99))
def test_the_printed_probability_is_right_for_variance_one(d: int, eta: float) -> None:
    """For every interior x*; the failure is at most sqrt(2/(pi d)) eta."""
    worst = minimum_norm_coverage(math.sqrt(d), d, 1.0, d / eta, d)
    assert worst >= 1 - math.sqrt(2 / (math.pi * d)) * eta - 1e-9
    assert worst >= printed_coverage(eta)


@pytest.mark.claim("coverage")
@given(st.integers(1, 8), st.floats(0.02, 0.98), st.floats(1e-3, 2))
def test_the_box_that_keeps_the_promise_keeps_it_exactly(d: int, eta: float, sigma: float) -> None:
    R = box_that_keeps_the_promise(eta, d, sigma)
    assert minimum_norm_coverage(math.sqrt(d), d, sigma, R, d) == pytest.approx(1 - eta, rel=1e-6)
    assert d / (eta * sigma) > R


@pytest.mark.claim("coverage")
def test_a_box_for_a_tiny_or_a_great_probability() -> None:
    for probability in (1e-6, 0.5, 0.999):
        for d, d_e in ((4, 4), (6, 3)):
            R = box_for_coverage(probability, 0.9, d, 0.1, d_e)
            back = minimum_norm_coverage(0.9, d, 0.1, R, d_e)
            assert back == pytest.approx(probability, rel=1e-6)


@pytest.mark.claim("coverage")
@given(st.floats(0, 1), st.integers(1, 50))
def test_several_matrices(p: float, M: int) -> None:
    assert coverage_of_matrices(p, M) == pytest.approx(1 - (1 - p) ** M, abs=1e-12)


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
        ([0.3, -0.6], 2),
        ([1.0, -1.0], 2),
        ([1.0, 0.2, -0.4], 3),
        ([0.3, -0.6], 4),
        ([1.0, 0.5], 3),
        ([1.0, 1.0, -1.0], 2),
        ([0.2, 0.1, 0.3], 2),
    ],
)
def test_the_covering_radius_by_brute_force(x: list[float], d: int) -> None:
    rng = np.random.default_rng(4)
    for _ in range(3):
        B = rng.standard_normal((len(x), d))
        got = covering_radius(B, x)
        assert got == pytest.approx(brute_covering_radius(B, np.array(x)), rel=1e-5)


@pytest.mark.claim("coverage")
def test_the_bounds_meet_in_the_exact_case_and_hold_their_order() -> None:
    exact = coverage_probability([0.4, 0.1], 2, 0.1, 6.0)
    assert coverage_bounds([0.4, 0.1], 2, 0.1, 6.0) == (exact, exact)
    for x in ([1.0, 0.1], [1.0, -1.0]):
        low, high = coverage_bounds(x, 2, 0.1, 6.0)
        assert 0 < low < high <= 1
    low, high = coverage_bounds([0.4, 0.1], 5, 0.1, 6.0)
    assert exact < low < high < 1
    assert coverage_bounds([0.4, 0.1, 0.2], 2, 0.1, 6.0) == (0.0, 0.0)
    assert coverage_bounds([0.0, 0.0, 0.0], 2, 0.1, 6.0) == (1.0, 1.0)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize("x", [0.5, 0.9])
@pytest.mark.parametrize("scale", [0.2, 0.3, 1.0])
def test_one_row_in_two_dimensions_in_closed_form(x: float, scale: float) -> None:
    """The smallest box has the half-width ``|x| / (|g_1| + |g_2|)``.

    ``|g_1| + |g_2|`` is sqrt(2) times the larger of two independent ``|N(0, 1)|``. The
    upper bound is the law of the norm, chi with two degrees of freedom.
    """
    tail = 2 * float(special.ndtr(-x / scale / math.sqrt(2)))
    exact = 1 - (1 - tail) ** 2
    low, high = coverage_bounds([x], 2, 1.0, scale)
    assert low < exact < high
    assert high == pytest.approx(math.exp(-((x / scale) ** 2) / 4))


@pytest.mark.claim("coverage")
def test_what_has_no_law_is_refused() -> None:
    with pytest.raises(ValueError, match="coverage_bounds"):
        coverage_probability([1.0, 0.2], 2, 1.0, 1.0)
    with pytest.raises(ValueError, match="coverage_bounds"):
        coverage_probability([0.1, 0.2], 3, 1.0, 1.0)
    with pytest.raises(ValueError, match="no solution"):
        minimum_norm_coverage(1.0, 2, 1.0, 1.0, 3)
    with pytest.raises(ValueError, match="cube"):
        coverage_bounds([1.5], 1, 1.0, 1.0)
    with pytest.raises(ValueError, match="eta"):
        printed_coverage(1.0)
    with pytest.raises(ValueError, match="between 1 and 100"):
        expectation_of_largest_coordinate(101, 1.0, 1)
