"""Specification of `settings`: the input of Algorithm 1, and every way to get it wrong."""

import math
import sys
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


@pytest.mark.claim("alg1-input")
@pytest.mark.parametrize("sigma", [math.ulp(0.0), sys.float_info.min, 6.25e303])
def test_sigma_may_be_any_positive_float_that_keeps_A_times_y_within_the_floats(
    sigma: float,
) -> None:
    """d times the side of Y is 16 here: 10^305 is just met by the last one."""
    assert Settings(10, 2, 5, eta=0.5, sigma=sigma).sigma == sigma
    too_large = math.nextafter(6.25e303, math.inf)
    with pytest.raises(ValueError, match=r"^sigma must keep sigma d/eta within the floats, got"):
        Settings(10, 2, 5, eta=0.5, sigma=too_large)


@pytest.mark.claim("alg1-input")
def test_eta_must_keep_the_radius_within_the_floats() -> None:
    """d times the side of Y is 8/eta here."""
    assert Settings(10, 2, 5, eta=8e-305).eta == 8e-305
    with pytest.raises(ValueError, match=r"^eta must keep d/eta within the floats, got eta = "):
        Settings(10, 2, 5, eta=math.nextafter(8e-305, 0))
    assert Settings(10**400, 2, 5, sigma=1.0).n == 10**400
