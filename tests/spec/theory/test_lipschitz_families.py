"""Families of functions with a known minimum and constant (`lipschitz_families`)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.theory.lipschitz_families import FAMILIES, Family

SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.claim("assumption-1")
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
@given(seed=SEEDS)
def test_each_family_has_the_minimum_and_the_constant_that_it_states(
    family: Family, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    d_e = int(rng.integers(1, 6))
    x_star = rng.uniform(-1, 1, d_e)
    f = family(rng, x_star)
    x, step = rng.uniform(-1, 1, (200, d_e)), rng.standard_normal((200, d_e))
    near = np.clip(x + step * np.exp(rng.uniform(-12, 0, (200, 1))), -1, 1)
    gap = np.linalg.norm(x - near, axis=1)
    assert f(x_star[None, :])[0] == f.f_star
    assert np.all(f(x) >= f.f_star)
    assert np.all(np.abs(f.excess(x) - f.excess(near)) <= f.lipschitz * gap * (1 + 1e-9) + 1e-12)
