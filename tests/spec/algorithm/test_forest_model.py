"""Specification of `model`: the function of least change that fits.

Where it is least within a radius is in `test_forest_model_step`.
"""

from typing import Any

import numpy as np
import pytest
from scipy.linalg.lapack import dposv

from embedded_hunter.forest import model as quadratic
from embedded_hunter.forest.constants import CONSTANTS, Constants
from embedded_hunter.forest.model import QuadraticModel, fit
from embedded_hunter.projection import Floats
from spec.algorithm.model_features import (
    quadratic_minimiser,
    quadratic_model,
)

SMALL = 1e-6
"""A ridge so small that bowls are met nearly exactly."""
UNDAMPED = Constants(damping=1e-9)


def model_of(
    u: Floats,
    rises: Floats,
    ridge: float = SMALL,
    before: QuadraticModel | None = None,
    warps: tuple[float, ...] = CONSTANTS.warps,
) -> QuadraticModel:
    model = fit(u, rises, before, Constants(ridge=ridge, warps=warps))
    assert model is not None
    return model


def trust_region_step(
    u: Floats,
    rises: Floats,
    radius: float,
    ridge: float = SMALL,
    warps: tuple[float, ...] = CONSTANTS.warps,
) -> Floats:
    return model_of(u, rises, ridge, warps=warps).trust_region_step(radius, UNDAMPED)


def bowl(center: Floats, H: Floats, u: Floats) -> Floats:
    """(u - center) H (u - center) / 2, less what it is at the origin."""
    away = u - center
    return np.asarray((np.einsum("mi,ij,mj->m", away, H, away) - center @ H @ center) / 2)


def scattered(m: int, d: int, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).normal(size=(m, d))


def curved(d: int, seed: int = 5) -> tuple[Floats, Floats]:
    """A positive definite H, and a center at distance 1."""
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(d, d))
    center = rng.normal(size=d)
    return B @ B.T + 0.5 * np.eye(d), center / np.linalg.norm(center)


def where_not_below(u: Floats, rises: Floats, most: int) -> tuple[Floats, Floats]:
    """The first of these points at which the function is not below the origin: rises are >= 0."""
    return u[rises >= 0][:most], rises[rises >= 0][:most]


def same(model: QuadraticModel, other: QuadraticModel) -> bool:
    """To the bit."""
    return model.g.tobytes() == other.g.tobytes() and model.H.tobytes() == other.H.tobytes()


@pytest.mark.parametrize("d", [1, 2, 4])
def test_with_enough_values_the_minimiser_is_exact(d: int) -> None:
    """A bowl has d + d (d + 1)/2 coefficients; as many values, met exactly, show them all.

    To 1e-4: the ridge is 1e-6.
    """
    H, center = curved(d)
    u = scattered(400, d)
    u, rises = where_not_below(u, bowl(center, H, u), 2 * d * d + 6)
    found = trust_region_step(u, rises, 3.0)
    np.testing.assert_allclose(found, center, atol=1e-4)
    np.testing.assert_allclose(trust_region_step(u, 1e-12 * rises, 3.0), found, atol=1e-6)
    near = trust_region_step(u, rises, 0.25)
    assert 0 < np.linalg.norm(near) <= 0.25


@pytest.mark.parametrize("remembering", [False, True])
@pytest.mark.parametrize("ridge", [1e-6, 1e-3, 0.3])
@pytest.mark.parametrize(
    ("m", "d"),
    [
        (1, 1),
        (3, 2),
        pytest.param(6, 6, marks=pytest.mark.long),
        pytest.param(1, 5, marks=pytest.mark.long),
        pytest.param(40, 3, marks=pytest.mark.long),
        pytest.param(80, 10, marks=pytest.mark.long),
    ],
)
def test_the_model_is_that_of_least_squares_on_features(
    m: int, d: int, ridge: float, remembering: bool
) -> None:
    """Bend and all, to 1e-10 over the ridge: rounding counts so often in the equations.

    The minimiser of the one g and H is also that of the scan.
    """
    for seed in range(8):
        u = scattered(m, d, seed) * 2.0 ** (seed - 5)
        rises = np.random.default_rng(seed).exponential(size=m) ** (seed % 3)
        B = scattered(d, d, seed)
        before = QuadraticModel(np.full(d, 7.0), B + B.T) if remembering else None
        found = model_of(u, rises, ridge, before)
        expected = quadratic_model(u, rises, ridge, before.H if before else None)
        assert expected is not None
        for part, of in zip((found.g, found.H), expected, strict=True):
            tolerance = 1e-10 / ridge * np.abs(of).max()
            np.testing.assert_allclose(part, of, rtol=0, atol=tolerance)
        for radius in (0.1, 1.0, 3.0):
            step = found.trust_region_step(radius, UNDAMPED)
            np.testing.assert_allclose(
                step, quadratic_minimiser(found.g, found.H, radius), rtol=0, atol=1e-5
            )
            assert step.shape == (d,)
            assert np.any(step)


@pytest.mark.parametrize("scale", [2.0**-480, 2.0**-40, 2.0, 2.0**480])
def test_the_scale_of_before_does_not_matter(scale: float) -> None:
    """Nor does its slope. A curvature that is treated as zero is as good as no earlier model."""
    u, rises = scattered(9, 3), np.arange(9.0)
    B = scattered(3, 3, 2)
    H = B + B.T
    model = model_of(u, rises, 0.3, QuadraticModel(np.zeros(3), H))
    assert same(model_of(u, rises, 0.3, QuadraticModel(np.ones(3), scale * H)), model)
    assert not same(model_of(u, rises, 0.3), model)
    for none in (0.0, 1e-152, 1e-170, 5e-324):
        before = QuadraticModel(np.ones(3), none * np.eye(3))
        assert same(model_of(u, rises, 0.3, before), model_of(u, rises, 0.3))


def test_high_rises_are_met_less_exactly() -> None:
    """From 10^60 medians on all rises are the same, and the low ones keep their say."""
    u = scattered(9, 3)
    rises = np.array([1.0, 0.5, 2.0, 1.0, 0.0, 3.0, 1.0, 1e60, 0.3])
    found = model_of(u, rises, 0.3)
    assert same(found, model_of(u, np.where(rises == 1e60, 1e300, rises), 0.3))
    g, H = quadratic_model(u, rises, 0.3) or (u, u)
    np.testing.assert_allclose(found.g, g, atol=1e-9)
    np.testing.assert_allclose(found.H, H, atol=1e-9)
    assert not same(found, model_of(u, np.minimum(rises, 99.0), 0.3))


def test_the_unit_of_the_values_does_not_matter() -> None:
    u, rises = scattered(9, 3), np.arange(9.0)
    found = model_of(u, rises, 0.3)
    for unit in (2.0**-900, 2.0**-10, 2.0**900):
        assert same(model_of(u, unit * rises, 0.3), found)


def test_the_points_and_the_model_of_before_are_left_as_they_are() -> None:
    u, rises = scattered(9, 3), np.arange(9.0)
    before = QuadraticModel(np.ones(3), np.eye(3))
    model_of(u, rises, 0.3, before)
    np.testing.assert_array_equal(u, scattered(9, 3))
    np.testing.assert_array_equal(rises, np.arange(9.0))
    assert same(before, QuadraticModel(np.ones(3), np.eye(3)))


@pytest.mark.parametrize("d", [1, 3])
def test_without_rises_there_is_no_model(d: int) -> None:
    """That is, if most of them are 0. If the points are all the origin, there is nowhere to go."""
    u = scattered(7, d)
    for rises in (np.zeros(7), np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0])):
        assert fit(u, rises) is None
    assert fit(u[:6], np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0])) is None
    for rises in (np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]), np.array([1.0, 1.0, 0.0, 0.0])):
        assert np.any(trust_region_step(u[: len(rises)], rises, 3.0))
    np.testing.assert_array_equal(trust_region_step(np.zeros((7, d)), np.ones(7), 3.0), np.zeros(d))


def test_without_a_solution_there_is_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equations that rounding made indefinite are not solved: here those of minus the kernel."""

    def negated(kernel: Floats, *args: Any, **kwargs: Any) -> Any:
        return dposv(-kernel, *args, **kwargs)

    u, rises = scattered(9, 3), np.arange(9.0)
    assert fit(u, rises) is not None
    monkeypatch.setattr(quadratic, "dposv", negated)
    assert fit(u, rises) is None
