"""Specification of `forest`: properties of its runs, one by one (the whole: `test_forest`)."""

from collections.abc import Iterator

import pytest

from embedded_hunter.forest.search import ForestVisit, hunt_forest, tree_of
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node

CASES = [
    ForestSettings(9, v, dimensions=(d,), evolve=False, K=K, n_embeddings=P)
    for d, K, P in ((1, 3, 2), (4, 3, 3), (2, 5, 1))
    for v in (1, 2, 7, 8, 9, 40, 41, 42, 43, 150, 151, 300)
]


def visits(settings: ForestSettings) -> Iterator[ForestVisit]:
    """Drive a run by values in a fixed disorder; yield each visit before it is answered."""
    run = hunt_forest(settings)
    visit, number = next(run), 0
    while True:
        assert isinstance(visit, ForestVisit)
        yield visit
        values = [float((number + k) * 37 % 101) for k in range(len(visit.evaluations))]
        number += len(values)
        try:
            visit = run.send(values)
        except StopIteration:
            return


@pytest.mark.parametrize("h", [0, 1, 40, 400])
def test_the_tree_of_a_node_whatever_its_depth(h: int) -> None:
    for p in (0, 1, 19):
        for i in (0, 3**h - 1):
            assert tree_of(Node(h, p * 3**h + i, (0,), 0), 3) == p


@pytest.mark.parametrize("settings", CASES)
def test_refinement_goes_on_while_it_has_fewer_evaluations(settings: ForestSettings) -> None:
    """Rule F6; a sweep of the forest begins when it has not. The zero vector is the forest's.

    The first one begins when every tree has had an evaluation of its own.
    """
    searched = refined = 0
    begun: set[int] = set()
    for visit in visits(settings):
        if visit.l == 0 and visit.t > 1:
            all_begun = len(begun) == settings.n_embeddings
            assert (visit.local is not None) == (all_begun and refined < searched)
        if visit.local is None:
            searched += len(visit.evaluations)
            begun.update(p for node, p in visit.evaluations if node.h)
        else:
            refined += len(visit.evaluations)
    assert searched + refined == settings.v


@pytest.mark.parametrize("settings", CASES)
def test_a_visit_of_a_local_search_is_a_generation(settings: ForestSettings) -> None:
    """Of 8 evaluations, or of what is left; it expands nothing, and counts as a visit."""
    made = 0
    for t, visit in enumerate(visits(settings)):
        assert visit.t == t
        if visit.local is not None:
            assert len(visit.evaluations) == min(8, settings.v - made)
            assert (visit.l, visit.expansions) == (0, [])
        made += len(visit.evaluations)


@pytest.mark.parametrize(("d", "K", "P"), [(1, 3, 1), (2, 5, 1), (4, 3, 3)])
def test_an_expansion_begins_only_if_an_evaluation_is_left(d: int, K: int, P: int) -> None:
    """For every v: the budget may end between two classes that are both expanded in a visit."""
    between = 0
    for v in range(1, 60):
        for visit in visits(
            ForestSettings(9, v, dimensions=(d,), evolve=False, K=K, n_embeddings=P)
        ):
            evaluated = {id(node) for node, _ in visit.evaluations}
            for _, made in visit.expansions:
                assert any(id(child) in evaluated for child in made)
            between += len(visit.expansions) > 1
    assert between > 0


def test_every_root_has_been_evaluated_once() -> None:
    run = visits(ForestSettings(9, 9, dimensions=(2,), evolve=False, n_embeddings=4))
    next(run)
    visit = next(run)
    leaves = list(visit.tree.leaves())
    assert [(leaf.h, leaf.i, leaf.f_star, leaf.evaluations) for leaf in sorted(leaves)] == [
        (0, p, 0.0, 1) for p in range(4)
    ]
