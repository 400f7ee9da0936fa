"""The ceiling of the fresh policy as numbers (`regret/ceiling.py`, `regret/estimate.py`)."""

import math
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from embedded_hunter.regret import (
    best_of,
    ceiling,
    certified_lower_bound,
    distance_of_lipschitz,
    distance_pbar_bound,
    distance_regret_floor,
    distance_success_probability,
    estimate_mean,
    estimate_probability,
    pbar_upper_limit,
    plug_in_lower_bound,
    sample_radial_values,
    scale_grid,
    success_probabilities,
)

SCALES = np.geomspace(0.02, 20, 400)


def distance(x_star: np.ndarray) -> object:
    return lambda x: np.linalg.norm(x - x_star, axis=1)


@pytest.mark.claim("fresh-ceiling")
@given(st.floats(0, 1), st.integers(1, 1000))
def test_the_ceiling_is_one_minus_the_probability_of_no_success(p: float, v: int) -> None:
    assert float(ceiling(p, v)) == pytest.approx(1 - (1 - p) ** v, abs=1e-10)
    assert float(ceiling(p, v)) <= v * p + 1e-12


@pytest.mark.claim("fresh-ceiling")
def test_the_success_probability_of_a_distance_by_integration() -> None:
    one = stats.norm.cdf(0.5 / 0.7) - stats.norm.cdf(0.1 / 0.7)
    assert distance_success_probability(0.2, 0.3, 1, 0.7) == pytest.approx(one, rel=1e-9)
    two, _ = integrate.dblquad(
        lambda y, x: math.exp(-(x * x + y * y) / (2 * 0.49)) / (2 * math.pi * 0.49),
        0.1,
        0.5,
        lambda x: -math.sqrt(max(0.0, 0.04 - (x - 0.3) ** 2)),
        lambda x: math.sqrt(max(0.0, 0.04 - (x - 0.3) ** 2)),
    )
    assert distance_success_probability(0.2, 0.3, 2, 0.7) == pytest.approx(two, rel=1e-6)


@pytest.mark.claim("fresh-ceiling")
@given(st.integers(2, 12), st.floats(0.01, 0.95), st.floats(0.1, 2))
def test_the_bound_on_pbar_covers_every_scale(d_e: int, u: float, norm: float) -> None:
    top = max(distance_success_probability(u * norm, norm, d_e, s) for s in norm * SCALES)
    bound = distance_pbar_bound(u * norm, norm, d_e)
    assert top <= bound * (1 + 1e-9) + 1e-12
    assert bound <= 0.5 * u ** (d_e - 1) * (1 + 1e-9)


@pytest.mark.claim("fresh-ceiling")
@given(st.integers(2, 15), st.integers(1, 10**6))
def test_half_of_all_fresh_runs_stay_above_the_floor(d_e: int, v: int) -> None:
    floor = distance_regret_floor(1.0, d_e, v)
    if floor < 1:
        assert float(ceiling(distance_pbar_bound(floor, 1.0, d_e), v)) <= 0.5 + 1e-9
    assert distance_regret_floor(1.0, 10, 10**4) == pytest.approx(0.359, abs=1e-3)


@pytest.mark.claim("fresh-ceiling")
def test_the_best_of_v_by_enumerating_all_samples() -> None:
    values = np.array([[0.0, 1.0, 1.5, 4.0, 9.0], [2.0, 2.0, 3.0, 5.0, 7.0]])
    for v in (1, 2, 4, 5):
        brute = [np.mean([min(c) for c in combinations(row, v)]) for row in values]
        assert best_of(values, v) == pytest.approx(brute)
    with pytest.raises(ValueError, match="best of 6"):
        best_of(values, 6)


@pytest.mark.claim("fresh-ceiling")
def test_the_plug_in_bound_by_enumerating_all_samples() -> None:
    """At one scale the bound is E[best of v]; over two scales it is at most the least of them."""
    values = np.array([[0.0, 1.0, 1.5, 4.0], [0.5, 0.6, 3.0, 5.0]])
    for v in (1, 2, 3):
        each = [np.mean([min(c) for c in product(row, repeat=v)]) for row in values]
        for row, brute in zip(values, each, strict=True):
            assert plug_in_lower_bound(row[None, :], v) == pytest.approx(brute)
        assert plug_in_lower_bound(values, v) < min(each)


@pytest.mark.claim("radial-collapse")
def test_samples_are_sorted_and_clipped() -> None:
    rng = np.random.default_rng(3)
    values = sample_radial_values(lambda x: np.abs(x).max(axis=1), 3, [0.0, 0.5, 50.0], 200, rng)
    assert values.shape == (3, 200)
    assert np.all(np.diff(values, axis=1) >= 0)
    assert values[0].max() == 0.0
    assert values[2].max() == 1.0
    shares = success_probabilities(values, [0.0, 0.5, 1.0])
    assert shares[0].tolist() == [1.0, 1.0, 1.0]
    assert shares[1, 1] == np.mean(values[1] <= 0.5)
    with pytest.raises(ValueError, match="one value"):
        sample_radial_values(lambda x: x, 3, [1.0], 5, rng)


@pytest.mark.claim("fresh-ceiling")
@given(st.floats(0.01, 1), st.floats(1, 100), st.floats(1.001, 3))
def test_the_grid_of_scales_leaves_no_gap(s_min: float, factor: float, ratio: float) -> None:
    grid = scale_grid(s_min, s_min * factor, ratio)
    assert grid[-1] == s_min * factor
    assert grid[0] <= s_min * (1 + 1e-9)
    assert all(a < b <= a * ratio * (1 + 1e-9) for a, b in pairwise(grid))


@pytest.mark.claim("fresh-ceiling")
def test_the_certified_bound_is_true_for_scales_on_and_off_the_grid() -> None:
    """False-alarm rate 1e-4 for each of the two assertions, by the level of the limits.

    f is a distance to x* (d_e = 2), whose success probabilities are known: the supremum over all
    scales, also between and below those of a coarse grid, stays under the limits, and the bound
    stays under the true one. A limit without the density ratio fails (power).
    """
    x_star = np.array([0.3, -0.2])
    norm, d_e, v = float(np.linalg.norm(x_star)), 2, 30
    grid = scale_grid(0.05, 2.0, 1.6)
    rng = np.random.default_rng(12)
    values = sample_radial_values(distance(x_star), d_e, grid, 20_000, rng)  # type: ignore[arg-type]
    eps = np.linspace(0, norm, 40)[1:-1]
    limit = pbar_upper_limit(values, eps, grid, d_e, distances=norm - eps, confidence=1 - 1e-4)
    fine = np.geomspace(1e-3, 2.0, 600)
    true = np.array([max(distance_success_probability(e, norm, d_e, s) for s in fine) for e in eps])
    assert np.all(true <= limit)
    bound = certified_lower_bound(
        values, grid, d_e, v, f_star=0.0, f_zero=norm, distance=distance_of_lipschitz(norm, 1.0),
        thresholds=eps, confidence=1 - 1e-4,
    )  # fmt: skip
    exact = float(np.trapezoid((1 - np.array([0.0, *true, 1.0])) ** v, [0.0, *eps, norm]))
    assert 0.4 * exact < bound < exact
    # Power: on a coarse grid, limits without the stretch between its scales are wrong.
    ends = [0, grid.size - 1]
    on_grid = success_probabilities(values[ends], eps).max(axis=0)
    assert np.any(true > on_grid + 5 * np.sqrt(on_grid / 20_000))
    coarse = pbar_upper_limit(values[ends], eps, grid[ends], d_e, distances=norm - eps)
    assert np.all(true <= coarse)


@pytest.mark.claim("fresh-ceiling")
def test_at_and_above_the_value_of_the_zero_vector_success_is_certain() -> None:
    values = np.sort(np.random.default_rng(0).uniform(1, 3, (2, 50)), axis=1)
    scales, distance = [0.5, 1.0], distance_of_lipschitz(2.0, 0.25)
    limit = pbar_upper_limit(values, [1.5, 2.0], scales, 3, distances=[2.0, 0.0])
    assert limit[0] < limit[1] == 1.0
    assert distance(np.array([1.5, 2.0, 3.0])).tolist() == [2.0, 0.0, 0.0]
    for f_star, low, high in ((2.0, 2.0, 2.0), (1.0, 1.0, 1.5)):
        bound = certified_lower_bound(
            values, scales, 3, 5, f_star=f_star, f_zero=2.0, distance=distance
        )
        assert low <= bound <= high


@given(st.integers(0, 40), st.floats(0.5, 0.999))
def test_the_binomial_interval_is_scipy_s(k: int, confidence: float) -> None:
    got = estimate_probability(k, 40, confidence)
    interval = stats.binomtest(k, 40).proportion_ci(confidence, "exact")
    assert (got.low, got.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    assert got.value == k / 40


def test_the_interval_of_a_mean_is_student_s() -> None:
    sample = [1.0, 2.0, 4.0, 8.0]
    got = estimate_mean(sample, 0.9)
    low, high = stats.t.interval(0.9, 3, np.mean(sample), stats.sem(sample))
    assert (got.value, got.low, got.high) == pytest.approx((3.75, low, high))
    with pytest.raises(ValueError, match="two samples"):
        estimate_mean([1.0])
    with pytest.raises(ValueError, match="successes"):
        estimate_probability(5, 4)


@pytest.mark.claim("fresh-ceiling")
def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="pbar"):
        ceiling(1.5, 3)
    with pytest.raises(ValueError, match="ratio"):
        scale_grid(1.0, 2.0, 1.0)
    with pytest.raises(ValueError, match="two effective"):
        distance_regret_floor(1.0, 1, 10)
    assert distance_pbar_bound(2.0, 1.0, 3) == 1.0
