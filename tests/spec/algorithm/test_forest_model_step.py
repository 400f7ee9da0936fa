"""Specification of `model`: the step to where the fitted function is least within a radius."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.linalg.lapack import dsyevd

from embedded_hunter.forest import model as quadratic
from embedded_hunter.forest.constants import Constants
from embedded_hunter.forest.model import QuadraticModel, fit
from embedded_hunter.projection import Floats
from spec.algorithm.model_features import quadratic_minimiser
from spec.algorithm.test_forest_model import UNDAMPED, model_of, scattered, trust_region_step


def test_without_curvatures_there_is_nowhere_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """If LAPACK does not find them it says so, and what it returns is not looked at."""

    def without(H: Floats) -> Any:
        return (*dsyevd(H)[:2], 1)

    model = model_of(scattered(9, 3), np.arange(9.0), 0.3)
    assert model.trust_region_step(1.0, UNDAMPED).any()
    monkeypatch.setattr(quadratic, "dsyevd", without)
    model = QuadraticModel(model.g, model.H)
    np.testing.assert_array_equal(model.trust_region_step(1.0, UNDAMPED), np.zeros(3))


def test_one_point_is_gone_away_from() -> None:
    """Of one value r = 1 the model is w (u v + (u v)^2 / 2): least where u v = -1, in closed form.

    Along v the function is least at -v / |v|^2, whatever w > 0 is; a longer step is shortened.
    """
    v = np.array([[0.6, -0.8]])
    for length in (0.5, 1.0, 4.0):
        found = trust_region_step(length * v, np.array([7.0]), 3.0, 0.3)
        np.testing.assert_allclose(found, -v[0] / length, rtol=1e-6)
    found = trust_region_step(0.1 * v, np.array([7.0]), 3.0, 0.3)
    np.testing.assert_allclose(found / np.linalg.norm(found), -v[0], rtol=1e-9)
    assert 2.4 < np.linalg.norm(found) <= 3.0


def test_a_flat_direction_is_gone_down_too() -> None:
    """The 1e-9 on the diagonal decides where the slope is as small and there is no curvature."""
    u = np.array([[1.0, 1e-9], [-0.5, 1e-9]])
    model = model_of(u, np.ones(2), 0.3)
    found = model.trust_region_step(3.0, UNDAMPED)
    assert found[1] < -0.1
    np.testing.assert_allclose(found, quadratic_minimiser(model.g, model.H, 3.0), atol=1e-5)


def test_the_radius_itself_is_within_the_radius() -> None:
    model = model_of(np.array([[0.7], [-0.2]]), np.array([2.0, 0.5]), 0.3)
    (alone,) = model.trust_region_step(9.0, UNDAMPED)
    assert 0 < abs(alone) < 9
    assert model.trust_region_step(abs(alone), UNDAMPED).tolist() == [alone]


@pytest.mark.parametrize("small", [1e-2, 1e-5, 1e-20, 1e-60])
def test_a_steep_slope_is_followed_to_the_radius_and_no_further(small: float) -> None:
    """Where the points are near each other hardly any curvature is seen: straight down."""
    u = small * np.array([[1.0, 0.0], [0.0, 1.0]])
    found = trust_region_step(u, np.ones(2), 3.0, 0.3)
    np.testing.assert_allclose(found / np.linalg.norm(found), [-math.sqrt(0.5)] * 2, rtol=1e-5)
    assert 2.4 < np.linalg.norm(found) <= 3.0 * (1 + 1e-12)


def test_no_curvature_to_speak_of_is_none() -> None:
    for small in (1e-80, 1e-155, 1e-200, 5e-324):
        u = np.array([[small, 0.0], [0.0, small]])
        np.testing.assert_array_equal(trust_region_step(u, np.ones(2), 3.0), np.zeros(2))


COORDINATES = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 20.0, 1e-5]), st.floats(-20, 20), st.floats(-1e-9, 1e-9)
)


RISES = st.one_of(
    st.sampled_from([0.0, 1.0, 5e-324, 1e-300, 1e308, 1.7e308]),
    st.floats(0, 1e3),
    st.floats(0, allow_infinity=False),
)


CURVATURES = st.one_of(st.just(0.0), st.floats(-1, 1), st.floats(-1e150, 1e150))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Any, ...]:
    """Points, rises, and an earlier model or none."""
    m, d = draw(st.integers(1, 12)), draw(st.integers(1, 5))
    u = draw(arrays(np.float64, (m, d), elements=COORDINATES))
    rises = draw(arrays(np.float64, m, elements=RISES))
    if draw(st.booleans()):
        return u, rises, None
    B = draw(arrays(np.float64, (d, d), elements=CURVATURES))
    return u, rises, QuadraticModel(np.zeros(d), B / 2 + B.T / 2)


@given(problems(), st.floats(1e-3, 10), st.floats(1e-6, 1))
def test_the_step_is_finite_and_within_the_radius(
    problem: tuple[Floats, Floats, QuadraticModel | None], radius: float, ridge: float
) -> None:
    """Whatever the points and the rises are, and no warning is given; never uphill in the model.

    Uphill but for rounding, in units of 1e-9 of the greatest curvature, as it is damped.
    """
    u, rises, before = problem
    model = fit(u, rises, before, Constants(ridge=ridge))
    if model is None:
        return
    assert np.isfinite(model.g).all()
    assert np.isfinite(model.H).all()
    found = model.trust_region_step(radius, UNDAMPED)
    assert np.isfinite(found).all()
    assert np.linalg.norm(found) <= radius * (1 + 1e-12)
    rise = model.g @ found + found @ model.H @ found / 2
    assert rise <= 1e-9 * np.abs(model.H).max() * (found @ found)
