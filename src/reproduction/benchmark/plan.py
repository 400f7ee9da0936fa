"""The runs of the benchmark and of a race, and how a run is made.

A problem set hides some functions, along coordinates or in a random subspace: the four of the
paper, the five others of the registry (the sets ``wider``) or COCO's (``sparse-bbob``). In the sets
``bbob-80`` and ``bbob-160`` all variables of COCO's functions matter. The sets ``real`` and
``real-large`` have problems of practice, whose least values are not known. Each run r of a set has
its own random instance of each function: where it is hidden, and the random numbers of the function
itself. All methods get the same instance in run r, so the results of a run are a block. A method's
random numbers depend only on the names of its run.

An `anytime` method does not use the value of its budget. It is run once, to the greatest budget,
and its best value is read at the smaller ones too. The other methods are run anew for each budget.

A function of d_e known coordinates sees only d_e rows of an embedding, and rows are independent:
if a method treats each coordinate independently of the others, the other coordinates are left out.
The law of the run stays the same (claim ``n-invariance``; the rows of a count sketch are
independent too). Methods marked `full`, and all of them on rotated problems, get all n coordinates.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple, Protocol

import numpy as np

from embedded_hunter.version import __version__
from reproduction.benchmark.own_method import method_of
from reproduction.campaign import complete
from reproduction.kept_runs import FILE, Line, RunFile
from reproduction.methods import D_E, LARGE, METHODS, POLICIES, REAL, SPARSE
from reproduction.optimizers.black_box import BlackBox, ProblemInfo, black_box
from reproduction.optimizers.method import Method
from reproduction.problems import real
from reproduction.problems.hidden import Problem
from reproduction.problems.registry import OF_COCO, OF_PAPER, PROBLEMS, WIDER
from reproduction.seeds import seed_of

RUNS = 20
BUDGETS = (100, 300, 1000, 3000, 10_000, 30_000)
"""Budgets of the figure."""
TABLE = (1000, 10_000, 30_000)
"""Budgets of the tables and the tests."""


class Function(Protocol):
    """A function that methods are compared on."""

    @property
    def label(self) -> str:
        """Its name in the table of runs."""

    @property
    def names(self) -> tuple[object, ...]:
        """The names that seed a run, before those of method, budget and run."""

    def columns(self, method: Method) -> Line:
        """Return what the table of runs says of it."""

    def box(
        self, method: Method, run: int, v: int, read_at: Sequence[int]
    ) -> tuple[BlackBox, ProblemInfo]:
        """Return the instance of a run with the budget v, and what a method is told."""


class ProblemSet(NamedTuple):
    """How the functions are hidden."""

    n: int
    """Coordinates; 0 if each function has its own number of variables."""
    rotated: bool
    title: str
    budgets: tuple[int, ...] = BUDGETS
    problems: tuple[str, ...] = OF_PAPER
    runs: int = RUNS
    d_e: int = D_E


SETS = {
    "axis-aligned": ProblemSet(10_000, False, "axis-aligned, n = 10,000"),
    "rotated": ProblemSet(1_000, True, "rotated, n = 1,000"),
    "settings": ProblemSet(10_000, False, "axis-aligned, n = 10,000", (1000, 10_000), runs=10),
    "rotated-large": ProblemSet(10_000, True, "rotated, n = 10,000", (10_000,)),
    "wider": ProblemSet(10_000, False, "axis-aligned, n = 10,000", BUDGETS[:-1], WIDER),
    "wider-rotated": ProblemSet(1_000, True, "rotated, n = 1,000", BUDGETS[:-1], WIDER),
    "sparse-bbob": ProblemSet(
        1_000, False, "COCO, axis-aligned, n = 1,000", (1000, 10_000), OF_COCO, 10
    ),
    "sparse-bbob-rotated": ProblemSet(
        1_000, True, "COCO, rotated, n = 1,000", (1000, 10_000), OF_COCO, 10
    ),
    "bbob-80": ProblemSet(80, False, "COCO, n = d_e = 80", (1600, 8000), OF_COCO, 10, 80),
    "bbob-160": ProblemSet(160, False, "COCO, n = d_e = 160", (3200,), OF_COCO, 10, 160),
    "real": ProblemSet(0, False, "of practice, n = 60 to 200", (1000, 5000), tuple(real.REAL)[:-1]),
    "real-large": ProblemSet(0, False, "of practice, n = 1,210", (1000, 5000), ("digits",)),
}
PARTS = {
    "benchmark": tuple(name for name in SETS if name not in (*SPARSE, *LARGE, *REAL)),
    "bbob": (*SPARSE, *LARGE),
    "real": REAL,
}
"""The sets of each part of the table of runs."""
MAIN = ("axis-aligned", "rotated")
"""The sets that compare methods. `settings` compares guesses of d_e,
`rotated-large` repeats a part of `rotated` in ten times as many coordinates."""


class HiddenFunction(NamedTuple):
    """A function of a set."""

    problem_set: str
    label: str

    @property
    def names(self) -> tuple[object, ...]:
        """The names that seed a run, before those of method, budget and run."""
        return ("compare", *self)

    def columns(self, method: Method) -> Line:
        """Return what the table of runs says of it."""
        of_set = SETS[self.problem_set]
        kind = "rotated" if of_set.rotated else "axis-aligned"
        told = "d_e" if method.told_d_e else ""
        return {
            "set": self.problem_set,
            "kind": kind,
            "n": of_set.n,
            "d_e": of_set.d_e,
            "told": told,
        }

    def instance(self, run: int, n: int | None = None) -> Problem:
        """Return the instance of a run, the same for all methods and budgets.

        Parameters
        ----------
        n
            Coordinates in which an axis-aligned function is hidden; those of the set unless given.
            The function itself is the same for every n.
        """
        of_set = SETS[self.problem_set]
        rng = np.random.default_rng(seed_of(*self.names, run))
        n = of_set.n if n is None else n
        return PROBLEMS[self.label](n, of_set.d_e, rng, of_set.rotated)

    def box(
        self, method: Method, run: int, v: int, read_at: Sequence[int]
    ) -> tuple[BlackBox, ProblemInfo]:
        """Return the instance of a run with the budget v, and what a method is told."""
        of_set = SETS[self.problem_set]
        problem = self.instance(run, n=None if method.full or of_set.rotated else of_set.d_e)
        return black_box(problem, v, read_at), ProblemInfo(of_set.n, of_set.d_e)


class RealFunction(NamedTuple):
    """A problem of practice; methods that must be told d_e are told `D_E`."""

    problem_set: str
    label: str

    @property
    def names(self) -> tuple[object, ...]:
        """The names that seed a run, before those of method, budget and run."""
        return ("compare", *self)

    def columns(self, method: Method) -> Line:
        """Return what the table of runs says of it."""
        told = {"told": "d_e", "d_e": D_E} if method.told_d_e else {}
        return {"set": self.problem_set, "n": real.REAL[self.label].n, **told}

    def box(
        self, method: Method, run: int, v: int, read_at: Sequence[int]
    ) -> tuple[BlackBox, ProblemInfo]:
        """Return the instance of a run with the budget v, and what a method is told."""
        problem = real.REAL[self.label]
        f = problem.draw(np.random.default_rng(seed_of(*self.names, run)))
        return BlackBox(f, problem.n, v, read_at, vectorized=False), ProblemInfo(problem.n, D_E)


def function_of(problem_set: str, label: str) -> HiddenFunction | RealFunction:
    """Return a function of a set."""
    return (RealFunction if label in real.REAL else HiddenFunction)(problem_set, label)


class Start(NamedTuple):
    """One run of a method."""

    function: Function
    method: str
    v: int
    run: int
    read_at: tuple[int, ...] = ()
    """Smaller budgets at which it is read, too."""
    place: str = ""
    """Where the method is, if it is one's own: FILE.py:NAME."""

    @property
    def minimizer(self) -> Method:
        """The method."""
        return method_of(self.place) if self.place else METHODS[self.method]

    @property
    def seeded_as(self) -> tuple[object, ...]:
        """The names of which the seed is a function.

        They are the same for all budgets of an anytime method: a longer run continues a shorter.
        """
        method = self.minimizer
        v = None if method.anytime else self.v
        return (*self.function.names, method.seeded_as or self.method, v, self.run)


def lines_of(start: Start) -> list[Line]:
    """Return the lines of a run in the table of runs, without its values."""
    name = start.method.partition("_")[0]
    columns = {
        "method": start.method,
        "policy": name if name in POLICIES else "",
        "function": start.function.label,
        **start.function.columns(start.minimizer),
        "run": start.run,
        "seed": "/".join(map(str, start.seeded_as)),
    }
    return [columns | {"v": v} for v in (*start.read_at, start.v)]


def perform(start: Start) -> list[Line]:
    """Make the run; return its lines. The last one has what it took in all."""
    began, method = process_time(), start.minimizer
    box, info = start.function.box(method, start.run, start.v, start.read_at)
    method.minimize(box, info, np.random.default_rng(seed_of(*start.seeded_as)))
    lines = [{**line, "value": box.best_at.get(line["v"], box.best)} for line in lines_of(start)]
    lines[-1] |= {"evaluations": box.evaluations, "seconds": process_time() - began}
    return lines


def make_runs(
    wanted: Sequence[Start],
    folder: str | os.PathLike[str],
    *,
    part: str = "benchmark",
    jobs: int = 1,
) -> RunFile:
    """Make the runs that the table of a folder, ``runs.csv``, lacks; return the table.

    Parameters
    ----------
    part
        The part of the table of runs.
    jobs
        As of `campaign.complete`.

    Raises
    ------
    ValueError
        If the folder holds another campaign, or a function fails.
    """
    file = RunFile(Path(folder) / FILE, part=part, version=__version__)
    complete(file, wanted, lines_of, perform, jobs=jobs)
    return file


def starts(
    functions: Iterable[Function],
    methods: Iterable[str],
    budgets: Iterable[int],
    runs: int,
    also: Iterable[int] = (),
) -> list[Start]:
    """List the runs of some methods on some functions.

    Parameters
    ----------
    also
        Budgets at which a run of an anytime method is read besides, if they are smaller.
    """
    budgets, methods = sorted(set(budgets)), tuple(methods)
    read_at = tuple(sorted({v for v in (*budgets, *also) if v < budgets[-1]}))
    return [
        Start(function, name, v, run, read_at if METHODS[name].anytime else ())
        for function in functions
        for name in methods
        for v in (budgets[-1:] if METHODS[name].anytime else budgets)
        for run in range(runs)
    ]


def in_order(listed: Iterable[Start]) -> list[Start]:
    """Sort runs: those of small budgets first, then by the number of the run."""
    return sorted(listed, key=lambda start: (start.v, start.run))


def tasks(methods: Iterable[str], sets: Iterable[str]) -> list[Start]:
    """List the runs of some methods in some sets of the benchmark."""
    listed, methods = [], tuple(methods)
    for problem_set in sets:
        of_set = SETS[problem_set]
        functions = [function_of(problem_set, name) for name in of_set.problems]
        mine = [name for name in methods if problem_set in METHODS[name].sets]
        listed += starts(functions, mine, of_set.budgets, of_set.runs, BUDGETS)
    return in_order(listed)
