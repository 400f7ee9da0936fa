"""Material of tables and sentences: ranks and paired tests of results, and short numbers."""

import statistics as plain
from collections.abc import Callable, Sequence

from reproduction.benchmark.plan import SETS, TABLE
from reproduction.benchmark.results import Condition, Results, budgets_of, methods_of
from reproduction.methods import in_benchmark
from reproduction.statistics import PairedTest, Ranking, paired_tests, ranking

REFERENCE = "forest"
"""The method that is compared with each other one."""


def rankings(
    results: Results, sets: Sequence[str], v: int, only: Callable[[str], bool] | None = None
) -> Ranking | None:
    """Rank methods over all functions of some sets and the runs that they all have.

    A method with less than half of the usual number of runs, the median, is left out, but not the
    reference method.

    Parameters
    ----------
    only
        Which methods take part; all unless given.
    """
    places = [(name, problem) for name in sets for problem in SETS[name].problems]
    made = {
        method: runs
        for method in in_benchmark()
        if only is None or only(method)
        if (runs := min(len(results.get(Condition(*place, method, v), ())) for place in places))
    }
    usual = plain.median(made.values()) if made else 0
    methods = [name for name in made if name == REFERENCE or 2 * made[name] >= usual]
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


def compared(results: Results, problem_set: str, problem: str, v: int) -> list[PairedTest]:
    """Return the reference method against each other one in a cell; empty if it is not there."""
    mine = results.get(Condition(problem_set, problem, REFERENCE, v))
    if not mine:
        return []
    others = {
        method: results[Condition(problem_set, problem, method, v)]
        for method in methods_of(results, problem_set)
        if method != REFERENCE and Condition(problem_set, problem, method, v) in results
    }
    return paired_tests(mine, others)


def budgets(results: Results, problem_set: str) -> list[int]:
    """Return the budgets of the tables of a set."""
    planned = SETS[problem_set].budgets
    return budgets_of(results, problem_set, [v for v in TABLE if v in planned] or planned)


def interval(factor: tuple[float, float]) -> str:
    """Return an interval as tables have it."""
    return f"{short(factor[0])} to {short(factor[1])}"


def short(x: float) -> str:
    """Return a number as tables have it."""
    return f"{x:.2g}" if abs(x) < 99.5 else f"{x:.3g}" if abs(x) < 999.5 else _exponent(x)


def _exponent(x: float) -> str:
    return f"{x:,.0f}" if x < 99_999.5 else f"{x:.1e}"
