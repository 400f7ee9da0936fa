"""Specification of `hunter`, its limits: the evaluation cap, the budget, the end of a run."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paper.definitions import Oracle, Point, squared_norm
from paper.instances import (
    Hashed,
    Instance,
    Listed,
    Recorder,
    decimal,
    exact_base_point,
    expansions_of_sweeps,
    instances,
    oracles,
    package_run,
)


@pytest.mark.claim("zero-vector-once")
@given(instances(), oracles())
@example(Instance(1, 3, 0.3, 10**6, 6, 120), Listed([0.0]))
def test_the_zero_vector_is_evaluated_once(instance: Instance, g: Oracle) -> None:
    run = package_run(instance, g)
    zeros = [e for visit in run.visits for e in visit.evaluations if not any(e.y)]
    assert len(zeros) == 1
    assert zeros[0].node == (0, 0)


def floor_of_M_norm(M: Fraction, y: Point) -> int:
    """Return floor(M ||y||), exactly."""
    square = M**2 * squared_norm(y)
    return math.isqrt(square.numerator // square.denominator)


@pytest.mark.claim("evaluation-cap")
@given(instances(max_h=10), oracles())
def test_evaluations_of_a_base_point_are_capped(instance: Instance, g: Oracle) -> None:
    """At most floor(M ||y||) + 1, each numbered by p, the one after those before it."""
    run = package_run(instance, g)
    numbers: dict[Point, list[int]] = {}
    for visit in run.visits:
        for e in visit.evaluations:
            numbers.setdefault(e.y, []).append(e.p)
    for y, ps in numbers.items():
        assert ps == list(range(1, len(ps) + 1))
        assert len(ps) <= floor_of_M_norm(decimal(instance.M), y) + 1


@pytest.mark.claim("evaluation-cap")
@given(
    st.sampled_from([3, 5]),
    st.integers(1, 3),
    st.sampled_from([0.3, 0.7, Fraction(1, 3), 0.2, 0.6]),
    st.integers(1, 4),
)
@example(3, 1, 0.7, 1)
def test_the_cap_is_attained_where_M_times_the_norm_is_an_integer(
    K: int, d: int, eta: float | Fraction, wanted: int
) -> None:
    """For the base point 2R/K e_0 and M = wanted/||y||: exactly wanted + 1 evaluations.

    Its branch of center children is drilled by the only finite values, down to h_max, deep
    enough that the depth does not stop the evaluations before the cap does.
    """
    y = (2 * d / decimal(eta) / K,) + (Fraction(0),) * (d - 1)
    M = wanted / y[0]
    instance = Instance(d, K, eta, M, wanted + 3, 10**4)
    recorder = Recorder(instance, lambda k, at, p: -float(p) if at == y else 1e6 + k)
    count = 0
    while recorder.visit.sweep < 2 * wanted + 8:
        count += sum(
            exact_base_point(node, d, K, instance.R) == y for node, _ in recorder.visit.evaluations
        )
        assert recorder.step()
    assert count == wanted + 1


@pytest.mark.claim("sweep-expands", "termination", "budget-exact")
@given(instances(max_h=2, max_v=120), oracles())
@example(Instance(1, 3, 0.3, 0, 0, 100), Listed([1.0]))
def test_every_sweep_but_the_last_expands_a_node(instance: Instance, g: Oracle) -> None:
    """The last one does as well, unless the tree is full: then it ends the run."""
    run = package_run(instance, g)
    counts = expansions_of_sweeps(run)
    assert all(counts[:-1])
    made = sum(len(visit.evaluations) for visit in run.visits)
    if counts and counts[-1] == 0:
        assert all(h == instance.h_max + 1 for h, _ in run.leaves)
        assert len(run.leaves) == instance.K ** (instance.h_max + 1)
    else:
        assert made == instance.v


@pytest.mark.claim("termination")
@pytest.mark.parametrize(("K", "d", "h_max"), [(3, 1, 3), (3, 2, 4), (5, 3, 1), (7, 2, 0)])
def test_a_full_tree_ends_the_run_before_the_budget(K: int, d: int, h_max: int) -> None:
    """All (K^(h_max+1) - 1)/(K - 1) nodes are expanded; the printed loop would then spin."""
    run = package_run(Instance(d, K, 0.3, 0, h_max, 10**6), Hashed(1, range(100)))
    assert sum(expansions_of_sweeps(run)) == (K ** (h_max + 1) - 1) // (K - 1)
    assert expansions_of_sweeps(run)[-1] == 0
    assert run.visits[-1].l == h_max
    assert run.sweeps == run.visits[-1].sweep
    assert sum(len(visit.evaluations) for visit in run.visits) == K ** (h_max + 1)
