"""Specification of `settings`: the input of Algorithm 1, and every way to get it wrong."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.settings import Settings


@pytest.mark.claim("alg1-input")
def test_the_defaults_are_those_of_the_paper() -> None:
    settings = Settings(10_000, 10, 999)
    assert settings == Settings(
        n=10_000, d=10, v=999, eta=0.3, K=3, M=5, h_max=31, sigma=0.01,
        policy="fresh", sampler="norm",
    )  # fmt: skip


@pytest.mark.claim("alg1-input")
@given(st.integers(1, 10**12))
def test_the_default_h_max_is_the_integer_root_of_v_and_sigma_is_one_over_the_root_of_n(
    v: int,
) -> None:
    settings = Settings(v, 1, v)
    assert settings.h_max**2 <= v < (settings.h_max + 1) ** 2
    assert settings.sigma == 1 / math.sqrt(v)


@pytest.mark.claim("alg1-input", "evaluation-cap")
@given(st.integers(1, 9), st.integers(1, 999), st.integers(0, 10**5))
def test_R_and_the_cap_are_computed_from_the_decimals_as_written(d: int, eta: int, M: int) -> None:
    """R = d/eta, cap = (2RM)^2, where eta = 0.3 means 3/10 and not the float next to it."""
    settings = Settings(10, d, 10, eta=eta / 1000, M=M / 1000)
    R = d / Fraction(eta, 1000)
    assert settings.radius == R
    assert settings.side == 2 * R
    assert settings.side_as_float == float(2 * R)
    assert settings.cap == (2 * R * Fraction(M, 1000)) ** 2
