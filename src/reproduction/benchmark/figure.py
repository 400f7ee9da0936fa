"""The picture of a comparison: the median value against the budget, for each function and set."""

import os
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from reproduction.benchmark.plan import BUDGETS, MAIN, SETS
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
LEFT_OUT = ("sresoo", "radial_random_search", "hesbo_cma_5", "hesbo_cma_5_small")
"""Methods without a line in the benchmark, so that the others can be told apart."""


def draw(
    results: Results, folder: str | os.PathLike[str], reference: str = REFERENCE
) -> list[Path]:
    """Draw ``comparison.svg`` and ``comparison.png`` into a folder; return their paths.

    A row of panels is a function, a column one of the main sets or the functions of a race, of
    those that there are results of; without any nothing is drawn. The picture of a race is as wide
    as a column of a journal, shows the quartiles, and is there as ``comparison.pdf``, too.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    sets = [name for name in sets_of(results) if name in MAIN or name not in SETS]
    problems = list(dict.fromkeys(p for name in sets for p in problems_of(results, name)))
    if not sets:
        return []
    race = not any(name in SETS for name in sets)
    width, height, size = (COLUMN, 2.1, 8) if race else (3.7 * len(sets) + 0.4, 2.5, 10)
    with mpl.rc_context({"svg.hashsalt": "embedded-hunter", "font.size": size}):
        drawing = Figure(
            figsize=(width, height * len(problems) + height * 0.8), layout="constrained"
        )
        grid = drawing.subplots(len(problems), len(sets), squeeze=False, sharey="row")
        for line, problem in zip(grid, problems, strict=True):
            for axes, problem_set in zip(line, sets, strict=True):
                _panel(axes, results, problem_set, problem, reference)
            line[0].set_ylabel(title_of(problem))
        for axes, problem_set in zip(grid[0], sets, strict=True):
            axes.set_title(SETS[problem_set].title if problem_set in SETS else "")
        for axes in grid[-1]:
            axes.set_xlabel("budget $v$ (evaluations)" if race else "budget $v$")
        handles = {h.get_label(): h for axes in grid.flat for h in axes.get_lines()}
        drawing.legend(
            list(handles.values()),
            list(handles),
            loc="outside lower center",
            ncols=2 if race else len(sets),
            frameon=False,
            fontsize=size - 1,
        )
        paths = [Path(folder) / f"comparison.{kind}" for kind in ("svg", "png")]
        drawing.savefig(paths[0], metadata={"Date": None})
        drawing.savefig(paths[1], dpi=300 if race else 110)
        if race:
            paths.append(Path(folder) / "comparison.pdf")
            drawing.savefig(paths[2], metadata={"CreationDate": None})
    return paths


def _panel(axes: Any, results: Results, problem_set: str, problem: str, reference: str) -> None:
    for method in methods_of(results, problem_set):
        if problem_set in SETS and method in LEFT_OUT:
            continue
        cells = [
            Condition(problem_set, problem, method, v)
            for v in budgets_of(results, problem_set, BUDGETS if problem_set in SETS else ())
        ]
        values = {cell.v: results[cell] for cell in cells if cell in results}
        color, marker, line = style_of(METHODS[method])
        mine = method == reference
        axes.plot(
            list(values),
            [max(median(runs), FLOOR) for runs in values.values()],
            label=METHODS[method].label,
            color=color,
            marker=marker,
            linestyle=line,
            linewidth=2.4 if mine else 1.1,
            markersize=5 if mine else 3.5,
            zorder=3 if mine else 2,
        )
        if problem_set not in SETS:
            low, _, high = np.maximum(np.transpose([*map(quartiles, values.values())]), FLOOR)
            axes.fill_between(list(values), low, high, color=color, alpha=0.15, linewidth=0)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(alpha=0.25, linewidth=0.6)
