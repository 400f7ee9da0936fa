"""What the studies share: how their runs are made, and how two cells are compared.

Run k of a function has the same instance and the same generator in every cell of a study, so cells
are compared run by run, by the ratio of their values.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.stats import binom, binomtest

from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.run.drive import drive
from embedded_hunter.run.policies import Search
from reproduction.kept_runs import Line, Values


class Task(NamedTuple):
    """A run of the study."""

    cell: str
    function: str
    rotated: bool
    v: int
    run: int

    @property
    def names(self) -> tuple[str, ...]:
        """The task as the file of runs has it."""
        return (self.cell, self.function, str(self.rotated), str(self.v), str(self.run))


def line_of_task(task: Task, n: int, seed: str = "") -> Line:
    """Return the line of a run in the table of runs."""
    return {
        "method": "forest", "policy": "forest", "variant": task.cell,
        "told": "d_e" if "told" in task.cell else "", "function": task.function,
        "kind": "rotated" if task.rotated else "axis-aligned", "n": n, "d_e": 10, "v": task.v,
        "run": task.run, "seed": seed,
    }  # fmt: skip


def forest_search(
    settings: ForestSettings, rng: np.random.Generator, rows: int, **rules: Any
) -> Search:
    """Return the search of a forest with other rules or constants, arguments of `hunt_forest`."""
    points = ForestPoints(settings, rng, rows)
    return Search(hunt_forest(settings, points.key, rows=rows, **rules), points)


def of_rows(f: Callable[[Floats], Any]) -> Callable[[Floats], Floats]:
    """Return the function of points as rows, given that of points as columns."""
    return lambda points: np.atleast_1d(f(np.ascontiguousarray(points.T)))


def least_value(search: Search, f: Callable[[Floats], Floats]) -> float:
    """Run a search on a function of points as rows; return its best value."""
    return min(value for _, values in drive(search, f) for value in values)


SOLVED = 1e-12
"""In comparisons, values up to this count as this: the least value of every function is 0."""
Side = Literal["better", "worse", "no difference is shown"]


def ratios(
    values: Values, cell: str, other: str, functions: Iterable[str], v: int, runs: int
) -> Floats:
    """Return the values of a cell over those of another one, axis-aligned, in increasing order."""
    pairs = [
        [max(SOLVED, values[Task(which, function, False, v, run).names]) for which in (cell, other)]
        for function in functions
        for run in range(runs)
    ]
    return np.sort([x / y for x, y in pairs])


def median_interval(increasing: Floats) -> tuple[float, float, float]:
    """Return the median and a 95 % confidence interval of it, by the binomial distribution."""
    m = len(increasing)
    rank = max(1, int(binom.ppf(0.025, m, 0.5)))  # P(fewer than rank below the median) <= .025
    return float(np.median(increasing)), float(increasing[rank - 1]), float(increasing[m - rank])


def better_of(increasing: Floats) -> tuple[int, int]:
    """Return in how many runs the cell is better, and how many differ."""
    return int((increasing < 1).sum()), int((increasing != 1).sum())


def side_of(increasing: Floats) -> Side:
    """Say whether the cell is better or worse: sign test, two-sided, p < .01."""
    better, of = better_of(increasing)
    if of == 0 or binomtest(better, of).pvalue >= 0.01:
        return "no difference is shown"
    return "better" if 2 * better > of else "worse"


def in_words(increasing: Floats) -> str:
    """Return in how many of the runs that differ the cell is better, and the sign test."""
    better, of = better_of(increasing)
    return f"{better} of {of}, {sign_test(better, of)}"


def sign_test(better: int, of: int) -> str:
    """Return the p-value of the sign test in words; it is 1 without a pair that differs."""
    p = float(binomtest(better, of).pvalue) if of else 1.0
    return "p < .001" if p < 0.001 else f"p = {p:.2g}"
