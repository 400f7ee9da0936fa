"""Cells of a campaign as samples, and the tests that verdicts are made of.

Quality is compared on a logarithmic scale, as a reader compares curves on logarithmic axes: a
*gap* is a difference of means of log best values, the logarithm of a ratio of geometric means.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from embedded_hunter.experiments.figure_1.plan import EXPERIMENTS, PROBLEM_NAMES

CsvRow: TypeAlias = Mapping[str, str | int | float]
Sample: TypeAlias = NDArray[np.float64]


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
        axis = EXPERIMENTS[experiment].axis
        cells: dict[tuple[str, str, int], list[float]] = defaultdict(list)
        for row in rows:
            key = (str(row["problem"]), str(row["algorithm"]), int(row[axis]))
            cells[key].append(float(row["best_value"]))
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


class Contrast(NamedTuple):
    """A sum of means of logarithms with given signs, and its one-sided p-values."""

    value: float
    positive: float
    """p-value of "it is positive"."""
    negative: float
    """p-value of "it is negative"."""


def contrast(plus: Sequence[Sample], minus: Sequence[Sample], against: float = 0.0) -> Contrast:
    """Compare sums of means of logarithms: those of `plus`, less those of `minus`, less `against`.

    Welch's test, for any number of independent samples (Satterthwaite's degrees of freedom). A
    value of 0 counts as the least positive number.

    Raises
    ------
    ValueError
        If a value is negative, or a sample has fewer than two values.
    """
    variances, freedoms, value = [], [], -against
    for sign, samples in ((1.0, plus), (-1.0, minus)):
        for sample in samples:
            if len(sample) < 2 or np.any(sample < 0.0):
                raise ValueError("a contrast needs samples of two values or more, none below 0")
            logs = np.log(np.maximum(sample, np.finfo(np.float64).tiny))
            value += sign * float(logs.mean())
            variances.append(float(logs.var(ddof=1)) / len(logs))
            freedoms.append(len(logs) - 1)
    total = sum(variances)
    if total == 0.0:
        return Contrast(value, float(value <= 0.0), float(value >= 0.0))
    freedom = total**2 / sum(v**2 / k for v, k in zip(variances, freedoms, strict=True))
    positive = float(stats.t.sf(value / math.sqrt(total), freedom))
    return Contrast(value, positive, 1.0 - positive)


def smaller(a: Sample, b: Sample) -> float:
    """Return the p-value of "a is smaller than b" (Mann-Whitney, one-sided)."""
    return float(stats.mannwhitneyu(a, b, alternative="less").pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values by Holm's step-down procedure, in the order given."""
    order = np.argsort(p_values, kind="stable")
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, k in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[k]))
        adjusted[k] = running
    return adjusted
