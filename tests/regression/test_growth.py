"""The growth of tree and partition that the pictures show is that of the run."""

from typing import Any

import numpy as np
import pytest

from embedded_hunter import Settings
from embedded_hunter.plots.steps import Steps
from embedded_hunter.settings import MatrixPolicy
from reproduction.growth import (
    LOWEST,
    draw_lowest_values,
    draw_partition,
    last_sweep,
    steps_of_run,
    values_on,
)
from reproduction.problems.registry import PROBLEMS

PROBLEM = PROBLEMS["ackley"](50, 2, 0)


def settings(v: int, policy: MatrixPolicy = "indexed", d: int = 2) -> Settings:
    return Settings(50, d, v, policy=policy, h_max=6)


def grown(v: int, policy: MatrixPolicy = "indexed") -> Steps:
    return steps_of_run(settings(v, policy), PROBLEM.effective, 4, rows=2)


def test_the_cells_are_those_of_the_nodes() -> None:
    """With K = 5 and a radius that is none of theirs; children are numbered from left to right."""
    settings = Settings(50, 2, 90, K=5, eta=0.4, policy="indexed")
    steps = steps_of_run(settings, PROBLEMS["ackley"](50, 2, 0).effective, 4, rows=2)
    R = float(settings.radius)
    root = steps.nodes[0]
    assert (root.y, root.widths, steps.sweep_of(root)) == ((0, 0), (2 * R, 2 * R), 0)
    seen = 0
    for number, parent in enumerate(steps.nodes):
        children = [node for node in steps.nodes if node.parent == number]
        for k, child in enumerate(children):
            assert (child.h, child.i) == (parent.h + 1, 5 * parent.i + k)
            axis, y, widths = parent.h % 2, list(parent.y), list(parent.widths)
            widths[axis] /= 5
            y[axis] += (k - 2) * widths[axis]
            assert [*child.y, *child.widths] == pytest.approx([*y, *widths])
            seen += 1
    assert seen > 50


def test_each_leaf_is_a_cell_of_the_picture() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    steps = grown(80)
    for sweep in (0, 1, last_sweep(steps)):
        figure, ax = pyplot.subplots()
        draw_partition(ax, steps, sweep)
        leaves = list(steps.leaves_after(steps.last_of_sweep(sweep)))
        assert len(ax.patches) == len(leaves)
        new = [patch for patch in ax.patches if patch.get_zorder() == 2]
        assert len(new) == sum(steps.sweep_of(leaf) == sweep > 0 for leaf in leaves)
        pyplot.close(figure)


def test_lines_surround_the_lowest_values_and_a_star_marks_the_least() -> None:
    """The values of a function on Y are those at the middles of a grid, clipped as points of X."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    steps, matrix = grown(30), np.array([[0.6, 0.3], [0.0, 0.9]]) / 20

    def objective(x: Any) -> Any:
        return np.hypot(x[0] - 0.3, x[1] + 0.5)

    values = values_on(steps, objective, matrix, side=60)
    R = steps.trees[0][1]
    at = -R + 2 * R * (np.arange(60) + 0.5) / 60
    for up, across in ((0, 0), (7, 50), (59, 59)):
        x = np.clip(matrix @ [at[across], at[up]], -1, 1)
        assert values[up, across] == pytest.approx(np.hypot(x[0] - 0.3, x[1] + 0.5))
    figure, ax = pyplot.subplots()
    draw_lowest_values(ax, steps, values)
    (lines,), (star,) = ax.collections, ax.lines
    assert [np.mean(values < level) for level in lines.levels] == pytest.approx(LOWEST, abs=1e-3)
    row, column = np.unravel_index(values.argmin(), values.shape)
    assert [*star.get_xdata(), *star.get_ydata()] == pytest.approx([at[column], at[row]])
    pyplot.close(figure)


def test_a_partition_of_another_dimension_is_refused() -> None:
    steps = steps_of_run(settings(9, d=1), PROBLEM.effective, 4, rows=2)
    with pytest.raises(ValueError, match="d must be 2 to draw the partition of Y, got 1"):
        values_on(steps, np.sum, np.eye(2), side=3)
