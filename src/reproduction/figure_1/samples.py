"""The runs of a campaign as samples, one for each cell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy import stats

from reproduction.figure_1.plan import EXPERIMENTS, all_algorithms
from reproduction.kept_runs import RESULTS
from reproduction.problems.registry import OF_PAPER
from reproduction.statistics import Sample

if TYPE_CHECKING:
    import pandas as pd


Cell: TypeAlias = tuple[str, str, int]
"""(problem, algorithm, x)"""
Cells: TypeAlias = Mapping[Cell, Sample]
"""The best values of runs 0, 1, .. of each cell of an experiment."""


def cells_of(lines: pd.DataFrame) -> dict[str, Cells]:
    """Return the samples of each experiment, in the paper's order, from lines of the table of runs.

    That is the paper's order of problems and algorithms (ours after them), then x.
    """
    order = {name: k for k, name in enumerate((*OF_PAPER, *all_algorithms()))}
    found: dict[str, Cells] = {}
    for name, experiment in EXPERIMENTS.items():
        mine = lines[lines["set"] == name].sort_values("run")
        cells = _samples(mine, "function", "method", experiment.axis, "value")
        if cells:
            placed = sorted(cells, key=lambda cell: (order[cell[0]], order[cell[1]], cell[2]))
            found[name] = {cell: cells[cell] for cell in placed}
    return found


def published_means(folder: Path = RESULTS) -> dict[str, Cells]:
    """Return the published means of each experiment, as samples of one value each.

    They come from the summary of the authors' raw results, ``published-summary.csv`` of a folder.
    """
    import pandas

    rows = pandas.read_csv(folder / "published-summary.csv")
    return {
        name: _samples(mine, "problem", "algorithm", "x", "mean")
        for name, mine in rows.groupby("experiment")
    }


def _samples(rows: pd.DataFrame, problem: str, algorithm: str, x: str, value: str) -> Cells:
    groups = rows.groupby([problem, algorithm, x], sort=False)[value]
    return {(p, a, int(at)): sample.to_numpy(dtype=float) for (p, a, at), sample in groups}


class Runs:
    """The best values of one experiment by (problem, algorithm, x).

    Attributes
    ----------
    xs
        The paper's values of x of which there are runs: the sentences speak of no others.
    beyond
        The values beyond the paper's.
    """

    def __init__(self, experiment: str, cells: Cells) -> None:
        self._cells = {cell: np.asarray(sample) for cell, sample in cells.items()}
        there = {x for _, _, x in cells}
        self.xs = [x for x in EXPERIMENTS[experiment].values if x in there]
        self.beyond = [x for x in EXPERIMENTS[experiment].beyond if x in there]

    def problems(self, *algorithms: str) -> list[str]:
        """Return the problems with some runs of these algorithms at every value of the paper."""
        return [
            problem
            for problem in OF_PAPER
            if all(
                len(self._cells.get((problem, a, x), ())) > 1 for a in algorithms for x in self.xs
            )
        ]

    def at(self, problem: str, algorithm: str, x: int) -> Sample:
        """Return the best values of a cell."""
        return self._cells[problem, algorithm, x]

    def has(self, problem: str, algorithm: str, x: int) -> bool:
        """Tell whether there is such a cell."""
        return (problem, algorithm, x) in self._cells

    def trend(self, problem: str, algorithm: str) -> tuple[float, float]:
        """Return Spearman's correlation of x and value, and its two-sided p-value."""
        x = np.concatenate([np.full(len(self.at(problem, algorithm, x)), x) for x in self.xs])
        y = np.concatenate([self.at(problem, algorithm, x) for x in self.xs])
        if np.all(y == y[0]):
            return 0.0, 1.0
        result = stats.spearmanr(x, y)
        return float(result.statistic), float(result.pvalue)
