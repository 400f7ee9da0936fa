"""SOO is the listing of Munos (2011): the same points in the same order, budgets exact."""

from fractions import Fraction
from math import isqrt

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from embedded_hunter.baselines.soo import consecutive, hunt_soo, soo
from embedded_hunter.matrices import Floats
from embedded_hunter.settings import Settings
from spec.algorithm.baselines import Spy, crooked, functions
from spec.algorithm.brute_force import Point
from spec.algorithm.brute_force_soo import Function, munos
from spec.algorithm.instances import INF, visits_of

CUBE = [(-1.0, 1.0)]


@st.composite
def shapes(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Return d, K, h_max, v: trees from a root alone to full ones, budgets that cut expansions."""
    return (
        draw(st.integers(1, 3)),
        draw(st.sampled_from([3, 5, 7])),
        draw(st.integers(0, 6)),
        draw(st.integers(1, 90)),
    )


@pytest.mark.claim("supplement-a2")
@given(shapes(), functions())
def test_a_run_is_that_of_the_listing(shape: tuple[int, int, int, int], f: Function) -> None:
    d, K, h_max, v = shape
    expected = munos(f, d=d, K=K, h_max=h_max, v=v)
    finest = K ** -(-(h_max + 1) // d)

    def exact(x: Floats) -> Point:
        return tuple(Fraction(round(float(a) * finest), finest) for a in x)

    spy = Spy(lambda x: f(exact(x)))
    result = soo(spy, CUBE * d, maxfun=v, K=K, h_max=h_max)
    assert [exact(x) for x in spy.points] == expected.points
    given = np.array(spy.points)
    assert np.abs(given - np.array(expected.points, dtype=float)).max() < 1e-14
    least = min(expected.values)
    assert (result.fun, result.nfev) == (least, len(expected.points))
    if least < INF:
        assert exact(result.x) == expected.points[expected.values.index(least)]
    assert (result.nit, result.nsweep) == (expected.visits, expected.sweeps)
    assert result.nleaves == len(expected.leaves)
    assert result.depth == max(h for h, _ in expected.leaves)
    flat = len(expected.values) > 1 and least == max(expected.values)
    ended = 0 if len(expected.points) == v else 1
    assert result.status == {INF: 8, -INF: 14}.get(least, 13 if flat else ended)


def test_h_max_is_the_root_of_the_budget_unless_given() -> None:
    """A sweep goes one depth further, and 1000 evaluations are enough for 33 sweeps."""

    def depth(h_max: int | None) -> int:
        depth: int = soo(crooked, CUBE, maxfun=1000, h_max=h_max).depth
        return depth

    assert depth(None) == isqrt(1000) + 1
    assert depth(5) == 6
    assert depth(100) > isqrt(1000) + 1


def test_consecutive_runs_are_numbered_through() -> None:
    runs = [hunt_soo(Settings(1, 1, v), p) for p, v in ((1, 7), (2, 1), (3, 12))]
    seen = [
        (visit.t, visit.sweep, [p for _, p in visit.evaluations])
        for visit, _ in visits_of(consecutive(runs), lambda visit: [1.0] * len(visit.evaluations))
    ]
    assert [t for t, _, _ in seen] == list(range(len(seen)))
    assert [sweep for _, sweep, _ in seen[:2]] == [0, 1]
    sweeps = [sweep for _, sweep, _ in seen]
    assert sweeps == sorted(sweeps)
    assert [p for _, _, ps in seen for p in ps] == [1] * 7 + [2] + [3] * 12
