"""The four test functions: formulas, optima, Lipschitz constants."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from optproblems import continuous as oracle
from scipy.optimize import rosen

from embedded_hunter.problems.functions import (
    Ackley,
    Ellipsoid,
    FletcherPowell,
    FloatArray,
    Landscape,
    Rosenbrock,
)

NAMES = ["ellipsoid", "fletcher_powell", "rosenbrock", "ackley"]
DIMENSIONS = [2, 3, 10]


def make(name: str, d_e: int) -> Landscape:
    if name == "fletcher_powell":
        return FletcherPowell.random(d_e, np.random.default_rng(7))
    kinds: dict[str, type[Ellipsoid] | type[Rosenbrock] | type[Ackley]] = {
        "ellipsoid": Ellipsoid,
        "rosenbrock": Rosenbrock,
        "ackley": Ackley,
    }
    return kinds[name](d_e)


def points(d_e: int, count: int, radius: float = 1.0) -> FloatArray:
    return np.random.default_rng(d_e).uniform(-radius, radius, (d_e, count))


# Formulas, against independent programs: the oracles get the scaled and shifted point u.


def oracle_ellipsoid(x: FloatArray) -> float:
    t = 5.0 * x - 2.317
    return float(1e5 * oracle.sphere(t[:1]) + oracle.sphere(t[1:]))


def oracle_rosenbrock(x: FloatArray) -> float:
    return float(oracle.rosenbrock(5.0 * x))


def oracle_ackley(x: FloatArray) -> float:
    return float(oracle.Ackley(x.size).objective_function(5.0 * x - 2.317))


@pytest.mark.claim("problem-formulas")
@pytest.mark.parametrize("d_e", DIMENSIONS)
@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("ellipsoid", oracle_ellipsoid),
        ("rosenbrock", oracle_rosenbrock),
        ("rosenbrock", lambda x: float(rosen(5.0 * x))),
        ("ackley", oracle_ackley),
    ],
)
def test_formula(name: str, formula: Callable[[FloatArray], float], d_e: int) -> None:
    landscape = make(name, d_e)
    for x in points(d_e, 50).T:
        assert landscape(x) == pytest.approx(formula(x), rel=1e-11)


@pytest.mark.claim("problem-formulas")
@pytest.mark.parametrize("d_e", DIMENSIONS)
def test_fletcher_powell_formula(d_e: int) -> None:
    landscape = FletcherPowell.random(d_e, np.random.default_rng(7))
    formula = oracle.FletcherPowell(d_e)
    formula.alpha = list(math.pi * landscape.x_star)
    formula.a, formula.b = landscape.a.tolist(), landscape.b.tolist()
    formula.init_vector_e()
    for x in points(d_e, 50).T:
        expected = formula.objective_function(list(math.pi * x))
        assert landscape(x) == pytest.approx(expected, rel=1e-11)


# Values.


@pytest.mark.claim("problem-optima")
@pytest.mark.parametrize("d_e", DIMENSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_the_optimum_is_exactly_zero_and_in_the_cube(name: str, d_e: int) -> None:
    landscape = make(name, d_e)
    assert landscape.d_e == d_e
    assert landscape.name == name
    assert landscape.x_star.shape == (d_e,)
    assert np.abs(landscape.x_star).max() <= 1.0
    assert landscape(landscape.x_star) == 0.0
    assert np.all(landscape(points(d_e, 200)) > 0.0)


@pytest.mark.claim("problem-optima")
@given(st.integers(1, 8).flatmap(lambda d: arrays(float, d, elements=st.floats(-9.0, 9.0))))
def test_ackley_never_rounds_below_zero(x: FloatArray) -> None:
    landscape = Ackley(x.size)
    assert landscape(x) >= 0.0
    assert landscape(landscape.x_star + 1e-12 * x) >= 0.0


def test_ackley_is_accurate_near_its_optimum() -> None:
    """``f = 4 ||t|| / sqrt(d_e) + O(t^2)``; the textbook formula would lose all digits here."""
    t = np.full(4, 1e-14)
    landscape = Ackley(4)
    x = landscape.x_star + t
    step = float(np.linalg.norm(5.0 * (x - landscape.x_star)))
    assert landscape(x) == pytest.approx(4.0 * step / 2.0, rel=1e-9)


@pytest.mark.parametrize("d_e", DIMENSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_columns_are_points(name: str, d_e: int) -> None:
    landscape = make(name, d_e)
    x = points(d_e, 7)
    values = landscape(x)
    assert values.shape == (7,)
    one_by_one = [float(landscape(column)) for column in x.T]
    assert values == pytest.approx(np.array(one_by_one), rel=1e-12)
    assert landscape(x[:, :1]).shape == (1,)
    assert landscape(np.zeros((d_e, 0))).shape == (0,)


# Lipschitz constants.


def gradient(landscape: Landscape, x: FloatArray, step: float = 1e-6) -> FloatArray:
    """Central differences."""
    d_e = x.size
    shifts = step * np.eye(d_e)
    column = x[:, np.newaxis]
    difference = landscape(column + shifts) - landscape(column - shifts)
    return np.asarray(difference / (2.0 * step))


@pytest.mark.claim("assumption-1")
@pytest.mark.parametrize("radius", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("d_e", DIMENSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_no_gradient_exceeds_the_constant(name: str, d_e: int, radius: float) -> None:
    landscape = make(name, d_e)
    norms = [
        float(np.linalg.norm(gradient(landscape, x))) for x in points(d_e, 300, radius - 1e-6).T
    ]
    assert max(norms) <= landscape.lipschitz(radius) * (1.0 + 1e-6)


@pytest.mark.claim("assumption-1")
@pytest.mark.parametrize("d_e", [2, 3, 10])
@pytest.mark.parametrize("name", ["ellipsoid", "rosenbrock"])
def test_the_constant_is_attained_at_the_corner(name: str, d_e: int) -> None:
    """With different radii per coordinate, so that no index can be confused with another."""
    landscape = make(name, d_e)
    radii = np.linspace(0.4, 1.6, d_e)
    attained = float(np.linalg.norm(gradient(landscape, -radii)))
    assert landscape.lipschitz(radii) == pytest.approx(attained, rel=1e-6)
