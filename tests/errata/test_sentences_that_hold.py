"""Sentences that hold in place of printed ones, or beside them, and that Rocq does not prove.

Each is a predicate of a random instance, written from its words, with a computation of its own.
"""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special

from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, base_point
from embedded_hunter.projection import Fresh
from embedded_hunter.settings import Sampler, Settings
from errata.runs import visits_that_wait, watched
from paper.definitions import Oracle
from paper.instances import Instance, descend, instances, oracles


def reals(low: float, high: float) -> st.SearchStrategy[float]:
    """Draw one of 1,001 numbers between two bounds."""
    return st.integers(0, 1000).map(lambda k: low + (high - low) * k / 1000)


def several(strategy: st.SearchStrategy[float], size: int) -> st.SearchStrategy[list[float]]:
    """Draw a list of a given length."""
    return st.lists(strategy, min_size=size, max_size=size)


@pytest.mark.claim("near-optimal-points")
@given(reals(-1, 1), several(reals(-3, 3), 2), several(reals(-1, 1), 4), reals(0, 1))
def test_the_values_of_a_continuous_g_at_near_optimal_points_fill_their_interval(
    a: float, c: list[float], places: list[float], part: float
) -> None:
    """If g takes f* and f* + eps: each value between is found by bisection, g(y) = min |c y - a|
    over two matrices."""

    def g(y: float) -> float:
        return min(abs(min(max(k * y, -1), 1) - a) for k in c)

    low = next((a / k for k in c if abs(k) >= abs(a) > 0), 0.0)
    high = max(places, key=g)
    assume(g(low) < 1e-12)
    wanted = g(high) * part
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if g(middle) < wanted else (low, middle)
    assert abs(g(high) - wanted) <= 1e-9


@pytest.mark.claim("supplement-a3")
@given(st.lists(st.integers(-4, 4), min_size=2, max_size=6), reals(-1, 1), reals(-1, 1))
def test_continuously_differentiable_functions_are_lipschitz(
    coefficients: list[int], x: float, y: float
) -> None:
    """A polynomial on [-1, 1] is Lipschitz with the greatest |f'|."""
    f = np.polynomial.Polynomial(coefficients)
    slope = f.deriv()
    turns = [t.real for t in slope.deriv().roots() if abs(t.imag) < 1e-7 and abs(t.real) <= 1]
    L = max(abs(float(slope(t))) for t in (-1.0, 1.0, *turns))
    assert abs(float(f(x)) - float(f(y))) <= L * abs(x - y) * (1 + 1e-6) + 1e-12


@pytest.mark.claim("supplement-a3")
@given(several(reals(-9, 9), 4), several(reals(-9, 9), 4), reals(0, 0.999),
       several(reals(-1, 1), 2))  # fmt: skip
def test_convex_functions_are_lipschitz_in_the_interior(
    a: list[float], b: list[float], r: float, places: list[float]
) -> None:
    """A convex function on (-1, 1) with |f| <= 1 there is Lipschitz on [-r, r] with 2 / (1 - r)."""

    def f(x: float) -> float:
        return max(s * x + t for s, t in zip(a, b, strict=True))

    pairs = itertools.combinations(zip(a, b, strict=True), 2)
    crossings = [(u - t) / (s - q) for (s, t), (q, u) in pairs if abs(t - u) < abs(s - q)]
    size = max(abs(f(x)) for x in (-1.0, 1.0, *crossings))
    assume(size > 1e-6)
    x, y = (r * t for t in places)
    assert abs(f(x) - f(y)) / size <= 2 / (1 - r) * abs(x - y) + 1e-9


WALSH = np.array([[(-1) ** (k & j).bit_count() for j in range(8)] for k in range(1, 8)], float)
"""Seven variables on eight outcomes: mean 0, variance 1, uncorrelated."""


@st.composite
def functions(draw: st.DrawFn, d_e: int) -> tuple[Callable[[Floats], Any], float]:
    """Return a Lipschitz function of d_e coordinates, on rows of an array, and its constant."""
    L = draw(st.sampled_from([1.0, 3.0, 0.5]))
    if draw(st.booleans()):
        a = np.array(draw(several(reals(-1, 1), d_e)))
        assume(np.any(a))
        a *= L / np.linalg.norm(a)
        return (lambda x: x @ a), L
    centers = np.array([draw(several(reals(-1, 1), d_e)) for _ in range(2)])
    heights = np.array(draw(several(reals(0, 1), 2)))
    return (
        lambda x: (heights + L * np.linalg.norm(x[..., None, :] - centers, axis=-1)).min(axis=-1)
    ), L


@pytest.mark.claim("larger-improvement")
@given(st.data(), st.integers(1, 3), st.integers(1, 3), reals(0.01, 2))
def test_the_mean_improvement_is_at_most_a_multiple_of_the_norm(
    data: st.DataObject, d_e: int, d: int, sigma: float
) -> None:
    """E(f(0) - g(y)) <= sqrt(d_e) sigma L ||y||, for entries of mean 0 and variance sigma^2,
    uncorrelated within each row: exact means over eight outcomes."""
    rows = [
        WALSH[data.draw(st.permutations(range(7)))[:d]][:, data.draw(st.permutations(range(8)))].T
        for _ in range(d_e)
    ]
    A = sigma * np.array(rows).transpose(1, 0, 2)
    f, L = data.draw(functions(d_e))
    y = np.array(data.draw(several(reals(-1, 1), d)))
    gain = f(np.zeros(d_e)) - f(np.clip(A @ y, -1, 1))
    bound = math.sqrt(d_e) * sigma * L * float(np.linalg.norm(y))
    assert float(np.mean(np.maximum(gain, 0))) <= bound * (1 + 1e-12)


def tail(x: float) -> float:
    """Return P(|z| >= x) of a standard normal z."""
    return float(special.erfc(x / math.sqrt(2)))


@pytest.mark.claim("end-to-end")
@given(st.integers(1, 20), reals(0, 4), reals(0, 1), reals(0, 3))
def test_the_probability_of_the_end_to_end_bound_for_one_coordinate(
    P: int, t: float, a: float, threshold: float
) -> None:
    """For d = 1, where all laws are known: P(some matrix covers x* and is at most sigma (2 + t),
    and all exceed a sigma) is at least 1 - (1 - (pi - e^(-t^2/2)))^P - P sqrt(2/pi) a. |z| covers
    x* from the threshold |x*| / (sigma R) on."""
    pi = tail(threshold)
    good = max(0.0, tail(max(threshold, a)) - tail(2 + t))  # covers, not large, not small
    large = tail(a)  # not small
    exact = large**P - (large - good) ** P
    promised = 1 - (1 - max(0.0, pi - math.exp(-t * t / 2))) ** P - P * math.sqrt(2 / math.pi) * a
    assert exact >= promised - 1e-12


@pytest.mark.claim("iterations-at-one-depth")
@given(instances(max_v=60, max_h=4), oracles(), st.randoms())
def test_with_a_greater_nu_min_the_nodes_as_good_bound_the_iterations(
    instance: Instance, g: Oracle, random: Any
) -> None:
    """If nu_min > v before every visit of depth h from the one where o is a leaf, v its value, then
    each such visit expands a node of depth h with a value of at most v."""
    steps = watched(instance, g)
    leaves = {node: value for _, before in steps for node, value in before.items()}
    assume(leaves)
    o = random.choice(sorted(leaves))
    waits = list(visits_that_wait(steps, o))
    assume(waits and all(nu > leaves[o] for nu, _ in waits))
    made = sum(len(visit.evaluations) for visit, _ in steps)
    last = steps[-1][0] if made == instance.v else None
    assert all(
        visit is last or any(x <= leaves[o] for _, x in visit.expansions) for _, visit in waits
    )


class OneHot:
    """In place of a random generator: all draws are 0, but for one, which is 1."""

    def __init__(self, place: int) -> None:
        self.place, self.at = place, 0

    def standard_normal(self, out: Floats) -> Floats:
        out[:] = 0.0
        if self.at <= self.place < self.at + out.size:
            out[self.place - self.at] = 1.0
        self.at += out.size
        return out


def linear_map(settings: Settings, rows: int, nodes: list[Node], draws: int) -> Floats:
    """Return the matrix that takes the Gaussian draws to the points, one after another.

    The points are linear in the draws where nothing is clipped, so their law is that of L z.
    """
    columns = []
    for k in range(draws):
        fresh = Fresh(settings, np.random.default_rng(0), rows)
        fresh.rng = OneHot(k)  # type: ignore[assignment]  # has what a sampler calls
        columns.append(fresh.project([(node, 1) for node in nodes]).ravel())
    return np.array(columns).T


@pytest.mark.claim("radial-collapse", "samplers-agree", "effective-coordinates")
@given(
    st.integers(1, 3), st.integers(1, 3), st.sampled_from([3, 5]),
    st.sampled_from(["norm", "matrix"]),
    several(st.integers(0, 2), 4), several(st.integers(0, 2), 2),
)  # fmt: skip
def test_the_law_of_an_observation_depends_on_the_norm_alone(
    d: int, rows: int, K: int, sampler: Sampler, one: list[int], other: list[int]
) -> None:
    """The points of two evaluations are L z with L L' = sigma^2 diag(||y||^2 I, ||y'||^2 I):
    independent, with a law that depends on the norm alone, whatever is computed besides."""
    settings = Settings(d + rows, d, 9, eta=0.5, K=K, sigma=1e-4, sampler=sampler)
    nodes = [descend(digits, d, K) for digits in (one, other)]
    L = linear_map(settings, rows, nodes, 2 * rows * (1 if sampler == "norm" else d))
    squares = [math.dist(base_point(node, settings), [0] * d) ** 2 for node in nodes]
    wanted = settings.sigma**2 * np.diag(np.repeat(squares, rows))
    np.testing.assert_allclose(L @ L.T, wanted, rtol=1e-9, atol=1e-9 * settings.sigma**2)
