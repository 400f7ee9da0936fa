"""The ceiling of the fresh policy as numbers (`reproduction/theory/ceiling.py`)."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reproduction.theory.ceiling import (
    ceiling,
    certified_lower_bound,
    sample_radial_values,
    scale_grid,
    success_probabilities,
    upper_limits,
)


@pytest.mark.claim("fresh-ceiling")
@given(st.floats(0, 1), st.integers(1, 1000))
def test_the_ceiling_is_one_minus_the_probability_of_no_success(p: float, v: int) -> None:
    assert float(ceiling(p, v)) == pytest.approx(1 - (1 - p) ** v, abs=1e-10)
    assert float(ceiling(p, v)) <= v * p + 1e-12


@pytest.mark.claim("fresh-ceiling")
@given(st.floats(0.01, 1), st.floats(1, 100), st.floats(1.001, 3))
def test_the_grid_of_scales_leaves_no_gap(s_min: float, factor: float, ratio: float) -> None:
    grid = scale_grid(s_min, s_min * factor, ratio)
    assert grid[-1] == s_min * factor
    assert grid[0] <= s_min * (1 + 1e-9)
    assert all(a < b <= a * ratio * (1 + 1e-9) for a, b in pairwise(grid))


MANY = np.array([np.linspace(0.5, 2.5, 60), np.linspace(0.75, 4, 60) ** 1.5])
FOUR = np.array([[Fraction(1, 2), Fraction(3, 4)], [1, Fraction(5, 4)]])
"""Thresholds in any shape and any kind of number."""


def radial(
    f: Callable[[np.ndarray], np.ndarray] = lambda x: x[:, 0], d_e: int = 2, samples: int = 5
) -> np.ndarray:
    return sample_radial_values(f, d_e, [[1], [2]], samples, np.random.default_rng(4))


def limits(d_e: int = 3, **options: float) -> np.ndarray:
    scales: Any = [[Fraction(1, 2)], [0.8]]
    rho: Any = [[Fraction(1), Fraction(3, 4)], [Fraction(1, 2), 0]]
    counts = success_probabilities(MANY, FOUR) * 60
    limits = upper_limits(counts, 60, scales, d_e, distances=rho, **options)
    return np.asarray(limits.max(axis=0))


def certified(
    d_e: int = 3, v: int = 4, f_star: float = 0.0, f_zero: float = 2.0, **options: Any
) -> float:
    return certified_lower_bound(
        MANY, [0.5, 0.8], d_e, v, f_star=f_star, f_zero=f_zero,
        distance=lambda t: np.maximum(0.0, f_zero - t) / 1.5, **options,
    )  # fmt: skip


def brute_limit(threshold: float, rho: float, d_e: int, confidence: float, counts: int) -> float:
    """The limit of `pbar`: the stretch of each scale sought numerically, the binomial by scipy."""
    top = 0.0
    for row, low, high in zip(MANY, (0.0, 0.5), (0.5, 0.8), strict=True):
        hits = int(np.sum(row <= threshold))
        upper = stats.beta.ppf(1 - (1 - confidence) / counts, hits + 1, 60 - hits)
        t = np.geomspace(max(low, 1e-5), high, 4_001)
        stretch = np.max((high / t) ** d_e * np.exp(-(rho**2 / 2) * (1 / t**2 - 1 / high**2)))
        here = stretch * (1.0 if hits == 60 else upper)
        top = max(top, here if low > 0 else min(here, stats.chi.sf(rho / high, d_e)))
    return min(1.0, float(top))


@pytest.mark.claim("fresh-ceiling")
@pytest.mark.parametrize("confidence", [0.99, 0.5])
def test_the_limits_of_pbar_by_search(confidence: float) -> None:
    rhos, levels = (1.0, 0.75, 0.5, 0.0), [float(level) for level in FOUR.ravel()]
    brute = [brute_limit(*pair, 3, confidence, 8) for pair in zip(levels, rhos, strict=True)]
    assert sum(limit < 0.9 for limit in brute) >= 2
    assert limits(confidence=confidence) == pytest.approx(brute, rel=1e-6)
    assert limits() == pytest.approx(limits(confidence=0.99))


@pytest.mark.claim("fresh-ceiling")
@pytest.mark.parametrize("thresholds", [None, [1], [[0.5, 0.25], [Fraction(3, 2), 9]], [-1.0, 2.0]])
def test_the_certified_bound_is_the_lower_sum_over_its_thresholds(thresholds: Any) -> None:
    """By a plain loop; also thresholds out of order and outside of [f*, f(0)]."""
    given = np.linspace(0, 2, 201) if thresholds is None else np.ravel(thresholds).astype(float)
    levels = sorted({0.0, *(float(min(max(level, 0.0), 2.0)) for level in given)})
    for v, confidence in ((4, 0.9), (1, 0.5)):
        total = 0.0
        for low, high in pairwise(levels):
            pbar = brute_limit(high, (2.0 - high) / 1.5, 3, confidence, 2 * (len(levels) - 1))
            total += (high - low) * (1 - (1.0 if high >= 2 else pbar)) ** v
        got = certified(v=v, thresholds=thresholds, confidence=confidence)
        assert got == pytest.approx(total, rel=1e-5, abs=1e-12)
    assert certified() == certified(confidence=0.99) > 0
    assert certified(f_star=2.0) == 2.0


@pytest.mark.claim("radial-collapse")
def test_samples_come_from_the_scaled_and_clipped_normal_law() -> None:
    """Between the ends by Kolmogorov and Smirnov, and the atoms there by the binomial law.

    False-alarm rate 1e-6 for each of the six comparisons. Power: the atoms of the other scale are
    refused.
    """
    values = radial(samples=2000)
    assert np.all(np.diff(values, axis=1) >= 0)
    for row, s in zip(values, (1, 2), strict=True):
        inner = row[np.abs(row) < 1]
        law = stats.truncnorm(-1 / s, 1 / s, scale=s)
        assert stats.kstest(inner, law.cdf).pvalue > 1e-6
        for end in (-1.0, 1.0):
            atom = stats.binomtest(int(np.sum(row == end)), 2000, stats.norm.sf(1 / s))
            assert atom.pvalue > 1e-6
            other = stats.binomtest(int(np.sum(row == end)), 2000, stats.norm.sf(1 / (3 - s)))
            assert other.pvalue < 1e-6
        assert np.abs(row).max() == 1
    assert not {*values[0]} & {*values[1]} - {-1.0, 1.0}
