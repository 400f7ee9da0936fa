"""The law of the coverage for d > d_e against linear programs (`theory/coverage_law.py`)."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from reproduction.theory.coverage import (
    coverage_of_matrices,
    coverage_of_norm,
    coverage_probability,
    covering_radius,
)
from reproduction.theory.coverage_law import coverage_at_least, law_of_coverage
from reproduction.theory.least_deviations import least_deviations, sample_reach

Array = np.typing.NDArray[np.float64]
LEVEL = 1e-6


def half_widths(d_e: int, d: int, count: int, rng: np.random.Generator) -> Array:
    """Half-widths, divided by ``||x*||``, of matrices with optimisers uniform in the cube."""
    found = []
    for _ in range(count):
        x = rng.uniform(-1, 1, d_e)
        found.append(covering_radius(rng.standard_normal((d_e, d)), x) / np.linalg.norm(x))
    return np.array(found)


def distance(R: Array, law: Array) -> float:
    """Kolmogorov's distance between sorted half-widths R and a law with these values there."""
    steps = np.arange(R.size + 1) / R.size
    return float(max(np.max(steps[1:] - law), np.max(law - steps[:-1])))


def least_norm_bound(R: float, d_e: int, d: int, u: Array) -> float:
    """Probability that the solution of least norm lies in the box, u uniform directions."""
    return float(stats.chi.sf(u / R, d - d_e + 1).mean())


@pytest.mark.claim("coverage-law")
@pytest.mark.parametrize(
    ("d_e", "d"),
    [(1, 1), (1, 7), (2, 4), (3, 5), (10, 20), pytest.param(10, 64, marks=pytest.mark.long)],
)
@pytest.mark.long
def test_the_law_is_that_of_linear_programs(d_e: int, d: int) -> None:
    """600 programs, each with an optimiser of its own, against the law by Kolmogorov's distance.

    False-alarm rate 1e-6 for each pair; .01 is added for the sampled law, which is five of its
    standard errors or more. Power: the lower bound by the solution of least norm is refused
    wherever it differs, and for d < 10 so is the law for d + 1.
    """
    R = np.sort(half_widths(d_e, d, 600, np.random.default_rng([3, d_e, d])))
    limit = float(stats.kstwo.isf(LEVEL, R.size)) + 0.01

    def law(d_e: int, d: int) -> Array:
        return np.array([law_of_coverage(1.0, d, 1.0, r, d_e) for r in R])

    assert distance(R, law(d_e, d)) <= limit
    if d > d_e:
        g = np.abs(np.random.default_rng(8).standard_normal((4000, d)))
        u = g.max(axis=1) / np.linalg.norm(g, axis=1)
        old = np.array([least_norm_bound(r, d_e, d, u) for r in R])
        assert distance(R, old) > limit
    if d < 10:
        assert distance(R, law(d_e, d + 1)) > limit


@pytest.mark.long
@pytest.mark.claim("coverage-law", "forest-coverage")
@pytest.mark.parametrize("scale", [0.155, 0.227])
def test_trees_cover_as_often_as_the_law_says_by_linear_programs(scale: float) -> None:
    """1,200 programs at d_e = 10 and d = 20, one by one and in families of P = 12.

    Binomial intervals, false-alarm rate 1e-6 each. At the scale .227 the bound by the solution of
    least norm is refused: one matrix covers with more than .6, not with .221.
    """
    R = half_widths(10, 20, 1200, np.random.default_rng(17)) * math.sqrt(10 / 3)
    one = law_of_coverage(math.sqrt(10 / 3), 20, 1.0, scale, 10)
    family = coverage_of_matrices(one, 12)
    for sample, promised in ((R, one), (R.reshape(100, 12).min(axis=1), family)):
        hits = int(np.sum(sample <= scale))
        interval = stats.binomtest(hits, sample.size).proportion_ci(1 - LEVEL)
        assert interval.low <= promised <= interval.high
    if scale == 0.227:
        least = stats.binomtest(int(np.sum(scale >= R)), R.size).proportion_ci(1 - LEVEL).low
        assert least > 0.6


@pytest.mark.claim("coverage-law")
@pytest.mark.parametrize(("d", "k", "count"), [(2, 1, 30), (6, 3, 30), (20, 19, 10)])
def test_least_deviations_by_a_linear_program(d: int, k: int, count: int) -> None:
    rng = np.random.default_rng([d, k])
    b, W = rng.standard_normal((count, d)), rng.standard_normal((count, d, k))
    for got, right, columns in zip(least_deviations(b, W), b, W, strict=True):
        answer = optimize.linprog(-right, A_eq=columns.T, b_eq=np.zeros(k), bounds=(-1, 1))
        assert got == pytest.approx(-answer.fun, rel=1e-8)


@pytest.mark.claim("coverage-law")
@pytest.mark.parametrize(
    ("d", "d_e"), [(20, 10), (5, 4), (150, 150), pytest.param(400, 60, marks=pytest.mark.long)]
)
def test_the_reach_lies_between_one_and_the_root_of_d(d: int, d_e: int) -> None:
    H = sample_reach(d, d_e)
    assert 1 <= H.min() < H.max() <= math.sqrt(d)
    assert H.size >= 64


@pytest.mark.claim("coverage-law")
@pytest.mark.parametrize("d", [3, 8])
def test_one_effective_coordinate_by_repeated_integrals(d: int) -> None:
    """``P(|z_1| + ... + |z_d| < c)``, convolved on a grid; four standard errors of the samples."""
    step = 1e-3
    s = np.arange(0, 40, step) + step / 2
    one = 2 * stats.norm.pdf(s)
    transform = np.fft.rfft(one * step, 2 * s.size)
    mass = np.fft.irfft(transform**d, 2 * s.size)[: s.size]
    for c in (0.5, 2.0, d * 0.8, d * 1.5):
        # the sum of d midpoints lies (d/2 - 1/2) steps above its index
        below = np.interp(c, s + (d - 1) * step / 2 + step / 2, np.cumsum(mass))
        assert law_of_coverage(c, d, 1.0, 1.0, 1) == pytest.approx(1 - below, abs=0.01)


@pytest.mark.claim("coverage")
def test_the_lower_bound_is_the_law_of_the_norm_and_of_every_d() -> None:
    exact = coverage_probability([0.4, 0.1], 0.1, 6.0)
    assert coverage_at_least([0.4, 0.1], 2, 0.1, 6.0) == exact
    assert coverage_at_least([1.0, -1.0], 2, 0.1, 6.0) == pytest.approx(
        coverage_of_norm(math.sqrt(2), 2, 0.1, 6.0)
    )
    assert exact < coverage_at_least([0.4, 0.1], 5, 0.1, 6.0) < 1
    assert coverage_at_least([0.4, 0.1, 0.2], 2, 0.1, 6.0) == 0.0
    assert coverage_at_least([0.0, 0.0, 0.0], 2, 0.1, 6.0) == 1.0


@pytest.mark.claim("coverage-law")
@pytest.mark.parametrize("c", [0.05, 1.0, 30.0])
def test_the_coverage_increases_with_the_dimension(c: float) -> None:
    """Up to five standard errors, since the law is sampled. Below d_e it is 0."""
    for d in (1, 2, 5, 12):
        p = coverage_of_norm(c, d, 1.0, 1.0)
        assert p < law_of_coverage(c, d + 1, 1.0, 1.0, d) + 5 * 0.0022
    assert law_of_coverage(0.0, 3, 0.5, 2.0, 2) == 1.0
    assert law_of_coverage(1.0, 2, 1.0, 1.0, 3) == 0.0


@pytest.mark.claim("coverage-law")
@pytest.mark.parametrize("c", [1e-300, 1e-12, 1e-3, 1.0, 40.0, 200.0, 1e9])
def test_a_probability_is_one_whatever_floats_do(c: float) -> None:
    """Neither above 1 by rounding nor an error when it underflows, nor a warning."""
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        for d, d_e in ((3, 2), (20, 14), (2, 1), (20, 1), (2, 2), (20, 20)):
            value = law_of_coverage(c, d, 1.0, 1.0, d_e)
            assert 0.0 <= value <= 1.0
            assert value > 0.0 or c >= 40.0
            assert value == 0.0 or c <= 200.0
