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


def shape(classes: list[list[Node]]) -> list[set[Node]]:
    return [set(norm_class) for norm_class in classes]


@pytest.mark.claim("leaves-by-depth", "norms-of-depth", "norm-classes", "ties-least-index")
@given(st.data(), st.integers(1, 3), st.sampled_from([3, 5]))
def test_the_classes_are_the_sets_of_the_definitions(data: st.DataObject, d: int, K: int) -> None:
    """For every depth, after every expansion: largest norm first, each in the order of line 5."""
    for tree, leaves in grow(data, d, K, 8):
        assert set(tree.leaves()) == leaves
        assert len(list(tree.leaves())) == len(leaves) == tree.leaf_count
        assert tree.depth == max(leaf.h for leaf in leaves)
        for h in range(tree.depth + 1):
            L_h = {leaf for leaf in leaves if leaf.h == h}
            Gamma = sorted({leaf.nrm for leaf in L_h}, reverse=True)
            classes = tree.norm_classes(h)
            assert shape(classes) == [{leaf for leaf in L_h if leaf.nrm == g} for g in Gamma]
            for norm_class in classes:
                assert norm_class == sorted(norm_class, key=lambda leaf: (leaf.f_star, leaf.i))


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


@pytest.mark.claim("norm-classes")
def test_no_operation_ranges_over_the_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparisons of nodes for one expansion grow like the logarithm of a class, not its size."""
    count = 0
    less = Node.__lt__

    def counted(self: Node, other: Node) -> bool:
        nonlocal count
        count += 1
        return less(self, other)

    monkeypatch.setattr(Node, "__lt__", counted)
    tree = Tree()
    tree.add(root(1))
    size = 2**13
    for i in range(size):  # one class of many leaves at depth 1
        tree.add(Node(1, i, (1,), 1, float(-i % 97)))
    count = 0
    leaf = tree.norm_classes(1)[0][0]
    tree.replace(leaf, [Node(2, 3 * leaf.i + digit, (3,), 9, 0.0) for digit in range(3)])
    assert 0 < count <= 4 * math.log2(size)
