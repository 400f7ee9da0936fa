"""Algorithm 1, its limits: the end of a run, the budget, the evaluation cap, extreme values."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedded_hunter import EvaluationError, minimize
from paper.definitions import Oracle, Point, squared_norm
from paper.instances import (
    INF,
    Instance,
    Listed,
    decimal,
    expansions_of_sweeps,
    instances,
    oracles,
    package_run,
)

LINES = [f"alg1-line-{k}" for k in range(1, 18)]


# --- the end -----------------------------------------------------------------------------------


@pytest.mark.claim("termination", "alg1-line-1")
@pytest.mark.parametrize(("K", "d", "h_max"), [(3, 1, 3), (3, 2, 4), (5, 3, 1), (7, 2, 0)])
def test_a_full_tree_ends_the_run_before_the_budget(K: int, d: int, h_max: int) -> None:
    """All (K^(h_max+1) - 1)/(K - 1) nodes are expanded; the printed loop would then spin."""
    run = package_run(Instance(d, K, 0.3, 0, h_max, 10**6), Listed(range(100)))
    assert sum(expansions_of_sweeps(run)) == (K ** (h_max + 1) - 1) // (K - 1)
    assert expansions_of_sweeps(run)[-1] == 0
    assert run.visits[-1].l == h_max
    assert sum(len(visit.evaluations) for visit in run.visits) == K ** (h_max + 1)


@pytest.mark.claim("sweep-expands", "termination")
@given(instances(max_h=2, max_v=120), oracles())
@example(Instance(1, 3, 0.3, 0, 0, 100), Listed([1.0]))
def test_every_sweep_but_the_last_expands_a_node(instance: Instance, g: Oracle) -> None:
    """The last one does as well, unless the tree is full: then it ends the run."""
    run = package_run(instance, g)
    counts = expansions_of_sweeps(run)
    assert all(counts[:-1])
    if counts and counts[-1] == 0:
        assert all(h == instance.h_max + 1 for h, _ in run.leaves)
        assert len(run.leaves) == instance.K ** (instance.h_max + 1)


# --- the budget --------------------------------------------------------------------------------


@pytest.mark.claim("budget-exact", "alg1-line-1")
@given(instances(), oracles())
def test_the_budget_is_used_exactly_unless_the_tree_is_full_before(
    instance: Instance, g: Oracle
) -> None:
    run = package_run(instance, g)
    made = sum(len(visit.evaluations) for visit in run.visits)
    full = all(h == instance.h_max + 1 for h, _ in run.leaves)
    assert made == instance.v or (made < instance.v and full)


@pytest.mark.claim("budget-exact", "alg1-line-1")
@given(instances(max_v=60), oracles(), st.integers(1, 40))
def test_a_run_of_a_smaller_budget_is_the_beginning_of_one_of_a_larger_budget(
    instance: Instance, g: Oracle, more: int
) -> None:
    """Visit by visit; the last one expands nothing after the evaluation that ends the budget."""
    short = package_run(instance, g).visits
    long = package_run(instance._replace(v=instance.v + more), g).visits
    assert short[:-1] == long[: len(short) - 1]
    last, whole = short[-1], long[len(short) - 1]
    assert last.evaluations == whole.evaluations[: len(last.evaluations)]
    assert last.expansions == whole.expansions[: len(last.expansions)]
    parents = [(e.node[0] - 1, e.node[1] // instance.K) for e in last.evaluations]
    cut = last.evaluations != whole.evaluations or last.expansions != whole.expansions
    if cut and last.t and parents:
        assert last.expansions[-1][0] == parents[-1]


# --- the evaluation cap ------------------------------------------------------------------------


@pytest.mark.claim("zero-vector-once")
@given(instances(), oracles())
@example(Instance(1, 3, 0.3, 10**6, 6, 120), Listed([0.0]))
def test_the_zero_vector_is_evaluated_once(instance: Instance, g: Oracle) -> None:
    run = package_run(instance, g)
    zeros = [e for visit in run.visits for e in visit.evaluations if not any(e.y)]
    assert [e.node for e in zeros] == [(0, 0)]


@pytest.mark.claim("evaluation-cap")
@given(instances(max_h=10), oracles())
def test_a_base_point_is_evaluated_at_most_floor_of_M_times_its_norm_plus_one_times(
    instance: Instance, g: Oracle
) -> None:
    counts: dict[Point, int] = {}
    for visit in package_run(instance, g).visits:
        for e in visit.evaluations:
            counts[e.y] = counts.get(e.y, 0) + 1
    for y, count in counts.items():
        square = decimal(instance.M) ** 2 * squared_norm(y)
        assert count <= math.isqrt(square.numerator // square.denominator) + 1


# --- extreme values ----------------------------------------------------------------------------


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize("value", [INF, -INF, 0.0])
def test_a_run_whose_values_are_all_equal_or_infinite_uses_its_budget(value: float) -> None:
    """+inf is the worst value and -inf the best one; neither ends a run."""
    instance = Instance(2, 3, 0.3, 5, 4, 100)
    run = package_run(instance, Listed([value]))
    assert (sum(len(visit.evaluations) for visit in run.visits), run.answer) == (100, value)


@pytest.mark.claim("nan-and-inf")
def test_nan_is_refused_by_an_error_that_names_the_evaluation_and_has_the_result_so_far() -> None:
    values = iter([2.0, 1.0, math.nan])
    with pytest.raises(EvaluationError, match="evaluation 3") as caught:
        minimize(lambda x: next(values), [(-1, 1)] * 9, policy="fresh", d=2, maxfun=20, rng=1)
    assert caught.value.result.fun == 1.0


# --- whole runs ---------------------------------------------------------------------------------


@pytest.mark.claim("alg1-input", "batch-equivalence", "one-run", *LINES)
@given(instances(), oracles())
@example(Instance(1, 3, 0.3, 0.45, 6, 120), Listed([1.0]))
@example(Instance(2, 3, 0.3, 5, 3, 120), Listed([INF]))
@example(Instance(1, 3, 0.5, 0.75, 0, 4), Listed([0.0]))
def test_a_whole_run_is_that_of_the_listing_taken_literally(instance: Instance, g: Oracle) -> None:
    """Visits, expansions with nu_min, evaluations with base point and p, answer, leaves.

    The literal program evaluates each child when it is made, the package a whole visit at once.
    """
    ours, literal = package_run(instance, g), instance.literal(g)
    for visit, expected in zip(ours.visits, literal.visits, strict=False):
        assert visit == expected
    assert ours == literal
