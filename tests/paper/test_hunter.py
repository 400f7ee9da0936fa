"""Algorithm 1, line by line, and the reading of what it leaves open."""

import math
from fractions import Fraction
from itertools import groupby, islice, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedded_hunter.hunter import hunt
from embedded_hunter.node import Node, children
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree
from paper.definitions import Evaluated, Oracle, Point, Visit, cell
from paper.instances import (
    INF,
    Instance,
    Listed,
    Recorder,
    classes,
    instances,
    name,
    oracles,
    package_run,
    watch,
)

# --- the smallest runs: the root, its children, the end -----------------------------------------


FIFTY, FALLING = Instance(1, 3, 0.3, 0, 5, 50), Listed([4.0, 3.0, 2.0])
"""A run that its budget ends, and its values, round and round."""


@pytest.mark.claim("alg1-line-3")
def test_the_first_sweep_visits_the_depth_of_the_root() -> None:
    visits = islice(watch(FIFTY, FALLING), 2)
    assert [(visit.sweep, visit.l) for visit, _, _ in visits] == [(0, 0), (1, 0)]


@pytest.mark.claim("budget-exact", "alg1-line-1")
@pytest.mark.parametrize("v", [1, 2, 3])
def test_the_budget_is_used_to_the_last_evaluation_that_of_the_root_included(v: int) -> None:
    """h_max = 5, M = 0: the root and its two new children, as far as the budget reaches."""
    run = package_run(Instance(1, 3, 0.3, 0, 5, v), Listed([4.0, 3.0, 2.0]))
    assert sum(len(visit.evaluations) for visit in run.visits) == v


@pytest.mark.claim("alg1-line-10")
def test_after_the_first_sweep_the_leaves_are_the_children_of_the_root() -> None:
    for visit, leaves, _ in watch(FIFTY, FALLING):
        if visit.sweep == 2:
            assert sorted(map(name, leaves)) == [(1, 0), (1, 1), (1, 2)]
            return


@pytest.mark.claim("alg1-line-5")
def test_of_the_first_two_leaves_of_equal_norm_that_with_the_lower_value_is_expanded() -> None:
    """Their values are 3 and 2."""
    for visit, _, _ in watch(FIFTY, FALLING):
        if visit.l == 1:
            assert visit.expansions[0].leaf.f_star == 2.0
            return


@pytest.mark.claim("alg1-line-1", "termination")
def test_a_sweep_that_expands_a_leaf_is_followed_by_another_one() -> None:
    """Unless the budget is used: 50 evaluations here."""
    run = package_run(FIFTY, FALLING)
    assert run.sweeps > 1


@pytest.mark.claim("budget-exact", "alg1-line-10")
def test_an_expansion_that_just_fits_the_budget_enters_the_tree() -> None:
    """v = 3: the root and its two new children."""
    run = package_run(Instance(1, 3, 0.3, 0, 5, 3), Listed([4.0, 3.0, 2.0]))
    assert set(run.leaves) == {(1, 0), (1, 1), (1, 2)}


@pytest.mark.claim("budget-exact", "alg1-line-10", "alg1-line-17")
def test_an_expansion_that_the_budget_cuts_leaves_the_tree_as_it_was() -> None:
    """v = 2: one child is evaluated; its value counts for the answer."""
    run = package_run(Instance(1, 3, 0.3, 0, 5, 2), Listed([4.0, 3.0]))
    assert (run.leaves, run.answer, run.depth) == ({(0, 0): 4.0}, 3.0, 0)


@pytest.mark.claim("alg1-line-3", "termination")
def test_no_leaf_deeper_than_h_max_is_expanded() -> None:
    """h_max = 0: the root is expanded, and nothing else in the first three sweeps."""
    expanded = []
    for visit, _, _ in watch(Instance(1, 3, 0.3, 0, 0, 100), Listed([4.0, 3.0, 2.0])):
        expanded += [name(leaf) for leaf, _ in visit.expansions]
        if visit.sweep == 3:
            break
    assert expanded == [(0, 0)]


@pytest.mark.claim("termination", "alg1-line-1")
def test_a_sweep_that_expands_nothing_ends_the_run() -> None:
    """h_max = 0: the tree is full after three evaluations of a hundred. The printed loop spins."""
    run = package_run(Instance(1, 3, 0.3, 0, 0, 100), Listed([4.0, 3.0, 2.0]))
    assert (sum(len(visit.evaluations) for visit in run.visits), run.sweeps) == (3, 2)


# --- line by line -------------------------------------------------------------------------------


@pytest.mark.claim("alg1-line-2", "nan-and-inf")
@given(instances(), oracles())
@example(Instance(1, 3, 0.3, 0, 3, 20), Listed([INF]))
def test_nu_min_is_infinite_again_at_the_start_of_each_sweep(instance: Instance, g: Oracle) -> None:
    """The first leaf that a sweep comes to is expanded, whatever its value, +inf included."""
    first_of = {0}
    for visit, leaves, _ in watch(instance, g):
        at_depth = classes(leaves, visit.l)
        if visit.sweep not in first_of and at_depth:
            first_of.add(visit.sweep)
            assert name(visit.expansions[0].leaf) == name(at_depth[0][0])


@pytest.mark.claim("loop-bound-static", "alg1-line-3")
@given(instances(), oracles())
def test_a_sweep_visits_the_depths_that_the_tree_had_at_its_start(
    instance: Instance, g: Oracle
) -> None:
    """l = 0, 1, ..., min(depth(T), h_max), each once; the end of the budget cuts the list."""
    sweep, expected, cut = 0, [0], False
    for visit, leaves, left in watch(instance, g):
        if visit.sweep > sweep:
            assert expected == []
            sweep = visit.sweep
            expected = list(range(min(max(leaf.h for leaf in leaves), instance.h_max) + 1))
        assert visit.l == expected.pop(0)
        cut = len(visit.evaluations) == left
    assert expected == [] or cut


@pytest.mark.claim("alg1-line-4", "expansions-per-iteration", "norms-of-depth")
@given(instances(), oracles())
def test_the_leaves_that_a_visit_expands_are_of_its_depth_and_their_norms_decrease(
    instance: Instance, g: Oracle
) -> None:
    for visit, _, _ in watch(instance, g):
        assert all(leaf.h == visit.l for leaf, _ in visit.expansions)
        assert all(one.leaf.nrm > other.leaf.nrm for one, other in pairwise(visit.expansions))


@pytest.mark.claim("alg1-line-5", "ties-least-index")
@given(instances(), oracles())
def test_the_leaf_of_least_f_star_in_its_class_is_expanded_ties_go_to_the_least_index(
    instance: Instance, g: Oracle
) -> None:
    for visit, leaves, _ in watch(instance, g):
        for leaf, _ in visit.expansions:
            rivals = [node for node in leaves if (node.h, node.nrm) == (leaf.h, leaf.nrm)]
            assert (leaf.f_star, leaf.i) == min((node.f_star, node.i) for node in rivals)


@pytest.mark.claim("alg1-line-6", "alg1-line-7", "expansions-per-iteration", "frozen-classes")
@given(instances(), oracles())
def test_the_best_leaf_of_a_class_is_expanded_if_and_only_if_it_is_below_nu_min(
    instance: Instance, g: Oracle
) -> None:
    """Strictly below, and nu_min becomes its f*. The classes are those before the visit."""
    sweep, nu_min = 0, None
    for visit, leaves, left in watch(instance, g):
        if visit.sweep > sweep:
            sweep, nu_min = visit.sweep, None
        expected = []
        for L_j in classes(leaves, visit.l) if visit.t else []:
            if nu_min is None or L_j[0].f_star < nu_min:
                nu_min = L_j[0].f_star
                expected.append(name(L_j[0]))
        found = [name(leaf) for leaf, _ in visit.expansions]
        cut = len(visit.evaluations) == left
        assert found == (expected[: len(found)] if cut else expected)


@pytest.mark.claim("budget-exact", "alg1-line-7")
def test_no_leaf_is_expanded_after_the_budget_is_used() -> None:
    """v = 5: the first leaf of depth 1 takes the last two; the one of value 1 would be next."""
    run = package_run(Instance(1, 3, 0.3, 0, 5, 5), Listed([1.0, 3.0, 2.0]))
    assert len(run.visits[-1].expansions) == 1


@pytest.mark.claim("expansions-per-iteration")
def test_a_visit_can_expand_a_leaf_of_each_norm() -> None:
    """d = 1, values 1, 9, 9, 0, 4: sweep 2 expands an outer leaf of depth 1, and the center."""
    run = package_run(Instance(1, 3, 0.3, 0, 3, 100), Listed([1.0, 9.0, 9.0, *97 * [0.0]]))
    (visit,) = [visit for visit in run.visits if visit.sweep == 2 and visit.l == 1]
    assert [node for node, _ in visit.expansions] == [(1, 0), (1, 1)]


@pytest.mark.claim("strict-expansion-sentence")
@given(instances(), oracles())
def test_after_a_visit_nu_min_is_the_least_value_seen_in_the_sweep(
    instance: Instance, g: Oracle
) -> None:
    """What Algorithm 1 does in place of the sentence: it compares with all leaves visited."""
    seen: list[float] = []
    nu_min, sweep = None, 0
    for visit, leaves, left in watch(instance, g):
        if visit.sweep > sweep:
            sweep, nu_min, seen = visit.sweep, None, []
        if len(visit.evaluations) < left and visit.t:
            seen += [leaf.f_star for leaf in leaves if leaf.h == visit.l]
            nu_min = visit.expansions[-1].leaf.f_star if visit.expansions else nu_min
            assert nu_min == min(seen, default=None)


@pytest.mark.claim("alg1-line-8")
@given(instances(), oracles())
def test_a_leaf_is_expanded_into_its_K_children(instance: Instance, g: Oracle) -> None:
    for visit, _, _ in watch(instance, g):
        for leaf, made in visit.expansions:
            assert list(map(name, made)) == list(map(name, children(leaf, instance.K)))


@pytest.mark.claim("alg1-line-9", "evaluation-cap", "batch-equivalence")
@given(instances(), oracles())
def test_the_children_are_evaluated_from_left_to_right_as_far_as_the_cap_allows(
    instance: Instance, g: Oracle
) -> None:
    """A new base point always, one with a past iff it was evaluated at most M ||y|| times."""
    for visit, _, left in watch(instance, g):
        expected = [
            child for _, made in visit.expansions for child in made if instance.allows(child)
        ]
        found = [node for node, _ in visit.evaluations]
        assert not visit.t or found == expected[:left]


@pytest.mark.claim("evaluation-cap", "alg1-line-9")
@given(instances(max_h=10), oracles())
def test_the_evaluations_of_a_base_point_are_numbered_from_one(
    instance: Instance, g: Oracle
) -> None:
    numbers: dict[Point, list[int]] = {}
    for visit in package_run(instance, g).visits:
        for e in visit.evaluations:
            numbers.setdefault(e.y, []).append(e.p)
    assert all(ps == list(range(1, len(ps) + 1)) for ps in numbers.values())


@pytest.mark.claim("center-child", "alg1-line-9")
@given(instances(max_h=8), oracles())
def test_a_leaf_has_the_best_value_of_its_base_point_and_the_number_of_its_evaluations(
    instance: Instance, g: Oracle
) -> None:
    """Of all that were made there, in its ancestors as well."""
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
            past = values[instance.base_point(leaf)]
            assert leaf.f_star == min(past)
            assert leaf.evaluations == len(past)


@pytest.mark.claim("alg1-line-10", "alg1-line-13", "leaves-by-depth")
@given(instances(), oracles())
def test_the_children_take_the_place_of_their_parent_in_the_tree(
    instance: Instance, g: Oracle
) -> None:
    """Of all parents that a visit expands; what the budget cuts is specified with the budget."""
    expected = {(0, 0)}
    for visit, leaves, left in watch(instance, g):
        assert {name(leaf) for leaf in leaves} == (expected if visit.t else set())
        for leaf, made in visit.expansions if len(visit.evaluations) < left else []:
            expected -= {name(leaf)}
            expected |= set(map(name, made))


@pytest.mark.claim("partition-coverage")
@given(instances(max_v=60), oracles(), st.data())
def test_the_leaves_partition_Y_at_every_step(
    instance: Instance, g: Oracle, data: st.DataObject
) -> None:
    d, K, R = instance.d, instance.K, instance.R
    parts = st.integers(-(K**3), K**3 - 1)
    point = tuple(R * Fraction(data.draw(parts), K**3) for _ in range(d))
    for visit, leaves, _ in watch(instance, g):
        if visit.t == 0:
            continue
        cells = [cell(name(leaf), d, K, R) for leaf in leaves]
        volumes = [math.prod(high - low for low, high in box) for box in cells]
        assert sum(volumes) == (2 * R) ** d
        inside = (
            all(low <= a < high for (low, high), a in zip(box, point, strict=True)) for box in cells
        )
        assert sum(inside) == 1


@pytest.mark.claim("alg1-line-14", "alg1-line-15", "alg1-line-16")
@given(instances(), oracles())
def test_t_counts_the_visits_of_a_depth_one_after_another(instance: Instance, g: Oracle) -> None:
    """From 1; t = 0 is the evaluation of the root. Visits that expand nothing count as well."""
    run = package_run(instance, g)
    assert [visit.t for visit in run.visits] == list(range(run.t + 1))


@pytest.mark.claim("alg1-line-17")
@given(instances(), oracles())
def test_the_answer_is_the_least_of_all_values(instance: Instance, g: Oracle) -> None:
    """That of the root included, and those of an expansion that the budget cuts."""
    run = package_run(instance, g)
    assert run.answer == min(e.value for visit in run.visits for e in visit.evaluations)


@pytest.mark.claim("batch-equivalence")
def test_a_visit_takes_one_value_for_each_of_its_evaluations() -> None:
    run = hunt(Settings(5, 2, 10))
    next(run)
    with pytest.raises(ValueError, match="zip"):
        run.send([1.0, 2.0])


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


@pytest.mark.claim("alg1-line-6", "norm-classes")
@given(instances(), oracles())
def test_a_depth_without_a_leaf_below_nu_min_is_passed_without_reading_its_classes(
    instance: Instance, g: Oracle
) -> None:
    """Most visits expand nothing, and must not cost what a depth holds."""
    read: list[int] = []

    class Watched(Tree):
        def norm_classes(self, h: int) -> list[list[Node]]:
            found = super().norm_classes(h)
            read.extend([h] * bool(found))
            return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("embedded_hunter.hunter.Tree", Watched)
        recorder = Recorder(instance, g)
        while recorder.step():
            pass
    expanding = [visit.l for visit in recorder.visits[1:] if visit.expansions]
    assert [h for h, _ in groupby(read)] == [l for l, _ in groupby(expanding)]
