"""A designed study of the defaults of ``forest``: ``results --make forest``.

Two parts, both with n = 10,000, d_e = 10 of them effective, and the guess 10 told:

- `CELLS`: the defaults, each factor varied alone about them (d/d_e, scale, P, class rule, K, the
  zero vector's queue, refinement), and the plain forest without refinement, alone and with other
  factors. All four functions, axis-aligned, v = 10,000.
- `TABLE`: the defaults at v = 1,000, 10,000 and 30,000, axis-aligned and rotated (n = 1,000 there,
  since a rotated function needs all rows of the matrices).

Run k of a function has the same instance and the same generator in every cell, so that cells are
compared run by run. On axis-aligned functions only the effective rows are drawn; the law is the
same.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from embedded_hunter.forest.search import Forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node
from embedded_hunter.problems.hidden import PROBLEMS
from reproduction.kept_runs import Line, Values
from reproduction.studies.study import (
    SOLVED,
    Side,
    Task,
    better_of,
    forest_search,
    in_words,
    least_value,
    line_of_task,
    of_rows,
    ratios,
    side_of,
    sign_test,
)
from reproduction.tables import number, table

N, N_ROTATED, D_E, V, SEED = 10_000, 1_000, 10, 10_000, 20_260
RUNS, HALF = 20, 10
COLUMNS = (*Task._fields, "value")
FUNCTIONS = {"ellipsoid": 0, "rosenbrock": 1, "ackley": 2, "fletcher_powell": 3}
"""Each with the number that seeds its runs."""
BUDGETS = (1_000, 10_000, 30_000)
DEFAULT = "defaults"


class NormClasses(Forest):
    """The leaves with one norm are a class of their depth; the queues are those of rule F5."""

    def class_of(self, node: Node) -> int:
        """Return the norm, in units of the depth."""
        return node.nrm

    def queue_of(self, leaf: Node) -> int:
        """Return 0 for a leaf of the zero vector, 1 for another one."""
        return int(leaf.nrm > 0)


class OneQueue(Forest):
    """All leaves of a depth are one class."""

    def class_of(self, node: Node) -> int:
        """Return 0."""
        return 0


CELLS: dict[str, dict[str, Any]] = {
    DEFAULT: {},
    "d = d_e": {"ratio": 1.0},
    "d = 1.5 d_e": {"ratio": 1.5},
    "d = 3 d_e": {"ratio": 3.0},
    "scale .15": {"scale": 0.15},
    "scale .35": {"scale": 0.35},
    "scale .5": {"scale": 0.5},
    "P = 1": {"n_embeddings": 1},
    "P = 5": {"n_embeddings": 5},
    "P = 50": {"n_embeddings": 50},
    "norm classes": {"forest": NormClasses},
    "K = 5": {"K": 5},
    "one queue": {"forest": OneQueue},
    "forest alone": {"refine": False},
    "forest alone, one queue": {"refine": False, "forest": OneQueue},
    "forest alone, P = 1": {"refine": False, "n_embeddings": 1},
    "forest alone, d = d_e": {"refine": False, "ratio": 1.0},
}
"""What each cell of the study changes: settings, or the classes and queues."""


def plan() -> list[Task]:
    """Return all runs: half as many for each cell of the study as for the table."""
    cells = [
        Task(cell, function, False, V, run)
        for cell in CELLS
        for function in FUNCTIONS
        for run in range(HALF)
    ]
    table = [
        Task(DEFAULT, function, rotated, v, run)
        for rotated in (False, True)
        for v in BUDGETS
        for function in FUNCTIONS
        for run in range(RUNS)
    ]
    return list(dict.fromkeys(cells + table))


def line_of(task: Task) -> Line:
    """Return the line of a run in the table of runs."""
    return line_of_task(task, N_ROTATED if task.rotated else N)


def perform(task: Task) -> float:
    """Run a task; return its best value (the optimum is 0)."""
    place = (SEED, FUNCTIONS[task.function], task.run)
    n = N_ROTATED if task.rotated else N
    problem = PROBLEMS[task.function](n, D_E, np.random.default_rng([*place, 0]), task.rotated)
    changes = dict(CELLS[task.cell])
    d, forest = round(D_E * changes.pop("ratio", 2.0)), changes.pop("forest", Forest)
    settings = ForestSettings(n, task.v, dimensions=(d,), evolve=False, **changes)
    rng = np.random.default_rng([*place, 1])
    f, rows = (problem, n) if task.rotated else (problem.effective, D_E)
    return least_value(forest_search(settings, rng, rows, forest=forest), of_rows(f))


def report(values: Values) -> str:
    """Return the study in words and tables, Markdown."""
    alone = ratios(values, "forest alone, d = d_e", "forest alone", FUNCTIONS, V, HALF)
    better, of = better_of(alone)
    return f"""---
orphan: true
---
# The defaults of the policy forest

Made by `python -m reproduction results --make forest` with seed {SEED}.
Every run is in the [table of all runs](../../experiments.md#the-table-of-runs),
part `forest`.

```{{made}} forest
```

The least value of every function is 0. The tables show means (standard error; median). Each run of
Fletcher-Powell has another random instance, and some instances are much harder than others. For
this function, compare the medians.

## Each factor alone

Here n = {N}, d_e = {D_E} and v = {V}, the effective subspace is axis-aligned, and each function has
{HALF} runs. The last column compares each run with the run of the defaults on the same instance. Of
the runs on all functions whose values differ, it shows how many are better than the defaults, with
the p-value of a two-sided sign test. Values up to {SOLVED:g} count as {SOLVED:g} in it. The
p-values are not corrected for the number of cells.

{factors(values)}

{verdict(values)}

The coverage law is the reason why d is twice the guess. For d_e = 10, an embedding covers
x* = (.46, .., .46) with probability .001 for d = 10 and .98 for d = 20 at scale .25. In
the forest alone, d = d_e is better than d = 2 d_e in {better} of {of} runs,
{sign_test(better, of)}. A larger scale covers more, but its cells are coarser. The zero vector has
its own queue, so that the forest itself goes on where f(0) is low (see the forest alone on
Rosenbrock).

## The defaults

Each entry is from {RUNS} runs. Rotated means that the effective subspace is a random
subspace of R^n, n = {N_ROTATED}.

{defaults(values)}
"""


def against_defaults(values: Values, cell: str) -> Floats:
    """Return the values of a cell over those of the defaults, all pairs, increasing."""
    return ratios(values, cell, DEFAULT, FUNCTIONS, V, HALF)


def verdict(values: Values) -> str:
    """Say which cells differ from the defaults, p < .01."""
    found: dict[Side, list[str]] = {"worse": [], "better": [], "no difference is shown": []}
    for cell in CELLS:
        if cell != DEFAULT:
            found[side_of(against_defaults(values, cell))].append(cell)
    worse, better, neither = ("; ".join(cells) or "none" for cells in found.values())
    return (
        f"Worse than the defaults (p < .01): {worse}.  \n"
        f"Better than the defaults (p < .01): {better}.  \n"
        f"Neither: {neither}."
    )


def factors(values: Values) -> str:
    """Return the table of the cells."""

    def of(cell: str, function: str) -> list[float]:
        return [values[Task(cell, function, False, V, run).names] for run in range(HALF)]

    rows = []
    for cell in CELLS:
        pairs = against_defaults(values, cell)
        against = in_words(pairs) if better_of(pairs)[1] else ""
        rows.append(
            [cell, *(mean_and_error(of(cell, function)) for function in FUNCTIONS), against]
        )
    return table(["", *FUNCTIONS, "better than the defaults"], rows, aligned=True)


def defaults(values: Values) -> str:
    """Return the table of the defaults."""
    rows = []
    for rotated in (False, True):
        for v in BUDGETS:
            cells: Iterable[Sequence[float]] = (
                [values[Task(DEFAULT, function, rotated, v, run).names] for run in range(RUNS)]
                for function in FUNCTIONS
            )
            place = "rotated" if rotated else "axis-aligned"
            rows.append([place, str(v), *map(mean_and_error, cells)])
    return table(["", "v", *FUNCTIONS], rows, aligned=True)


def mean_and_error(values: Sequence[float]) -> str:
    """Return mean, standard error and median."""
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{number(float(np.mean(values)))} ({number(error)}; {number(float(np.median(values)))})"
