"""Estimates with their intervals, and what is allowed of a number (`regret/estimate.py`,
`regret/arguments.py`)."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from embedded_hunter.regret import estimate_mean, estimate_probability


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


def test_the_level_of_an_interval_is_0_95_unless_given() -> None:
    assert estimate_probability(1, 4) == estimate_probability(1, 4, 0.95)
    share = estimate_probability(1, 4, 0.9)
    assert (share.confidence, share.samples) == (0.9, 4)
    given: Any = [[1, Fraction(3, 2)]]
    got = estimate_mean(given)
    assert got == estimate_mean([1.0, 1.5], 0.95)
    assert (got.confidence, got.samples) == (0.95, 2)
