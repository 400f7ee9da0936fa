"""The tables of the benchmark, from a few results with known answers."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from reproduction.benchmark.results import Condition, rankings
from reproduction.tables import short

PAPERS = ("ellipsoid", "fletcher_powell", "rosenbrock", "ackley")
OTHERS = ("zakharov", "rastrigin", "sharp_ridge", "staircase", "absolute_values")
OURS, RESOO, FRESH = "forest", "RESOO", "EmbeddedHunter"
UNIFORM = "random search, uniform"
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


def test_short_numbers() -> None:
    for x, text in (
        (0.0, "0"), (1.26, "1.3"), (-99.4, "-99"), (99.4, "99"), (99.5, "99.5"), (999.4, "999"),
        (999.5, "1,000"), (12345.6, "12,346"), (99_999.4, "99,999"), (99_999.5, "1.0e+05"),
        (-12345.6, "-12,346"), (1.26e-7, "1.3e-07"), (math.nan, "nan"),
    ):  # fmt: skip
        assert short(x) == text, x
