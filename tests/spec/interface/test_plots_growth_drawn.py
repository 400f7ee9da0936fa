"""What is drawn of a growing tree, artist by artist, on a tree by hand.

How it looks is a matter of taste; what is written here is what was decided.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from embedded_hunter import EmbeddedHunter, Settings
from embedded_hunter.extras import extra
from embedded_hunter.node import Node
from embedded_hunter.plots import growth
from embedded_hunter.plots.growth import (
    CMAP,
    LOWEST,
    NEW,
    Cell,
    draw_lowest_values,
    draw_partition,
    draw_tree,
    grow,
    last_sweep,
    places,
    values_of,
    values_on,
)
from embedded_hunter.problems.hidden import PROBLEMS

pytest.importorskip("matplotlib")
import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

ORANGE = "#d55e00"


def by_hand() -> tuple[Cell, list[Cell]]:
    """The root is expanded by the first sweep, its first child by the third; K = 3."""

    def cell(
        h: int, i: int, value: float, box: tuple[float, float, float, float], born: int
    ) -> Any:
        return Cell(Node(h, i, (0, 0), 0, value), *box, born)

    root = cell(0, 0, 4.0, (-3.0, -3.0, 6.0, 6.0), 0)
    root.split, root.children = (
        1,
        [
            cell(1, 0, 2.0, (-3.0, -3.0, 2.0, 6.0), 1),
            cell(1, 1, 4.0, (-1.0, -3.0, 2.0, 6.0), 1),
            cell(1, 2, 8.0, (1.0, -3.0, 2.0, 6.0), 1),
        ],
    )
    first = root.children[0]
    first.split, first.children = (
        3,
        [
            cell(2, k, value, (-3.0, -3.0 + 2 * k, 2.0, 2.0), 3)
            for k, value in enumerate((1.0, 2.0, 3.0))
        ],
    )
    return root, list(root.below())


@pytest.fixture
def ax() -> Iterator[Any]:
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


def of_the_map(value: float) -> str:
    """The colour of a value between the least and the greatest one, 1 and 8."""
    return str(to_hex(mpl.colormaps["YlGnBu_r"]((value - 1) / 7)))


def test_each_comes_after_its_parent() -> None:
    root, cells = by_hand()
    first, second, third = root.children
    assert cells == [root, first, *first.children, second, third]
    assert (last_sweep(root), values_of(root)) == (3, (1.0, 8.0))
    assert [cell.leaf_after(2) for cell in cells] == [False, True, False, False, False, True, True]
    assert [cell.leaf_after(3) for cell in cells] == [False, False, *[True] * 5]
    assert [cell.leaf_after(0) for cell in cells] == [True, *[False] * 6]


def test_leaves_are_spread_evenly_and_a_parent_stands_in_the_middle() -> None:
    root, cells = by_hand()
    at = places(root)
    expected = [(0.3 + 0.7 + 0.9) / 3, 0.3, 0.1, 0.3, 0.5, 0.7, 0.9]
    assert [at[cell] for cell in cells] == pytest.approx(expected)


def test_a_leaf_is_a_rectangle_with_its_value_s_colour(ax: Any) -> None:
    """White edges; orange ones, above the others, for what the sweep has made. A point each."""
    for sweep in (0, 1, 2, 3):
        ax.clear()
        root, cells = by_hand()
        draw_partition(ax, root, sweep)
        leaves = [cell for cell in cells if cell.leaf_after(sweep)]
        for cell, patch, line in zip(leaves, ax.patches, ax.lines, strict=True):
            box = (patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height())
            assert box == (cell.x, cell.y, cell.width, cell.height)
            assert to_hex(patch.get_facecolor()) == of_the_map(cell.node.f_star)
            new = sweep > 0 and cell.born == sweep
            assert to_hex(patch.get_edgecolor()) == (ORANGE if new else "#ffffff")
            assert patch.get_linewidth() == (0.9 if new else 0.3)
            assert patch.get_zorder() == (2 if new else 1)
            middle = (cell.x + cell.width / 2, cell.y + cell.height / 2)
            assert (*line.get_xdata(), *line.get_ydata()) == middle
            assert (line.get_marker(), line.get_markersize()) == (".", 1.5)
            assert (to_hex(line.get_color()), line.get_zorder()) == ("#000000", 3)
        assert ax.get_xlim() == ax.get_ylim() == (-3, 3)
        assert ax.get_aspect() == 1
        assert [*ax.get_xticks(), *ax.get_yticks()] == []
        assert [ax.spines[side].get_visible() for side in ("left", "bottom")] == [False, False]
    assert NEW == ORANGE


def test_the_points_can_be_left_out(ax: Any) -> None:
    draw_partition(ax, by_hand()[0], 3, points=False)
    assert (len(ax.patches), len(ax.lines)) == (5, 0)


def test_lines_surround_the_lowest_values_and_a_star_marks_the_least(ax: Any) -> None:
    """The values of a function on Y are those at the middles of a grid, clipped as points of X."""
    root, _ = by_hand()
    matrix = np.array([[0.6, 0.3], [0.0, 0.9]])
    asked = []

    def objective(x: Any) -> Any:
        asked.append(x)
        return np.hypot(x[0] - 0.3, x[1] + 0.5)

    values = values_on(root, objective, matrix, side=60)
    at = -3 + 6 * (np.arange(60) + 0.5) / 60
    for up, across in ((0, 0), (7, 50), (59, 59)):
        x = np.clip(matrix @ [at[across], at[up]], -1, 1)
        assert values[up, across] == pytest.approx(np.hypot(x[0] - 0.3, x[1] + 0.5))
    draw_lowest_values(ax, root, values)
    (lines,), (star,) = ax.collections, ax.lines
    assert [np.mean(values < level) for level in lines.levels] == pytest.approx(LOWEST, abs=1e-3)
    y = np.array([*star.get_xdata(), *star.get_ydata()])
    assert np.abs(y - np.linalg.solve(matrix, [0.3, -0.5])).max() < 0.1
    assert (star.get_marker(), to_hex(star.get_color())) == ("*", ORANGE)
    assert len(asked) == 1


@pytest.mark.parametrize("sweep", [0, 1, 2, 3])
def test_a_tree_hangs_from_its_root(sweep: int, ax: Any) -> None:
    """Grey edges, orange ones to what the sweep has made; nodes in the colours of their values."""
    root, cells = by_hand()
    at = places(root)
    draw_tree(ax, root, sweep)
    there = [cell for cell in cells if cell.born <= sweep]
    edges = [(parent, child) for parent in there for child in parent.children if child in there]
    for (parent, child), line in zip(edges, ax.lines, strict=True):
        assert list(line.get_xdata()) == [at[parent], at[child]]
        assert list(line.get_ydata()) == [parent.node.h, child.node.h]
        new = child.born == sweep
        assert to_hex(line.get_color()) == (ORANGE if new else "#999999")
        assert (line.get_linewidth(), line.get_zorder()) == (1.0 if new else 0.6, 1)
    (dots,) = ax.collections
    assert dots.get_offsets().tolist() == [[at[cell], cell.node.h] for cell in there]
    ax.figure.canvas.draw()
    shown = [to_hex(color) for color in dots.get_facecolor()]
    assert shown == [of_the_map(cell.node.f_star) for cell in there]
    assert dots.get_sizes().tolist() == [9]
    assert dots.get_linewidth().tolist() == [0.3]
    assert to_hex(dots.get_edgecolor()[0]) == "#000000"
    assert dots.get_zorder() == 2
    # The same axes after every sweep: the root above, room for the deepest node that will come.
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 1), (2.5, -0.5))
    assert list(ax.get_xticks()) == []
    assert list(ax.get_yticks()) != []
    assert [ax.spines[side].get_visible() for side in ("left", "bottom")] == [False, False]


def test_low_values_are_dark() -> None:
    colors = [to_hex(mpl.colormaps[CMAP](share)) for share in (0.0, 0.5, 1.0)]
    brightness = [sum(int(c[k : k + 2], 16) for k in (1, 3, 5)) for c in colors]
    assert brightness == sorted(brightness)
    assert brightness[0] < brightness[2] / 2


def test_matplotlib_is_named_if_it_is_missing(monkeypatch: pytest.MonkeyPatch, ax: Any) -> None:
    """Of all three parts that are used."""
    asked: list[str] = []

    def noted(module: str) -> Any:
        asked.append(module)
        return extra(module)

    monkeypatch.setattr(growth, "extra", noted)
    draw_partition(ax, by_hand()[0], 1)
    assert set(asked) == {"matplotlib", "matplotlib.colors", "matplotlib.patches"}


def test_the_cells_are_those_of_the_nodes() -> None:
    """With K = 5 and a radius that is none of theirs; children are numbered from left to right."""
    settings = Settings(50, 2, 90, K=5, eta=0.4, policy="indexed")
    root = grow(settings, PROBLEMS["ackley"](50, 2, 0).effective, 4, rows=2)
    R = float(settings.radius)
    assert (root.x, root.y, root.width, root.height, root.born) == (-R, -R, 2 * R, 2 * R, 0)
    for parent in root.below():
        for k, child in enumerate(parent.children):
            assert (child.node.h, child.node.i) == (parent.node.h + 1, 5 * parent.node.i + k)
            box = [parent.x, parent.y, parent.width, parent.height]
            axis = parent.node.h % 2
            box[2 + axis] /= 5
            box[axis] += k * box[2 + axis]
            assert [child.x, child.y, child.width, child.height] == pytest.approx(box)


def test_the_run_is_that_of_ask_and_tell() -> None:
    settings = Settings(50, 2, 60, policy="indexed")
    problem = PROBLEMS["ackley"](50, 2, 0)
    hunter = EmbeddedHunter(settings, 4)
    while queries := hunter.ask():
        hunter.tell(queries, [float(problem(query.x)) for query in queries])
    assert values_of(grow(settings, problem, 4))[0] == hunter.fun
