"""The four test functions: formulas, optima, accuracy."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from optproblems import continuous as oracle
from scipy.optimize import rosen

from embedded_hunter.matrices import Floats
from reproduction.problems.functions import Ackley, FletcherPowell, Landscape
from reproduction.problems.registry import PROBLEMS

NAMES = ["ellipsoid", "fletcher_powell", "rosenbrock", "ackley"]
DIMENSIONS = [2, 3, 10]


def make(name: str, d_e: int) -> Landscape:
    return PROBLEMS[name](d_e, d_e, rng=7).landscape


def points(d_e: int, count: int, radius: float = 1.0) -> Floats:
    return np.random.default_rng(d_e).uniform(-radius, radius, (d_e, count))


def fletcher_powell(landscape: Landscape, x: Floats) -> float:
    assert isinstance(landscape, FletcherPowell)
    formula = oracle.FletcherPowell(x.size)
    formula.alpha = list(math.pi * landscape.x_star)
    formula.a, formula.b = landscape.a.tolist(), landscape.b.tolist()
    formula.init_vector_e()
    return float(formula.objective_function(list(math.pi * x)))


def ellipsoid(landscape: Landscape, x: Floats) -> float:
    t = 5.0 * x - 2.317
    return float(1e5 * oracle.sphere(t[:1]) + oracle.sphere(t[1:]))


FORMULAS: list[tuple[str, Callable[[Landscape, Floats], float]]] = [
    ("ellipsoid", ellipsoid),
    ("fletcher_powell", fletcher_powell),
    ("rosenbrock", lambda f, x: float(rosen(5.0 * x))),
    ("ackley", lambda f, x: float(oracle.Ackley(x.size).objective_function(5.0 * x - 2.317))),
]
"""By independent programs, which get the scaled and shifted point."""


@pytest.mark.claim("problem-formulas")
@pytest.mark.parametrize("d_e", DIMENSIONS)
@pytest.mark.parametrize(("name", "formula"), FORMULAS)
def test_formula(name: str, formula: Callable[[Landscape, Floats], float], d_e: int) -> None:
    landscape = make(name, d_e)
    assert (landscape.name, landscape.d_e) == (name, d_e)
    for x in points(d_e, 50).T:
        assert landscape(x) == pytest.approx(formula(landscape, x), rel=1e-11)


# Values.


@pytest.mark.claim("problem-optima")
@given(st.integers(1, 8).flatmap(lambda d: arrays(float, d, elements=st.floats(-9.0, 9.0))))
def test_ackley_never_rounds_below_zero(x: Floats) -> None:
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
