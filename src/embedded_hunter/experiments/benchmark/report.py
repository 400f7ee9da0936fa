"""The comparison in Markdown: values, ranks, verdicts, overhead, made of `results.csv` alone."""

import math
import statistics as plain
from collections.abc import Mapping, Sequence

from embedded_hunter.experiments.benchmark.overhead import Overhead
from embedded_hunter.experiments.benchmark.plan import COMPARING, MAIN, METHODS, SETS, TABLE
from embedded_hunter.experiments.benchmark.ranking import RATE, Duel, Ranking, duels, ranking
from embedded_hunter.experiments.benchmark.results import Cell, Results, budgets_of, methods_of
from embedded_hunter.experiments.figure_1.plan import PROBLEM_NAMES

TITLES = {
    "ellipsoid": "Ellipsoid",
    "fletcher_powell": "FletcherPowell",
    "rosenbrock": "Rosenbrock",
    "ackley": "Ackley",
}
REFERENCE = "forest"


def values(results: Results, where: str) -> str:
    """Return the tables of values of a set, one for each function: mean (sd), median."""
    budgets = _budgets(results, where)
    parts = []
    for problem in PROBLEM_NAMES:
        head = ["method", *(f"v = {v:,}" for v in budgets)]
        lines = []
        for method in methods_of(results, where):
            cells = [results.get(Cell(where, problem, method, v), ()) for v in budgets]
            lines.append([METHODS[method].label, *map(_summary, cells)])
        parts.append(f"**{TITLES[problem]}**, {SETS[where].title}\n\n{_table(head, lines)}")
    return "\n".join(parts)


def _budgets(results: Results, where: str) -> list[int]:
    return budgets_of(results, where, TABLE if where in MAIN else SETS[where].budgets)


def medians(results: Results, where: str, v: int) -> str:
    """Return one table of a set at one budget: the median value on each function."""
    head = [f"median at v = {v:,}", *(TITLES[problem] for problem in PROBLEM_NAMES)]
    lines = [
        [
            METHODS[method].label,
            *(
                short(plain.median(runs))
                if (runs := results.get(Cell(where, p, method, v)))
                else ""
                for p in PROBLEM_NAMES
            ),
        ]
        for method in methods_of(results, where)
    ]
    return _table(head, lines)


def _summary(runs: Sequence[float]) -> str:
    if not runs:
        return ""
    sd = plain.stdev(runs) if len(runs) > 1 else math.nan
    return f"{short(plain.fmean(runs))} ({short(sd)}), {short(plain.median(runs))}"


def rankings(results: Results, where: str, v: int) -> Ranking | None:
    """Rank methods over all functions and the runs that they all have.

    Methods with less than half of the runs of the others are left out.
    """
    columns: dict[str, list[float]] = {}
    made = {
        method: min(len(results.get(Cell(where, p, method, v), ())) for p in PROBLEM_NAMES)
        for method in methods_of(results, where)
    }
    methods = [method for method in made if 2 * made[method] >= max(1, *made.values())]
    if len(methods) < 3:
        return None
    runs = min(made[method] for method in methods)
    for method in methods:
        columns[method] = [
            value
            for problem in PROBLEM_NAMES
            for value in results[Cell(where, problem, method, v)][:runs]
        ]
    return ranking(columns)


def ranks(results: Results, sets: Sequence[str]) -> str:
    """Return the table of mean ranks, best first in the first column of budget 10,000."""
    found = {
        (where, v): rank
        for where in sets
        for v in _budgets(results, where)
        if (rank := rankings(results, where, v)) is not None
    }
    if not found:
        return "Too few methods for ranks.\n"
    order = next((key for key in found if key[1] == 10_000), next(iter(found)))
    names = {name for rank in found.values() for name in rank.mean_rank}
    placed = sorted(
        (name for name in METHODS if name in names),
        key=lambda name: found[order].mean_rank.get(name, math.inf),
    )
    head = ["method", *(f"{where}, v = {v:,}" for where, v in found)]
    lines = [
        [
            METHODS[name].label,
            *(
                f"{rank.mean_rank[name]:.2f}" if name in rank.mean_rank else ""
                for rank in found.values()
            ),
        ]
        for name in placed
    ]
    lines.append(["blocks (function, run)", *(str(rank.blocks) for rank in found.values())])
    lines.append(["Friedman's p", *(f"{rank.p:.1g}" for rank in found.values())])
    return _table(head, lines)


def compared(
    results: Results, where: str, problem: str, v: int, reference: str = REFERENCE
) -> list[Duel]:
    """Return the reference method against each other one in a cell; empty if it is not there."""
    mine = results.get(Cell(where, problem, reference, v))
    if not mine:
        return []
    others = {
        method: results[Cell(where, problem, method, v)]
        for method in methods_of(results, where)
        if method != reference and Cell(where, problem, method, v) in results
    }
    return duels(mine, others)


def verdicts(results: Results, where: str, reference: str = REFERENCE) -> str:
    """Return what the reference method is against each other one: a table for each budget."""
    parts = []
    for v in _budgets(results, where):
        found = {
            problem: {duel.other: duel for duel in compared(results, where, problem, v, reference)}
            for problem in PROBLEM_NAMES
        }
        names = [
            name
            for name in methods_of(results, where)
            if any(name in duels_of for duels_of in found.values())
        ]
        if not names:
            continue
        head = [f"{METHODS[reference].label} against", *(TITLES[p] for p in PROBLEM_NAMES)]
        lines = [
            [METHODS[name].label, *(_verdict(found[p].get(name)) for p in PROBLEM_NAMES)]
            for name in names
        ]
        parts.append(f"**{SETS[where].title}, v = {v:,}**\n\n{_table(head, lines)}")
    return "\n".join(parts)


def words(results: Results, where: str, v: int, reference: str = REFERENCE) -> str:
    """Return the verdicts of a set at one budget as sentences, one for each other method."""
    found: dict[str, dict[str, list[str]]] = {}
    for problem in PROBLEM_NAMES:
        for duel in compared(results, where, problem, v, reference):
            found.setdefault(duel.other, {}).setdefault(duel.verdict, []).append(TITLES[problem])
    lines = []
    for method in methods_of(results, where):
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
            lines.append(f"- {METHODS[method].label}: {'; '.join(parts)}.\n")
    return "".join(lines)


def _verdict(duel: Duel | None) -> str:
    if duel is None:
        return ""
    score = f"{duel.wins}:{duel.losses}"
    words = {
        "better": f"better, {score}",
        "worse": f"**worse**, {score}",
        "not shown": f"no difference shown, {score}",
    }
    return words[duel.verdict]


def overheads(measured: Mapping[str, Overhead]) -> str:
    """Return the table of the time that methods take beside the objective."""
    head = ["method", "microseconds for each evaluation", "evaluations"]
    lines = [
        [METHODS[name].label, f"{one.microseconds:.0f}", f"{one.v:,}"]
        for name, one in measured.items()
    ]
    return _table(head, lines)


def blocks(results: Results, measured: Mapping[str, Overhead]) -> dict[str, str]:
    """Return all tables by name."""
    there = [where for where in SETS if any(cell.where == where for cell in results)]
    main = [where for where in there if where in MAIN]
    found = {f"values {where}": values(results, where) for where in there}
    comparing = [where for where in there if where in COMPARING]
    found |= {f"verdicts {where}": verdicts(results, where) for where in comparing}
    found |= {
        f"words {where} {v}": words(results, where, v)
        for where in comparing
        for v in _budgets(results, where)
    }
    found |= {
        f"medians {where} {v}": medians(results, where, v)
        for where in there
        for v in _budgets(results, where)
    }
    found["ranks"] = ranks(results, main)
    found |= {f"ranks {where}": ranks(results, [where]) for where in there if where not in MAIN}
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
        "runs won and lost.\n"
    )


def short(x: float) -> str:
    """Return a number as tables have it."""
    return f"{x:.2g}" if abs(x) < 99.5 else f"{x:.3g}" if abs(x) < 999.5 else _exponent(x)


def _exponent(x: float) -> str:
    return f"{x:,.0f}" if x < 99_999.5 else f"{x:.1e}"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)
