"""SOO is the listing of Munos (2011): the same points in the same order, budgets exact."""

from collections.abc import Callable
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from embedded_hunter.hunter import Visit
from embedded_hunter.matrices import Floats
from embedded_hunter.settings import Settings
from paper.definitions import Point
from paper.instances import visits_of
from regression.baselines import Spy, functions
from regression.brute_force_soo import Function, munos
from reproduction.baselines.soo import Identity, consecutive, hunt_soo


def visits(f: Callable[[Floats], float], settings: Settings) -> list[Visit]:
    """Run SOO on f and return its visits, those without evaluations too."""
    project = Identity(settings).project
    run = visits_of(hunt_soo(settings), lambda visit: [f(x) for x in project(visit.evaluations)])
    return [visit for visit, _ in run]


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
    last = visits(spy, Settings(d, d, v, K=K, h_max=h_max))[-1]
    assert [exact(x) for x in spy.points] == expected.points
    given = np.array(spy.points)
    assert np.abs(given - np.array(expected.points, dtype=float)).max() < 1e-14
    assert spy.values == expected.values
    assert (last.t, last.sweep) == (expected.visits, expected.sweeps)
    assert last.tree.leaf_count == len(expected.leaves)
    assert last.tree.depth == max(h for h, _ in expected.leaves)


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
