"""The tables of the benchmark, from a few results with known answers."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from kept_results import table_rows
from scipy import stats

from reproduction.benchmark.comparisons import rankings, short
from reproduction.benchmark.plan import BUDGETS
from reproduction.benchmark.report import best, blocks, ranks, ranks_of_embedding, values, verdicts
from reproduction.benchmark.results import Condition
from reproduction.benchmark.sentences import embedding, made, undecided, words
from reproduction.statistics import factor_interval, log_ratios

PAPERS = ("ellipsoid", "fletcher_powell", "rosenbrock", "ackley")
OTHERS = ("zakharov", "rastrigin", "sharp_ridge", "staircase", "absolute_values")
OURS, RESOO, FRESH = "EmbeddedHunter, forest", "RESOO", "EmbeddedHunter, fresh"
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


def test_values_are_mean_deviation_and_median() -> None:
    found = cells("rotated", 1000, forest=SIX, resoo=(3.0,))
    found |= cells("rotated", 100, forest=SIX)
    found[Condition("rotated", "ackley", "forest", 10_000)] = (0.0, 1.0, 5.0)
    parts = values(found, "rotated").split("\n\n")
    assert parts[::2] == [
        f"**{title}**, rotated, n = 1,000"
        for title in ("Ellipsoid", "FletcherPowell", "Rosenbrock", "Ackley")
    ]
    head = ["method", "v = 1,000", "v = 10,000"]
    assert table_rows(parts[1]) == [head, [OURS, "3.5 (1.9), 3.5", ""], [RESOO, "3 (nan), 3", ""]]
    assert table_rows(parts[7])[1] == [OURS, "3.5 (1.9), 3.5", "2 (2.6), 1"]
    two = table_rows(values(cells("rotated", 1000, forest=(1.0, 3.0)), "rotated"))
    assert two[1] == [OURS, "2 (1.4), 2"]
    assert values(found, "rotated").endswith("|\n")


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


def test_the_table_of_ranks_begins_with_the_best_at_budget_10000() -> None:
    found = cells("rotated", 1000, forest=SIX, resoo=TEN, sep_cma=[0.5] * 6)
    found |= cells("rotated", 10_000, forest=TEN, resoo=SIX, fresh=[100.0] * 6)
    p = stats.friedmanchisquare(*np.tile([SIX, TEN, [0.5] * 6], 4)).pvalue
    assert table_rows(ranks(found, ["rotated", "axis-aligned"])) == [
        ["method", "uses d_e", "rotated, v = 1,000", "rotated, v = 10,000"],
        [RESOO, "yes", "3.00", "1.00"],
        [OURS, "no", "2.00", "2.00"],
        [FRESH, "yes", "", "3.00"],
        ["sep-CMA, all n", "no", "1.00", ""],
        ["blocks (function, run)", "", "24", "24"],
        ["Friedman's p", "", f"{p:.1g}", f"{p:.1g}"],
        ["Nemenyi's critical difference", "", *[f"{3.314 * math.sqrt(3 * 4 / 24 / 12):.2f}"] * 2],
    ]
    assert ranks(found, ["rotated"]).endswith("|\n")
    without = cells("rotated", 1000, forest=SIX, resoo=TEN, sep_cma=[0.5] * 6)
    assert [line[0] for line in table_rows(ranks(without, ["rotated"]))[1:4]] == [
        "sep-CMA, all n", OURS, RESOO,
    ]  # fmt: skip
    assert ranks({}, ["rotated"]) == "Too few methods for ranks.\n"


def test_ranks_of_the_methods_that_embed() -> None:
    runs = {"forest": SIX, "resoo": TEN, "fresh": [100.0] * 6, "sep_cma": [0.0] * 6}
    found = cells("rotated", 1000, **runs) | cells("wider-rotated", 1000, **runs)
    found |= cells("axis-aligned", 1000, **runs)
    found |= cells("rotated", 10_000, forest=SIX, resoo=TEN)
    lines = table_rows(ranks_of_embedding(found, 1000))
    assert lines[0] == [
        "method", "uses d_e", "axis-aligned: the paper's", "rotated: the paper's",
        "rotated: the five others", "rotated: all",
    ]  # fmt: skip
    assert [line[0] for line in lines[1:4]] == [OURS, RESOO, FRESH]
    assert lines[4] == ["blocks (function, run)", "", "24", "24", "30", "54"]
    assert ranks_of_embedding(found, 10_000) == "Too few methods for ranks.\n"


def eight(factor: float) -> tuple[float, ...]:
    return tuple(factor * x for x in range(1, 9))


DECIDED = cells("rotated", 1000, forest=eight(1), resoo=eight(2), uniform_random_search=eight(0.5))
DECIDED |= cells("rotated", 10_000, forest=eight(1), resoo=eight(1)[::-1])
DECIDED |= {
    Condition("rotated", "ackley", "fresh", 1000): eight(2)[:3],
    Condition("rotated", "ackley", "uniform_random_search", 1000): eight(1)[::-1],
}
"""Eight runs: two comparisons with all runs won or lost have the adjusted p-values 4/256."""


def test_verdicts_have_a_table_for_each_budget() -> None:
    first, one, second, two = verdicts(DECIDED, "rotated").split("\n\n")
    assert (first, second.strip()) == (
        "**rotated, n = 1,000, v = 1,000**", "**rotated, n = 1,000, v = 10,000**"
    )  # fmt: skip
    head = [f"{OURS} against", "Ellipsoid", "FletcherPowell", "Rosenbrock", "Ackley"]
    tie = factor_interval(log_ratios(eight(1), eight(1)[::-1]))
    assert tie is not None
    shown = f"no difference shown, 4:4, {tie[0]:.2g} to {tie[1]:.2g}"
    assert table_rows(one) == [
        head,
        [FRESH, "", "", "", "no difference shown, 3:0"],
        [RESOO, *["better, 8:0"] * 4],
        [UNIFORM, *["**worse**, 0:8"] * 3, shown],
    ]
    assert table_rows(two) == [head, [RESOO, *[shown] * 4]]
    alone = cells("rotated", 1000, resoo=SIX)
    assert verdicts(alone, "rotated") == ""
    later = {cell: runs for cell, runs in DECIDED.items() if cell.v == 10_000}
    assert verdicts(alone | later, "rotated") == f"{second}\n\n{two}"


def test_methods_with_the_same_verdicts_share_a_line() -> None:
    """Eight runs: fresh and SRESOO lose all, RESOO is equal; each verdict has one line."""
    found = cells("rotated", 1000, forest=eight(1), fresh=eight(2), resoo=eight(1))
    found |= cells("rotated", 1000, sresoo=eight(3))
    four = "Ellipsoid, FletcherPowell, Rosenbrock, Ackley"
    assert words(found, "rotated", 1000) == (
        f"- {FRESH}; SRESOO: better on {four}.\n- {RESOO}: no difference shown on {four}.\n"
    )


def test_the_methods_that_embed_in_sentences() -> None:
    """The random search does not embed; on Ackley HeSBO-CMA wins, on Ellipsoid RESOO is equal."""
    found = cells("rotated", 1000, forest=eight(1), resoo=eight(2), hesbo_cma_2=eight(2))
    found |= cells("rotated", 1000, uniform_random_search=eight(0.5))
    assert embedding(found, "rotated", 1000) == (
        "`forest` is shown to be better than each of the 2 other methods that embed on Ellipsoid, "
        "FletcherPowell, Rosenbrock and Ackley. Shown to be better than `forest`: none of them.\n"
    )
    found[Condition("rotated", "ackley", "hesbo_cma_2", 1000)] = eight(0.5)
    found[Condition("rotated", "ellipsoid", "resoo", 1000)] = eight(1)
    del found[Condition("rotated", "rosenbrock", "resoo", 1000)]
    assert embedding(found, "rotated", 1000) == (
        "`forest` is shown to be better than each of the 2 other methods that embed on "
        "FletcherPowell. Shown to be better than `forest`: HeSBO-CMA, d = 2 d_e on Ackley.\n"
    )
    found = cells("rotated", 1000, forest=eight(1), resoo=eight(0.5), fresh=eight(1))
    assert embedding(found, "rotated", 1000) == (
        "`forest` is shown to be better than each of the 2 other methods that embed on no "
        "function. Shown to be better than `forest`: RESOO on Ellipsoid; RESOO on FletcherPowell; "
        "RESOO on Rosenbrock; RESOO on Ackley.\n"
    )
    assert embedding(found, "rotated", 100) == "No other method that embeds.\n"


def test_the_methods_and_runs_of_a_set_are_counted() -> None:
    found = cells("wider", 1000, forest=SIX[:4], resoo=SIX, fresh=TEN, sresoo=(*SIX, 7.0))
    found |= cells("wider", 10_000, forest=SIX, resoo=TEN)
    found[Condition("wider", "zakharov", "fresh", 10_000)] = SIX  # not on the other functions
    assert made(found, "wider") == (
        f"- v = 1,000: 4 methods, 6 runs on each function ({OURS}: 4; SRESOO: 7).\n"
        "- v = 10,000: 2 methods, 6 runs on each function.\n"
    )
    assert made(found, "rotated") == ""


def test_the_methods_that_none_is_shown_to_be_better_than_at_each_budget() -> None:
    """RESOO is ahead where the axes matter, and behind else; at v = 300 there are no ranks.

    Five methods on 24 blocks: a difference of ranks is shown from 1.25 on; four methods: 0.96.
    """
    found: Results = {}
    for v in BUDGETS:
        found |= cells("axis-aligned", v, forest=TEN, resoo=SIX, fresh=[99] * 6, sresoo=[99] * 6)
        found |= cells("rotated", v, forest=SIX, resoo=[99] * 6, fresh=TEN, sresoo=TEN)
    found |= cells("axis-aligned", 100, differential_evolution=[0] * 6)
    found = {c: x for c, x in found.items() if c.v != 300 or c.method in ("forest", "resoo")}
    assert table_rows(best(found)) == [
        ["what matters", "$v = 100$", "300", "1,000", "3,000", "10,000", "30,000"],
        ["a few of the variables (axis-aligned)", "DE (20); RESOO", "", *["RESOO"] * 4],
        ["a few directions, not along the axes (rotated)", "`forest`", "", *["`forest`"] * 4],
        ["one of the two, unknown which", "`forest`", "", *["`forest`"] * 4],
    ]
    assert blocks(found, {})["best"] == best(found)


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
