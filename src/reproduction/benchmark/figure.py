"""The picture of a race: medians and quartiles against the budget, for each function."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from reproduction.benchmark.results import (
    REFERENCE,
    Condition,
    Results,
    budgets_of,
    methods_of,
    problems_of,
    sets_of,
    title_of,
)
from reproduction.methods import METHODS, style_of
from reproduction.statistics import FLOOR, quartiles

COLUMN = 3.4
"""Width of a column of a journal, in inches."""


def draw(
    results: Results, folder: str | os.PathLike[str], reference: str = REFERENCE
) -> list[Path]:
    """Draw ``comparison`` as ``.svg``, ``.png`` and ``.pdf`` into a folder; return their paths."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    (problem_set,) = sets_of(results)
    problems = problems_of(results, problem_set)
    with mpl.rc_context({"svg.hashsalt": "embedded-hunter", "font.size": 8}):
        drawing = Figure(figsize=(COLUMN, 2.1 * len(problems) + 1.7), layout="constrained")
        column = drawing.subplots(len(problems), squeeze=False)[:, 0]
        for axes, problem in zip(column, problems, strict=True):
            _panel(axes, results, problem_set, problem, reference)
            axes.set_ylabel(title_of(problem))
        column[-1].set_xlabel("budget $v$ (evaluations)")
        handles = {h.get_label(): h for axes in column for h in axes.get_lines()}
        drawing.legend(
            list(handles.values()), list(handles), loc="outside lower center", ncols=2,
            frameon=False, fontsize=7,
        )  # fmt: skip
        paths = [Path(folder) / f"comparison.{kind}" for kind in ("svg", "png", "pdf")]
        drawing.savefig(paths[0], metadata={"Date": None})
        drawing.savefig(paths[1], dpi=300)
        drawing.savefig(paths[2], metadata={"CreationDate": None})
    return paths


def _panel(axes: Any, results: Results, problem_set: str, problem: str, reference: str) -> None:
    for method in methods_of(results, problem_set):
        values = {
            v: results[cell]
            for v in budgets_of(results, problem_set)
            if (cell := Condition(problem_set, problem, method, v)) in results
        }
        if not values:
            continue
        style, mine = style_of(METHODS[method]), method == reference
        low, middle, high = np.maximum(np.transpose([*map(quartiles, values.values())]), FLOOR)
        axes.plot(
            list(values), middle, label=METHODS[method].label, color=style.color,
            marker=style.marker, linestyle=style.line, linewidth=2.4 if mine else 1.1,
            markersize=5 if mine else 3.5, zorder=3 if mine else 2,
        )  # fmt: skip
        axes.fill_between(list(values), low, high, color=style.color, alpha=0.15, linewidth=0)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(alpha=0.25, linewidth=0.6)
