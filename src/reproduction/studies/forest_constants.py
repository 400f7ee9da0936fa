"""``python -m reproduction reproduce forest-constants``: the constants of the local search.

Each constant is halved, doubled, and switched off where this has a meaning (`CELLS`); the others
keep their values. The functions are the paper's four and the five of `problems.wider`, axis-aligned
with n = 10,000, d_e = 10, the guess 10 told, and v = 2,000. The instances are drawn from a seed of
their own: the benchmark has others, and so has the study of the defaults (`forest_defaults`).

Run k of a function has the same instance and the same generator in every cell. So the cells are
compared run by run. `study.conduct` makes the runs and keeps them.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
from scipy.stats import binom, binomtest

from embedded_hunter.forest import local_search, model, refinement
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.projection import Floats
from embedded_hunter.run.drive import drive
from embedded_hunter.run.policies import search_of
from reproduction.benchmark.plan import FACTORIES
from reproduction.studies.forest_defaults import D_E, DEFAULT, N
from reproduction.studies.study import SOLVED, Task, sign_test
from reproduction.tables import number, table

V, SEED = 2_000, 20_261
FUNCTIONS = tuple(FACTORIES)

CONSTANTS: dict[str, tuple[ModuleType, dict[str, Any]]] = {
    "GENERATION": (local_search, {"half": 4, "double": 16}),
    "FIRST_STEP": (local_search, {"half": 0.15, "double": 0.6}),
    "HISTORY": (local_search, {"half": 3, "double": 12}),
    "RIDGE": (local_search, {"half": 5e-5, "double": 2e-4, "off": 0.0}),
    "DAMPING": (local_search, {"half": 0.015, "double": 0.06, "off": 1e-9}),
    "CONTRACTION": (local_search, {"half": 0.15, "double": 0.6, "off": 0.0}),
    "PRIOR_WEIGHT": (model, {"half": 50.0, "double": 200.0, "off": 0.0}),
    "AGE": (refinement, {"half": 5, "double": 20, "off": 10**9}),
}
"""Each constant: its module, and its other values. (Without AGE a local search goes on for ever.
Without RIDGE, the ridge is `model.MIN_RIDGE`. Damping 0 could divide by 0, so 10^-9 stands for
it.)"""
CELLS: dict[str, tuple[ModuleType, str, Any]] = {
    f"{name} {change}": (module, name, value)
    for name, (module, changes) in CONSTANTS.items()
    for change, value in changes.items()
}
"""The cells of the study besides the defaults: a module, its constant, and the value of it."""

REMOVED = """ The constants
whose value is "removed" were part of the program at that commit. So they are in all other cells."""
"""Said of them in the report."""


def tasks(runs: int) -> list[Task]:
    """Return all runs: so many of each function in each cell, run 0 of all cells first."""
    return [
        Task(cell, function, False, V, run)
        for run in range(runs)
        for function in FUNCTIONS
        for cell in (DEFAULT, *CELLS)
    ]


def value_of(task: Task) -> float:
    """Run a task; return its best value (the optimum is 0)."""
    place = (SEED, FUNCTIONS.index(task.function), task.run)
    problem = FACTORIES[task.function](N, D_E, np.random.default_rng([*place, 0]), task.rotated)
    search = search_of(ForestSettings(N, 2 * D_E, task.v), np.random.default_rng([*place, 1]), D_E)

    def values(points: Floats) -> Floats:
        return np.atleast_1d(problem.effective(np.ascontiguousarray(points.T)))

    if task.cell == DEFAULT:
        return min(value for _, found in drive(search, values) for value in found)
    module, name, changed = CELLS[task.cell]
    kept = getattr(module, name)
    setattr(module, name, changed)
    try:
        return min(value for _, found in drive(search, values) for value in found)
    finally:
        setattr(module, name, kept)


def ratios(values: Mapping[tuple[str, ...], float], cell: str, runs: int) -> Floats:
    """Return the values of a cell over those of the defaults, all pairs, in increasing order."""
    pairs = [
        [
            max(SOLVED, values[Task(which, function, False, V, run).names])
            for which in (cell, DEFAULT)
        ]
        for function in FUNCTIONS
        for run in range(runs)
    ]
    return np.sort([x / y for x, y in pairs])


def median_interval(increasing: Floats) -> tuple[float, float, float]:
    """Return the median and a 95 % confidence interval of it, by the binomial distribution."""
    m = len(increasing)
    rank = max(1, int(binom.ppf(0.025, m, 0.5)))  # P(fewer than rank below the median) <= .025
    return float(np.median(increasing)), float(increasing[rank - 1]), float(increasing[m - rank])


def compared(values: Mapping[tuple[str, ...], float], cell: str, runs: int) -> tuple[int, int]:
    """Return in how many runs a cell is better than the defaults, and how many differ."""
    of = ratios(values, cell, runs)
    return int((of < 1).sum()), int((of != 1).sum())


def sentence(values: Mapping[tuple[str, ...], float], name: str, runs: int) -> str:
    """Say which changes of a constant are better or worse, p < .01."""
    found: dict[str, list[str]] = {"better": [], "worse": [], "no difference is shown": []}
    for change in CONSTANTS[name][1]:
        better, of = compared(values, f"{name} {change}", runs)
        sure = of > 0 and binomtest(better, of).pvalue < 0.01
        side = ("better" if 2 * better > of else "worse") if sure else "no difference is shown"
        found[side].append(change)
    said = "; ".join(f"{', '.join(changes)}: {side}" for side, changes in found.items() if changes)
    return f"- `{name}`: {said}."


def report(values: Mapping[tuple[str, ...], float], runs: int, commit: str) -> str:
    """Return the study in words and tables, Markdown.

    Cells whose constant has been removed since they were run come last, without its value.
    """
    shown = {cell: f"{value:g}" for cell, (_, _, value) in CELLS.items()}
    for cell, *_ in values:
        if cell != DEFAULT and Task(cell, FUNCTIONS[-1], False, V, runs - 1).names in values:
            shown.setdefault(cell, "removed")
    rows = []
    for cell, value in shown.items():
        median, low, high = median_interval(ratios(values, cell, runs))
        better, differ = compared(values, cell, runs)
        against = f"{better} of {differ}, {sign_test(better, differ)}" if differ else ""
        interval = f"{number(median)} ({number(low)} to {number(high)})"
        rows.append([cell, value, interval, against])
    listed = table(["", "value", "median ratio", "better than the defaults"], rows, aligned=True)
    sentences = "\n".join(sentence(values, name, runs) for name in CONSTANTS)
    return f"""---
orphan: true
---
# The constants of the local search

Made by `python -m reproduction reproduce forest-constants --runs {runs} --out DIR` with seed
{SEED} at commit {commit}. Every run is in `runs.csv`.{"" if len(shown) == len(CELLS) else REMOVED}

The constants of `forest/local_search.py`, `forest/model.py` and `forest/refinement.py` are changed
one at a time. There are {len(FUNCTIONS)} functions with {runs} runs each: {", ".join(FUNCTIONS)}.
They are axis-aligned, n = {N}, d_e = {D_E} and v = {V}. The instances are development instances,
which no other study uses.

Each run is compared with the run of the defaults on the same instance. The ratio is the value of
the changed run over that of the defaults. It is less than 1 if the change is better. Values up to
{SOLVED:g} count as {SOLVED:g}. The column "median ratio" has the median over all
{len(FUNCTIONS) * runs} pairs and a 95 % confidence interval of it. The last column shows how many
of the pairs that differ are better than the defaults, with the p-value of a two-sided sign test.

{listed}

At the level p < .01, not corrected for the number of cells:

{sentences}
"""
