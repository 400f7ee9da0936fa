"""Compare published with reproduced results, cell by cell and curve by curve.

A cell is (experiment, problem, algorithm, x) and has some 20 runs on each side. Each cell gets two
two-sample tests: Mann-Whitney's (are values of one side larger?) and Kolmogorov-Smirnov's (do the
distributions differ in any way?). The p-values of each test are adjusted by the procedure of
Benjamini and Hochberg over all cells. A cell *differs* if either adjusted p-value is at most the
false discovery rate. A cell that does not differ is not shown to be equal: two confidence intervals
of the ratio of the two sides say how large a difference can still be.

The budgets of the convergence experiment are read off the same runs, so its cells are not
independent: `by_runs` counts all cells of one curve as one comparison.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy import stats

from reproduction.statistics import (
    CsvRow,
    Interval,
    ratio_of_geometric_means,
    ratio_of_medians,
)

_Key: TypeAlias = tuple[str, str, str, float]
SHARED_RUNS = "v"
"""The axis whose values are read off the same runs."""
_COLUMNS = frozenset({"experiment", "problem", "algorithm", "run", "best_value"})


@dataclass(frozen=True, slots=True)
class CellComparison:
    """The published and the reproduced results of one cell of an experiment.

    Attributes
    ----------
    experiment, problem, algorithm, axis, x
        The cell; `axis` is the name of the x column (v, n, M, d or d_e), `x` its value.
    published_runs, reproduced_runs
        Sample sizes.
    published_mean, published_sd, reproduced_mean, reproduced_sd
        Means and standard deviations (n - 1) of the best values. The standard deviation of a single
        run is nan.
    geometric_means, medians
        90 % confidence intervals of the ratio of reproduced to published values
        (`statistics.ratio_of_geometric_means`, `statistics.ratio_of_medians`).
    mann_whitney, kolmogorov_smirnov
        Two-sided two-sample p-values.
    mann_whitney_adjusted, kolmogorov_smirnov_adjusted
        The same, adjusted by the procedure of Benjamini and Hochberg over all cells compared.
    differs
        Whether an adjusted p-value is at most the false discovery rate.
    """

    experiment: str
    problem: str
    algorithm: str
    axis: str
    x: float
    published_runs: int
    reproduced_runs: int
    published_mean: float
    published_sd: float
    reproduced_mean: float
    reproduced_sd: float
    geometric_means: Interval
    medians: Interval
    mann_whitney: float
    kolmogorov_smirnov: float
    mann_whitney_adjusted: float
    kolmogorov_smirnov_adjusted: float
    differs: bool


def compare_cells(
    published: Iterable[CsvRow], reproduced: Iterable[CsvRow], *, rate: float = 0.05
) -> list[CellComparison]:
    """Compare two tables of runs.

    Parameters
    ----------
    published, reproduced
        Rows with the columns experiment, problem, algorithm, one x column, run, best_value, as
        `csv.DictReader` or the campaign's store gives them.
    rate
        The false discovery rate.

    Returns
    -------
    list of CellComparison
        All published cells of the experiments that both tables have, in the published order.
        Reproduced cells without a published counterpart are left out.

    Raises
    ------
    ValueError
        If the tables have no experiment in common, if the reproduced table lacks a published cell
        of a common experiment, if a row does not have exactly one x column, or if a value is nan.
    """
    theirs, axes = _cells(published)
    ours, _ = _cells(reproduced)
    common = {key[0] for key in theirs} & {key[0] for key in ours}
    if not common:
        raise ValueError("the two tables have no experiment in common")
    keys = [key for key in theirs if key[0] in common]
    missing = [key for key in keys if key not in ours]
    if missing:
        raise ValueError(f"{len(missing)} published cells were not reproduced, first {missing[0]}")
    tests = [p_values(theirs[key], ours[key]) for key in keys]
    mw = stats.false_discovery_control([p for p, _ in tests])
    ks = stats.false_discovery_control([p for _, p in tests])
    return [
        CellComparison(
            *key[:3],
            axes[key[0]],
            key[3],
            len(theirs[key]),
            len(ours[key]),
            *_mean_and_sd(theirs[key]),
            *_mean_and_sd(ours[key]),
            ratio_of_geometric_means(np.array(ours[key]), np.array(theirs[key])),
            ratio_of_medians(np.array(ours[key]), np.array(theirs[key])),
            *tests[i],
            float(mw[i]),
            float(ks[i]),
            bool(min(mw[i], ks[i]) <= rate),
        )
        for i, key in enumerate(keys)
    ]


class RunsComparison(NamedTuple):
    """All cells that were read off the same runs, compared by one test."""

    cells: tuple[CellComparison, ...]
    p: float
    """Least p-value of the cells, multiplied by the number of tests (Bonferroni)."""
    adjusted: float
    """By the procedure of Benjamini and Hochberg, over all comparisons."""
    differs: bool


def by_runs(cells: Iterable[CellComparison], *, rate: float = 0.05) -> list[RunsComparison]:
    """Return one comparison for each set of runs: a cell, or a curve along the budget v."""
    groups: dict[tuple[object, ...], list[CellComparison]] = {}
    for cell in cells:
        x = None if cell.axis == SHARED_RUNS else cell.x
        groups.setdefault((cell.experiment, cell.problem, cell.algorithm, x), []).append(cell)
    p = [
        min(1.0, 2 * len(group) * min(min(c.mann_whitney, c.kolmogorov_smirnov) for c in group))
        for group in groups.values()
    ]
    adjusted = stats.false_discovery_control(p)
    return [
        RunsComparison(tuple(group), p[k], float(adjusted[k]), bool(adjusted[k] <= rate))
        for k, group in enumerate(groups.values())
    ]


def _cells(rows: Iterable[CsvRow]) -> tuple[dict[_Key, list[float]], dict[str, str]]:
    """Return the values by cell, and the name of the x column of each experiment."""
    values: dict[_Key, list[float]] = {}
    axes: dict[str, str] = {}
    for row in rows:
        x_columns = set(row) - _COLUMNS
        if len(x_columns) != 1 or not set(row) >= _COLUMNS:
            raise ValueError(f"expected {sorted(_COLUMNS)} and one x column, got {sorted(row)}")
        axis = x_columns.pop()
        value = float(row["best_value"])
        if np.isnan(value):
            raise ValueError(f"nan among the values: {dict(row)}")
        names = (str(row["experiment"]), str(row["problem"]), str(row["algorithm"]))
        axes[names[0]] = axis
        values.setdefault((*names, float(row[axis])), []).append(value)
    return values, axes


def p_values(a: list[float], b: list[float]) -> tuple[float, float]:
    """Return the p-values of the Mann-Whitney and the Kolmogorov-Smirnov test."""
    mw = stats.mannwhitneyu(a, b, alternative="two-sided").pvalue
    with warnings.catch_warnings():
        # With ties the exact distribution cannot be computed; scipy warns that it uses the limit.
        warnings.simplefilter("ignore", RuntimeWarning)
        ks = stats.ks_2samp(a, b).pvalue
    return float(mw), float(ks)


def _mean_and_sd(values: list[float]) -> tuple[float, float]:
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
    return float(np.mean(values)), sd
