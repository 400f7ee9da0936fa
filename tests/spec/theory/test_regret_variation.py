"""Theorem 1 in its forms, as closed formulas (`regret/variation.py`)."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from embedded_hunter.regret import (
    Estimate,
    coupled_variation_bound,
    estimate_variation,
    gaussian_variation_bound,
    gini_variation_bound,
    printed_variation_bound,
    sample_variations,
    second_moment_variation_bound,
)

POSITIVE = st.floats(1e-3, 1e3)


@pytest.mark.claim("theorem-1")
@given(POSITIVE, POSITIVE, st.integers(1, 10**6), st.data())
def test_the_bounds_are_ordered_from_printed_to_sharp(
    L: float, norm: float, n: int, data: st.DataObject
) -> None:
    sigma = 1 / math.sqrt(n)
    d_e = data.draw(st.integers(1, n))
    chain = [
        printed_variation_bound(L, norm),
        coupled_variation_bound(L, norm, n, sigma),
        second_moment_variation_bound(L, norm, n, sigma),
        second_moment_variation_bound(L, norm, d_e, sigma),
        gini_variation_bound(L, norm, d_e, sigma),
        gaussian_variation_bound(L, norm, sigma),
    ]
    assert all(low <= high * (1 + 1e-12) for high, low in pairwise(chain))
    assert chain[0] / chain[1] == pytest.approx(math.sqrt(2))
    assert chain[0] / chain[2] == pytest.approx(2)
    assert chain[0] / chain[-1] == pytest.approx(math.sqrt(2 * math.pi * n))


@pytest.mark.claim("theorem-1")
def test_the_sharp_constant_is_the_mean_difference_of_two_gaussians() -> None:
    """E|z - z'| as the integral 2 int Phi (1 - Phi), which also gives the clipped linear f."""
    area, _ = integrate.quad(lambda t: 2 * stats.norm.cdf(t) * stats.norm.sf(t), -12, 12)
    assert gaussian_variation_bound(1, 1, 1) == pytest.approx(area, rel=1e-9)


@pytest.mark.claim("theorem-1")
@pytest.mark.parametrize(
    ("law", "best"), [(stats.uniform(), 2 / math.sqrt(3)), (stats.norm(), 2 / math.sqrt(math.pi))]
)
def test_gini_s_constant_is_attained_by_the_uniform_law(
    law: stats.rv_continuous, best: float
) -> None:
    difference, _ = integrate.quad(
        lambda t: 2 * law.cdf(t) * law.sf(t), *np.clip(law.support(), -12, 12)
    )
    assert difference / law.std() == pytest.approx(best, rel=1e-8)
    assert difference <= gini_variation_bound(1.0, 1.0, 1, law.std()) * (1 + 1e-12)


def first(x: np.ndarray) -> np.ndarray:
    return 3 + x[:, 0]


def drawn(
    f: Callable[[np.ndarray], np.ndarray], m: int = 2, sigma: float = 0.01, pairs: int = 5
) -> np.ndarray:
    y: Any = [3, Fraction(-4)]
    return sample_variations(f, y, m, sigma, pairs, np.random.default_rng(5))


def estimated(**options: float) -> Estimate:
    return estimate_variation(first, [3, -4], 2, 0.01, 500, np.random.default_rng(5), **options)


@pytest.mark.claim("theorem-1")
def test_the_variation_of_a_linear_function_is_a_half_normal_variable() -> None:
    """f = 3 + x_1, never clipped: |f_p - f_q| is sqrt(2) sigma ||y|| |z|.

    False-alarm rate 1e-6 (Kolmogorov and Smirnov). Power: the absolute sum of two values is
    refused, and so is the difference at a scale without sqrt(2).
    """
    sample = drawn(first, pairs=2000)
    law = stats.halfnorm(scale=math.sqrt(2) * 0.01 * 5)
    assert stats.kstest(sample, law.cdf).pvalue > 1e-6
    assert stats.kstest(sample / math.sqrt(2), law.cdf).pvalue < 1e-6
    assert stats.kstest(6 + sample, law.cdf).pvalue < 1e-6


@pytest.mark.claim("theorem-1")
@pytest.mark.parametrize("worst", [np.min, np.max])
def test_both_ends_of_the_cube_clip(worst: Callable[..., np.ndarray]) -> None:
    seen = []

    def f(x: np.ndarray) -> np.ndarray:
        seen.append(x)
        return worst(x, axis=1)

    assert set(drawn(f, m=1, sigma=1e9, pairs=200)) == {0.0, 2.0}
    assert {*np.concatenate(seen).ravel()} == {-1.0, 1.0}
    assert [x.shape for x in seen] == [(200, 1)] * 2


@pytest.mark.claim("theorem-1")
@pytest.mark.parametrize(
    ("m", "d", "sizes"),
    [(1000, 1000, [2, 2, 1]), pytest.param(1500, 1400, [1, 1], marks=pytest.mark.long)],
)
def test_many_pairs_are_drawn_in_parts(m: int, d: int, sizes: list[int]) -> None:
    """At most two million entries at a time; every part is new."""
    seen: list[int] = []

    def f(x: np.ndarray) -> np.ndarray:
        seen.append(len(x))
        return x[:, 0]

    got = sample_variations(f, np.full(d, 0.001), m, 1.0, sum(sizes), np.random.default_rng(2))
    assert seen == [size for size in sizes for _ in range(2)]
    assert len(set(got)) == len(got) == sum(sizes)


@pytest.mark.claim("theorem-1")
def test_each_interval_is_the_one_that_is_stated() -> None:
    """Student's by scipy; that of a Lipschitz constant by inverting its deviation bound."""
    sample = drawn(first, pairs=500)
    low, high = stats.t.interval(0.95, 499, sample.mean(), stats.sem(sample))
    plain = estimated()
    assert (plain.value, plain.low, plain.high) == pytest.approx((sample.mean(), low, high))
    for confidence in (0.95, 0.5):
        sure = estimated(lipschitz=2.0, confidence=confidence)
        for e in (sure.value - sure.low, sure.high - sure.value):
            chance = 2 * math.exp(-500 * (e / (2 * 0.01 * 2.0 * 5)) ** 2)
            assert chance == pytest.approx(1 - confidence)
        assert sure.value == pytest.approx(sample.mean())
        assert (sure.confidence, sure.samples) == (confidence, 500)
    assert (plain.confidence, plain.samples) == (0.95, 500)
    assert estimated(lipschitz=2.0) == estimated(lipschitz=2.0, confidence=0.95)
