"""Theorem 1 in its forms, as closed formulas (`theory/variation.py`)."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from reproduction.theory.variation import (
    coupled_variation_bound,
    gaussian_variation_bound,
    gini_variation_bound,
    printed_variation_bound,
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
