"""A race: the methods of the registry on functions of one's own, `python -m reproduction race`.

A function takes a point, shape (n,), and returns a number. It stands in a file of Python, which
every worker opens. It may have two attributes: ``bounds``, a pair (low, high) or n of them, and
``optimum``, its least value. The runs are made and stored as those of the benchmark are.
"""

import hashlib
import os
import statistics as plain
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from embedded_hunter.matrices import Floats
from embedded_hunter.run.box import Box
from embedded_hunter.version import __version__
from reproduction.benchmark.comparisons import short
from reproduction.benchmark.figure import draw_curves, save
from reproduction.campaign import complete
from reproduction.kept_runs import FILE, Line, RunFile, samples_of
from reproduction.methods import COMPARING, METHODS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.optimizers.method import Method
from reproduction.seeds import seed_of
from reproduction.statistics import FLOOR, RATE, Ranking, ranking
from reproduction.tables import table

PART = "race"
"""The part of the table of runs, and the first of the names of a run."""
BUDGETS = (100, 300, 1000)
RUNS = 20
BOUNDS = (-1.0, 1.0)
Values: TypeAlias = Mapping[tuple[str, str, int], tuple[float, ...]]
"""The values of runs 0, 1, .. by function, method and budget."""


class OwnFunction(NamedTuple):
    """A function of a file of Python, and what is said of it beside the file."""

    place: str
    """FILE.py:NAME"""
    n: int | None = None
    """Its number of variables; the function's attribute ``bounds`` may tell it."""
    bounds: tuple[float, float] = BOUNDS
    """Of every variable, unless the function has an attribute ``bounds``."""

    @property
    def label(self) -> str:
        """Its name in tables: without the folder."""
        return os.path.basename(self.place)

    @property
    def opened(self) -> "Opened":
        """The function itself, of the present text of its file.

        Raises
        ------
        ValueError
            If it cannot be read, or what is said of it makes no sense.
        """
        file = self.place.rpartition(":")[0]
        try:
            text = Path(file).read_bytes()
        except OSError as error:
            raise ValueError(f"{self.place}: {error}") from None
        return _opened(self, text)


@dataclass(frozen=True)
class Opened:
    """A function that was read from its file.

    Attributes
    ----------
    text
        A hash of its file and of the bounds: stored runs are those of this text.
    """

    f: Callable[[Floats], Any]
    box: Box
    optimum: float | None
    text: str


@cache
def _opened(function: OwnFunction, text: bytes) -> Opened:
    file, _, name = function.place.rpartition(":")
    try:
        f = getattr(_module(file, text), name)
    except Exception as error:
        raise ValueError(f"{function.place}: {type(error).__name__}: {error}") from error
    bounds = np.asarray(getattr(f, "bounds", function.bounds), dtype=float)
    if bounds.ndim == 1:
        if function.n is None:
            raise ValueError(f"{function.place}: how many variables? Give n")
        bounds = np.tile(bounds, (function.n, 1))
    box, optimum = Box(bounds), getattr(f, "optimum", None)
    if function.n not in (None, box.n):
        raise ValueError(
            f"{function.place} has bounds for {box.n} variables, and n is {function.n}"
        )
    digest = hashlib.sha256(text + bounds.tobytes()).hexdigest()
    return Opened(f, box, None if optimum is None else float(optimum), digest[:12])


@cache
def _module(file: str, text: bytes) -> Any:
    """Open a file of Python once, while its text is the same; it may import its neighbours."""
    sys.path.append(os.path.dirname(file))
    module = ModuleType(Path(file).stem)
    module.__file__ = file
    exec(compile(text, file, "exec"), module.__dict__)
    return module


class Start(NamedTuple):
    """One run of a method."""

    function: OwnFunction
    method: str
    budgets: tuple[int, ...]
    """Those at which it is read; the greatest is the budget of the run."""
    run: int
    told: int | None
    """The number of variables that matter, for the methods that must be told one."""


def takes_part(method: Method) -> bool:
    """Whether a method is no variant, and needs no more knowledge of a function than d_e."""
    return bool(method.coco or {*COMPARING} & {*method.sets})


def available(told: int | None = None) -> tuple[str, ...]:
    """Return the methods that can run here: some need d_e, some a library."""
    return tuple(
        name
        for name, method in METHODS.items()
        if takes_part(method) and method.installed and (told is not None or not method.told_d_e)
    )


def starts(
    functions: Sequence[OwnFunction],
    methods: Iterable[str] | None = None,
    budgets: Iterable[int] = BUDGETS,
    runs: int = RUNS,
    told: int | None = None,
) -> list[Start]:
    """List the runs, those of small budgets first, then by the number of the run.

    An anytime method is run once, to the greatest budget, and read at the smaller ones.

    Parameters
    ----------
    methods
        Names of the registry; all that can run unless given.
    told
        The number of variables, or directions, that matter.

    Raises
    ------
    ValueError
        If a function cannot be read, or a method needs what is not told.
    """
    methods = available(told) if methods is None else tuple(methods)
    budgets = tuple(sorted(set(budgets)))
    if not budgets or budgets[0] < 1:
        raise ValueError("budgets must be integers >= 1")
    labels = [function.label for function in functions]
    if len(set(labels)) < len(labels):
        raise ValueError(f"two functions have one name: {', '.join(labels)}")
    for function in functions:
        n = function.opened.box.n
        if told is not None and not 1 <= told <= n:
            raise ValueError(f"told must be an integer of 1 .. n = {n}, got {told}")
    for name in methods:
        if METHODS[name].told_d_e and told is None:
            raise ValueError(f"the method {name} must be told how many variables matter")
    listed = [
        Start(function, name, of, run, told)
        for function in functions
        for name in methods
        for of in ([budgets] if METHODS[name].anytime else [(v,) for v in budgets])
        for run in range(runs)
    ]
    return sorted(listed, key=lambda start: (start.budgets[-1], start.run))


def lines_of(start: Start) -> list[Line]:
    """Return the lines of a run in the table of runs, without its values."""
    method, opened = METHODS[start.method], start.function.opened
    name = start.method
    told = {"told": "d_e", "d_e": start.told} if method.told_d_e else {}
    return [
        {
            "set": opened.text, "method": name, **told, "function": start.function.label,
            "policy": name if name in ("fresh", "indexed", "forest") else "",
            "n": opened.box.n, "v": v, "run": start.run, "seed": "/".join(map(str, _seed(start))),
        }
        for v in start.budgets
    ]  # fmt: skip


def _seed(start: Start) -> tuple[object, ...]:
    """Return the names of which the seed is a function; of an anytime method without a budget."""
    method, n = METHODS[start.method], start.function.opened.box.n
    told = start.told if method.told_d_e else None
    v = None if method.anytime else start.budgets[-1]
    return (PART, start.function.label, n, start.method, told, v, start.run)


def perform(start: Start) -> list[Line]:
    """Make a run; return its lines. The last one has what it took in all.

    Raises
    ------
    ValueError
        If the function raises an exception; the message has its words and its line.
    """
    began, opened = process_time(), start.function.opened
    n, to_bounds = opened.box.n, opened.box.from_cube

    def f(x: Floats) -> float:
        try:
            return float(opened.f(to_bounds(np.clip(x, -1.0, 1.0))))
        except Exception as error:
            *_, last = traceback.extract_tb(error.__traceback__)
            raise ValueError(
                f"{start.function.label}: {type(error).__name__}: {error} "
                f"({last.filename}, line {last.lineno})"
            ) from error

    box = BlackBox(f, n, start.budgets[-1], start.budgets, vectorized=False)
    info = ProblemInfo(n, n if start.told is None else start.told, sigma_n=n)
    METHODS[start.method].minimize(box, info, np.random.default_rng(seed_of(*_seed(start))))
    lines = [{**line, "value": box.best_at.get(line["v"], box.best)} for line in lines_of(start)]
    lines[-1] |= {"evaluations": box.evaluations, "seconds": process_time() - began}
    return lines


def race(
    wanted: Sequence[Start],
    folder: str | os.PathLike[str],
    *,
    jobs: int = 1,
    cluster: str | None = None,
) -> RunFile:
    """Make the runs that a folder lacks; return its table, ``runs.csv``.

    Runs of another text of a function's file stay in the table, and do not count.

    Parameters
    ----------
    jobs, cluster
        As of `campaign.complete`. The workers of a cluster need the files of the functions.

    Raises
    ------
    ValueError
        If the folder holds another campaign, or a function fails.
    """
    file = RunFile(Path(folder) / FILE, part=PART, version=__version__)
    complete(file, wanted, lines_of, perform, jobs=jobs, cluster=cluster)
    return file


def values_of(file: RunFile, wanted: Sequence[Start]) -> Values:
    """Return how far the best values of some runs are from the least, of each function.

    The least is the function's ``optimum`` or, if it has none, the least value of these runs.
    """
    lines = file.lines()
    asked = {(start.function.label, start.method, v) for start in wanted for v in start.budgets}
    functions = {start.function.label: start.function.opened for start in wanted}
    current = lines["set"] == lines["function"].map({k: f.text for k, f in functions.items()})
    told = {start.told for start in wanted}.pop()
    same = lines["d_e"].isna() | (lines["d_e"] == (0 if told is None else told))
    samples = samples_of(lines[current & same], ["function", "method", "v"])
    runs = 1 + max(start.run for start in wanted)
    found = {cell: samples[cell][:runs] for cell in samples if cell in asked}
    least = {
        name: min((x for cell, xs in found.items() if cell[0] == name for x in xs), default=0.0)
        if opened.optimum is None
        else opened.optimum
        for name, opened in functions.items()
    }
    return {
        (name, method, v): tuple(x - least[name] if x > least[name] else 0.0 for x in xs)
        for (name, method, v), xs in found.items()
    }


def present(file: RunFile, wanted: Sequence[Start], picture: bool = True) -> list[Path]:
    """Write ``tables.md`` and, if wanted, ``race.svg`` and ``race.png`` beside the table of runs.

    Raises
    ------
    RuntimeError
        If matplotlib is missing.
    """
    values = values_of(file, wanted)
    optimum = {start.function.label: start.function.opened.optimum for start in wanted}
    path = file.path.with_name("tables.md")
    path.write_text(document(values, optimum), encoding="utf-8")
    return [path, *(draw(values, file.path.parent) if picture else [])]


def document(values: Values, optimum: Mapping[str, float | None]) -> str:
    """Return the tables as one text: ranks for each budget, medians for each function."""
    budgets = sorted({v for _, _, v in values})
    parts = [
        "# Race\n\nMean ranks over all functions and runs, 1 is best. A method is shown to be "
        "better than another one if their mean ranks differ by Nemenyi's critical difference "
        f"(error rate {RATE:g} over all pairs of a table). Values nearer than {FLOOR:g} to the "
        "least one count as equal. A difference that is not shown is no proof of equality.\n"
    ]
    for v in budgets:
        parts.append(f"## Ranks at v = {v:,}\n\n{ranks(values, v)}")
    for name, least in optimum.items():
        above = "the least value of these runs" if least is None else f"the optimum, {least:g}"
        methods = [m for m in METHODS if any((name, m, v) in values for v in budgets)]
        rows = [
            [
                METHODS[method].label,
                *(short(plain.median(values.get((name, method, v), (np.nan,)))) for v in budgets),
            ]
            for method in methods
        ]
        head = ["method", *(f"v = {v:,}" for v in budgets)]
        parts.append(f"## {name}\n\nMedians above {above}.\n\n{table(head, rows)}\n")
    return "\n".join(parts)


def ranks(values: Values, v: int) -> str:
    """Return the table of mean ranks at one budget, with the differences that are shown."""
    functions = sorted({name for name, _, _ in values})
    methods = [m for m in METHODS if all((name, m, v) in values for name in functions)]
    if len(methods) < 3:
        return "Ranks need three methods.\n"
    runs = min(len(values[name, m, v]) for name in functions for m in methods)
    found = ranking(
        {m: [x for name in functions for x in values[name, m, v][:runs]] for m in methods}
    )
    placed = sorted(methods, key=lambda m: found.mean_rank[m])
    rows = [
        [
            METHODS[method].label,
            "yes" if METHODS[method].told_d_e else "no",
            f"{found.mean_rank[method]:.2f}",
            _beaten(found, placed, method),
        ]
        for method in placed
    ]
    head = ["method", "uses d_e", "mean rank", "shown to be better than"]
    return (
        f"{table(head, rows)}\n\n{found.blocks} blocks (function, run), "
        f"Friedman's p {found.p:.1g}, Nemenyi's critical difference {found.difference:.2f}.\n"
    )


def _beaten(found: Ranking, placed: Sequence[str], method: str) -> str:
    """Return the methods that one is shown to be better than: the last of the table."""
    limit = found.mean_rank[method] + found.difference
    names = [METHODS[other].label for other in placed if found.mean_rank[other] >= limit]
    if len(names) < 2:
        return "".join(names)
    return f"the last {len(names)}, from {names[0]} on"


def draw(values: Values, folder: str | os.PathLike[str]) -> list[Path]:
    """Draw the medians against the budget, a panel for each function; return the files."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    functions = list(dict.fromkeys(name for name, _, _ in values))
    with mpl.rc_context({"svg.hashsalt": "embedded-hunter", "font.size": 10}):
        drawing = Figure(figsize=(5 * len(functions) + 0.4, 6), layout="constrained")
        grid = drawing.subplots(1, len(functions), squeeze=False)[0]
        for axes, name in zip(grid, functions, strict=True):
            curves: dict[str, dict[int, Sequence[float]]] = {}
            for (of, method, v), runs in sorted(values.items(), key=lambda item: item[0][2]):
                if of == name:
                    curves.setdefault(method, {})[v] = runs
            draw_curves(axes, {m: curves[m] for m in METHODS if m in curves})
            axes.set_title(name)
            axes.set_xlabel("budget $v$")
        grid[0].set_ylabel("median above the least value")
        handles = {h.get_label(): h for axes in grid for h in axes.get_lines()}
        drawing.legend(
            list(handles.values()), list(handles), loc="outside lower center",
            ncols=2 * len(functions), frameon=False, fontsize=8,
        )  # fmt: skip
        return save(drawing, folder, "race")
