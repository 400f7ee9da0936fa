"""RESOO: P trees of SOO, each in its own embedding, each with its share of the budget."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from embedded_hunter import minimize
from embedded_hunter.hunter import Visit
from embedded_hunter.matrices import Floats
from embedded_hunter.projection import Indexed
from embedded_hunter.settings import Settings
from paper.definitions import Point
from paper.instances import exact_base_point, visits_of
from regression.baselines import Spy, crooked, functions, hashed
from regression.brute_force_soo import Function, munos
from reproduction.baselines.resoo import hunt_resoo, shares

CUBE = [(-1.0, 1.0)] * 6


def visits(f: Callable[[Floats], float], settings: Settings, P: int, seed: int) -> list[Visit]:
    """Run RESOO with P trees on f and return its visits, those without evaluations too."""
    project = Indexed(settings, np.random.default_rng(seed), settings.n).project
    run = hunt_resoo(settings, P)
    answered = visits_of(run, lambda visit: [f(x) for x in project(visit.evaluations)])
    return [visit for visit, _ in answered]


@given(st.integers(1, 10**12), st.integers(1, 60) | st.integers(1, 10**12))
def test_shares_add_up_and_differ_by_at_most_one(v: int, P: int) -> None:
    if min(v, P) > 100:
        v, P = v % 100 + 1, P  # a list of so many shares would take too long
    given = shares(v, P)
    assert sum(given) == v
    assert len(given) == min(v, P)
    assert max(given) - min(given) <= 1
    assert all(one >= other for one, other in pairwise(given))


def tree_by_tree(
    settings: Settings, P: int, functions: dict[int, Function]
) -> dict[int, tuple[list[Point], list[int]]]:
    """Return by p the points of Y / R of tree p, and the places of its evaluations in the run."""
    trees: dict[int, tuple[list[Point], list[int]]] = {}
    made = 0

    def evaluate(visit: Visit) -> list[float]:
        nonlocal made
        values = []
        for node, p in visit.evaluations:
            point = exact_base_point(node, settings.d, settings.K, Fraction(1))
            points, places = trees.setdefault(p, ([], []))
            points.append(point)
            places.append(made)
            made += 1
            values.append(functions[p](point))
        return values

    for _ in visits_of(hunt_resoo(settings, P), evaluate):
        pass
    return trees


@given(
    st.integers(1, 3), st.sampled_from([3, 5]), st.integers(1, 100), st.integers(1, 7), st.data()
)
@pytest.mark.claim("supplement-a2")
def test_each_tree_is_soo_on_its_own_function_and_knows_nothing_of_the_others(
    d: int, K: int, v: int, P: int, data: st.DataObject
) -> None:
    """Tree p is the listing's SOO with its share of v, h_max the root of that, on function p."""
    given = {p: data.draw(functions()) for p in range(1, P + 1)}
    trees = tree_by_tree(Settings(max(d, 3), d, v, K=K), P, given)
    assert list(trees) == list(range(1, min(v, P) + 1))
    start = 0
    for p, share in enumerate(shares(v, P), 1):
        alone = munos(given[p], d=d, K=K, h_max=math.isqrt(share), v=share)
        points, places = trees[p]
        assert points == alone.points
        assert places == list(range(start, start + share))  # the trees come one after another
        start += share


@pytest.mark.claim("supplement-a2")
def test_h_max_of_a_tree_is_the_root_of_its_share() -> None:
    """Table 1: h_max = sqrt(v/P). The budget would do for a deeper tree; base points tell."""
    v = 3000
    for P in (1, 3):
        any_function = hashed(1, [float(k) for k in range(1000)])
        trees = tree_by_tree(Settings(6, 1, v), P, dict.fromkeys(range(1, P + 1), any_function))
        for points, _ in trees.values():
            finest = max((x + 1).denominator for (x,) in points)
            assert finest == 3 ** (math.isqrt(v // P) + 1)


@pytest.mark.claim("supplement-a2")
@pytest.mark.parametrize(
    ("d", "K", "eta", "P"), [(1, 3, 0.3, 1), (2, 3, 0.2, 1), (3, 5, 0.5, 1), (2, 3, 0.3, 4)]
)
def test_a_tree_is_soo_in_its_own_embedding(d: int, K: int, eta: float, P: int) -> None:
    """The listing's SOO on y -> f(P_X(A_p y)), y in [-d/eta, d/eta]^d, to rounding."""
    v = 150
    spy = Spy(crooked)
    settings = Settings(6, d, v, eta=eta, K=K)
    last = visits(spy, settings, P, 8)[-1]
    matrices = Indexed(settings, np.random.default_rng(8), 6)
    runs, points = [], []
    for p, share in enumerate(shares(v, P), 1):
        A = matrices.matrix(p)

        def point(y: Point, A: Floats = A) -> Floats:
            x: Floats = np.clip(A @ np.array(y, dtype=float), -1, 1)
            return x

        def value(y: Point, A: Floats = A) -> float:
            return crooked(point(y, A))

        h_max = math.isqrt(share)
        runs.append(munos(value, d=d, K=K, h_max=h_max, v=share, R=settings.radius))
        points += [point(y) for y in runs[-1].points]
    values = [value for run in runs for value in run.values]
    assert spy.values == pytest.approx(values, rel=1e-12)
    np.testing.assert_allclose(spy.points, points, rtol=0, atol=1e-12)
    assert last.sweep == sum(run.sweeps for run in runs)
    assert last.t == sum(run.visits for run in runs) + P - 1  # the roots but the first
    assert last.tree.leaf_count == len(runs[-1].leaves)


@pytest.mark.claim("conclusion-zero-vector")
@pytest.mark.parametrize("P", [1, 2, 7])
def test_the_zero_vector_is_evaluated_once_in_each_tree_but_once_by_the_hunter(P: int) -> None:
    theirs, ours = Spy(crooked), Spy(crooked)
    visits(theirs, Settings(6, 3, 140), P, 2)
    minimize(ours, CUBE, policy="fresh", d=3, maxfun=140, M=P, rng=2)
    places = [k for k, x in enumerate(theirs.points) if not x.any()]
    assert places == list(range(0, 140, 140 // P))  # the root of each tree
    assert len({theirs.values[k] for k in places}) == 1  # for one and the same value
    assert sum(not x.any() for x in ours.points) == 1
