"""Dimensions, trees and shares of a forest: ``results --make forest-members``.

Each cell changes one thing: the dimensions of the trees, their number, a constant of the evolution
strategy, the share of a member, or it leaves a member out (`CELLS`). The functions are development
functions, none of which is in the benchmark, hidden in n = 1,000 coordinates along the axes with
d_e = 10. Their instances are drawn from seeds of this study alone.

Run k of a function has the same instance and the same generator in every cell, so the cells are
compared run by run.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from embedded_hunter.forest.constants import EVOLUTION
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from reproduction.kept_runs import Line, Values
from reproduction.seeds import seed_of
from reproduction.studies.study import (
    SOLVED,
    Task,
    forest_search,
    in_words,
    least_value,
    line_of_task,
    median_interval,
    ratios,
)
from reproduction.tables import number, table

N, D_E, SPREAD = 1_000, 10, 0.7
BUDGETS = (300, 1_000, 10_000)
RUNS = 10
COLUMNS = (*Task._fields, "value")
DEFAULT = "defaults"


def _schwefel(t: Floats) -> Floats:
    return np.asarray((np.cumsum(t, axis=0) ** 2).sum(axis=0))


def _griewank(t: Floats) -> Floats:
    waves = np.cos(20 * t.T / np.sqrt(np.arange(1, len(t) + 1))).T
    return np.asarray(1 + ((20 * t) ** 2).sum(axis=0) / 4000 - waves.prod(axis=0))


def _powers(t: Floats) -> Floats:
    exponents = 2 + 4 * np.arange(len(t)) / (len(t) - 1)
    return np.asarray((np.abs(t.T) ** exponents).sum(axis=1))


def _waves(height: float, frequency: float) -> Callable[[Floats], Floats]:
    return lambda t: np.asarray((t * t + height * (1 - np.cos(frequency * t))).sum(axis=0))


FUNCTIONS: dict[str, Callable[[Floats], Floats]] = {
    "sphere": lambda t: np.asarray((t * t).sum(axis=0)),
    "cone": lambda t: np.asarray(np.sqrt((t * t).sum(axis=0))),
    "schwefel": _schwefel,
    "griewank": _griewank,
    "powers": _powers,
    "tablet": lambda t: np.asarray(1e4 * t[0] ** 2 + (t[1:] ** 2).sum(axis=0)),
    "plateaus": lambda t: np.asarray(np.abs(np.rint(1.3 * t)).sum(axis=0)),
    "low waves": _waves(3, 3),
    "high waves": _waves(12, 1.6 * math.pi),
}
"""Functions of t = 5 (x - x*), shape (d_e, S), with the least value 0 at t = 0. x* is uniform in
[-`SPREAD`, `SPREAD`]^d_e."""

CELLS: dict[str, dict[str, Any]] = {
    DEFAULT: {},
    "told d_e = 10": {"effective_dimension": 10},
    "told d_e = 10, no evolution strategy": {"effective_dimension": 10, "evolve": False},
    "no evolution strategy": {"evolve": False},
    "d = 10, 20": {"dimensions": [10, 20]},
    "d = 8, 16, 32, 64": {"dimensions": [8, 16, 32, 64]},
    "d = 5, 10, 20, 40, 80": {"dimensions": [5, 10, 20, 40, 80]},
    "P = 8": {"n_embeddings": 8},
    "P = 40": {"n_embeddings": 40},
    "share 1/2": {"share": 2},
    "share 1/3": {"share": 3},
    "share 1/8": {"share": 8},
    "population 8": {"population": 8},
    "population 16": {"population": 16},
    "population 24": {"population": 24},
    "first step 0.4": {"first_step": 0.4},
    "patience 60": {"patience": 60},
    "rates for 20 coordinates": {"coordinates": 20},
    "rates for n coordinates": {"coordinates": N},
    "mean in the cube": {"outside": 0.0},
}
"""What each cell changes: settings, or constants of the evolution strategy."""


def plan() -> list[Task]:
    """Return all runs: so many of each function in each cell, run 0 of all cells first."""
    return [
        Task(cell, function, False, v, run)
        for run in range(RUNS)
        for v in BUDGETS
        for function in FUNCTIONS
        for cell in CELLS
    ]


def line_of(task: Task) -> Line:
    """Return the line of a run in the table of runs."""
    return line_of_task(task, N, f"forest-members/{task.function}/{task.run}/search")


def perform(task: Task) -> float:
    """Run a task; return its best value (the optimum is 0)."""
    names = ("forest-members", task.function, task.run)
    x_star = np.random.default_rng(seed_of(*names, "instance")).uniform(-SPREAD, SPREAD, D_E)
    changes, constants = dict(CELLS[task.cell]), EVOLUTION
    for name in set(changes) & set(vars(EVOLUTION)):
        constants = replace(constants, **{name: changes.pop(name)})
    settings = ForestSettings(N, task.v, **changes)
    rng = np.random.default_rng(seed_of(*names, "search"))
    run = forest_search(settings, rng, D_E, evolution=constants)
    return least_value(run, lambda x: FUNCTIONS[task.function](5 * (x - x_star).T))


def report(values: Values) -> str:
    """Return the study in words and tables, Markdown."""
    tables = []
    for v in BUDGETS:
        rows = []
        for cell in list(CELLS)[1:]:
            of = ratios(values, cell, DEFAULT, FUNCTIONS, v, RUNS)
            median, low, high = median_interval(of)
            interval = f"{number(median)} ({number(low)} to {number(high)})"
            rows.append([cell, interval, in_words(of)])
        head = ["cell", "median ratio", "better than the defaults"]
        tables.append(f"## v = {v:,}\n\n{table(head, rows, aligned=True)}")
    body = "\n\n".join(tables)
    return f"""---
orphan: true
---
# Dimensions, trees and shares of the forest

Made by `python -m reproduction results --make forest-members`.
Every run is in the [table of all runs](../../experiments.md#the-table-of-runs),
part `forest-members`. Its seed
is a function of the name of this study, of the function and of the number of the run.

```{{made}} forest-members
```

The defaults are trees of the dimensions 5, 10, 20 and 40 in turns, P = 20, and an evolution
strategy with 12 points, the first step 0.2, the patience 30, rates for 40 coordinates and a mean
that can be one standard deviation outside of the cube; each member has at least a quarter of the
evaluations. Each cell changes one of these. There are {len(FUNCTIONS)} development functions
with {RUNS} runs each: {", ".join(FUNCTIONS)}. They are hidden along the axes, n = {N} and
d_e = {D_E}. None of them is in the benchmark.

Each run is compared with the run of the defaults on the same instance. The ratio is the value of
the cell over that of the defaults. It is less than 1 if the cell is better. Values up to {SOLVED:g}
count as {SOLVED:g}. The column "median ratio" has the median over all {len(FUNCTIONS) * RUNS} pairs
and a 95 % confidence interval of it. The last column shows how many of the pairs that differ are
better than the defaults, with the p-value of a two-sided sign test, not corrected for the
{len(CELLS) - 1} cells.

{body}

The defaults come from earlier trials on such functions, and on Lasso problems, whose programs are
not kept.
"""
