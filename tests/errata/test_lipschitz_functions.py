"""Supplement A.3: which functions are Lipschitz-continuous, so that Assumption 1 holds."""

import numpy as np
import pytest


def arc(x: float) -> float:
    return -float(np.sqrt(1 - x * x))


@pytest.mark.claim("supplement-a3")
def test_a_convex_function_on_a_closed_interval_need_not_be_lipschitz() -> None:
    """f(x) = -sqrt(1 - x^2) is convex on [-1, 1] and infinitely steep at its ends."""
    grid = np.linspace(-1, 1, 201)
    for a, b in zip(grid, grid[::-1], strict=True):
        for weight in (0.25, 0.5):
            mixed = weight * arc(a) + (1 - weight) * arc(b)
            assert arc(weight * a + (1 - weight) * b) <= mixed + 1e-12
    for L in (10.0, 1e3, 1e6):
        step = 1 / L**2
        assert abs(arc(1.0) - arc(1 - step)) > L * step
