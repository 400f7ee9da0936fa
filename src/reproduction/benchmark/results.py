"""The results of the benchmark: the values of each condition, from lines of the table of runs.

Tables, tests and figures are made from these lines alone, so that anybody can make them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from reproduction.benchmark.plan import FUNCTIONS, PART, SETS
from reproduction.kept_runs import kept, samples_of
from reproduction.methods import in_benchmark

if TYPE_CHECKING:
    import pandas as pd


class Condition(NamedTuple):
    """A cell, run several times: a method with a budget on a problem of a set."""

    problem_set: str
    problem: str
    method: str
    v: int


Results: TypeAlias = Mapping[Condition, tuple[float, ...]]
"""The values of run 0, 1, ... of each cell."""


def results_of(lines: pd.DataFrame) -> Results:
    """Return the results that some lines have, in the order of sets, functions and methods."""
    samples = samples_of(lines, ["set", "function", "method", "v"])
    found = {
        Condition(problem_set, problem, method, int(v)): values
        for (problem_set, problem, method, v), values in samples.items()
    }
    return {cell: found[cell] for cell in sorted(found, key=_place)}


def kept_results() -> Results:
    """Return the results that are kept."""
    return results_of(kept(PART))


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
