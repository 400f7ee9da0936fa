"""Specification of `model`: the function of least change that fits, and the step to its minimum."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.linalg.lapack import dposv, dsyevd

from embedded_hunter.forest import model as quadratic
from embedded_hunter.forest.constants import Constants
from embedded_hunter.forest.model import QuadraticModel, fit
from embedded_hunter.matrices import Floats
from tool.model_features import quadratic_minimiser, quadratic_model

SMALL = 1e-6
"""A ridge so small that bowls are met nearly exactly."""
UNDAMPED = Constants(damping=1e-9)


def model_of(
    u: Floats, rises: Floats, ridge: float = SMALL, before: QuadraticModel | None = None
) -> QuadraticModel:
    model = fit(u, rises, before, Constants(ridge=ridge))
    assert model is not None
    return model


def trust_region_step(u: Floats, rises: Floats, radius: float, ridge: float = SMALL) -> Floats:
    return model_of(u, rises, ridge).trust_region_step(radius, UNDAMPED)


def scattered(m: int, d: int, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).normal(size=(m, d))


def same(model: QuadraticModel, other: QuadraticModel) -> bool:
    """To the bit."""
    return model.g.tobytes() == other.g.tobytes() and model.H.tobytes() == other.H.tobytes()


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

    The step of the one g and H is also that of the other. Its damping is so great that rounding
    errors of the least curvature do not choose its direction.
    """
    damped = Constants(damping=1e-4)
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
            step = found.trust_region_step(radius, damped)
            expected_step = quadratic_minimiser(found.g, found.H, radius, damped.damping)
            np.testing.assert_allclose(step, expected_step, rtol=0, atol=1e-5)
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


# --- the step ------------------------------------------------------------------------------------


def test_without_curvatures_there_is_nowhere_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """If LAPACK does not find them it says so, and what it returns is not looked at."""

    def without(H: Floats) -> Any:
        return (*dsyevd(H)[:2], 1)

    model = model_of(scattered(9, 3), np.arange(9.0), 0.3)
    assert model.trust_region_step(1.0, UNDAMPED).any()
    monkeypatch.setattr(quadratic, "dsyevd", without)
    model = QuadraticModel(model.g, model.H)
    np.testing.assert_array_equal(model.trust_region_step(1.0, UNDAMPED), np.zeros(3))


def test_the_radius_itself_is_within_the_radius() -> None:
    model = model_of(np.array([[0.7], [-0.2]]), np.array([2.0, 0.5]), 0.3)
    (alone,) = model.trust_region_step(9.0, UNDAMPED)
    assert 0 < abs(alone) < 9
    assert model.trust_region_step(abs(alone), UNDAMPED).tolist() == [alone]


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
