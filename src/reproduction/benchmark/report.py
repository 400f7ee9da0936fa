"""The comparison in Markdown: values, ranks, verdicts, overhead, made of `results.csv` alone."""

import math
import statistics as plain
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from reproduction.benchmark.methods import in_benchmark, method_of
from reproduction.benchmark.overhead import Overhead
from reproduction.benchmark.plan import BUDGETS, MAIN, SETS, TABLE
from reproduction.benchmark.ranking import (
    RATE,
    PairedTest,
    Ranking,
    factor_interval,
    paired_tests,
    ranking,
)
from reproduction.benchmark.results import Condition, Results, budgets_of, methods_of
from reproduction.methods import COMPARING
from reproduction.tables import table

TITLES = {
    "ellipsoid": "Ellipsoid",
    "fletcher_powell": "FletcherPowell",
    "rosenbrock": "Rosenbrock",
    "ackley": "Ackley",
    "zakharov": "Zakharov",
    "rastrigin": "Rastrigin",
    "sharp_ridge": "sharp ridge",
    "staircase": "staircase",
    "absolute_values": "absolute values",
}
REFERENCE = "forest"
FEW = 6
"""The signed-rank test needs as many pairs for p <= 5 %: 2/2^5 > .05 >= 2/2^6."""
BOTH = {"axis-aligned": ("axis-aligned", "wider"), "rotated": ("rotated", "wider-rotated")}
"""The sets of the paper's functions and of the five others, for each way to hide them."""
KNOWN = (
    "a few of the variables (axis-aligned)",
    "a few directions, not along the axes (rotated)",
    "one of the two, unknown which",
)
"""What a user may know, as the guide puts it: the main sets, and both."""
SHORT = {
    "forest": "`forest`",
    "differential_evolution": "DE (20)",
    "differential_evolution_small": "DE (10)",
}
"""Names in the table of the best methods, where the labels are long."""


def values(results: Results, problem_set: str) -> str:
    """Return the tables of values of a set, one for each function: mean (sd), median."""
    budgets = _budgets(results, problem_set)
    parts = []
    for problem in SETS[problem_set].problems:
        head = ["method", *(f"v = {v:,}" for v in budgets)]
        lines = []
        for method in methods_of(results, problem_set):
            cells = [results.get(Condition(problem_set, problem, method, v), ()) for v in budgets]
            lines.append([method_of(method).label, *map(_summary, cells)])
        parts.append(f"**{TITLES[problem]}**, {SETS[problem_set].title}\n\n{table(head, lines)}\n")
    return "\n".join(parts)


def _budgets(results: Results, problem_set: str) -> list[int]:
    planned = SETS[problem_set].budgets
    return budgets_of(results, problem_set, [v for v in TABLE if v in planned] or planned)


def medians(results: Results, problem_set: str, v: int) -> str:
    """Return one table of a set at one budget: the median value on each function."""
    head = [f"median at v = {v:,}", *(TITLES[problem] for problem in SETS[problem_set].problems)]
    lines = [
        [
            method_of(method).label,
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


def rankings(
    results: Results, sets: str | Sequence[str], v: int, only: Callable[[str], bool] | None = None
) -> Ranking | None:
    """Rank methods over all functions of some sets and the runs that they all have.

    A method with less than half of the usual number of runs, the median, is left out, but not the
    reference method.

    Parameters
    ----------
    only
        Which methods take part; all unless given.
    """
    places = [
        (name, problem)
        for name in ((sets,) if isinstance(sets, str) else sets)
        for problem in SETS[name].problems
    ]
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


def ranks(results: Results, sets: Sequence[str]) -> str:
    """Return the table of mean ranks, best first in the first column of budget 10,000."""
    return _ranks(
        {
            (v, f"{problem_set}, v = {v:,}"): rank
            for problem_set in sets
            for v in _budgets(results, problem_set)
            if (rank := rankings(results, problem_set, v)) is not None
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
        if (rank := rankings(results, of, v, lambda name: method_of(name).embeds)) is not None
    }
    return _ranks({(v, column): rank for column, rank in columns.items()})


def best(results: Results) -> str:
    """Return the table of the method with the best mean rank, for each way to hide and budget.

    In the last row it has the best sum of the mean ranks for both ways.
    """
    found: dict[str, dict[int, dict[str, float]]] = {title: {} for title in KNOWN}
    for v in BUDGETS:
        both = [rankings(results, problem_set, v) for problem_set in MAIN]
        for title, rank in zip(KNOWN, both, strict=False):
            found[title][v] = rank.mean_rank if rank else {}
        first, second = (rank.mean_rank if rank else {} for rank in both)
        found[KNOWN[-1]][v] = {m: first[m] + second[m] for m in first if m in second}
    head = ["what matters", f"$v = {BUDGETS[0]}$", *(f"{v:,}" for v in BUDGETS[1:])]
    lines = [
        [
            title,
            *(
                SHORT.get(method := min(of, key=lambda name: of[name]), method_of(method).label)
                if of
                else ""
                for of in by_budget.values()
            ),
        ]
        for title, by_budget in found.items()
    ]
    return table(head, lines) + "\n"


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
            method_of(name).label,
            "yes" if method_of(name).told_d_e else "no",
            *(
                f"{rank.mean_rank[name]:.2f}" if name in rank.mean_rank else ""
                for rank in found.values()
            ),
        ]
        for name in placed
    ]
    lines.append(["blocks (function, run)", "", *(str(rank.blocks) for rank in found.values())])
    lines.append(["Friedman's p", "", *(f"{rank.p:.1g}" for rank in found.values())])
    return table(head, lines) + "\n"


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


def verdicts(results: Results, problem_set: str) -> str:
    """Return what the reference method is against each other one: a table for each budget."""
    parts = []
    for v in _budgets(results, problem_set):
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
            f"{method_of(REFERENCE).label} against",
            *(TITLES[p] for p in SETS[problem_set].problems),
        ]
        lines = [
            [
                method_of(name).label,
                *(_verdict(found[p].get(name)) for p in SETS[problem_set].problems),
            ]
            for name in names
        ]
        parts.append(f"**{SETS[problem_set].title}, v = {v:,}**\n\n{table(head, lines)}\n")
    return "\n".join(parts)


def intervals(results: Results, problem_set: str, v: int) -> str:
    """Return the intervals for the factor of the reference method's values by each other one's."""
    problems = SETS[problem_set].problems
    head = [f"{method_of(REFERENCE).label}, divided by", *(TITLES[problem] for problem in problems)]
    lines = []
    for method in methods_of(results, problem_set):
        cells = []
        for problem in problems:
            mine = results.get(Condition(problem_set, problem, REFERENCE, v), ())
            other = results.get(Condition(problem_set, problem, method, v), ())
            runs = min(len(mine), len(other))
            found = factor_interval(mine[:runs], other[:runs])
            cells.append("" if found is None else _interval(found))
        if method != REFERENCE and any(cells):
            lines.append([method_of(method).label, *cells])
    return table(head, lines) + "\n"


def words(results: Results, problem_set: str, v: int) -> str:
    """Return the verdicts of a set at one budget as a list; methods with equal ones share a line.

    Labels have commas in them, so semicolons separate the methods. With fewer than `FEW` pairs of
    runs the test can show nothing: if no comparison has more, the list is a sentence that says so.
    """
    found: dict[str, dict[str, list[str]]] = {}
    tests = {
        problem: compared(results, problem_set, problem, v)
        for problem in SETS[problem_set].problems
    }
    if 0 < max((test.runs for of in tests.values() for test in of), default=0) < FEW:
        return "There are too few runs for tests.\n"
    for problem, of in tests.items():
        for test in of:
            found.setdefault(test.other, {}).setdefault(test.verdict, []).append(TITLES[problem])
    sharing: dict[str, list[str]] = {}
    for method in methods_of(results, problem_set):
        if method in found:
            parts = [
                f"{say} on {', '.join(found[method][verdict])}"
                for verdict, say in (
                    ("better", "better"),
                    ("worse", "**worse**"),
                    ("not shown", "no difference shown"),
                )
                if verdict in found[method]
            ]
            sharing.setdefault("; ".join(parts), []).append(method_of(method).label)
    return "".join(f"- {'; '.join(names)}: {said}.\n" for said, names in sharing.items())


def embedding(results: Results, problem_set: str, v: int) -> str:
    """Return how the reference method stands against those that embed, as sentences."""
    found = {
        problem: [
            test
            for test in compared(results, problem_set, problem, v)
            if method_of(test.other).embeds
        ]
        for problem in SETS[problem_set].problems
    }
    others = len({test.other for tests in found.values() for test in tests})
    if not others:
        return "No other method that embeds.\n"
    everywhere = [
        TITLES[problem]
        for problem, tests in found.items()
        if len(tests) == others and all(test.verdict == "better" for test in tests)
    ]
    better = [
        f"{method_of(test.other).label} on {TITLES[problem]}"
        for problem, tests in found.items()
        for test in tests
        if test.verdict == "worse"
    ]
    return (
        f"`{REFERENCE}` is better than each of the {others} other methods that embed on "
        f"{_listed(everywhere) or 'none of the functions'}. "
        f"Shown to be better than `{REFERENCE}`: {'; '.join(better) or 'none of them'}.\n"
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def made(results: Results, problem_set: str) -> str:
    """Return how many methods and runs the tables of a set have, as a list with a line a budget."""
    lines = []
    for v in _budgets(results, problem_set):
        runs = {
            method: min(
                len(results.get(Condition(problem_set, problem, method, v), ()))
                for problem in SETS[problem_set].problems
            )
            for method in methods_of(results, problem_set)
        }
        runs = {method: count for method, count in runs.items() if count}
        if not runs:
            continue
        (usual, _), *_ = Counter(runs.values()).most_common(1)
        apart = [f"{method_of(m).label}: {count}" for m, count in runs.items() if count != usual]
        lines.append(
            f"- v = {v:,}: {len(runs)} methods, {usual} runs on each function"
            f"{' (' + '; '.join(apart) + ')' if apart else ''}.\n"
        )
    return "".join(lines)


def tally(results: Results, problem_set: str, v: int) -> str:
    """Return how many comparisons of a set at one budget have which verdict, as a sentence."""
    tests = [
        test
        for problem in SETS[problem_set].problems
        for test in compared(results, problem_set, problem, v)
    ]
    count = Counter(test.verdict for test in tests)
    return (
        f"{SETS[problem_set].title}, v = {v:,}: {len(tests)} comparisons; `{REFERENCE}` is better "
        f"in {count['better']} and worse in {count['worse']}, and no difference is shown in "
        f"{count['not shown']}.\n"
    )


def undecided(results: Results, sets: Sequence[str]) -> str:
    """Return what the intervals say where no difference is shown, as a sentence."""
    factors = [
        test.factor
        for problem_set in sets
        for v in _budgets(results, problem_set)
        for problem in SETS[problem_set].problems
        for test in compared(results, problem_set, problem, v)
        if test.verdict == "not shown" and test.factor
    ]
    apart = sum(not low <= 1 <= high for low, high in factors)
    near = ", ".join(
        f"{sum(1 / most <= low and high <= most for low, high in factors)} within a factor {most:g}"
        for most in (1.1, 1.5, 2.0)
    )
    return (
        f"No difference is shown in {len(factors)} comparisons of at least six runs. Their "
        f"intervals show {near} of 1; {apart} do not contain 1.\n"
    )


def _verdict(test: PairedTest | None) -> str:
    if test is None:
        return ""
    score = f"{test.wins}:{test.losses}"
    factor = f", {_interval(test.factor)}" if test.factor else ""
    words = {
        "better": f"better, {score}",
        "worse": f"**worse**, {score}",
        "not shown": f"no difference shown, {score}{factor}",
    }
    return words[test.verdict]


def _interval(factor: tuple[float, float]) -> str:
    return f"{short(factor[0])} to {short(factor[1])}"


def overheads(measured: Mapping[str, Overhead]) -> str:
    """Return the table of the time that methods take beside the objective."""
    head = ["method", "microseconds for each evaluation", "evaluations"]
    lines = [
        [method_of(name).label, f"{one.microseconds:.0f}", f"{one.v:,}"]
        for name, one in measured.items()
    ]
    return table(head, lines) + "\n"


def blocks(results: Results, measured: Mapping[str, Overhead]) -> dict[str, str]:
    """Return all tables by name."""
    there = [
        problem_set
        for problem_set in SETS
        if any(cell.problem_set == problem_set for cell in results)
    ]
    main = [problem_set for problem_set in there if problem_set in MAIN]
    found = {f"values {problem_set}": values(results, problem_set) for problem_set in there}
    comparing = [problem_set for problem_set in there if problem_set in COMPARING]
    found |= {
        f"verdicts {problem_set}": verdicts(results, problem_set) for problem_set in comparing
    }
    if comparing:
        found["not shown"] = undecided(results, comparing)
    found |= {
        f"words {problem_set} {v}": words(results, problem_set, v)
        for problem_set in comparing
        for v in _budgets(results, problem_set)
    }
    found |= {
        f"embedding {problem_set} {v}": embedding(results, problem_set, v)
        for problem_set in comparing
        for v in _budgets(results, problem_set)
    }
    found |= {f"made {problem_set}": made(results, problem_set) for problem_set in there}
    found |= {
        f"tally {problem_set} {v}": tally(results, problem_set, v)
        for problem_set in comparing
        for v in _budgets(results, problem_set)
    }
    found |= {
        f"medians {problem_set} {v}": medians(results, problem_set, v)
        for problem_set in there
        for v in _budgets(results, problem_set)
    }
    found |= {
        f"intervals {problem_set} {v}": intervals(results, problem_set, v)
        for problem_set in comparing
        for v in _budgets(results, problem_set)
    }
    found["ranks"] = ranks(results, main)
    if main == list(MAIN):
        found["best"] = best(results)
    found |= {f"ranks of embedding {v}": ranks_of_embedding(results, v) for v in (1000, 10_000)}
    found |= {
        f"ranks {problem_set}": ranks(results, [problem_set])
        for problem_set in there
        if problem_set not in MAIN
    }
    if len(others := [problem_set for _, problem_set in BOTH.values() if problem_set in there]) > 1:
        found["ranks of the five"] = ranks(results, others)
    if measured:
        found["overhead"] = overheads(measured)
    return found


def document(results: Results, measured: Mapping[str, Overhead], made_by: str = "") -> str:
    """Return all tables as one text."""
    parts = ["# Comparison\n", f"{made_by}\n" if made_by else "", _how_to_read()]
    for name, text in blocks(results, measured).items():
        parts.append(f"## {name[0].upper()}{name[1:]}\n\n{text}")
    return "\n".join(part for part in parts if part)


def _how_to_read() -> str:
    return (
        "Values: mean (standard deviation), median of the best values of the runs; the least value "
        "of every function is 0. Ranks: 1 is best. Verdicts: Wilcoxon's signed-rank test on runs "
        f"with the same instance, Holm's correction in each cell, error rate {RATE:g}; a:b are the "
        "runs won and lost; where no difference is shown, the interval follows. Intervals: for the "
        "factor of the values, 95 %; values below 1e-9 count as 1e-9.\n"
    )


def short(x: float) -> str:
    """Return a number as tables have it."""
    return f"{x:.2g}" if abs(x) < 99.5 else f"{x:.3g}" if abs(x) < 999.5 else _exponent(x)


def _exponent(x: float) -> str:
    return f"{x:,.0f}" if x < 99_999.5 else f"{x:.1e}"
