"""Specification of `quadratic`: where the quadratic function of least norm is least."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from embedded_hunter.projection import Floats
from embedded_hunter.quadratic import least_within
from spec.quadratic_features import coefficients, quadratic_minimiser

TINY = 1e-9


def bowl(center: Floats, H: Floats, u: Floats) -> Floats:
    """(u - center) H (u - center) / 2, less what it is at the origin."""
    away = u - center
    return np.asarray((np.einsum("mi,ij,mj->m", away, H, away) - center @ H @ center) / 2)


def scattered(m: int, d: int, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).normal(size=(m, d))


@pytest.mark.parametrize("d", [1, 2, 4])
def test_with_enough_values_the_minimiser_is_exact(d: int) -> None:
    """A bowl has d + d (d + 1)/2 coefficients; as many values, met exactly, show them all.

    Rises are >= 0, so those points are taken where the bowl is not below the origin.
    """
    rng = np.random.default_rng(5)
    B = rng.normal(size=(d, d))
    H = B @ B.T + 0.5 * np.eye(d)
    center = rng.normal(size=d)
    center /= np.linalg.norm(center)
    u = scattered(400, d)
    rises = bowl(center, H, u)
    u, rises = u[rises >= 0][: 2 * d * d + 6], rises[rises >= 0][: 2 * d * d + 6]
    found = least_within(u, rises, 3.0, TINY)
    np.testing.assert_allclose(found, center, atol=1e-4)
    np.testing.assert_allclose(least_within(u, 1e-12 * rises, 3.0, TINY), found, atol=1e-6)
    near = least_within(u, rises, 0.25, TINY)
    assert 0 < np.linalg.norm(near) <= 0.25


@pytest.mark.parametrize("ridge", [1e-3, 0.3])
@pytest.mark.parametrize("reach", [0.1, 1.0, 3.0])
@pytest.mark.parametrize(("m", "d"), [(1, 1), (1, 5), (3, 2), (6, 6), (40, 3), (80, 10)])
def test_the_minimiser_is_that_of_least_squares_on_features(
    m: int, d: int, reach: float, ridge: float
) -> None:
    """To 1e-5: by the 1e-9 on the diagonal rounding counts up to 10^9 times."""
    for seed in range(8):
        u = scattered(m, d, seed) * 2.0 ** (seed - 5)
        rises = np.random.default_rng(seed).exponential(size=m) ** (seed % 3)
        found = least_within(u, rises, reach, ridge)
        expected = quadratic_minimiser(u, rises, reach, ridge)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
        assert found.shape == (d,)
        assert np.any(found)


def test_high_rises_are_cut_and_met_less_exactly() -> None:
    """From 1000 medians on all rises are the same, and the low ones keep their say."""
    u = scattered(9, 3)
    rises = np.array([1.0, 0.5, 2.0, 1.0, 0.0, 3.0, 1.0, 1000.0, 0.3])
    found = least_within(u, rises, 2.0, 0.3)
    np.testing.assert_array_equal(
        found, least_within(u, np.where(rises == 1000, 1e300, rises), 2.0, 0.3)
    )
    np.testing.assert_allclose(found, quadratic_minimiser(u, rises, 2.0, 0.3), atol=1e-6)
    assert not np.array_equal(found, least_within(u, np.minimum(rises, 999), 2.0, 0.3))


def test_the_unit_of_the_values_does_not_matter() -> None:
    u, rises = scattered(9, 3), np.arange(9.0)
    found = least_within(u, rises, 2.0, 0.3)
    for unit in (2.0**-900, 2.0**-10, 2.0**900):
        np.testing.assert_array_equal(least_within(u, unit * rises, 2.0, 0.3), found)


@pytest.mark.parametrize("reach", [1e-3, 0.5])
def test_a_saddle_is_left_downhill_as_far_as_the_reach(reach: float) -> None:
    """f = u_1 + u_3 + 10 u_2^2 - 10 u_3^2, seen where it is >= 0: its least curvature is known."""
    u = scattered(200, 3)
    rises = u[:, 0] + u[:, 2] + 10 * u[:, 1] ** 2 - 10 * u[:, 2] ** 2
    u, rises = u[rises >= 0], rises[rises >= 0]
    g, H = coefficients(u, rises / np.median(rises), TINY)
    assert np.linalg.eigvalsh(H)[0] < -1
    found = least_within(u, rises, reach, TINY)
    assert 0.5 * reach < np.linalg.norm(found) <= reach
    assert g @ found < 0


@pytest.mark.parametrize("d", [1, 3])
def test_without_rises_there_is_nowhere_to_go(d: int) -> None:
    u = scattered(7, d)
    np.testing.assert_array_equal(least_within(u, np.zeros(7), 3.0, 0.3), np.zeros(d))
    np.testing.assert_array_equal(least_within(np.zeros((7, d)), np.ones(7), 3.0, 0.3), np.zeros(d))
    mostly_none = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    np.testing.assert_array_equal(least_within(u, mostly_none, 3.0, 0.3), np.zeros(d))


def test_one_point_is_gone_away_from() -> None:
    """Of one value r = 1 the model is w (u v + (u v)^2 / 2): least where u v = -1, in closed form.

    Along v the function is least at -v / |v|^2, whatever w > 0 is; beyond reach it is cut short.
    """
    v = np.array([[0.6, -0.8]])
    for length in (0.5, 1.0, 4.0):
        found = least_within(length * v, np.array([7.0]), 3.0, 0.3)
        np.testing.assert_allclose(found, -v[0] / length, rtol=1e-6)
    found = least_within(0.1 * v, np.array([7.0]), 3.0, 0.3)
    np.testing.assert_allclose(found / np.linalg.norm(found), -v[0], rtol=1e-9)
    assert 2.4 < np.linalg.norm(found) <= 3.0


def test_points_on_a_line_lead_along_it() -> None:
    direction = np.array([2.0, -1.0, 2.0]) / 3
    t = np.array([-2.0, -1.0, 1.0, 2.0, 0.5])
    rises = (t + 0.7) ** 2  # least at -0.7
    found = least_within(np.outer(t, direction), rises, 3.0, TINY)
    np.testing.assert_allclose(np.cross(found, direction), 0, atol=1e-6)
    assert found @ direction < 0


def test_a_flat_direction_is_gone_down_too() -> None:
    """The 1e-9 on the diagonal decides where the slope is as small and there is no curvature."""
    u = np.array([[1.0, 1e-9], [-0.5, 1e-9]])
    found = least_within(u, np.ones(2), 3.0, 0.3)
    assert found[1] < -0.1
    np.testing.assert_allclose(found, quadratic_minimiser(u, np.ones(2), 3.0, 0.3), atol=1e-5)


def test_the_reach_itself_is_within_reach() -> None:
    u, rises = np.array([[0.7], [-0.2]]), np.array([2.0, 0.5])
    (alone,) = least_within(u, rises, 9.0, 0.3)
    assert 0 < abs(alone) < 9
    assert least_within(u, rises, abs(alone), 0.3).tolist() == [alone]


@pytest.mark.parametrize("small", [1e-2, 1e-5, 1e-20, 1e-60])
def test_a_steep_slope_is_followed_to_the_reach_and_no_further(small: float) -> None:
    """Where the points are near each other hardly any curvature is seen: straight down."""
    u = small * np.array([[1.0, 0.0], [0.0, 1.0]])
    found = least_within(u, np.ones(2), 3.0, 0.3)
    np.testing.assert_allclose(found / np.linalg.norm(found), [-math.sqrt(0.5)] * 2, rtol=1e-5)
    assert 2.4 < np.linalg.norm(found) <= 3.0 * (1 + 1e-12)


def test_no_curvature_to_speak_of_is_none() -> None:
    for small in (1e-80, 1e-155, 1e-200, 5e-324):
        found = least_within(np.array([[small, 0.0], [0.0, small]]), np.ones(2), 3.0, 0.3)
        np.testing.assert_array_equal(found, np.zeros(2))


COORDINATES = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 20.0, 1e-5]), st.floats(-20, 20), st.floats(-1e-9, 1e-9)
)
RISES = st.one_of(
    st.sampled_from([0.0, 1.0, 5e-324, 1e-300, 1e308, 1.7e308]),
    st.floats(0, 1e3),
    st.floats(0, allow_infinity=False),
)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Any, Any]:
    m, d = draw(st.integers(1, 12)), draw(st.integers(1, 5))
    return (
        draw(arrays(np.float64, (m, d), elements=COORDINATES)),
        draw(arrays(np.float64, m, elements=RISES)),
    )


@given(problems(), st.floats(1e-3, 10), st.floats(1e-4, 1))
def test_the_step_is_finite_and_within_reach(
    problem: tuple[Floats, Floats], reach: float, ridge: float
) -> None:
    """Whatever the points and the rises are; and no warning is given."""
    u, rises = problem
    found = least_within(u, rises, reach, ridge)
    assert np.isfinite(found).all()
    assert np.linalg.norm(found) <= reach * (1 + 1e-12)
