"""A race: methods on functions of one's own, or of the registry; `python -m reproduction race`.

A function takes a point, shape (n,), and returns a number. It stands in a file of Python, which
every worker opens. It may have these attributes: ``bounds``, a pair (low, high) or n of them;
``optimum``, its least value; ``effective_dimension``, the number of variables that matter; and
``instance``, a function that returns the function for the number of a run. A place ``f8,d_e=5`` or
``f8,d_e=5,rotated`` is that of a function of `problems.registry`, ``rover`` one of `problems.real`.
Methods are those of the registry, and functions of files (`own_method`). Runs and tables are those
of the benchmark.
"""

import hashlib
import math
import re
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from embedded_hunter.matrices import Floats
from embedded_hunter.run.box import Box
from reproduction.benchmark.own_method import (
    FunctionFailed,
    label_of,
    object_of,
    register,
    text_of,
)
from reproduction.benchmark.plan import Start, in_order
from reproduction.benchmark.plan import starts as starts_of
from reproduction.benchmark.results import Condition, Results
from reproduction.kept_runs import Line, RunFile, samples_of
from reproduction.methods import METHODS, SETTINGS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.optimizers.method import Method
from reproduction.problems.hidden import Problem
from reproduction.problems.real import REAL
from reproduction.problems.registry import PROBLEMS
from reproduction.seeds import seed_of

PART = "race"
"""The part of the table of runs, the first of the names of a run, and the set in tables."""
BUDGETS = (100, 300, 1000)
RUNS = 20
BOUNDS = (-1.0, 1.0)


def of_registry(place: str, n: int | None) -> Any:
    """Return the function that ``f8,d_e=5`` or ``f8,d_e=5,rotated`` names, hidden in n variables.

    ``rover`` names a problem of practice, with an n of its own. The function has an instance for
    each run.

    Raises
    ------
    ValueError
        If there is none, or n is not given.
    """
    if place in REAL:
        return _of_practice(place)
    found = re.fullmatch(r"(\w+),d_e=(\d+)(,rotated)?", place)
    if found is None or found[1] not in PROBLEMS:
        raise ValueError(
            f"{place}: a function is FILE.py:NAME, or NAME,d_e=5 or NAME,d_e=5,rotated with a NAME "
            f"of {', '.join(PROBLEMS)}, or one of {', '.join(REAL)}"
        )
    if n is None:
        raise ValueError(f"{place}: how many variables? Give n")
    name, d_e, rotated = found[1], int(found[2]), found[3] is not None

    def instance(run: int) -> Problem:
        seed = seed_of(PART, name, n, d_e, rotated, run)
        return PROBLEMS[name](n, d_e, np.random.default_rng(seed), rotated)

    function: Any = partial(instance(0))
    function.instance, function.optimum, function.effective_dimension = instance, 0.0, d_e
    return function


def _of_practice(name: str) -> Any:
    problem = REAL[name]

    def instance(run: int) -> Callable[[Floats], float]:
        return problem.draw(np.random.default_rng(seed_of(PART, name, run)))

    function: Any = partial(instance(0))
    function.instance, function.bounds = instance, np.tile(BOUNDS, (problem.n, 1))
    return function


class OwnFunction(NamedTuple):
    """A function of a file of Python, and what is said of it beside the file."""

    place: str
    """FILE.py:NAME, or a function of the registry."""
    n: int | None = None
    """Its number of variables; the function's attribute ``bounds`` may tell it."""
    bounds: tuple[float, float] = BOUNDS
    """Of every variable, unless the function has an attribute ``bounds``."""
    guess: int | None = None
    """What methods are told in place of the function's ``effective_dimension``."""

    @property
    def label(self) -> str:
        """Its name in tables: without the folder."""
        return label_of(self.place)

    @property
    def told(self) -> int | None:
        """The number of variables that matter, for the methods that must be told one."""
        return self.opened.effective_dimension if self.guess is None else self.guess

    @property
    def names(self) -> tuple[object, ...]:
        """The names that seed a run, before those of method, budget and run."""
        return (PART, self.label, self.opened.box.n)

    @property
    def opened(self) -> "Opened":
        """The function itself, of the present text of its file.

        Raises
        ------
        ValueError
            If it cannot be read, or what is said of it makes no sense.
        """
        return _opened(self, text_of(self.place) if ":" in self.place else b"")

    def columns(self, method: Method) -> Line:
        """Return what the table of runs says of it; the set has hashes of texts and bounds."""
        told = {"told": "d_e", "d_e": self.told} if method.told_d_e else {}
        return {"set": self.opened.text + method.text, "n": self.opened.box.n, **told}

    def box(
        self, method: Method, run: int, v: int, read_at: Sequence[int]
    ) -> tuple[BlackBox, ProblemInfo]:
        """Return the function with the budget v, and what a method is told.

        Raises
        ------
        FunctionFailed
            When the function raises an exception, or returns nan; the message names it, and has the
            words and the line of the exception.
        """
        opened, told = self.opened, self.told
        n, to_bounds = opened.box.n, opened.box.from_cube
        instance = getattr(opened.f, "instance", None)
        function = opened.f if instance is None else instance(run)

        def f(x: Floats) -> float:
            try:
                value = float(function(to_bounds(np.clip(x, -1.0, 1.0))))
            except Exception as error:
                *_, last = traceback.extract_tb(error.__traceback__)
                raise FunctionFailed(
                    f"{self.label}: {type(error).__name__}: {error} "
                    f"({last.filename}, line {last.lineno})"
                ) from error
            if math.isnan(value):
                raise FunctionFailed(f"{self.label} has returned nan")
            return value

        info = ProblemInfo(n, n if told is None else told, sigma_n=n)
        return BlackBox(f, n, v, read_at, vectorized=False), info


@dataclass(frozen=True)
class Opened:
    """A function that was read from its file."""

    f: Callable[[Floats], Any]
    box: Box
    optimum: float | None
    effective_dimension: int | None
    text: str
    """A hash of its file and of the bounds: stored runs are those of this text."""


@cache
def _opened(function: OwnFunction, text: bytes) -> Opened:
    place = function.place
    f = object_of(place, text) if ":" in place else of_registry(place, function.n)
    bounds = np.asarray(getattr(f, "bounds", function.bounds), dtype=float)
    if bounds.ndim == 1:
        if function.n is None:
            raise ValueError(f"{function.place}: how many variables? Give n")
        bounds = np.tile(bounds, (function.n, 1))
    box, optimum = Box(bounds), getattr(f, "optimum", None)
    effective_dimension = getattr(f, "effective_dimension", None)
    if function.n not in (None, box.n):
        raise ValueError(
            f"{function.place} has bounds for {box.n} variables, and n is {function.n}"
        )
    digest = hashlib.sha256(text + bounds.tobytes()).hexdigest()[:12]
    return Opened(f, box, None if optimum is None else float(optimum), effective_dimension, digest)


def takes_part(method: Method) -> bool:
    """Whether a method is no variant, and needs no more knowledge of a function than d_e."""
    return bool({*method.sets} - {SETTINGS})


def available(*, told: bool = False) -> tuple[str, ...]:
    """Return the methods that can run here: some must be told d_e, some need a library."""
    return tuple(
        name
        for name, method in METHODS.items()
        if takes_part(method) and method.installed and (told or not method.told_d_e)
    )


def starts(
    functions: Sequence[OwnFunction],
    methods: Iterable[str] | None = None,
    budgets: Iterable[int] = BUDGETS,
    runs: int = RUNS,
    own: Iterable[str] = (),
) -> list[Start]:
    """List the runs of some methods of the registry, all that can run unless given, and others.

    Parameters
    ----------
    own
        Methods of files, FILE.py:NAME. They are put into the registry.

    Raises
    ------
    ValueError
        If a function cannot be read, or a method needs what is not told.
    """
    told = all(function.told is not None for function in functions)
    methods = available(told=told) if methods is None else tuple(methods)
    places = {register(place): place for place in own}
    methods = tuple(dict.fromkeys((*places, *methods)))
    budgets = tuple(budgets)
    if not budgets or min(budgets) < 1:
        raise ValueError("budgets must be integers >= 1")
    labels = [function.label for function in functions]
    if len(set(labels)) < len(labels):
        raise ValueError(f"two functions have one name: {', '.join(labels)}")
    for function in functions:
        n, d_e = function.opened.box.n, function.told
        if d_e is not None and not 1 <= d_e <= n:
            raise ValueError(f"told must be an integer of 1 .. n = {n}, got {d_e}")
    for name in methods:
        if METHODS[name].told_d_e and not told:
            raise ValueError(f"the method {name} must be told how many variables matter")
    listed = starts_of(functions, methods, budgets, runs)
    return in_order(start._replace(place=places.get(start.method, "")) for start in listed)


def results_of(file: RunFile, functions: Iterable[OwnFunction], wanted: Sequence[Start]) -> Results:
    """Return how far the best values of some runs are from the least, of each function.

    The least is the function's ``optimum`` or, if it has none, the least value of these runs; that
    of a problem of practice counts as 0. Runs of another text of a function's file stay in the
    table, and do not count.
    """
    lines, runs = file.lines(), 1 + max(start.run for start in wanted)
    asked = {(s.function.label, s.method, v) for s in wanted for v in (*s.read_at, s.v)}
    found: dict[Condition, tuple[float, ...]] = {}
    for function in functions:
        opened, told = function.opened, function.told
        same = lines["d_e"].isna() | (lines["d_e"] == (0 if told is None else told))
        sets = {name: opened.text + METHODS[name].text for name in {s.method for s in wanted}}
        now = lines["set"] == lines["method"].map(sets)
        mine = lines[now & (lines["function"] == function.label) & same]
        samples = samples_of(mine, ["function", "method", "v"])
        values = {cell: samples[cell][:runs] for cell in sorted(samples) if cell in asked}
        least = opened.optimum
        if least is None and function.place in REAL:
            least = 0.0  # values are positive, and each instance has another least one
        elif least is None:
            least = min((x for xs in values.values() for x in xs), default=0.0)
        for (name, method, v), xs in values.items():
            found[Condition(PART, name, method, v)] = tuple(max(x - least, 0.0) for x in xs)
    return found
