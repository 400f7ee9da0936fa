"""The functions of the theory's tests have the minimum and the constant that they state."""

import numpy as np
import pytest

from theory.lipschitz_families import FAMILIES, Family


@pytest.mark.claim("assumption-1")
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("d_e", [1, 2, 5])
def test_a_family_has_its_constant_and_its_minimum(family: Family, d_e: int) -> None:
    """Of far and near pairs of points of the cube."""
    for seed in range(40):
        rng = np.random.default_rng([seed, d_e])
        x_star = rng.uniform(-1, 1, d_e)
        f = family(rng, x_star)
        x, y = rng.uniform(-1, 1, (2, 200, d_e))
        y[100:] = np.clip(x[100:] + rng.uniform(-0.01, 0.01, (100, d_e)), -1, 1)
        steepest = np.max(np.abs(f(x) - f(y)) / np.linalg.norm(x - y, axis=1))
        assert steepest <= f.lipschitz * (1 + 1e-9)
        assert f(x).min() >= f.f_star == f(x_star[np.newaxis])[0]
