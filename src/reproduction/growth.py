"""How the partition of Y grows: the cells of a run for d = 2, drawn as they are after a sweep.

The cells are those of the `steps` of the run. `draw_lowest_values` adds where the function is low,
which the search does not know.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from embedded_hunter.common.extras import extra
from embedded_hunter.matrices import Floats
from embedded_hunter.plots.steps import Steps, steps_of
from embedded_hunter.projection import clip, drive
from embedded_hunter.run.policies import parts_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.run import Run

CMAP = "YlGnBu_r"
NEW = "#d55e00"
"""Colour of the new cells, nodes and edges of the last sweep."""
LOWEST = (0.02, 0.1, 0.3)
"""The shares of Y that the lines of `draw_lowest_values` surround."""


def steps_of_run(
    settings: Parameters,
    objective: Callable[[Floats], Any],
    rng: object,
    rows: int | None = None,
    most: int | None = None,
) -> Steps:
    """Make a run and return its steps, with the points of its evaluations.

    `objective` is a function of one point, shape (rows,); `rng` and `rows` are as for
    `Search`, `most` as for `steps_of`.
    """
    points: list[Any] = []
    values: list[float] = []

    def evaluate(x: Floats) -> list[float]:
        points.extend(x.tolist())
        return [float(objective(point)) for point in x]

    parts = parts_of(settings, rng, rows)
    for _, found in drive(parts.run, parts.projection.project, evaluate):
        values += found
    return steps_of(Run(settings, values=values), points, most)


def last_sweep(steps: Steps) -> int:
    """Return the number of the last sweep that expanded a leaf."""
    return max(steps.sweep_of(node) for node in steps.nodes if math.isfinite(node.born))


def values_of(steps: Steps) -> tuple[float, float]:
    """Return the least and the greatest f* of the nodes."""
    values = [node.f_star[-1][1] for node in steps.nodes if math.isfinite(node.born)]
    return min(values), max(values)


def draw_partition(ax: Any, steps: Steps, sweep: int, *, points: bool = True) -> None:
    """Draw the cells of the leaves after a sweep, coloured by f*. New cells have orange edges.

    ValueError unless there is one tree, of two dimensions.
    """
    patches = extra("matplotlib.patches")
    shade = extra("matplotlib.colors").Normalize(*values_of(steps))
    color = extra("matplotlib").colormaps[CMAP]
    R = _half_side(steps)
    for node in steps.leaves_after(steps.last_of_sweep(sweep)):
        (x, y), (width, height) = node.y, node.widths
        new = steps.sweep_of(node) == sweep > 0
        ax.add_patch(
            patches.Rectangle(
                (x - width / 2, y - height / 2), width, height,
                facecolor=color(shade(node.f_star[-1][1])),
                edgecolor=NEW if new else "white", lw=0.9 if new else 0.3,
                zorder=2 if new else 1,
            )
        )  # fmt: skip
        if points:
            ax.plot(x, y, ".", color="black", ms=1.5, zorder=3)
    side = -R, R
    ax.set(xlim=side, ylim=side, aspect="equal", xticks=[], yticks=[])
    ax.spines[["left", "bottom"]].set_visible(False)


def values_on(
    steps: Steps, objective: Callable[[Floats], Any], matrix: Floats, side: int
) -> Floats:
    """Return the values of f(P_X(A y)) at the middles of side^2 squares that tile Y.

    `objective` is f for points as columns, shape (rows, side^2), `matrix` A,
    shape (rows, 2). The result has the shape (side, side), and its rows go up the second
    coordinate.
    """
    at = _middles(steps, side)
    y = np.stack(np.meshgrid(at, at)).reshape(2, -1)
    return np.asarray(objective(clip(matrix @ y)), dtype=float).reshape(side, side)


def draw_lowest_values(ax: Any, steps: Steps, values: Floats) -> None:
    """Draw lines around the lowest values of `values_on`, and a star at the least one.

    Each line surrounds a share of Y, see `LOWEST`.
    """
    at = _middles(steps, len(values))
    levels = np.quantile(values, LOWEST)
    ax.contour(at, at, values, levels, colors="black", linewidths=0.7, zorder=4)
    up, across = np.unravel_index(values.argmin(), values.shape)
    ax.plot(at[across], at[up], "*", color=NEW, ms=11, mec="white", mew=0.7, zorder=5)


def _middles(steps: Steps, side: int) -> Floats:
    """Return the middles of `side` equal intervals of the range of a coordinate of Y."""
    return _half_side(steps) * ((2 * np.arange(side) + 1) / side - 1)


def _half_side(steps: Steps) -> float:
    """Return R; ValueError unless there is one tree, of two dimensions."""
    if [d for d, _ in steps.trees] != [2]:
        raise ValueError(f"d must be 2 to draw the partition of Y, got {steps.settings.d}")
    return steps.trees[0][1]
