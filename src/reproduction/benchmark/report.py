"""Ranks, medians and verdicts in Markdown, of the benchmark and of a race."""

import math
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from reproduction.benchmark import figure
from reproduction.benchmark.plan import BUDGETS, MAIN, SETS
from reproduction.benchmark.results import (
    REFERENCE,
    Condition,
    Results,
    budgets,
    compared,
    methods_of,
    problems_of,
    rankings,
    sets_of,
    title_of,
)
from reproduction.methods import COMPARING, LARGE, METHODS, REAL, SPARSE
from reproduction.statistics import FLOOR, RATE, PairedTest, Ranking
from reproduction.tables import apart, short, table

KNOWN = (
    "a few variables",
    "a few directions",
    "you do not know which",
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
Values are medians of the best values of the runs, less the least value of the function or, where
it is not known, of these runs; those of problems of practice are as they are. Tests, ranks and
intervals take values below {FLOOR:g} as {FLOOR:g}.
Ranks: 1 is best. Two methods differ if their mean ranks differ by at least Nemenyi's critical
difference (error rate {RATE:g} over all pairs of methods of a column); no method is shown to be
better than one in bold. Verdicts: Wilcoxon's signed-rank test of the logarithms of the ratios on
runs with the same instance, Holm's correction over the methods of a cell (function, budget), error
rate {RATE:g}; a:b are the runs won and lost. Where no difference is shown, the 95 % interval for
the factor of the values follows, for one comparison. That none is shown is no proof of equality.
"""


def ranks(results: Results, sets: Sequence[str], reference: str = REFERENCE) -> str:
    """Return the table of mean ranks, best first at budget 10,000, or else at the last one."""
    found = {
        (v, f"{problem_set}, v = {v:,}"): rank
        for problem_set in sets
        for v in budgets(results, problem_set)
        if (rank := rankings(results, [problem_set], v, reference)) is not None
    }
    if not found:
        return "Ranks need three methods.\n"
    order = next((key for key in found if key[0] == 10_000), [*found][-1])
    names = {name for rank in found.values() for name in rank.mean_rank}
    placed = sorted(
        (name for name in METHODS if name in names),
        key=lambda name: found[order].mean_rank.get(name, math.inf),
    )
    head = ["method", "uses d_e", *(title for _, title in found)]
    lines = [
        [
            METHODS[name].label,
            "yes" if METHODS[name].told_d_e else "no",
            *(_rank(rank, name) for rank in found.values()),
        ]
        for name in placed
    ]
    lines.append(["blocks (function, run)", "", *(str(rank.blocks) for rank in found.values())])
    lines.append(["Friedman's p", "", *(f"{rank.p:.1g}" for rank in found.values())])
    lines.append(
        ["Nemenyi's critical difference", "", *(f"{r.difference:.2f}" for r in found.values())]
    )
    return table(head, lines) + "\n"


def _rank(rank: Ranking, name: str) -> str:
    if name not in rank.mean_rank:
        return ""
    text = f"{rank.mean_rank[name]:.2f}"
    return f"**{text}**" if name in rank.leading() else text


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
    names = [SHORT.get(method, METHODS[method].label) for method in methods[:MOST]]
    rest = len(methods) - len(names)
    return "; ".join([*names, *([f"{rest} more"] if rest else [])])


def medians(results: Results, problem_set: str, v: int, *, distinct: bool = False) -> str:
    """Return the table of a set at one budget: the median value on each function.

    With `distinct`, numbers have as many digits as tell the medians of a function apart.
    """
    problems, methods = problems_of(results, problem_set), methods_of(results, problem_set)
    texts: dict[tuple[str, str], str] = {}
    for problem in problems:
        found = {
            method: median(runs)
            for method in methods
            if (runs := results.get(Condition(problem_set, problem, method, v)))
        }
        shown = apart([*found.values()]) if distinct else map(short, found.values())
        texts |= {(problem, method): text for method, text in zip(found, shown, strict=True)}
    lines = [
        [METHODS[method].label, *(texts.get((problem, method), "") for problem in problems)]
        for method in methods
    ]
    return table([f"median at v = {v:,}", *map(title_of, problems)], lines) + "\n"


def verdicts(results: Results, problem_set: str, v: int, reference: str = REFERENCE) -> str:
    """Return what the reference method is against each other one, on each function.

    Methods that it is worse than on most functions come first.
    """
    problems = problems_of(results, problem_set)
    found = {
        problem: {
            test.other: test for test in compared(results, problem_set, problem, v, reference)
        }
        for problem in problems
    }
    lost = Counter(
        name for tests in found.values() for name, test in tests.items() if test.verdict == "worse"
    )
    lines = [
        [METHODS[name].label, *(_verdict(found[problem].get(name)) for problem in problems)]
        for name in sorted(methods_of(results, problem_set), key=lambda name: -lost[name])
        if any(name in tests for tests in found.values())
    ]
    head = [f"{METHODS[reference].label} against", *map(title_of, problems)]
    return table(head, lines) + "\n"


def losses(results: Results, reference: str = REFERENCE) -> str:
    """Return where the reference method is worse than another one, with the runs won and lost."""
    lines = []
    for problem_set in sets_of(results):
        for v in budgets(results, problem_set) if problem_set in COMPARING else ():
            for problem in problems_of(results, problem_set):
                worse = [
                    f"{METHODS[test.other].label} ({test.wins}:{test.losses})"
                    for test in compared(results, problem_set, problem, v, reference)
                    if test.verdict == "worse"
                ]
                if worse:
                    lines.append([f"{problem_set}, v = {v:,}", title_of(problem), "; ".join(worse)])
    return table(["set", "function", f"{METHODS[reference].label} is worse than"], lines) + "\n"


def scores(results: Results, sets: Sequence[str], reference: str = REFERENCE) -> str:
    """Return on how many functions the reference method is better and worse than each other one."""
    found: dict[str, dict[str, str]] = {}
    for name in sets_of(results):
        for v in budgets(results, name) if name in sets else ():
            verdicts: dict[str, Counter[str]] = {}
            for problem in problems_of(results, name):
                for test in compared(results, name, problem, v, reference):
                    verdicts.setdefault(test.other, Counter())[test.verdict] += 1
            for other, count in verdicts.items():
                text = f"{count['better']} : {count['worse']}"
                found.setdefault(other, {})[f"{name}, v = {v:,}"] = text
    heads = list(dict.fromkeys(head for texts in found.values() for head in texts))
    lines = [
        [METHODS[other].label, *(texts.get(head, "") for head in heads)]
        for other, texts in found.items()
    ]
    return table([f"{METHODS[reference].label} better : worse than", *heads], lines) + "\n"


def reached(results: Results, sets: Sequence[str], reference: str = REFERENCE) -> str:
    """Return the medians of some sets; the first line says where the reference method is worse.

    In brackets: the runs that it won and lost. The medians of methods that it is worse than are
    bold.
    """
    there = [name for name in sets_of(results) if name in sets]
    names = [name for name in METHODS if any(name in methods_of(results, s) for s in there)]
    cells = [
        (problem_set, problem, v)
        for problem_set in there
        for problem in problems_of(results, problem_set)
        for v in budgets(results, problem_set)
    ]
    worse = [f"**{METHODS[reference].label} is worse than**"]
    lines = {name: [METHODS[name].label] for name in names}
    for problem_set, problem, v in cells:
        tests = {test.other: test for test in compared(results, problem_set, problem, v, reference)}
        lost = [
            f"{METHODS[test.other].label} ({test.wins}:{test.losses})"
            for test in tests.values()
            if test.verdict == "worse"
        ]
        worse.append("; ".join(lost) or "none")
        found = {
            name: median(runs)
            for name in names
            if (runs := results.get(Condition(problem_set, problem, name, v)))
        }
        for name in names:
            lines[name].append(_with_score(found.get(name), tests.get(name)))
    head = ["", *(f"{title_of(problem)}, v = {v:,}" for _, problem, v in cells)]
    return table(head, [worse, *lines.values()]) + "\n"


def _with_score(value: float | None, test: PairedTest | None) -> str:
    text = "" if value is None else f"{value:.3g}" if value < 999.5 else short(value)
    if test is None:
        return text
    score = f"{test.wins}:{test.losses}"
    if test.verdict == "not shown":
        return f"{text} ({score}, not shown)"
    return f"**{text}** ({score})" if test.verdict == "worse" else f"{text} ({score})"


def _verdict(test: PairedTest | None) -> str:
    if test is None:
        return ""
    score = f"{test.wins}:{test.losses}"
    if test.verdict != "not shown":
        return f"{'better' if test.verdict == 'better' else '**worse**'}, {score}"
    factor = f", {short(test.factor.low)} to {short(test.factor.high)}" if test.factor else ""
    return f"no difference shown, {score}{factor}"


def blocks(results: Results) -> dict[str, str]:
    """Return all tables of the pages by name."""
    there = sets_of(results)
    main = [name for name in there if name in MAIN]
    others = [name for name in there if name.startswith("wider")]
    found = {"ranks": ranks(results, main), "ranks of the five": ranks(results, others)}
    if main == [*MAIN]:
        found["best"] = best(results)
        found["losses"] = losses(results)
    if coco := [name for name in there if name in (*SPARSE, *LARGE)]:
        found["ranks on COCO"], found["scores on COCO"] = (
            ranks(results, coco),
            scores(results, coco),
        )
    if any(name in REAL for name in there):
        found["real problems"] = reached(results, REAL)
    for name in there:
        for v in budgets(results, name):
            found[f"medians {name} {v}"] = medians(results, name, v)
            if name in COMPARING:
                found[f"verdicts {name} {v}"] = verdicts(results, name, v)
    return found


def document(results: Results, setting: str = "", reference: str = REFERENCE) -> str:
    """Return all tables as one text, after what was run."""
    parts = ["# Comparison\n", *([setting] if setting else []), HOW_TO_READ]
    for name in sets_of(results):
        title = f"{name}: {SETS[name].title}" if name in SETS else "Functions of your own"
        parts.append(f"## {title}\n\n{ranks(results, [name], reference)}")
        for v in budgets(results, name):
            parts.append(medians(results, name, v, distinct=True))
            if reference in methods_of(results, name):
                parts.append(verdicts(results, name, v, reference))
    return "\n".join(parts)


def present(
    results: Results,
    folder: str | os.PathLike[str],
    picture: bool = True,
    setting: str = "",
    reference: str = REFERENCE,
) -> list[Path]:
    """Write all tables into ``tables.md`` and, if wanted, the figure; return the files.

    Parameters
    ----------
    setting
        What was run, for the head of ``tables.md``.
    reference
        The method that is compared with each other one.
    """
    written = Path(folder) / "tables.md"
    written.write_text(document(results, setting, reference), encoding="utf-8")
    return [written, *(figure.draw(results, folder, reference) if picture else [])]
