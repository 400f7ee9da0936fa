"""The growth of tree and partition that the pictures show is that of the run."""

import numpy as np
import pytest

from embedded_hunter import EmbeddedHunter, Settings
from embedded_hunter.plots.growth import (
    Cell,
    draw_partition,
    draw_tree,
    grow,
    last_sweep,
    places,
)
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.settings import MatrixPolicy

PROBLEM = PROBLEMS["ackley"](50, 2, 0)


def settings(v: int, policy: MatrixPolicy = "indexed", d: int = 2) -> Settings:
    return Settings(50, d, v, policy=policy, h_max=6)


def grown(v: int, policy: MatrixPolicy = "indexed") -> Cell:
    return grow(settings(v, policy), PROBLEM.effective, 4, rows=2)


def leaves_of_a_run(v: int, policy: MatrixPolicy) -> dict[int, set[tuple[int, int]]]:
    """The leaves at the end of each sweep, from the search alone."""
    hunter = EmbeddedHunter(settings(v, policy), 4, rows=2)
    tree, at_end = hunter.visit.tree, {}
    while queries := hunter.ask():
        sweep = hunter.visit.sweep
        hunter.tell(queries, [float(PROBLEM.effective(query.x)) for query in queries])
        at_end[sweep] = {(leaf.h, leaf.i) for leaf in tree.leaves()}
    return at_end


@pytest.mark.parametrize("policy", ["fresh", "indexed"])
@pytest.mark.parametrize("v", [1, 2, 3, 4, 37, 150])  # 2, 3 and others cut an expansion
def test_after_each_sweep_the_leaves_are_those_of_the_run(v: int, policy: MatrixPolicy) -> None:
    root = grown(v, policy)
    of_the_run = leaves_of_a_run(v, policy)
    for sweep, expected in of_the_run.items():
        shown = {(c.node.h, c.node.i) for c in root.below() if c.leaf_after(sweep)}
        assert shown == expected
    assert last_sweep(root) in of_the_run


def test_the_cells_tile_y_after_each_sweep() -> None:
    root = grown(150)
    rng = np.random.default_rng(0)
    y = rng.uniform(root.x, root.x + root.width, (300, 2))
    for sweep in range(last_sweep(root) + 1):
        leaves = [cell for cell in root.below() if cell.leaf_after(sweep)]
        assert sum(c.width * c.height for c in leaves) == pytest.approx(root.width * root.height)
        inside = [
            (y >= (c.x, c.y)).all(axis=1) & (y < (c.x + c.width, c.y + c.height)).all(axis=1)
            for c in leaves
        ]
        assert (np.sum(inside, axis=0) == 1).all()


def test_leaves_are_spread_evenly_and_parents_stand_between() -> None:
    root = grown(80)
    at = places(root)
    leaves = [cell for cell in root.below() if not cell.children]
    np.testing.assert_allclose(np.diff([at[leaf] for leaf in leaves]), 1 / len(leaves))
    for cell in root.below():
        if cell.children:
            assert at[cell.children[0]] < at[cell] < at[cell.children[-1]]


def test_as_much_is_drawn_as_there_is() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    root = grown(80)
    for sweep in (0, 1, last_sweep(root)):
        figure, (left, right) = pyplot.subplots(1, 2)
        draw_partition(left, root, sweep)
        draw_tree(right, root, sweep)
        born = [cell for cell in root.below() if cell.born <= sweep]
        assert len(left.patches) == sum(cell.leaf_after(sweep) for cell in born)
        assert len(right.lines) == len(born) - 1  # each node but the root hangs on an edge
        assert len(right.collections[0].get_offsets()) == len(born)
        pyplot.close(figure)
