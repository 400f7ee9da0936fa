"""The comparison in sentences: verdicts as lists, who is better, how many runs there are."""

from collections import Counter
from collections.abc import Sequence

from reproduction.benchmark.comparisons import REFERENCE, budgets, compared
from reproduction.benchmark.plan import SETS
from reproduction.benchmark.results import Condition, Results, methods_of
from reproduction.landscapes import LANDSCAPES
from reproduction.methods import METHODS

FEW = 6
"""The signed-rank test needs as many pairs for p <= 5 %: 2/2^5 > .05 >= 2/2^6."""


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
            found.setdefault(test.other, {}).setdefault(test.verdict, []).append(
                LANDSCAPES[problem].title
            )
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
            sharing.setdefault("; ".join(parts), []).append(METHODS[method].label)
    return "".join(f"- {'; '.join(names)}: {said}.\n" for said, names in sharing.items())


def embedding(results: Results, problem_set: str, v: int) -> str:
    """Return how the reference method stands against those that embed, as sentences."""
    found = {
        problem: [
            test
            for test in compared(results, problem_set, problem, v)
            if METHODS[test.other].embeds
        ]
        for problem in SETS[problem_set].problems
    }
    others = len({test.other for tests in found.values() for test in tests})
    if not others:
        return "No other method that embeds.\n"
    everywhere = [
        LANDSCAPES[problem].title
        for problem, tests in found.items()
        if len(tests) == others and all(test.verdict == "better" for test in tests)
    ]
    better = [
        f"{METHODS[test.other].label} on {LANDSCAPES[problem].title}"
        for problem, tests in found.items()
        for test in tests
        if test.verdict == "worse"
    ]
    on = f"on {_listed(everywhere)}" if everywhere else "on no function"
    return (
        f"`{REFERENCE}` is shown to be better than each of the {others} other methods that embed "
        f"{on}. Shown to be better than `{REFERENCE}`: {'; '.join(better) or 'none of them'}.\n"
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def made(results: Results, problem_set: str) -> str:
    """Return how many methods and runs the tables of a set have, as a list with a line a budget."""
    lines = []
    for v in budgets(results, problem_set):
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
        apart = [f"{METHODS[m].label}: {count}" for m, count in runs.items() if count != usual]
        lines.append(
            f"- v = {v:,}: {len(runs)} methods, {usual} runs on each function"
            f"{' (' + '; '.join(apart) + ')' if apart else ''}.\n"
        )
    return "".join(lines)


def undecided(results: Results, sets: Sequence[str]) -> str:
    """Return what the intervals say where no difference is shown, as a sentence."""
    factors = [
        test.factor
        for problem_set in sets
        for v in budgets(results, problem_set)
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
