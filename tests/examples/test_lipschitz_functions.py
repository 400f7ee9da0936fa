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


@pytest.mark.claim("supplement-a3")
@pytest.mark.parametrize("reach", [0.5, 0.9, 0.99])
def test_it_is_lipschitz_on_compact_subsets_of_the_interior(reach: float) -> None:
    """By convexity: on [-r, r] with the constant (max - min) / (1 - r)."""
    L = 1.0 / (1 - reach)
    grid = np.linspace(-reach, reach, 301)
    values = np.array([arc(x) for x in grid])
    slopes = np.abs(np.subtract.outer(values, values)) / np.maximum(
        np.abs(np.subtract.outer(grid, grid)), 1e-300
    )
    assert slopes.max() <= L


@pytest.mark.claim("supplement-a3")
def test_a_smooth_function_is_lipschitz_with_its_greatest_gradient() -> None:
    """f(x) = x_1^3 - x_1 x_2 + sin(5 x_2) on X = [-1, 1]^2, by 4,000 random pairs."""
    rng = np.random.default_rng(2)
    x, z = rng.uniform(-1, 1, (2, 4000, 2))

    def f(x: np.ndarray) -> np.ndarray:
        return np.asarray(x[:, 0] ** 3 - x[:, 0] * x[:, 1] + np.sin(5 * x[:, 1]))

    axis = np.linspace(-1, 1, 401)
    first, second = np.meshgrid(axis, axis)
    L = np.hypot(3 * first**2 - second, -first + 5 * np.cos(5 * second)).max()
    slopes = np.abs(f(x) - f(z)) / np.linalg.norm(x - z, axis=1)
    assert slopes.max() <= L
    assert slopes.max() > 0.6 * L  # the pairs do come near
