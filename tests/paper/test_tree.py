"""Specification of `tree`: the sets L_{t,h}, Gamma_{h,t}, L^j_{t,h} of the paper, kept by class."""

import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.node import Node, children, root
from embedded_hunter.tree import Tree

VALUES = st.sampled_from([0.0, 1.0, 2.0, -1.0, math.inf, -math.inf, 0.5])


def grow(data: st.DataObject, d: int, K: int, steps: int) -> Iterator[tuple[Tree, set[Node]]]:
    """Yield a tree and, as a plain set, its leaves, after each of some random expansions."""
    tree, leaves = Tree(), {root(d)}
    (first,) = leaves
    first.f_star = 0.0
    tree.add(first)
    yield tree, leaves
    for _ in range(steps):
        h = data.draw(st.sampled_from(sorted({leaf.h for leaf in leaves if leaf.h < 5})))
        norm = data.draw(st.sampled_from(sorted({leaf.nrm for leaf in leaves if leaf.h == h})))
        rivals = [leaf for leaf in leaves if leaf.h == h and leaf.nrm == norm]
        chosen = min(rivals, key=lambda leaf: (leaf.f_star, leaf.i))
        made = children(chosen, K)
        for child in made:
            child.f_star = min(child.f_star, data.draw(VALUES))
        tree.replace(chosen, made)
        leaves.remove(chosen)
        leaves.update(made)
        yield tree, leaves


GROWN = (st.data(), st.integers(1, 3), st.sampled_from([3, 5]))


@pytest.mark.claim("norm-classes")
def test_leaves_of_different_norm_are_in_different_classes() -> None:
    """The five children of the root, d = 1: the norms 2, 1, 0, 1, 2."""
    tree, first = Tree(), root(1)
    tree.add(first)
    tree.replace(first, children(first, 5))
    assert [[leaf.i for leaf in norm_class] for norm_class in tree.norm_classes(1)] in (
        [[0, 4], [1, 3], [2]], [[2], [1, 3], [0, 4]],
    )  # fmt: skip


@pytest.mark.claim("alg1-line-5", "ties-least-index")
@given(*GROWN)
def test_a_class_is_in_the_order_of_f_star_ties_in_the_order_of_the_index(
    data: st.DataObject, d: int, K: int
) -> None:
    for tree, leaves in grow(data, d, K, 8):
        for h in range(max(leaf.h for leaf in leaves) + 1):
            for norm_class in tree.norm_classes(h):
                assert norm_class == sorted(norm_class, key=lambda leaf: (leaf.f_star, leaf.i))


@pytest.mark.claim("leaves-by-depth")
@given(*GROWN)
def test_the_leaves_are_the_nodes_that_were_added_and_not_expanded(
    data: st.DataObject, d: int, K: int
) -> None:
    for tree, leaves in grow(data, d, K, 8):
        assert set(tree.leaves()) == leaves
        assert len(list(tree.leaves())) == len(leaves) == tree.leaf_count


@pytest.mark.claim("leaves-by-depth", "alg1-line-3")
@given(*GROWN)
def test_the_depth_of_the_tree_is_that_of_its_deepest_leaf(
    data: st.DataObject, d: int, K: int
) -> None:
    for tree, leaves in grow(data, d, K, 8):
        assert tree.depth == max(leaf.h for leaf in leaves)


@pytest.mark.claim("norms-of-depth", "norm-classes")
@given(*GROWN)
def test_the_classes_of_a_depth_are_its_leaves_of_equal_norm(
    data: st.DataObject, d: int, K: int
) -> None:
    """In whatever order."""
    for tree, leaves in grow(data, d, K, 8):
        for h in range(max(leaf.h for leaf in leaves) + 1):
            expected: dict[int, set[Node]] = {}
            for leaf in leaves:
                if leaf.h == h:
                    expected.setdefault(leaf.nrm, set()).add(leaf)
            found = {frozenset(norm_class) for norm_class in tree.norm_classes(h)}
            assert found == set(map(frozenset, expected.values()))


@pytest.mark.claim("alg1-line-4", "norms-of-depth")
@given(*GROWN)
def test_the_classes_come_from_the_largest_norm_to_the_smallest(
    data: st.DataObject, d: int, K: int
) -> None:
    for tree, _ in grow(data, d, K, 8):
        for h in range(tree.depth + 1):
            norms = [norm_class[0].nrm for norm_class in tree.norm_classes(h)]
            assert norms == sorted(set(norms), reverse=True)


@pytest.mark.claim("alg1-line-6")
@given(st.data())
def test_the_least_value_of_a_depth_is_that_of_its_leaves(data: st.DataObject) -> None:
    for tree, leaves in grow(data, 2, 3, 6):
        assert tree.least == [
            min((leaf.f_star for leaf in leaves if leaf.h == h), default=math.inf)
            for h in range(tree.depth + 1)
        ]


@pytest.mark.claim("frozen-classes")
def test_a_snapshot_of_the_classes_outlives_the_expansions() -> None:
    """Classes that vanish, and those of other depths, keep their place in it."""
    tree, first = Tree(), root(1)
    tree.add(first)
    tree.replace(first, children(first, 3))
    frozen = tree.norm_classes(1)
    norms = [[leaf.nrm for leaf in norm_class] for norm_class in frozen]
    assert norms == [[1, 1], [0]]
    center = frozen[1][0]
    tree.replace(center, children(center, 3))
    assert len(frozen) == 2
    assert [leaf.nrm for leaf in frozen[0]] == [1, 1]
    assert [[leaf.nrm for leaf in norm_class] for norm_class in tree.norm_classes(1)] == [[1, 1]]
