"""The runs of the benchmark.

A problem set hides some functions, along coordinates or in a random subspace: the four of the
paper, or the five others of `landscapes` (the sets ``wider`` and ``wider-rotated``). Each run r of
a set has its own random instance of each function: where it is hidden, and the random numbers of
the function itself. All methods get the same instance in run r, so the results of a run are a
block. A method's random numbers depend only on the names of its run.

An `anytime` method does not use the value of its budget. It is run once, to the greatest budget,
and its best value is read at the smaller ones too. The other methods are run anew for each budget.

Cost of the sets `wider` and `wider-rotated`, in processor time for a run: at v = 1,000 at most
0.2 s on average for each method; at v = 10,000 1.5 to 2.5 s with CMA-ES, 2 s with differential
evolution, 0.1 to 0.7 s with the others, `forest` apart. So 20 runs of eleven methods on all ten
problems took 50 minutes: ``compare --sets wider wider-rotated --budgets 1000 10000``.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from embedded_hunter.problems.hidden import Problem
from reproduction.figure_1.plan import Task
from reproduction.kept_runs import Line
from reproduction.landscapes import LANDSCAPES, OF_PAPER, WIDER
from reproduction.methods import D_E, METHODS, in_benchmark
from reproduction.seeds import seed_of

RUNS = 20
BUDGETS = (100, 300, 1000, 3000, 10_000, 30_000)
"""Budgets of the figure."""
TABLE = (1000, 10_000, 30_000)
"""Budgets of the tables and the tests."""
PROFILE = "compare"
"""The first of the names of a run of which its seed is a function."""
PART = "benchmark"
"""The part of the table of runs."""
POLICIES = ("fresh", "indexed", "forest")


class ProblemSet(NamedTuple):
    """How the functions are hidden."""

    n: int
    rotated: bool
    title: str
    budgets: tuple[int, ...] = BUDGETS
    problems: tuple[str, ...] = OF_PAPER


SETS = {
    "axis-aligned": ProblemSet(10_000, False, "axis-aligned, n = 10,000"),
    "rotated": ProblemSet(1_000, True, "rotated, n = 1,000"),
    "settings": ProblemSet(10_000, False, "axis-aligned, n = 10,000", (1000, 10_000)),
    "pilot": ProblemSet(10_000, False, "axis-aligned, n = 10,000", (3000,)),
    "rotated-large": ProblemSet(10_000, True, "rotated, n = 10,000", (10_000,)),
    "wider": ProblemSet(10_000, False, "axis-aligned, n = 10,000", BUDGETS[:-1], WIDER),
    "wider-rotated": ProblemSet(1_000, True, "rotated, n = 1,000", BUDGETS[:-1], WIDER),
}
FUNCTIONS = tuple(LANDSCAPES)
"""The names of all functions."""
MAIN = ("axis-aligned", "rotated")
"""The sets that compare methods. `settings` compares d, scale and guesses of d_e of our own,
`pilot` those settings of the others that were ours to choose, on instances of its own,
`rotated-large` repeats a part of `rotated` in ten times as many coordinates."""


def available() -> tuple[str, ...]:
    """Return the methods that can run here."""
    return tuple(name for name, method in in_benchmark().items() if method.installed)


def read_at(task: Task) -> tuple[int, ...]:
    """Return the budgets at which a run is read."""
    assert task.x is not None
    if METHODS[task.algorithm].anytime:
        return (*(v for v in BUDGETS if v < task.x), task.x)
    return (task.x,)


def seed_of_method(task: Task) -> np.random.SeedSequence:
    """Return the seed of a method's run."""
    return seed_of(*_seeded_as(task))


def _seeded_as(task: Task) -> Task:
    """Return the names of which the seed is a function.

    They are the same for all budgets of an anytime method: a longer run continues a shorter one.
    """
    method = METHODS[task.algorithm]
    names = task._replace(x=None) if method.anytime else task
    return names._replace(algorithm=method.seeded_as or task.algorithm)


def lines_of(task: Task) -> list[Line]:
    """Return the lines of a run in the table of runs, without its values."""
    method, problem_set = METHODS[task.algorithm], SETS[task.experiment]
    name = task.algorithm.partition("_")[0]
    return [
        {
            "part": PART,
            "set": task.experiment,
            "method": task.algorithm,
            "policy": name if name in POLICIES else "",
            "told": "d_e" if method.told_d_e else "",
            "function": task.problem,
            "kind": "rotated" if problem_set.rotated else "axis-aligned",
            "n": problem_set.n,
            "d_e": D_E,
            "v": v,
            "run": task.run,
            "seed": "/".join(map(str, _seeded_as(task))),
        }
        for v in read_at(task)
    ]


def problem_of(task: Task, n: int | None = None) -> Problem:
    """Return the instance of a run, the same for all methods and budgets.

    Parameters
    ----------
    n
        Coordinates in which an axis-aligned function is hidden; those of the set unless given. The
        function itself is the same for every n.
    """
    problem_set = SETS[task.experiment]
    rng = np.random.default_rng(seed_of(PROFILE, task.experiment, task.problem, task.run))
    make = LANDSCAPES[task.problem].make
    return make(problem_set.n if n is None else n, D_E, rng, problem_set.rotated)


def tasks(
    sets: Iterable[str] = MAIN,
    budgets: Iterable[int] = BUDGETS,
    runs: int = RUNS,
    methods: Iterable[str] | None = None,
    problems: Iterable[str] = FUNCTIONS,
) -> list[Task]:
    """List the runs, those of small budgets first, then by the number of the run."""
    methods = available() if methods is None else tuple(methods)
    budgets, problems = sorted(set(budgets)), tuple(problems)
    listed = []
    for problem_set in sets:
        for name in methods:
            method = METHODS[name]
            if problem_set not in method.sets:
                continue
            allowed = [v for v in budgets if v in SETS[problem_set].budgets]
            tops = allowed[-1:] if method.anytime else allowed
            listed += [
                Task(PROFILE, problem_set, problem, name, v, run)
                for v in tops
                for problem in SETS[problem_set].problems
                if problem in problems
                for run in range(runs)
            ]
    return sorted(listed, key=lambda task: (task.x or 0, task.run, task.experiment))
