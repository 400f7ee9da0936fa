"""How the tree and the partition of Y grow: a run for d = 2 kept sweep by sweep, and drawn.

`grow` runs the search and remembers of every node when it was made and when it was expanded;
`draw_partition` draws the state after any sweep on axes of matplotlib; `draw_lowest_values` adds
where the function is low, which the search does not know.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from embedded_hunter.common.extras import extra
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, base_point, splits
from embedded_hunter.projection import clip, drive
from embedded_hunter.run.drive import one_by_one
from embedded_hunter.run.policies import parts_of, policy_of
from embedded_hunter.run.policy import Parameters

CMAP = "YlGnBu_r"
NEW = "#d55e00"
"""Colour of the new cells, nodes and edges of the last sweep."""
LOWEST = (0.02, 0.1, 0.3)
"""The shares of Y that the lines of `draw_lowest_values` surround."""


@dataclass(eq=False)
class Cell:
    """A node of the tree with its cell of Y."""

    node: Node
    x: float
    """x and y: the lower left corner of the cell; width and height: its sides; all in Y."""
    y: float
    width: float
    height: float
    born: int
    """The sweep that created it; 0 for the root."""
    split: float = np.inf
    """The sweep that expanded it; infinity while it is a leaf."""
    children: list["Cell"] = field(default_factory=list)

    def leaf_after(self, sweep: int) -> bool:
        """Return whether this cell is a leaf at the end of the sweep."""
        return self.born <= sweep < self.split

    def below(self) -> Iterator["Cell"]:
        """Iterate over this cell and all its descendants, each after its parent."""
        yield self
        for child in self.children:
            yield from child.below()


def grow(
    settings: Parameters,
    objective: Callable[[Any], Any],
    rng: np.random.Generator | int | None = None,
    *,
    rows: int | None = None,
) -> Cell:
    """Run the search for d = 2 and return the root's cell, with all that grew from it.

    `objective` takes the coordinates that are made, shape (rows,); `rng` and `rows` are as for
    `EmbeddedHunter`. ValueError if d is not 2.
    """
    if settings.d != 2:
        raise ValueError(f"d must be 2 to draw the partition of Y, got {settings.d}")
    cells: dict[tuple[int, int], Cell] = {}
    made = 0
    parts = parts_of(settings, rng, rows)
    for visit, values in drive(parts.run, parts.projection.project, one_by_one(objective)):
        made += len(values)
        if not cells:
            cells[0, 0] = _cell(visit.evaluations[0].node, settings, 0)
        at_end = made == settings.v
        leaves = {(leaf.h, leaf.i) for leaf in visit.tree.leaves()} if at_end else set()
        for leaf, children in visit.expansions:
            if (leaf.h, leaf.i) in leaves:
                continue  # the budget cut this expansion: the leaf stayed one
            parent = cells[leaf.h, leaf.i]
            parent.split = visit.sweep
            parent.children = [_cell(child, settings, visit.sweep) for child in children]
            cells.update({(cell.node.h, cell.node.i): cell for cell in parent.children})
    return cells[0, 0]


def _cell(node: Node, settings: Parameters, sweep: int) -> Cell:
    space = policy_of(settings).trees(settings)[node.i // settings.K**node.h]
    x, y = base_point(node, space)
    width, height = (space.side_as_float / space.K**s for s in splits(node.h, 2))
    return Cell(node, x - width / 2, y - height / 2, width, height, sweep)


def last_sweep(root: Cell) -> int:
    """Return the number of the last sweep that expanded a leaf."""
    return max(cell.born for cell in root.below())


def values_of(root: Cell) -> tuple[float, float]:
    """Return the least and the greatest f* of the nodes."""
    values = [cell.node.f_star for cell in root.below()]
    return min(values), max(values)


def draw_partition(ax: Any, root: Cell, sweep: int, *, points: bool = True) -> None:
    """Draw the cells of the leaves after a sweep, coloured by f*. New cells have orange edges."""
    patches = extra("matplotlib.patches")
    shade = extra("matplotlib.colors").Normalize(*values_of(root))
    color = extra("matplotlib").colormaps[CMAP]
    for cell in root.below():
        if cell.leaf_after(sweep):
            new = cell.born == sweep > 0
            ax.add_patch(
                patches.Rectangle(
                    (cell.x, cell.y), cell.width, cell.height,
                    facecolor=color(shade(cell.node.f_star)),
                    edgecolor=NEW if new else "white", lw=0.9 if new else 0.3,
                    zorder=2 if new else 1,
                )
            )  # fmt: skip
            if points:
                middle = cell.x + cell.width / 2, cell.y + cell.height / 2
                ax.plot(*middle, ".", color="black", ms=1.5, zorder=3)
    side = root.x, root.x + root.width
    ax.set(xlim=side, ylim=side, aspect="equal", xticks=[], yticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)


def values_on(root: Cell, objective: Callable[[Floats], Any], matrix: Floats, side: int) -> Floats:
    """Return the values of f(P_X(A y)) at the middles of side^2 squares that tile Y.

    `root` is the cell of Y, `objective` f for points as columns, shape (rows, side^2), `matrix` A,
    shape (rows, 2). The result has the shape (side, side), and its rows go up the second
    coordinate.
    """
    at = root.x + root.width * (np.arange(side) + 0.5) / side
    y = np.stack(np.meshgrid(at, at)).reshape(2, -1)
    return np.asarray(objective(clip(matrix @ y)), dtype=float).reshape(side, side)


def draw_lowest_values(ax: Any, root: Cell, values: Floats) -> None:
    """Draw lines around the lowest values of `values_on`, and a star at the least one.

    Each line surrounds a share of Y, see `LOWEST`.
    """
    at = root.x + root.width * (np.arange(len(values)) + 0.5) / len(values)
    levels = np.quantile(values, LOWEST)
    ax.contour(at, at, values, levels, colors="black", linewidths=0.7, zorder=4)
    up, across = np.unravel_index(values.argmin(), values.shape)
    ax.plot(at[across], at[up], "*", color=NEW, ms=11, mec="white", mew=0.7, zorder=5)
