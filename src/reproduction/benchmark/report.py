"""The comparison in Markdown: its tables, and all tables and sentences by name (`blocks`)."""

import math
import statistics as plain
from collections.abc import Mapping, Sequence

from reproduction.benchmark.comparisons import (
    REFERENCE,
    budgets,
    compared,
    interval,
    rankings,
    short,
)
from reproduction.benchmark.overhead import Overhead
from reproduction.benchmark.plan import BUDGETS, MAIN, SETS
from reproduction.benchmark.results import Condition, Results, methods_of
from reproduction.benchmark.sentences import embedding, made, undecided, words
from reproduction.landscapes import LANDSCAPES
from reproduction.methods import COMPARING, METHODS, in_benchmark
from reproduction.statistics import FLOOR, RATE, PairedTest, Ranking
from reproduction.tables import table

BOTH = {"axis-aligned": ("axis-aligned", "wider"), "rotated": ("rotated", "wider-rotated")}
"""The sets of the paper's functions and of the five others, for each way to hide them."""
KNOWN = (
    "a few of the variables (axis-aligned)",
    "a few directions, not along the axes (rotated)",
    "one of the two, unknown which",
)
"""The knowledge that a user may have, as the guide puts it: the main sets, and both."""
SHORT = {
    "forest": "`forest`",
    "differential_evolution": "DE (20)",
    "differential_evolution_small": "DE (10)",
    "hesbo_cma_2": "HeSBO (2)",
    "hesbo_cma_5": "HeSBO (5)",
    "hesbo_cma_2_small": "HeSBO (2, step 0.1)",
    "hesbo_cma_5_small": "HeSBO (5, step 0.1)",
    "rembo_cma": "REMBO",
    "nested_cma": "nested sketches",
}
"""Names in the table of the best methods, where the labels are long."""
MOST = 3
"""Methods that a cell of this table names."""

HOW_TO_READ = f"""\
Values: mean (standard deviation), median of the best values of the runs; the least value of every
function is 0. Tests, ranks and intervals take values below {FLOOR:g} as {FLOOR:g}. Ranks: 1 is
best; a difference of two mean ranks is shown if it is at least Nemenyi's critical difference (error
rate {RATE:g} over all pairs of methods of a column). Verdicts: Wilcoxon's signed-rank test of the
logarithms of the ratios on runs with the same instance, Holm's correction over the methods of a
cell (function, budget), error rate {RATE:g}; a:b are the runs won and lost; where no difference is
shown, the interval follows. Intervals: for the factor of the values, 95 %, for one comparison.
"""


def values(results: Results, problem_set: str) -> str:
    """Return the tables of values of a set, one for each function: mean (sd), median."""
    columns = budgets(results, problem_set)
    parts = []
    for problem in SETS[problem_set].problems:
        head = ["method", *(f"v = {v:,}" for v in columns)]
        lines = []
        for method in methods_of(results, problem_set):
            cells = [results.get(Condition(problem_set, problem, method, v), ()) for v in columns]
            lines.append([METHODS[method].label, *map(_summary, cells)])
        title = f"**{LANDSCAPES[problem].title}**, {SETS[problem_set].title}"
        parts.append(f"{title}\n\n{table(head, lines)}\n")
    return "\n".join(parts)


def medians(results: Results, problem_set: str, v: int) -> str:
    """Return one table of a set at one budget: the median value on each function."""
    titles = (LANDSCAPES[problem].title for problem in SETS[problem_set].problems)
    head = [f"median at v = {v:,}", *titles]
    lines = [
        [
            METHODS[method].label,
            *(
                short(plain.median(runs))
                if (runs := results.get(Condition(problem_set, p, method, v)))
                else ""
                for p in SETS[problem_set].problems
            ),
        ]
        for method in methods_of(results, problem_set)
    ]
    return table(head, lines) + "\n"


def _summary(runs: Sequence[float]) -> str:
    if not runs:
        return ""
    sd = plain.stdev(runs) if len(runs) > 1 else math.nan
    return f"{short(plain.fmean(runs))} ({short(sd)}), {short(plain.median(runs))}"


def ranks(results: Results, sets: Sequence[str]) -> str:
    """Return the table of mean ranks, best first in the first column of budget 10,000."""
    return _ranks(
        {
            (v, f"{problem_set}, v = {v:,}"): rank
            for problem_set in sets
            for v in budgets(results, problem_set)
            if (rank := rankings(results, [problem_set], v)) is not None
        }
    )


def ranks_of_embedding(results: Results, v: int) -> str:
    """Return the mean ranks among the methods that embed, over all functions of each way to hide.

    A column has the runs that all methods of it have made of all functions.
    """
    columns = {
        f"{title}: {which}": rank
        for title, sets in BOTH.items()
        for which, of in (("the paper's", sets[:1]), ("the five others", sets[1:]), ("all", sets))
        if (rank := rankings(results, of, v, lambda name: METHODS[name].embeds)) is not None
    }
    return _ranks({(v, column): rank for column, rank in columns.items()})


def best(results: Results) -> str:
    """Return the table of the leading methods, for each way to hide and budget.

    These are the methods that no other is shown to be better than, by the mean ranks over the
    functions of the paper. The last row has the blocks of both ways.
    """
    lines = [
        [
            title,
            *(
                _named(found.leading()) if (found := rankings(results, sets, v)) else ""
                for v in BUDGETS
            ),
        ]
        for title, sets in zip(KNOWN, ([MAIN[0]], [MAIN[1]], MAIN), strict=True)
    ]
    head = ["what matters", f"$v = {BUDGETS[0]}$", *(f"{v:,}" for v in BUDGETS[1:])]
    return table(head, lines) + "\n"


def _named(methods: Sequence[str]) -> str:
    """Return the first names of a list, and how many others there are."""
    names = [SHORT.get(method, METHODS[method].label) for method in methods[:MOST]]
    rest = len(methods) - len(names)
    return "; ".join([*names, *([f"{rest} more"] if rest else [])])


def _ranks(found: Mapping[tuple[int, str], Ranking]) -> str:
    if not found:
        return "Too few methods for ranks.\n"
    order = next((key for key in found if key[0] == 10_000), next(iter(found)))
    names = {name for rank in found.values() for name in rank.mean_rank}
    placed = sorted(
        (name for name in in_benchmark() if name in names),
        key=lambda name: found[order].mean_rank.get(name, math.inf),
    )
    head = ["method", "uses d_e", *(title for _, title in found)]
    lines = [
        [
            METHODS[name].label,
            "yes" if METHODS[name].told_d_e else "no",
            *(
                f"{rank.mean_rank[name]:.2f}" if name in rank.mean_rank else ""
                for rank in found.values()
            ),
        ]
        for name in placed
    ]
    lines.append(["blocks (function, run)", "", *(str(rank.blocks) for rank in found.values())])
    lines.append(["Friedman's p", "", *(f"{rank.p:.1g}" for rank in found.values())])
    lines.append(
        ["Nemenyi's critical difference", "", *(f"{r.difference:.2f}" for r in found.values())]
    )
    return table(head, lines) + "\n"


def verdicts(results: Results, problem_set: str) -> str:
    """Return what the reference method is against each other one: a table for each budget."""
    parts = []
    for v in budgets(results, problem_set):
        found = {
            problem: {test.other: test for test in compared(results, problem_set, problem, v)}
            for problem in SETS[problem_set].problems
        }
        names = [
            name
            for name in methods_of(results, problem_set)
            if any(name in tests_of for tests_of in found.values())
        ]
        if not names:
            continue
        head = [
            f"{METHODS[REFERENCE].label} against",
            *(LANDSCAPES[p].title for p in SETS[problem_set].problems),
        ]
        lines = [
            [
                METHODS[name].label,
                *(_verdict(found[p].get(name)) for p in SETS[problem_set].problems),
            ]
            for name in names
        ]
        parts.append(f"**{SETS[problem_set].title}, v = {v:,}**\n\n{table(head, lines)}\n")
    return "\n".join(parts)


def _verdict(test: PairedTest | None) -> str:
    if test is None:
        return ""
    score = f"{test.wins}:{test.losses}"
    factor = f", {interval(test.factor)}" if test.factor else ""
    words = {
        "better": f"better, {score}",
        "worse": f"**worse**, {score}",
        "not shown": f"no difference shown, {score}{factor}",
    }
    return words[test.verdict]


def overheads(measured: Mapping[str, Overhead]) -> str:
    """Return the table of the time that methods take beside the objective."""
    head = ["method", "microseconds for each evaluation", "evaluations"]
    lines = [
        [METHODS[name].label, f"{one.microseconds:.0f}", f"{one.v:,}"]
        for name, one in measured.items()
    ]
    return table(head, lines) + "\n"


def blocks(results: Results, measured: Mapping[str, Overhead]) -> dict[str, str]:
    """Return all tables and sentences by name."""
    there = [name for name in SETS if any(cell.problem_set == name for cell in results)]
    main = [name for name in there if name in MAIN]
    comparing = [name for name in there if name in COMPARING]
    found: dict[str, str] = {}
    for name in there:
        found[f"made {name}"] = made(results, name)
        found[f"values {name}"] = values(results, name)
        for v in budgets(results, name):
            found[f"medians {name} {v}"] = medians(results, name, v)
    for name in comparing:
        found[f"verdicts {name}"] = verdicts(results, name)
        for v in budgets(results, name):
            found[f"words {name} {v}"] = words(results, name, v)
            found[f"embedding {name} {v}"] = embedding(results, name, v)
    if comparing:
        found["not shown"] = undecided(results, comparing)
    found["ranks"] = ranks(results, main)
    if main == list(MAIN):
        found["best"] = best(results)
    found |= {f"ranks of embedding {v}": ranks_of_embedding(results, v) for v in (1000, 10_000)}
    found |= {f"ranks {name}": ranks(results, [name]) for name in there if name not in MAIN}
    if len(others := [name for _, name in BOTH.values() if name in there]) > 1:
        found["ranks of the five"] = ranks(results, others)
    if measured:
        found["overhead"] = overheads(measured)
    return found


def document(tables: Mapping[str, str]) -> str:
    """Return all tables, by name as `blocks` gives them, as one text."""
    parts = [f"# Comparison\n\n{HOW_TO_READ}"]
    for name, text in tables.items():
        parts.append(f"## {name[0].upper()}{name[1:]}\n\n{text}")
    return "\n".join(parts)
