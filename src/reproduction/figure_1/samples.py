"""The runs of a campaign as samples, one for each cell."""

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from scipy import stats

from reproduction.figure_1.plan import EXPERIMENTS, PROBLEM_NAMES
from reproduction.statistics import CsvRow, Sample

Cell: TypeAlias = tuple[str, str, int]
"""(problem, algorithm, x)"""


def cells_of(experiment: str, rows: Iterable[CsvRow]) -> dict[Cell, list[float]]:
    """Return the best values of each cell of an experiment, in the order of the rows.

    Raises
    ------
    ValueError
        If a value is nan.
    """
    axis = EXPERIMENTS[experiment].axis
    cells: dict[Cell, list[float]] = {}
    for row in rows:
        value = float(row["best_value"])
        if math.isnan(value):
            raise ValueError(f"nan among the values: {dict(row)}")
        key = (str(row["problem"]), str(row["algorithm"]), int(row[axis]))
        cells.setdefault(key, []).append(value)
    return cells


class Runs:
    """The best values of one experiment by (problem, algorithm, x).

    Attributes
    ----------
    xs
        The paper's values of x of which there are runs: the sentences speak of no others.
    beyond
        The values beyond the paper's.
    """

    def __init__(self, experiment: str, rows: Sequence[CsvRow]) -> None:
        cells = cells_of(experiment, rows)
        self._cells = {key: np.array(values) for key, values in cells.items()}
        there = {x for _, _, x in cells}
        self.xs = [x for x in EXPERIMENTS[experiment].values if x in there]
        self.beyond = [x for x in EXPERIMENTS[experiment].beyond if x in there]

    def problems(self, *algorithms: str) -> list[str]:
        """Return the problems with some runs of these algorithms at every value of the paper."""
        return [
            problem
            for problem in PROBLEM_NAMES
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
