"""The ceiling of the fresh policy as numbers (`reproduction/theory/ceiling.py`)."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reproduction.theory.ceiling import (
    ceiling,
    sample_radial_values,
    scale_grid,
    success_probabilities,
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


@pytest.mark.claim("fresh-ceiling")
def test_a_success_probability_is_the_share_of_the_samples_at_or_below_a_threshold() -> None:
    """Thresholds in any shape and any kind of number."""
    values = np.array([[0.5, 0.5, 1.0, 2.0], [1.0, 1.25, 3.0, 4.0]])
    levels = np.array([[Fraction(1, 2), 0], [1, Fraction(5, 4)]])
    shares = success_probabilities(values, levels)
    assert shares.tolist() == [[0.5, 0.0, 0.75, 0.75], [0.0, 0.0, 0.25, 0.5]]


def radial(
    f: Callable[[np.ndarray], np.ndarray] = lambda x: x[:, 0], d_e: int = 2, samples: int = 5
) -> np.ndarray:
    return sample_radial_values(f, d_e, [[1], [2]], samples, np.random.default_rng(4))


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
