"""``python -m reproduction results --make few-evaluations``: at most 500 evaluations.

Methods of the registry, those of Bayesian optimisation among them, on Levy's function and three of
`benchmark.wider`, hidden along the axes and rotated, with n = 1,000 and d_e = 10. Instance k of a
function is the same for all methods, and no instance was used to tune one of them. A model of
botorch takes much longer than an evolution strategy does, so some methods have smaller budgets.
"""

import math
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from embedded_hunter.problems.functions import FloatArray
from embedded_hunter.problems.hidden import ProblemFactory, factory
from reproduction import csv_files, kept_runs
from reproduction.benchmark.comparisons import short
from reproduction.benchmark.ranking import ranking
from reproduction.benchmark.wider import SPREAD, WIDER, Shifted
from reproduction.kept_runs import Values
from reproduction.methods import METHODS
from reproduction.optimizers.black_box import ProblemInfo, black_box
from reproduction.seeds import seed_of
from reproduction.tables import TITLES, number, table

NAME = "few-evaluations"
N, D_E = 1_000, 10
BUDGETS = (100, 200, 500)
MANY = (5, 5, 5)
"""Runs with each budget, of methods that are fast. A model takes long."""
RUNS_OF = {
    "forest": MANY,
    "hesbo_cma_2": MANY,
    "sep_cma": MANY,
    "dd_cma": MANY,
    "differential_evolution": MANY,
    "differential_evolution_small": MANY,
    "uniform_random_search": MANY,
    "turbo_sketch": (2, 2, 1),
    "gp_sketch": (2, 2, 1),
    "turbo": (2, 2, 0),
    "gp": (1, 1, 0),
}
"""The methods, and their runs of each budget on each function, hidden in each way.

Run k is made to the largest budget that has more than k runs.
"""
SECONDS = "seconds"
COSTS = {0.01: "10 ms", 0.5: "0.5 s", 2.0: "2 s or more"}
"""Seconds of an evaluation. A method is recommended if its own time is not greater."""
OURS = "forest"
"""The method with which each other is compared."""
KNOWN = {"variables": (False,), "directions": (True,), "unknown which": (False, True)}
"""What matters, and the ways to hide a function that belong to it."""
SHOWN = 2
"""Methods in a cell of the table of recommendations."""


def levy(t: FloatArray) -> FloatArray:
    """Levy's function of w = 1 + t/4: its least value 0 is at t = 0."""
    w = 1.0 + t / 4.0
    middle = (w[:-1] - 1.0) ** 2 * (1.0 + 10.0 * np.sin(math.pi * w[:-1] + 1.0) ** 2)
    last = (w[-1] - 1.0) ** 2 * (1.0 + np.sin(2.0 * math.pi * w[-1]) ** 2)
    return np.asarray(np.sin(math.pi * w[0]) ** 2 + middle.sum(axis=0) + last)


Levy = type("Levy", (Shifted,), {"name": "levy", "of_columns": staticmethod(levy)})
FACTORIES: dict[str, ProblemFactory] = {
    "levy": factory(lambda d_e, rng: Levy(rng.uniform(-SPREAD, SPREAD, d_e))),
    **{name: WIDER[name] for name in ("zakharov", "rastrigin", "sharp_ridge")},
}


class Run(NamedTuple):
    """A number of the study."""

    method: str
    function: str
    rotated: bool
    run: int
    what: str
    """A budget, for the best value; or `SECONDS`, for the processor time of an evaluation."""


COLUMNS = (*Run._fields, "value")


def plan(methods: Iterable[str] = tuple(RUNS_OF)) -> list[Run]:
    """Return all numbers of some methods: run 0 of all functions and methods first."""
    methods = tuple(methods)
    return [
        Run(method, function, rotated, run, what)
        for run in range(max(MANY))
        for function in FACTORIES
        for rotated in (False, True)
        for method in methods
        if run < max(RUNS_OF[method])
        for what in (*map(str, budgets_of(method, run)), SECONDS)
    ]


def budgets_of(method: str, run: int) -> tuple[int, ...]:
    """Return the budgets of a run of a method."""
    return tuple(v for v, runs in zip(BUDGETS, RUNS_OF[method], strict=True) if run < runs)


def place(results: Path) -> Path:
    """Return the file of all numbers."""
    return results / NAME / "runs.csv"


def read(results: Path) -> Values:
    """Return the stored numbers; nothing if there is no file."""
    return kept_runs.read(place(results), COLUMNS)


def write(path: Path, values: Values) -> Values:
    """Write those numbers that are planned, in the order of the plan, and return them."""
    names = [tuple(map(str, run)) for run in plan()]
    found = {name: values[name] for name in names if name in values}
    csv_files.write(path, COLUMNS, [[*name, repr(value)] for name, value in found.items()])
    return found


def measured(
    name: str, function: str, rotated: bool, run: int, budgets: Sequence[int]
) -> dict[str, float]:
    """Run a method on an instance; return what `Run` calls `what`, each with its number.

    A method that uses the value of its budget is run for each budget, the others for the greatest.
    The time is that of all evaluations.
    """
    method, names = METHODS[name], (NAME, function, rotated, run)
    n = N if method.full or rotated else D_E
    found: dict[str, float] = {}
    spent, made = 0.0, 0
    for v in budgets[-1:] if method.anytime else budgets:
        rng = np.random.default_rng(seed_of(*names))
        marks = budgets if method.anytime else (v,)
        box = black_box(FACTORIES[function](n, D_E, rng, rotated), v, marks)
        rng = np.random.default_rng(seed_of(*names, name))
        start = process_time()
        method.minimize(box, ProblemInfo(N, D_E), rng)
        spent, made = spent + process_time() - start, made + box.evaluations
        found |= {str(mark): box.best_at.get(mark, box.best) for mark in marks}
    return {**found, SECONDS: spent / made}


def cell(values: Values, name: str, function: str, rotated: bool, what: object) -> list[float]:
    """Return the numbers of a method, those of run 0, 1, .. as far as they are there."""
    runs = (Run(name, function, rotated, run, str(what)) for run in range(max(RUNS_OF[name])))
    names = (tuple(map(str, run)) for run in runs)
    return [values[name] for name in names if name in values]


def compared(values: Values, v: int, most: float = math.inf) -> tuple[list[str], int]:
    """Return the methods that have this budget, and the number of runs that all of them have.

    Those whose own time for an evaluation is at most `most` seconds.
    """
    runs = {
        name: min(
            len(cell(values, name, function, rotated, v))
            for function in FACTORIES
            for rotated in (False, True)
        )
        for name in RUNS_OF
        if (taken := seconds(values, name)) and statistics.fmean(taken) <= most
    }
    there = {name: count for name, count in runs.items() if count}
    return list(there), min(there.values())


def mean_ranks(
    values: Values, v: int, hidden: Sequence[bool], most: float = math.inf
) -> dict[str, float]:
    """Return the mean ranks of `compared` methods over functions and runs, the least first."""
    methods, runs = compared(values, v, most)
    ranks = ranking(
        {
            name: [
                value
                for function in FACTORIES
                for rotated in hidden
                for value in cell(values, name, function, rotated, v)[:runs]
            ]
            for name in methods
        }
    ).mean_rank
    return dict(sorted(ranks.items(), key=lambda one: one[1]))


def seconds(values: Values, name: str) -> list[float]:
    """Return the processor time of an evaluation in each run of a method."""
    return [
        value
        for function in FACTORIES
        for rotated in (False, True)
        for value in cell(values, name, function, rotated, SECONDS)
    ]


def seconds_in_all(values: Values, name: str) -> float:
    """Return the processor time of all runs of a method."""
    evaluations = {
        run: budgets_of(name, run)[-1] if METHODS[name].anytime else sum(budgets_of(name, run))
        for run in range(max(RUNS_OF[name]))
    }
    return sum(
        values[tuple(map(str, run))] * evaluations[run.run]
        for run in plan([name])
        if run.what == SECONDS
    )


def better(values: Values, name: str, v: int) -> tuple[int, int]:
    """Return in how many pairs of runs a method has a less value than `OURS`, and the pairs."""
    pairs = [
        pair
        for function in FACTORIES
        for rotated in (False, True)
        for pair in zip(
            cell(values, name, function, rotated, v),
            cell(values, OURS, function, rotated, v),
            strict=False,
        )
    ]
    return sum(theirs < ours for theirs, ours in pairs), len(pairs)


def choices(values: Values) -> str:
    """Return the table of the best mean ranks, for each budget and each cost of an evaluation."""
    faster = dict(zip(list(COSTS)[1:], COSTS, strict=False))

    def best(v: int, hidden: Sequence[bool], cost: float) -> str:
        there = compared(values, v, cost)
        if cost in faster and there == compared(values, v, faster[cost]):
            return "no slower method was run"
        first = list(mean_ranks(values, v, hidden, cost).items())[:SHOWN]
        named = "; ".join(f"{METHODS[name].label} ({rank:.1f})" for name, rank in first)
        return f"{named}; runs: {there[1]}"

    lines = [
        [label, matters, *(best(v, hidden, cost) for v in BUDGETS)]
        for cost, label in COSTS.items()
        for matters, hidden in KNOWN.items()
    ]
    return table(["an evaluation takes", "what matters", *(f"v = {v}" for v in BUDGETS)], lines)


def pairs(values: Values) -> str:
    """Return the table of each method's time, and of its comparisons with `OURS`."""

    def against(name: str, v: int) -> str:
        count, of_all = better(values, name, v)
        return f"{count} of {of_all}" if of_all and name != OURS else ""

    lines = [
        [
            METHODS[name].label,
            number(statistics.fmean(taken)),
            *(against(name, v) for v in BUDGETS),
        ]
        for name in RUNS_OF
        if (taken := seconds(values, name))
    ]
    head = ["method", "seconds for each evaluation", *(f"better, v = {v}" for v in BUDGETS)]
    return table(head, lines, aligned=True)


def medians(values: Values, v: int, rotated: bool, most: float) -> str:
    """Return the medians of `compared` methods, in the order of their ranks."""
    ranks, (_, runs) = mean_ranks(values, v, (rotated,), most), compared(values, v, most)
    of_both = mean_ranks(values, v, (False, True), most)
    lines = [
        [
            METHODS[name].label,
            *(
                short(statistics.median(cell(values, name, function, rotated, v)[:runs]))
                for function in FACTORIES
            ),
            f"{rank:.2f}",
            f"{of_both[name]:.2f}",
        ]
        for name, rank in ranks.items()
    ]
    head = ["method", *(TITLES[f] for f in FACTORIES), "mean rank", "of both ways"]
    return table(head, lines, aligned=True)


def report(values: Values) -> str:
    """Return the study in words and tables, Markdown."""
    parts, before = [], None
    for v in BUDGETS:
        for cost, label in COSTS.items():
            if (found := (v, *compared(values, v, cost))) == before:
                continue
            before = found
            for rotated in (False, True):
                way = "Rotated" if rotated else "Axis-aligned"
                title = f"{way}, v = {v}, an evaluation takes {label}; runs: {found[-1]}"
                parts.append(f"## {title}\n\n{medians(values, v, rotated, cost)}")
    body = "\n\n".join([*parts, f"## Time, and pairs of runs\n\n{pairs(values)}"])
    return f"""---
orphan: true
---
# At most 500 evaluations

Made by `python -m reproduction results --make few-evaluations`. The methods with a GP and TuRBO-1
need the extra `bayes`. Every number is in `runs.csv`. The seed of a run is a function of the name
of this study, of the function, of the method and of the number of the run.

```{{made}} few-evaluations
```

There are {len(FACTORIES)} functions, hidden along the axes and rotated, n = {N:,}, d_e = {D_E}.
Every method has the same instances. A table has the methods whose own time for an evaluation is not
greater than what an evaluation takes, and the runs that all of them have. A cell is the median of
the best values; the least value of every function is 0. No difference of ranks was tested, and
where there is one run, it says little. The mean rank is over functions and runs; "of both ways" to
hide a function.

{body}

The time is processor time with one thread, of the method and of the functions, the mean over all
runs. The columns "better" count the pairs of runs on the same instance in which the method has a
less value than `{OURS}`. Pairs on the same function are alike, so a count is no test.
"""
