"""Specification of `hunter`: Algorithm 1, line by line, and the reading of what it leaves open."""

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedded_hunter.hunter import hunt
from embedded_hunter.settings import Settings
from paper.definitions import Evaluated, Oracle, Point, Visit, cell, squared_norm
from paper.instances import (
    INF,
    Instance,
    Listed,
    Recorder,
    exact_base_point,
    instances,
    oracles,
    package_run,
)

LINES = [f"alg1-line-{k}" for k in range(1, 18)]
QUADRATIC: Oracle = lambda k, y, p: float(squared_norm(y))  # noqa: E731


@pytest.mark.claim("alg1-input", "batch-equivalence", *LINES)
@given(instances(), oracles())
@example(Instance(1, 3, 0.3, 0.45, 6, 120), Listed([1.0]))
@example(Instance(2, 3, 0.3, 5, 3, 120), Listed([INF]))
@example(Instance(1, 3, 0.5, 0.75, 0, 4), Listed([0.0]))
def test_a_run_is_what_the_definitions_say(instance: Instance, g: Oracle) -> None:
    """The whole trace: visits, expansions with nu_min, evaluations with base point and p.

    The brute force evaluates each child as soon as it is made, the package a whole visit at once.
    """
    ours, brute_force = package_run(instance, g), instance.literal(g)
    for visit, expected in zip(ours.visits, brute_force.visits, strict=False):
        assert visit == expected
    assert ours == brute_force


@pytest.mark.claim("alg1-line-8", "alg1-line-9", "alg1-line-10")
def test_the_first_sweep_is_the_one_computed_by_hand() -> None:
    """Y = [-5, 5]; the center child keeps the zero vector's value and is not evaluated again."""
    instance = Instance(1, 3, 0.2, 5, 1, 4)
    run = package_run(instance, Listed([4.0, 3.0, 2.0, 1.0]))
    third = Fraction(10, 3)
    assert run.visits[1] == Visit(
        1, 1, 0, (((0, 0), 4.0),),
        (Evaluated((1, 0), (-third,), 1, 3.0), Evaluated((1, 2), (third,), 1, 2.0)),
    )  # fmt: skip
    # Sweep 2: depth 0 is empty; at depth 1 the larger norm comes first and its least leaf is
    # (1, 2); its first child takes the last evaluation and does not enter the tree.
    assert run.visits[2] == Visit(2, 2, 0, (), ())
    last = Evaluated((2, 6), (Fraction(20, 9),), 1, 1.0)
    assert run.visits[3] == Visit(2, 3, 1, (((1, 2), 2.0),), (last,))
    assert run.leaves == {(1, 0): 3.0, (1, 1): 4.0, (1, 2): 2.0}
    assert (run.answer, run.t, run.sweeps, run.depth) == (1.0, 3, 2, 1)


@pytest.mark.claim("partition-coverage")
@given(instances(max_v=60), oracles(), st.data())
def test_the_leaves_partition_Y_at_every_step(
    instance: Instance, g: Oracle, data: st.DataObject
) -> None:
    d, K, R = instance.d, instance.K, instance.R
    point = tuple(
        R * Fraction(data.draw(st.integers(-(K**3), K**3 - 1)), K**3) for _ in range(instance.d)
    )
    recorder = Recorder(instance, g)
    going = True
    while going:
        going = recorder.step()
        cells = [cell((leaf.h, leaf.i), d, K, R) for leaf in recorder.visit.tree.leaves()]
        volumes = [math.prod(high - low for low, high in box) for box in cells]
        assert sum(volumes) == (2 * R) ** d
        home = [
            box
            for box in cells
            if all(low <= a < high for (low, high), a in zip(box, point, strict=True))
        ]
        assert len(home) == 1
    for k, one in enumerate(cells):
        for other in cells[:k]:
            assert any(
                high <= low_ or high_ <= low
                for (low, high), (low_, high_) in zip(one, other, strict=True)
            ), "the interiors of two leaves' cells meet"


@pytest.mark.claim(
    "alg1-line-5", "alg1-line-6", "alg1-line-7", "ties-least-index", "expansions-per-iteration"
)
@given(instances(), oracles())
def test_nu_min_strictly_decreases_and_the_least_leaf_of_a_class_is_chosen(
    instance: Instance, g: Oracle
) -> None:
    recorder = Recorder(instance, g)
    sweep, nu_min = 0, None
    going = True
    while going:
        visit = recorder.visit
        if visit.sweep > sweep:
            sweep, nu_min = visit.sweep, None
        before = list(visit.tree.leaves())
        norms = []
        for leaf, _ in visit.expansions:
            assert nu_min is None or leaf.f_star < nu_min
            nu_min = leaf.f_star
            assert leaf.h == visit.l
            rivals = [node for node in before if node.h == leaf.h and node.nrm == leaf.nrm]
            assert (leaf.f_star, leaf.i) == min((node.f_star, node.i) for node in rivals)
            norms.append(leaf.nrm)
        assert all(one > other for one, other in pairwise(norms))
        going = recorder.step()


@pytest.mark.claim("expansions-per-iteration")
def test_a_visit_can_expand_a_leaf_of_each_norm() -> None:
    """d = 1, g(y) = y^2: sweep 2 expands one of the two outer leaves of depth 1, and the center."""
    run = package_run(Instance(1, 3, 0.3, 0, 3, 100), QUADRATIC)
    (visit,) = [visit for visit in run.visits if visit.sweep == 2 and visit.l == 1]
    assert [node for node, _ in visit.expansions] == [(1, 0), (1, 1)]


@pytest.mark.claim("strict-expansion-sentence")
@given(instances(), oracles())
def test_after_a_visit_nu_min_is_the_least_value_seen_in_the_sweep(
    instance: Instance, g: Oracle
) -> None:
    """What Algorithm 1 does in place of the sentence: it compares with all leaves visited."""
    recorder = Recorder(instance, g)
    seen: list[float] = []
    nu_min: float | None = None
    sweep = 0
    going = True
    while going:
        visit = recorder.visit
        if visit.sweep > sweep:
            sweep, nu_min, seen = visit.sweep, None, []
        cut = recorder.made + len(visit.evaluations) == instance.v
        if not cut and visit.t:
            seen += [leaf.f_star for leaf in visit.tree.leaves() if leaf.h == visit.l]
            nu_min = visit.expansions[-1].leaf.f_star if visit.expansions else nu_min
            assert nu_min == min(seen, default=None)
        going = recorder.step()


@pytest.mark.claim("loop-bound-static", "alg1-line-3", "alg1-line-14")
@given(instances(), oracles())
def test_a_sweep_visits_the_depths_that_the_tree_had_at_its_start(
    instance: Instance, g: Oracle
) -> None:
    """l = 0, 1, ..., min(depth(T), h_max), one iteration t each; a budget's end cuts the list."""
    recorder = Recorder(instance, g)
    going, t = True, 0
    while going:
        visit = recorder.visit
        assert visit.t == t
        if visit.l == 0:
            lim = min(visit.tree.depth, instance.h_max) if t else 0
            expected = 0
        assert visit.l == expected <= lim
        last = visit.l == lim
        t, expected, sweep = t + 1, expected + 1, visit.sweep
        going = recorder.step()
        if going:
            assert last == (recorder.visit.l == 0) == (recorder.visit.sweep == sweep + 1)
        else:
            assert last or recorder.made == instance.v


@pytest.mark.claim("center-child", "alg1-line-9")
@given(instances(max_h=8), oracles())
def test_f_star_is_the_best_value_of_the_base_point(instance: Instance, g: Oracle) -> None:
    """For each leaf of the tree: the least of all values had at its base point."""
    recorder = Recorder(instance, g)
    values: dict[Point, list[float]] = {}
    going = True
    while going:
        going = recorder.step()
        if not going and recorder.made == instance.v:
            break  # a cut expansion may have evaluated more than the tree knows
        for e in recorder.visits[-1].evaluations:
            values.setdefault(e.y, []).append(e.value)
        for leaf in recorder.visit.tree.leaves():
            past = values[exact_base_point(leaf, instance.d, instance.K, instance.R)]
            assert leaf.f_star == min(past)
            assert leaf.evaluations == len(past)


@pytest.mark.claim("batch-equivalence")
def test_a_visit_takes_one_value_for_each_of_its_evaluations() -> None:
    run = hunt(Settings(5, 2, 10))
    next(run)
    with pytest.raises(ValueError, match="zip"):
        run.send([1.0, 2.0])
