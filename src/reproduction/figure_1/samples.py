"""The runs of a campaign as samples, one for each cell."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy import stats

from reproduction.figure_1.plan import EXPERIMENTS, algorithms_of
from reproduction.kept_runs import values_of
from reproduction.landscapes import OF_PAPER
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
    order = {name: k for k, name in enumerate((*OF_PAPER, *algorithms_of("paper")))}
    found: dict[str, Cells] = {}
    for name, experiment in EXPERIMENTS.items():
        mine = lines[lines["set"] == name]
        names = ("function", "method", experiment.axis, "run")
        values = sorted(
            values_of(mine, names).items(),
            key=lambda one: (order[one[0][0]], order[one[0][1]], one[0][2:]),
        )
        if values:
            found[name] = _samples((key[:3], value) for key, value in values)
    return found


def published_cells(folder: str | os.PathLike[str]) -> dict[str, Cells]:
    """Return the samples of the published raw results, the files ``<experiment>.csv`` of a folder.

    Raises
    ------
    ValueError
        If there is no such file, or if one has no rows, lacks a column or has a nan.
    """
    found: dict[str, Cells] = {}
    for name, experiment in EXPERIMENTS.items():
        path = Path(folder) / f"{name}.csv"
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            columns = {"problem", "algorithm", experiment.axis, "best_value"}
            if missing := sorted(columns - set(rows[0] if rows else ())):
                raise ValueError(f"{path} has no {', '.join(missing)} in its first row")
            if any(math.isnan(float(row["best_value"])) for row in rows):
                raise ValueError(f"{path} has nan among its values")
            found[name] = _samples(
                (
                    (row["problem"], row["algorithm"], int(row[experiment.axis])),
                    float(row["best_value"]),
                )
                for row in rows
            )
    if not found:
        raise ValueError(f"{folder} holds no <experiment>.csv, as the authors published them")
    return found


def _samples(values: Iterable[tuple[tuple[Any, ...], float]]) -> Cells:
    found: dict[Cell, list[float]] = {}
    for (problem, algorithm, x), value in values:
        found.setdefault((problem, algorithm, int(x)), []).append(value)
    return {cell: np.array(sample) for cell, sample in found.items()}


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
