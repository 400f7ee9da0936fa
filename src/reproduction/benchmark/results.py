"""The results of the benchmark: the values of each cell, their ranks, and paired tests.

Tables, tests and figures are made from lines of the table of runs alone, so that anybody can make
them again.
"""

from __future__ import annotations

import statistics as plain
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from reproduction.benchmark.plan import PARTS, SETS, TABLE
from reproduction.kept_runs import kept, samples_of
from reproduction.methods import METHODS
from reproduction.problems.real import REAL
from reproduction.problems.registry import PROBLEMS
from reproduction.statistics import PairedTest, Ranking, paired_tests, ranking

if TYPE_CHECKING:
    import pandas as pd

REFERENCE = "forest"
"""The method that is compared with each other one."""


class Condition(NamedTuple):
    """A cell, run several times: a method with a budget on a problem of a set."""

    problem_set: str
    problem: str
    method: str
    v: int


Results: TypeAlias = Mapping[Condition, tuple[float, ...]]
"""The values of run 0, 1, ... of each cell."""


def results_of(lines: pd.DataFrame) -> Results:
    """Return the results that some lines have, in the order of sets, functions and methods.

    Methods that are not in the registry are left out.
    """
    sets, functions, methods = list(SETS), [*PROBLEMS, *REAL], list(METHODS)
    found = {
        Condition(name, function, method, int(v)): values
        for (name, function, method, v), values in samples_of(
            lines, ["set", "function", "method", "v"]
        ).items()
        if name in SETS and method in METHODS
    }

    def place(cell: Condition) -> tuple[int, int, int, int]:
        name, function, method, v = cell
        return sets.index(name), functions.index(function), methods.index(method), v

    return {cell: found[cell] for cell in sorted(found, key=place)}


def kept_results(folder: Path | None = None) -> Results:
    """Return the results that are kept."""
    import pandas

    return results_of(pandas.concat([kept(part, folder) for part in PARTS]))


def sets_of(results: Results) -> list[str]:
    """Return the sets that there are results of."""
    return list(dict.fromkeys(cell.problem_set for cell in results))


def problems_of(results: Results, problem_set: str) -> list[str]:
    """Return the functions of a set that there are results of."""
    return list(dict.fromkeys(cell.problem for cell in results if cell.problem_set == problem_set))


def methods_of(results: Results, problem_set: str) -> list[str]:
    """Return the methods of a set, in the order of the registry."""
    there = {cell.method for cell in results if cell.problem_set == problem_set}
    return [name for name in METHODS if name in there]


def budgets_of(results: Results, problem_set: str, among: Iterable[int] = ()) -> list[int]:
    """Return those of some budgets that a set has; all that it has if it has none of them."""
    there = sorted({cell.v for cell in results if cell.problem_set == problem_set})
    return [v for v in among if v in there] or there


def budgets(results: Results, problem_set: str) -> list[int]:
    """Return the budgets of the tables of a set: all if they are few, else those of `TABLE`."""
    planned = SETS[problem_set].budgets if problem_set in SETS else ()
    return budgets_of(results, problem_set, planned if len(planned) <= len(TABLE) else TABLE)


def title_of(problem: str) -> str:
    """Return the name of a function in tables."""
    return PROBLEMS[problem].title if problem in PROBLEMS else problem


def rankings(
    results: Results, sets: Sequence[str], v: int, reference: str = REFERENCE
) -> Ranking | None:
    """Rank methods over all functions of some sets and the runs that they all have.

    A method with less than half of the usual number of runs, the median, is left out, but not the
    reference method.
    """
    places = [(name, problem) for name in sets for problem in problems_of(results, name)]
    if not places:
        return None
    made = {
        method: runs
        for method in METHODS
        if (runs := min(len(results.get(Condition(*place, method, v), ())) for place in places))
    }
    usual = plain.median(made.values()) if made else 0
    methods = [name for name in made if name == reference or 2 * made[name] >= usual]
    if len(methods) < 3:
        return None
    runs = min(made[method] for method in methods)
    return ranking(
        {
            method: [
                value for place in places for value in results[Condition(*place, method, v)][:runs]
            ]
            for method in methods
        }
    )


def compared(
    results: Results, problem_set: str, problem: str, v: int, reference: str = REFERENCE
) -> list[PairedTest]:
    """Return the reference method against each other one in a cell; empty if it is not there."""
    mine = results.get(Condition(problem_set, problem, reference, v))
    if not mine:
        return []
    others = {
        method: results[Condition(problem_set, problem, method, v)]
        for method in methods_of(results, problem_set)
        if method != reference and Condition(problem_set, problem, method, v) in results
    }
    return paired_tests(mine, others)
