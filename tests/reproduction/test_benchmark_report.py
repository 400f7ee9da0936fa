"""The tables of the benchmark, from a few results with known answers."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from reproduction.benchmark.comparisons import rankings, short
from reproduction.benchmark.results import Condition
from reproduction.benchmark.sentences import undecided
from reproduction.statistics import factor_interval, log_ratios

PAPERS = ("ellipsoid", "fletcher_powell", "rosenbrock", "ackley")
OTHERS = ("zakharov", "rastrigin", "sharp_ridge", "staircase", "absolute_values")
OURS, RESOO, FRESH = "EmbeddedHunter, forest", "RESOO", "EmbeddedHunter, fresh"
Results = dict[Condition, tuple[float, ...]]


def cells(problem_set: str, v: int, **runs: Sequence[float]) -> Results:
    """Results of methods that have the same runs on each function of a set."""
    problems = OTHERS if problem_set.startswith("wider") else PAPERS
    return {
        Condition(problem_set, problem, method, v): tuple(values)
        for problem in problems
        for method, values in runs.items()
    }


SIX = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
TEN = tuple(10 * x for x in SIX)


def test_ranks_are_those_of_the_runs_that_all_have() -> None:
    """A method with fewer than half of the usual number of runs is left out."""
    found = cells("rotated", 1000, forest=SIX, resoo=TEN, fresh=[x + 0.5 for x in SIX])
    found |= cells("rotated", 1000, uniform_random_search=[0.0, 100.0, 100.0])
    rank = rankings(found, ["rotated"], 1000)
    assert rank is not None
    assert rank.blocks == 4 * 3
    assert rank.mean_rank == pytest.approx(
        {"forest": 4 / 3, "fresh": 7 / 3, "resoo": 10 / 3, "uniform_random_search": 3}
    )
    table = [SIX[:3], TEN[:3], [x + 0.5 for x in SIX[:3]], [0.0, 100.0, 100.0]]
    assert rank.p == pytest.approx(stats.friedmanchisquare(*np.tile(table, 4)).pvalue)
    found |= cells("rotated", 1000, uniform_random_search=[0.0, 100.0])
    rank = rankings(found, ["rotated"], 1000)
    assert rank is not None
    assert (set(rank.mean_rank), rank.blocks) == ({"forest", "resoo", "fresh"}, 24)
    del found[Condition("rotated", "ackley", "resoo", 1000)]
    assert rankings(found, ["rotated"], 1000) is None
    assert rankings({}, ["rotated"], 1000) is None


def eight(factor: float) -> tuple[float, ...]:
    return tuple(factor * x for x in range(1, 9))


DECIDED = cells("rotated", 1000, forest=eight(1), resoo=eight(2), uniform_random_search=eight(0.5))
DECIDED |= cells("rotated", 10_000, forest=eight(1), resoo=eight(1)[::-1])
DECIDED |= {
    Condition("rotated", "ackley", "fresh", 1000): eight(2)[:3],
    Condition("rotated", "ackley", "uniform_random_search", 1000): eight(1)[::-1],
}
"""Eight runs: two comparisons with all runs won or lost have the adjusted p-values 4/256."""


def test_undecided_comparisons_are_counted_by_their_intervals() -> None:
    """At v = 10,000 four times the same tie, and one at v = 1,000; three runs have no interval."""
    tie = factor_interval(log_ratios(eight(1), eight(1)[::-1]))
    assert tie is not None
    assert tie[1] > 2
    assert undecided(DECIDED, ["rotated"]) == (
        "No difference is shown in 5 comparisons of at least six runs. Their intervals show 0 "
        "within a factor 1.1, 0 within a factor 1.5, 0 within a factor 2 of 1; 0 do not contain "
        "1.\n"
    )
    near = {
        Condition("rotated", problem, method, 1000): tuple(runs)
        for problem, *others in (
            ("ellipsoid", 1.05, 1 / 1.05), ("fletcher_powell", 1.05, 0.4),
            ("rosenbrock", 1.4, 1 / 1.4), ("ackley", 1.9, 1 / 1.9),
        )
        for method, runs in (("forest", [1.0] * 8), ("resoo", others * 4))
    }  # fmt: skip
    assert undecided(near, ["rotated", "axis-aligned"]) == (
        "No difference is shown in 4 comparisons of at least six runs. Their intervals show 1 "
        "within a factor 1.1, 2 within a factor 1.5, 3 within a factor 2 of 1; 0 do not contain "
        "1.\n"
    )


def test_short_numbers() -> None:
    for x, text in (
        (0.0, "0"), (1.26, "1.3"), (-99.4, "-99"), (99.4, "99"), (99.5, "99.5"), (999.4, "999"),
        (999.5, "1,000"), (12345.6, "12,346"), (99_999.4, "99,999"), (99_999.5, "1.0e+05"),
        (-12345.6, "-12,346"), (1.26e-7, "1.3e-07"), (math.nan, "nan"),
    ):  # fmt: skip
        assert short(x) == text, x
