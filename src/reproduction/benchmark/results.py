"""The file of results: one line for each condition, with the values of its runs, to six digits.

Tables, tests and figures are made from this file alone, so that anybody can make them again.
"""

import itertools
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from reproduction import csv_files
from reproduction.benchmark.methods import in_benchmark
from reproduction.benchmark.plan import FUNCTIONS, SETS
from reproduction.figure_1.runs import Outcome

NAME = "results.csv"
COLUMNS = ("set", "problem", "method", "v")


class Condition(NamedTuple):
    """What was run several times: a method with a budget on a problem of a set."""

    problem_set: str
    problem: str
    method: str
    v: int


Results: TypeAlias = Mapping[Condition, tuple[float, ...]]
"""The values of run 0, 1, ... of each cell."""


def of_runs(outcomes: Iterable[Outcome]) -> dict[Condition, tuple[float, ...]]:
    """Collect the results of runs, rounded as in the file; runs 0, 1, .. up to a gap."""
    runs: dict[Condition, dict[int, float]] = {}
    for (_, problem_set, problem, method, _, run), best_values, *_ in outcomes:
        for v, value in best_values:
            values = runs.setdefault(Condition(problem_set, problem, method, v), {})
            values[run] = float(f"{value:.6g}")
    found = {}
    for cell in sorted(runs, key=_place):
        count = next(run for run in itertools.count() if run not in runs[cell])
        if count:
            found[cell] = tuple(runs[cell][run] for run in range(count))
    return found


def write(results: Results, folder: str | os.PathLike[str]) -> Path:
    """Write the file."""
    path = Path(folder) / NAME
    width = max(map(len, results.values()), default=0)
    rows = []
    for cell, values in sorted(results.items(), key=lambda one: _place(one[0])):
        texts = [f"{value:.6g}" for value in values]
        rows.append([*cell, *texts, *[""] * (width - len(texts))])
    csv_files.write(path, [*COLUMNS, *(f"run {run}" for run in range(width))], rows)
    return path


def read(folder: str | os.PathLike[str]) -> dict[Condition, tuple[float, ...]]:
    """Read the file of a folder.

    Raises
    ------
    ValueError
        If there is none, or it is not such a file.
    """
    path = Path(folder) / NAME
    if not path.exists():
        raise ValueError(f"{folder} holds no {NAME}: run `python -m reproduction compare` first")
    return {
        Condition(problem_set, problem, method, int(v)): tuple(
            float(text) for text in texts if text
        )
        for problem_set, problem, method, v, *texts in csv_files.read(path, COLUMNS)
    }


def methods_of(results: Results, problem_set: str) -> list[str]:
    """Return the methods of a set, in the order of the registry."""
    there = {cell.method for cell in results if cell.problem_set == problem_set}
    return [name for name in in_benchmark() if name in there]


def budgets_of(results: Results, problem_set: str, among: Iterable[int]) -> list[int]:
    """Return those of some budgets that a set has; all that it has if it has none of them."""
    there = sorted({cell.v for cell in results if cell.problem_set == problem_set})
    return [v for v in among if v in there] or there


def _place(cell: Condition) -> tuple[int, int, int, int]:
    return (
        list(SETS).index(cell.problem_set),
        FUNCTIONS.index(cell.problem),
        list(in_benchmark()).index(cell.method),
        cell.v,
    )
