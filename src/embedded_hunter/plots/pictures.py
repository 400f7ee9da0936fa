"""The pictures of the demo: convergence curves, and the partition of Y.

They are drawn by matplotlib without a display. The same data give the same bytes, because SVG
identifiers are salted and no date is written.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from embedded_hunter.extras import extra
from embedded_hunter.node import Node, base_point, splits
from embedded_hunter.projection import Floats
from embedded_hunter.settings import Settings

STYLE = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "legend.frameon": False,
    "savefig.dpi": 160,
    "svg.hashsalt": "embedded-hunter",
}
COLORS = ("#009e73", "#0072b2", "#d55e00", "#555555")
DASHES = ("-", "-", "-", (0, (4, 1.5)))


@dataclass
class Panel:
    """The best values so far of some methods on one problem."""

    title: str
    ylabel: str
    curves: dict[str, Floats]
    """For each method its best values so far, shape (runs, v)."""
    reference: tuple[str, float] | None = None
    """The label of a reference line, and its value."""


def convergence(panels: Sequence[Panel], caption: str, path: Path) -> list[Path]:
    """Draw the best value against the number of evaluations, one panel for each problem.

    Lines are medians over runs. Bands reach from the best to the worst run. Return the files, an
    SVG and a PNG.
    """
    with _style() as plt:
        figure, axes = plt.subplots(1, len(panels), figsize=(5 * len(panels), 3.8), squeeze=False)
        for ax, panel in zip(axes[0], panels, strict=True):
            for (label, best), color, dash in zip(
                panel.curves.items(), COLORS, DASHES, strict=False
            ):
                at = _where_it_changes(best)
                low, high = best.min(axis=0)[at], best.max(axis=0)[at]
                ax.plot(
                    at + 1, np.median(best, axis=0)[at],
                    color=color, ls=dash, label=label, drawstyle="steps-post",
                )  # fmt: skip
                ax.fill_between(at + 1, low, high, color=color, alpha=0.15, lw=0, step="post")
            if panel.reference is not None:
                label, value = panel.reference
                ax.axhline(value, color="black", lw=1, ls=":", label=label)
            ax.set(xscale="log", title=panel.title, ylabel=panel.ylabel, xlabel="evaluations")
            ax.margins(x=0)
            ax.legend()
        figure.supxlabel(caption, fontsize=7, color="#555555")
        return _save(figure, path)


def partition(
    trees: dict[str, list[Node]], settings: Settings, title: str, caption: str, path: Path
) -> list[Path]:
    """Draw the cells of Y for d = 2, with the number of evaluations of each base point.

    Parameters
    ----------
    trees
        The leaves of each run, by the name of the run. K is odd, so every base point of the tree is
        the base point of exactly one leaf.
    settings
        The settings of these runs, which may differ in the policy.
    title, caption
        Texts above and below the picture.
    path
        The file to write, without its ending.

    Returns
    -------
    list of Path
        The files, an SVG and a PNG.
    """
    most = max(leaf.evaluations for leaves in trees.values() for leaf in leaves)
    R = float(settings.radius)
    with _style() as plt:
        from matplotlib.collections import PatchCollection
        from matplotlib.colors import BoundaryNorm
        from matplotlib.patches import Rectangle

        norm = BoundaryNorm(np.arange(0.5, most + 1), plt.get_cmap("YlGnBu").N)
        figure, axes = plt.subplots(
            1, len(trees), figsize=(4.6 * len(trees) + 0.6, 4.9), squeeze=False
        )
        for ax, (label, leaves) in zip(axes[0], trees.items(), strict=True):
            cells, points = [], []
            for leaf in leaves:
                x, y = base_point(leaf, settings)
                width, height = (2 * R / settings.K**s for s in splits(leaf.h, 2))
                cells.append(Rectangle((x - width / 2, y - height / 2), width, height))
                points.append((x, y, leaf.evaluations, min(width, height)))
            drawn = ax.add_collection(
                PatchCollection(cells, cmap="YlGnBu", norm=norm, edgecolor="#8a8a8a", lw=0.3)
            )
            drawn.set_array(np.array([leaf.evaluations for leaf in leaves], dtype=float))
            for x, y, count, size in points:
                if size > R / 15:
                    ax.text(
                        x, y, str(count), ha="center", va="center", fontsize=min(8, 60 * size / R),
                        color="white" if count > 0.6 * most else "black",
                    )  # fmt: skip
            ax.set(
                xlim=(-R, R), ylim=(-R, R), aspect="equal", title=label,
                xlabel="$y_1$", ylabel="$y_2$",
            )  # fmt: skip
            ax.spines[["left", "bottom"]].set_visible(False)
        bar = figure.colorbar(drawn, ax=axes[0], shrink=0.8, label="evaluations of the base point")
        bar.set_ticks(range(1, most + 1, -(-most // 12)))
        figure.suptitle(title, fontsize=10)
        figure.supxlabel(caption, fontsize=7, color="#555555")
        return _save(figure, path)


def _where_it_changes(best: Floats) -> npt.NDArray[np.intp]:
    """Return the first evaluation, the last, and all at which a run improved, counted from 0."""
    at = np.flatnonzero((np.diff(best, axis=1) != 0).any(axis=0)) + 1
    return np.unique(np.concatenate(([0], at, [best.shape[1] - 1])))


class _style:
    """A context with matplotlib.pyplot in our style, without a display; it closes all figures."""

    def __enter__(self) -> Any:
        matplotlib = extra("matplotlib")
        self._rc = matplotlib.rc_context(STYLE)
        self._rc.__enter__()
        self._plt = extra("matplotlib.pyplot")
        self._plt.switch_backend("Agg")
        return self._plt

    def __exit__(self, *error: Any) -> None:
        self._plt.close("all")
        self._rc.__exit__(*error)


def _save(figure: Any, path: Path) -> list[Path]:
    """Write path.svg and path.png; return both."""
    files = [path.with_suffix(".svg"), path.with_suffix(".png")]
    figure.savefig(files[0], metadata={"Date": None})
    figure.savefig(files[1])
    return files
