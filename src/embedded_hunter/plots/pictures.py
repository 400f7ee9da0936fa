"""The style of all pictures; the picture of the demo: a partition of Y, and convergence curves.

It is drawn by matplotlib without a display. The same data give the same bytes, because SVG
identifiers are salted and no date is written.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from embedded_hunter.common.extras import extra
from embedded_hunter.matrices import Floats

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
COLORS = ("#555555", "#0072b2", "#d55e00", "#009e73")
DASHES = ((0, (4, 1.5)), "-", "-", "-")


@dataclass
class Curves:
    """The best values so far of some methods on one problem."""

    title: str
    best: Mapping[str, Floats]
    """For each method its best values so far, shape (runs, v)."""


def picture(plane: Callable[[Any], None], curves: Curves, caption: str, path: Path) -> list[Path]:
    """Draw a partition, and beside it the convergence of the methods; return the files.

    `plane` draws the left part on its axes. The caption is below the picture. The files are an SVG
    and a PNG at `path`, which has no ending.
    """
    with style() as plt:
        figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), width_ratios=[1, 1.1])
        plane(left)
        draw_curves(right, curves)
        return saved(figure, caption, path)


def draw_curves(ax: Any, curves: Curves) -> None:
    """Draw the best value against the number of evaluations, these on a logarithmic scale.

    Lines are medians over runs. Bands reach from the best to the worst run.
    """
    for (label, best), color, dash in zip(curves.best.items(), COLORS, DASHES, strict=False):
        at = _where_it_changes(best)
        low, high = best.min(axis=0)[at], best.max(axis=0)[at]
        ax.plot(
            at + 1, np.median(best, axis=0)[at],
            color=color, ls=dash, label=label, drawstyle="steps-post",
        )  # fmt: skip
        ax.fill_between(at + 1, low, high, color=color, alpha=0.15, lw=0, step="post")
    ax.set(
        xscale="log", ylim=(0, None), title=curves.title, xlabel="evaluations",
        ylabel="best value so far",
    )  # fmt: skip
    ax.margins(x=0)
    ax.legend(loc="lower left")


def _where_it_changes(best: Floats) -> npt.NDArray[np.intp]:
    """Return the first evaluation, the last, and all at which a run improved, counted from 0."""
    at = np.flatnonzero((np.diff(best, axis=1) != 0).any(axis=0)) + 1
    return np.unique(np.concatenate(([0], at, [best.shape[1] - 1])))


@contextmanager
def style() -> Iterator[Any]:
    """Give matplotlib.pyplot in our style, without a display; then close all figures."""
    with extra("matplotlib").rc_context(STYLE):
        plt = extra("matplotlib.pyplot")
        plt.switch_backend("Agg")
        try:
            yield plt
        finally:
            plt.close("all")


def saved(figure: Any, caption: str, path: Path) -> list[Path]:
    """Write path.svg and path.png with a caption below the picture; return both."""
    figure.supxlabel(caption, fontsize=7, color="#555555")
    files = [path.with_suffix(".svg"), path.with_suffix(".png")]
    with extra("matplotlib").rc_context(STYLE):
        figure.savefig(files[0], metadata={"Date": None})
        figure.savefig(files[1])
    return files
