"""Which runs a comparison has.

A problem set hides the four functions of the paper along coordinates or in a random subspace. Run r
of a set has its own instance of each function (hidden at random; the amplitudes of FletcherPowell
too), the same for all methods: results of one run are a block. A method's random numbers depend on
the names of its run alone.

A method that does not use its budget (`anytime`) is run once to the greatest budget, and read off
at the smaller ones; the others are run anew for each budget. The slow methods have fewer runs.
"""

from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from embedded_hunter.experiments.benchmark import embedded
from embedded_hunter.experiments.benchmark import libraries as others
from embedded_hunter.experiments.benchmark.black_box import BlackBox
from embedded_hunter.experiments.benchmark.libraries import ProblemInfo
from embedded_hunter.experiments.figure_1.plan import PROBLEM_NAMES, Task, seed_of
from embedded_hunter.problems.hidden import PROBLEMS, Problem

RUNS = 20
D_E = 10
BUDGETS = (100, 300, 1000, 3000, 10_000, 30_000)
"""Of the figure."""
TABLE = (1000, 10_000, 30_000)
"""Of the table and the tests."""
PROFILE = "compare"


class ProblemSet(NamedTuple):
    """How the functions are hidden."""

    n: int
    rotated: bool
    title: str
    budgets: tuple[int, ...] = BUDGETS


SETS = {
    "axis-aligned": ProblemSet(10_000, False, "axis-aligned, n = 10,000"),
    "rotated": ProblemSet(1_000, True, "rotated, n = 1,000"),
    "settings": ProblemSet(10_000, False, "axis-aligned, n = 10,000", (1000, 10_000)),
    "pilot": ProblemSet(10_000, False, "axis-aligned, n = 10,000", (3000,)),
    "rotated-large": ProblemSet(10_000, True, "rotated, n = 10,000", (10_000,)),
}
MAIN = ("axis-aligned", "rotated")
"""The sets that compare methods. `settings` compares d, scale and wrong guesses of d_e of our own,
`pilot` those settings of the others that were ours to choose, on instances of its own."""
COMPARING = (*MAIN, "rotated-large")
"""`rotated-large` repeats a part of `rotated` in ten times as many coordinates."""


class Method(NamedTuple):
    """Something that minimises a black box."""

    label: str
    run: Callable[[BlackBox, ProblemInfo, np.random.Generator], None]
    anytime: bool = False
    """Whether it would do the same with any greater budget."""
    needs: str | None = None
    """A module of the extra ``compare``."""
    full: bool = False
    """Whether it treats the n coordinates so that the effective ones cannot stand for them."""
    slow: bool = False
    """Whether it takes about half a millisecond for an evaluation at n = 10,000."""
    sets: tuple[str, ...] = COMPARING
    """Where it takes part."""


OUR_SETTINGS = {
    **{
        f"forest_{guess}": Method(
            f"forest, guess {guess} of d_e = {D_E}",
            partial(embedded.forest, guess=guess),
            sets=("settings",),
        )
        for guess in (2, 5, 10, 20, 50)
    },
    **{
        f"indexed_{d}_{scale:g}": Method(
            f"indexed, d = {d}, sigma R = {scale:g}",
            partial(embedded.indexed, d=d, scale=scale),
            sets=("settings",),
        )
        for d in (5, 10, 20)
        for scale in (0.125, 0.25, 0.5)
    },
    "resoo_20_0.25": Method(
        "RESOO, d = 20, sigma R = 0.25",
        partial(embedded.resoo, d=20, scale=0.25),
        sets=("settings",),
    ),
}
PILOT = {
    **{
        f"rembo_cma_{factor}_{step:g}": Method(
            f"REMBO-CMA, d = {factor * D_E}, step {step:g}",
            partial(others.rembo_cma, factor=factor, step=step),
            needs="cma",
            sets=("pilot",),
        )
        for factor in (1, 2)
        for step in (0.05, 0.15, 0.5, 1.5)
    },
    **{
        f"hesbo_cma_{factor}_{step:g}": Method(
            f"HeSBO-CMA, d = {factor * D_E}, step {step:g}",
            partial(others.hesbo_cma, factor=factor, step=step),
            anytime=True,
            needs="cma",
            sets=("pilot",),
        )
        for factor in (2, 5)
        for step in (0.1, 0.2, 0.5)
    },
    **{
        f"direct_l_{scale:.3g}": Method(
            f"DIRECT-L, box [-{scale:.3g}, {scale:.3g}]^10",
            partial(others.direct_l, scale=scale),
            needs="nlopt",
            sets=("pilot",),
        )
        for scale in (0.125, 0.25, 0.5, 1.0, 10**0.5)
    },
    **{
        f"sep_cma_{step:g}": Method(
            f"sep-CMA, step {step:g}",
            partial(others.sep_cma, step=step),
            anytime=True,
            needs="cma",
            full=True,
            slow=True,
            sets=("pilot",),
        )
        for step in (0.1, 0.2, 0.5)
    },
    **{
        f"differential_evolution_{population}": Method(
            f"differential evolution, {population} members",
            partial(others.evolution, population=population),
            anytime=True,
            full=True,
            sets=("pilot",),
        )
        for population in (10, 20, 50)
    },
}
METHODS = {
    "forest": Method("EmbeddedHunter, forest", embedded.forest),
    "fresh": Method("EmbeddedHunter, fresh", embedded.fresh),
    "indexed": Method("EmbeddedHunter, indexed", embedded.indexed),
    "resoo": Method("RESOO", embedded.resoo),
    "sresoo": Method("SRESOO", embedded.sresoo),
    "uniform_random_search": Method(
        "random search, uniform", embedded.uniform_random_search, anytime=True
    ),
    "radial_random_search": Method(
        "random search, radial", embedded.radial_random_search, anytime=True
    ),
    "rembo_cma": Method("REMBO-CMA, 5 embeddings", others.rembo_cma, needs="cma"),
    "hesbo_cma_2": Method(
        "HeSBO-CMA, d = 2 d_e", partial(others.hesbo_cma, factor=2), anytime=True, needs="cma"
    ),
    "hesbo_cma_5": Method(
        "HeSBO-CMA, d = 5 d_e", partial(others.hesbo_cma, factor=5), anytime=True, needs="cma"
    ),
    "direct_l": Method("DIRECT-L, 5 embeddings", others.direct_l, needs="nlopt"),
    "sep_cma": Method(
        "sep-CMA, all n", others.sep_cma, anytime=True, needs="cma", full=True, slow=True
    ),
    "differential_evolution": Method(
        "differential evolution (20), all n", others.evolution, anytime=True, full=True
    ),
    "differential_evolution_small": Method(
        "differential evolution (10), all n",
        partial(others.evolution, population=10),
        anytime=True,
        full=True,
    ),
    **OUR_SETTINGS,
    **PILOT,
}


def available() -> tuple[str, ...]:
    """Return the methods that can run here."""
    return tuple(
        name
        for name, method in METHODS.items()
        if method.needs is None or find_spec(method.needs) is not None
    )


def read_at(task: Task) -> tuple[int, ...]:
    """Return the budgets at which a run is read."""
    assert task.x is not None
    if METHODS[task.algorithm].anytime:
        return (*(v for v in BUDGETS if v < task.x), task.x)
    return (task.x,)


def seed_of_method(task: Task) -> np.random.SeedSequence:
    """Return the seed of a method's run: a longer run of an anytime method only goes on."""
    names = task._replace(x=None) if METHODS[task.algorithm].anytime else task
    return seed_of(*names._replace(algorithm=seed_name(task.algorithm)))


def seed_name(method: str) -> str:
    """Return the name that seeds a method's runs; the forest's were seeded as "family"."""
    return method.replace("forest", "family")


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
    return PROBLEMS[task.problem](problem_set.n if n is None else n, D_E, rng, problem_set.rotated)


def tasks(
    sets: Iterable[str] = MAIN,
    budgets: Iterable[int] = BUDGETS,
    runs: int = RUNS,
    methods: Iterable[str] | None = None,
    problems: Iterable[str] = PROBLEM_NAMES,
    slow_runs: int = RUNS,
    slow_budget: int = BUDGETS[-1],
) -> list[Task]:
    """List the runs, those of small budgets first, then by the number of the run.

    Parameters
    ----------
    slow_runs, slow_budget
        At most so many runs and evaluations of the slow methods.

    Raises
    ------
    ValueError
        For a name that there is not, or a budget or a number of runs below 1.
    """
    methods = available() if methods is None else tuple(methods)
    sets, budgets, problems = tuple(sets), tuple(sorted(set(budgets))), tuple(problems)
    for what, given, known in (
        ("set", sets, tuple(SETS)),
        ("method", methods, tuple(METHODS)),
        ("problem", problems, PROBLEM_NAMES),
    ):
        for name in given:
            if name not in known:
                raise ValueError(f"{what} must be one of {', '.join(known)}, got {name!r}")
    if not budgets or budgets[0] < 1 or min(runs, slow_runs) < 1:
        raise ValueError("budgets and numbers of runs must be at least 1")
    listed = []
    for problem_set in sets:
        for name in methods:
            slow = METHODS[name].slow and SETS[problem_set].n >= 10_000
            if problem_set not in METHODS[name].sets:
                continue
            allowed = [v for v in budgets if v in SETS[problem_set].budgets]
            allowed = [v for v in allowed if not slow or v <= slow_budget]
            tops = allowed[-1:] if METHODS[name].anytime else allowed
            listed += [
                Task(PROFILE, problem_set, problem, name, v, run)
                for v in tops
                for problem in problems
                for run in range(min(runs, slow_runs) if slow else runs)
            ]
    return sorted(listed, key=lambda task: (task.x or 0, task.run, task.experiment))
