"""What noise does to a search, and what helps: ``results --make noise``.

To each value normal noise is added, independent for each evaluation. Its standard deviation is 0,
.01 or 1 times the interquartile range of the function over points near its optimum
(`range_near_optimum`). A run's value is the function's, without noise, at the point that the method
returns. The functions are four of the benchmark, hidden along the axes in n = 1,000 coordinates,
d_e = 10. Their instances are drawn from seeds of this study alone, the same in every cell.
"""

from collections.abc import Callable
from contextlib import suppress
from statistics import median
from typing import NamedTuple

import numpy as np

from embedded_hunter.matrices import Floats
from embedded_hunter.problems.hidden import Problem
from reproduction.benchmark.plan import FACTORIES
from reproduction.kept_runs import Values
from reproduction.optimizers import embedded, libraries
from reproduction.optimizers.black_box import BlackBox, Exhausted, ProblemInfo
from reproduction.seeds import seed_of
from reproduction.studies.study import SOLVED, in_words
from reproduction.tables import TITLES, number, table

N, D_E, NEAR = 1_000, 10, 0.1
FUNCTIONS = ("ellipsoid", "ackley", "rastrigin", "absolute_values")
NOISES = (0.0, 0.01, 1.0)
BUDGETS = (1_000, 3_000)
RUNS = 10
DEFAULT = "forest"


class Cell(NamedTuple):
    """How a function with noise is minimised."""

    method: Callable[[BlackBox, ProblemInfo, np.random.Generator], None]
    average: int = 1
    """Evaluations whose mean is the value of a point."""
    again: int = 0
    """So many of the best points share the last fifth of the budget; the best mean wins."""
    reported: bool = False
    """Whether the value of the run is the least value with noise, not that of its point."""


CELLS = {
    DEFAULT: Cell(embedded.forest),
    "forest, mean of 4": Cell(embedded.forest, average=4),
    "forest, 20 best again": Cell(embedded.forest, again=20),
    "forest, as reported": Cell(embedded.forest, reported=True),
    "sep-CMA": Cell(libraries.sep_cma),
    "DE (20)": Cell(libraries.evolution),
    "uniform": Cell(embedded.uniform_random_search),
}


class Run(NamedTuple):
    """A run of the study."""

    cell: str
    function: str
    noise: float
    v: int
    run: int


COLUMNS = (*Run._fields, "value")


def plan() -> list[Run]:
    """Return all runs."""
    return [
        Run(cell, function, noise, v, run)
        for v in BUDGETS
        for noise in NOISES
        for cell in CELLS
        for function in FUNCTIONS
        for run in range(RUNS)
    ]


def range_near_optimum(problem: Problem) -> float:
    """Return the interquartile range of 10,000 values near the optimum.

    The effective variables are uniform within `NEAR` of those of the optimum.
    """
    near = np.random.default_rng(0).uniform(-NEAR, NEAR, (D_E, 10_000))
    values = problem.effective(problem.x_star_eff[:, np.newaxis] + near)
    return float(np.subtract(*np.percentile(values, [75, 25])))


def perform(run: Run) -> float:
    """Make a run; return the value of the point that it returns (the optimum is 0)."""
    cell, names = CELLS[run.cell], ("noise", run.function, run.run)
    instance, search, noise = (
        np.random.default_rng(seed_of(*names, what)) for what in ("instance", "search", "noise")
    )
    problem = FACTORIES[run.function](N, D_E, instance, False)
    sd = run.noise * range_near_optimum(problem)
    exact: list[float] = []
    noisy: list[float] = []

    def f(x: Floats) -> float:
        exact.append(float(problem(x)))
        noisy.append(exact[-1] + sd * float(noise.standard_normal(cell.average).mean()))
        return noisy[-1]

    rest = run.v // 5 if cell.again else 0
    box = BlackBox(f, N, (run.v - rest) // cell.average, vectorized=False)
    with suppress(Exhausted):
        cell.method(box, ProblemInfo(N, D_E), search)
    best = np.argsort(noisy, kind="stable")[: max(1, cell.again)]
    if cell.reported:
        return min(noisy)
    values = np.array(exact)[best]
    if cell.again:
        anew = noise.standard_normal((cell.again, rest // cell.again)).mean(axis=1)
        values = values[np.argsort(values + sd * anew, kind="stable")]
    return float(values[0])


def values_of(values: Values, cell: str, function: str, noise: float, v: int) -> Floats:
    """Return the values of the runs of a cell."""
    kept = [Run(cell, function, noise, v, run) for run in range(RUNS)]
    return np.array([values[tuple(map(str, run))] for run in kept])


def ratios(values: Values, cell: str, noise: float, v: int) -> Floats:
    """Return the values of a cell over those of the forest, on all functions, increasing."""
    both = [
        np.hstack([values_of(values, which, f, noise, v) for f in FUNCTIONS])
        for which in (cell, DEFAULT)
    ]
    return np.sort(np.divide(*np.maximum(SOLVED, both)))


def report(values: Values) -> str:
    """Return the study in words and tables, Markdown."""
    parts = []
    for v in BUDGETS:
        for noise in NOISES:
            rows = [
                [
                    cell,
                    *(number(median(values_of(values, cell, f, noise, v))) for f in FUNCTIONS),
                    ""
                    if CELLS[cell].reported or cell == DEFAULT
                    else in_words(ratios(values, cell, noise, v)),
                ]
                for cell in CELLS
            ]
            head = ["cell", *(TITLES[f] for f in FUNCTIONS), "better than `forest`"]
            title = f"## v = {v:,}, noise {noise:g}"
            parts.append(f"{title}\n\n{table(head, rows, aligned=True)}")
    body = "\n\n".join(parts)
    return f"""---
orphan: true
---
# Noise

Made by `python -m reproduction results --make noise`. Every run is in `runs.csv`. Its seeds are
functions of the name of this study, of the function and of the number of the run.

```{{made}} noise
```

Normal noise is added to each value, independent for each evaluation. Its standard deviation is the
number in the titles times the interquartile range of the function over points whose effective
variables are uniform within {NEAR:g} of those of the optimum. The functions are hidden along the
axes, n = {N:,} and d_e = {D_E}; their least value is 0. The tables have the medians of {RUNS} runs:
the values, without noise, of the point with the least value that the run has seen.

- *forest, mean of 4*: the value of a point is the mean of four evaluations; there are v/4 points.
- *forest, 20 best again*: the forest has four fifths of the budget. The 20 points with its least
  values share the rest. The one with the least mean of these new evaluations is returned.
- *forest, as reported*: the least value that the forest has seen, noise included. This is what
  `minimize` returns as `fun`.

The last column has the pairs of runs, on all functions, that differ, and in how many of them the
cell is better than `forest`, with the p-value of a two-sided sign test, not corrected for the
number of tests. Values up to {SOLVED:g} count as {SOLVED:g}.

{body}
"""
