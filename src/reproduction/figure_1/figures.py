"""Figure 1 again: up to 5 x 4 panels, mean best value of the runs, published curves dashed."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from reproduction.figure_1.plan import EXPERIMENTS, Experiment
from reproduction.figure_1.samples import Cells
from reproduction.methods import in_figure_1, style_of
from reproduction.problems.registry import OF_PAPER, PROBLEMS

LEFT_OUT = ("uniform_random_search", "radial_random_search_uniform")
"""Methods without a curve: in some panels they come to many times all else. The report has them."""
LABELS = {
    "convergence": "evaluations $v$",
    "scalability": "dimension $n$",
    "number-of-embeddings": "embedding number $M$",
    "effective-dimension": "effective dimension $d$",
    "effective-dimension-knowledge": "effective dimension $d_e$ ($d = 10$)",
}


def figure(
    folder: str | os.PathLike[str],
    ours: Mapping[str, Cells],
    published: Mapping[str, Cells],
    note: str = "",
) -> list[Path]:
    """Draw the panels of a campaign; return the files, ``figure-1.svg`` and ``figure-1.png``.

    Parameters
    ----------
    folder
        Where the files go.
    ours, published
        The samples of each experiment, and the published means.
    note
        A line below the figure: command, commit, seed.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    names = [name for name in EXPERIMENTS if name in ours]
    there = {problem for cells in ours.values() for problem, _, _ in cells}
    problems = [name for name in OF_PAPER if name in there]
    with mpl.rc_context({"svg.hashsalt": "embedded-hunter", "font.size": 9}):
        width = 11 * max(len(problems), 2) / len(OF_PAPER)  # two hold the legend
        drawing = Figure(figsize=(width, 2.4 * len(names) + 1.2), layout="constrained")
        grid = drawing.subplots(len(names), len(problems), squeeze=False)
        for line, name in zip(grid, names, strict=True):
            for axes, problem in zip(line, problems, strict=True):
                _panel(axes, EXPERIMENTS[name], problem, ours[name], published.get(name, {}))
        for column, problem in zip(grid.T, problems, strict=True):
            _first_drawn(column).set_title(PROBLEMS[problem].title)
        for line in grid:
            _first_drawn(line).set_ylabel("mean best value")
        _legend(drawing, grid, round(4 * width / 11))
        if note:
            drawing.supxlabel(note, fontsize=7)
        written = [Path(folder) / f"figure-1.{kind}" for kind in ("svg", "png")]
        drawing.savefig(written[0], metadata={"Date": None})
        drawing.savefig(written[1], dpi=180, metadata={"Software": None})
    return written


def _first_drawn(panels: Sequence[Any]) -> Any:
    return next(axes for axes in panels if axes.get_visible())


def _panel(axes: Any, experiment: Experiment, problem: str, ours: Cells, published: Cells) -> None:
    if problem not in {name for name, _, _ in ours}:
        axes.set_visible(False)
        return
    curves: list[float] = []
    for algorithm, (label, color, marker) in styles().items():
        if algorithm in LEFT_OUT:
            continue
        x, mean, error = _curve(ours, problem, algorithm)
        if x:
            axes.errorbar(
                x, mean, error, color=color, marker=marker, ms=4, lw=1.3, capsize=2, label=label
            )
        at, theirs, _ = _curve(published, problem, algorithm)
        if at:
            axes.plot(at, theirs, "--", color=color, alpha=0.6, lw=1.2, label=f"{label}, published")
        curves += mean + theirs
    axes.set_xscale("log")
    if max(experiment.values) <= 1000:
        # A decade or two: the values themselves say more than powers of ten.
        axes.set_xticks(experiment.values, [str(x) for x in experiment.values])
        axes.minorticks_off()
    if max(curves) > 10 * min(value for value in curves if value > 0):
        axes.set_yscale("log")
    axes.grid(alpha=0.25)
    axes.set_xlabel(LABELS[experiment.name])


def styles() -> dict[str, tuple[str, str, str]]:
    """Return label, colour and marker of every algorithm."""
    return {
        name: (method.label, style_of(method).color, style_of(method).marker)
        for name, method in in_figure_1().items()
    }


def _curve(
    cells: Cells, problem: str, algorithm: str
) -> tuple[list[int], list[float], list[float]]:
    """Return the x values, the means and their standard errors."""
    xs = sorted(x for *curve, x in cells if curve == [problem, algorithm])
    samples = [cells[problem, algorithm, x] for x in xs]
    means = [float(np.mean(sample)) for sample in samples]
    errors = [
        float(np.std(sample, ddof=1) / np.sqrt(len(sample))) if len(sample) > 1 else 0.0
        for sample in samples
    ]
    return xs, means, errors


def _legend(drawing: Any, grid: Any, columns: int) -> None:
    entries: dict[str, Any] = {}
    for axes in grid.flat:
        handles, labels = axes.get_legend_handles_labels()
        entries.update(zip(labels, handles, strict=True))
    drawing.legend(entries.values(), entries.keys(), loc="outside upper center", ncols=columns)
