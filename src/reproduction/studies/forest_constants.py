"""The constants of the local search of ``forest``: ``results --make forest-constants``.

Each constant is halved, doubled, and switched off where this has a meaning (`CHANGES`); the others
keep their values. The functions are the paper's four and the five of `wider`, axis-aligned
with n = 10,000, d_e = 10, the guess 10 told, and v = 2,000. The instances are drawn from seeds of
their own: the benchmark has others, and so has the study of the defaults (`forest_defaults`).

Run k of a function has the same instance and the same generator in every cell. So the cells are
compared run by run.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from reproduction.benchmark.plan import FACTORIES
from reproduction.kept_runs import Line, Values
from reproduction.seeds import seed_of
from reproduction.studies.forest_defaults import D_E, DEFAULT, N
from reproduction.studies.study import (
    SOLVED,
    Side,
    Task,
    better_of,
    forest_search,
    in_words,
    least_value,
    line_of_task,
    median_interval,
    of_rows,
    ratios,
    side_of,
)
from reproduction.tables import number, table

V = 2_000
RUNS = 10
COLUMNS = (*Task._fields, "value")
FUNCTIONS = tuple(FACTORIES)


def warps(candidates: int) -> tuple[float, ...]:
    """Return 0 and so many candidates as far apart as those of the policy."""
    least, greatest = CONSTANTS.warps[1], CONSTANTS.warps[-1]
    return (0.0, *np.geomspace(least, greatest, candidates).tolist())


def shifts(candidates: int) -> tuple[float, ...]:
    """Return 0 and so many shifts in the range of those of the policy."""
    least, greatest = CONSTANTS.shifts[1], CONSTANTS.shifts[-1]
    return (0.0, *np.geomspace(least, greatest, candidates).tolist())


CHANGES: dict[str, dict[str, Any]] = {
    "generation": {"half": 4, "double": 16},
    "first_step": {"half": 0.15, "double": 0.6},
    "history": {"half": 3, "double": 12},
    "ridge": {"half": 5e-5, "double": 2e-4, "off": 1e-6},
    "prior_weight": {"half": 50.0, "double": 200.0, "off": 0.0},
    "warps": {"half": warps(3), "double": warps(12), "off": (0.0,)},
    "damping": {"half": 0.015, "double": 0.06, "off": 1e-9},
    "shifts": {"half": shifts(21), "double": shifts(81), "off": (0.0,)},
    "step_bits": {"half": 5, "double": 20},
    "metric_bits": {"half": 5, "double": 20},
    "contraction": {"half": 0.15, "double": 0.6, "off": 0.0},
    "age": {"half": 5, "double": 20, "off": 10**9},
}
"""The other values of each of `Constants`; of the candidates, their number changes. (Without the
ridge, rounding errors would decide, so 10^-6 stands for it. Damping 0 could divide by 0, so 10^-9
stands for it. Without the age a local search goes on for ever.)"""
CELLS = {
    f"{name} {change}": replace(CONSTANTS, **{name: value})
    for name, changes in CHANGES.items()
    for change, value in changes.items()
}
"""The cells of the study besides the defaults."""


def plan() -> list[Task]:
    """Return all runs: so many of each function in each cell, run 0 of all cells first."""
    return [
        Task(cell, function, False, V, run)
        for run in range(RUNS)
        for function in FUNCTIONS
        for cell in (DEFAULT, *CELLS)
    ]


def line_of(task: Task) -> Line:
    """Return the line of a run in the table of runs."""
    return line_of_task(task, N, f"forest-constants/{task.function}/{task.run}/search")


def perform(task: Task) -> float:
    """Run a task; return its best value (the optimum is 0)."""
    instance, search = (
        np.random.default_rng(seed_of("forest-constants", task.function, task.run, of))
        for of in ("instance", "search")
    )
    problem = FACTORIES[task.function](N, D_E, instance, task.rotated)
    settings = ForestSettings(N, task.v, dimensions=(2 * D_E,), evolve=False)
    constants = CELLS.get(task.cell, CONSTANTS)
    run = forest_search(settings, search, D_E, constants=constants)
    return least_value(run, of_rows(problem.effective))


def against_defaults(values: Values) -> dict[str, Floats]:
    """Return for each cell its values over those of the defaults, all pairs, increasing."""
    return {cell: ratios(values, cell, DEFAULT, FUNCTIONS, V, RUNS) for cell in CELLS}


def verdicts(values: Values) -> dict[str, Side]:
    """Say of each cell whether it is better or worse than the defaults, p < .01."""
    return {cell: side_of(of) for cell, of in against_defaults(values).items()}


def shown(value: Any) -> str:
    """Return the value of a constant for the table; of candidates their number besides 0."""
    return f"{len(value) - 1} and 0" if isinstance(value, tuple) else f"{value:g}"


def report(values: Values) -> str:
    """Return the study in words and tables, Markdown."""
    rows, found = [], against_defaults(values)
    for name, changes in CHANGES.items():
        for change, value in changes.items():
            of = found[f"{name} {change}"]
            median, low, high = median_interval(of)
            against = in_words(of) if better_of(of)[1] else ""
            interval = f"{number(median)} ({number(low)} to {number(high)})"
            rows.append([f"`{name}`", change, shown(value), interval, against])
    head = ["constant", "change", "value", "median ratio", "better than the defaults"]
    listed = table(head, rows, aligned=True)
    said = verdicts(values)
    sides = {
        side: [f"`{cell}`" for cell in CELLS if said[cell] == side] for side in ("better", "worse")
    }
    return f"""---
orphan: true
---
# The constants of the local search

Made by `python -m reproduction results --make forest-constants`.
Every run is in the [table of all runs](../../experiments.md#the-table-of-runs),
part `forest-constants`. Its
seed is a function of the name of this study, of the function and of the number of the run.

```{{made}} forest-constants
```

The constants of `forest/constants.py` are changed one at a time. Of `warps` and `shifts` the table
has the number of candidates. There are {len(FUNCTIONS)} functions with {RUNS} runs each:
{", ".join(FUNCTIONS)}.
They are axis-aligned, n = {N}, d_e = {D_E} and v = {V}. The instances are development instances,
which no other study uses.

Each run is compared with the run of the defaults on the same instance. The ratio is the value of
the changed run over that of the defaults. It is less than 1 if the change is better. Values up to
{SOLVED:g} count as {SOLVED:g}. The column "median ratio" has the median over all
{len(FUNCTIONS) * RUNS} pairs and a 95 % confidence interval of it. The last column shows how many
of the pairs that differ are better than the defaults, with the p-value of a two-sided sign test.

{listed}

At the level p < .01, not corrected for the {len(CELLS)} changes:

- better than the defaults: {", ".join(sides["better"]) or "no change"};
- worse than the defaults: {", ".join(sides["worse"]) or "no change"}.

For the other changes no difference is shown. This study does not change the value of a constant.
Whether a change that is better here becomes the default is left to the next study of the defaults,
on other instances.
"""
