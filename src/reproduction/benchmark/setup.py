"""What a comparison states, for a race: its setting in words, in Markdown and in LaTeX."""

import re
from collections.abc import Iterable, Sequence

from embedded_hunter.version import __version__
from reproduction.benchmark.plan import Start
from reproduction.benchmark.race import OwnFunction
from reproduction.benchmark.results import Condition, Results, methods_of, problems_of, sets_of
from reproduction.methods import METHODS
from reproduction.provenance import provenance
from reproduction.statistics import FLOOR, RATE, quartiles
from reproduction.tables import apart, short, table

TREES = "eta = 0.3, K = 3, h_max = floor(sqrt v), sigma = 1/sqrt n"
SETTINGS = {
    "fresh": f"{TREES}, M = 5",
    "indexed": f"{TREES}, M = 5",
    "resoo": f"{TREES}, 5 embeddings side by side",
    "sresoo": f"{TREES}, 5 embeddings one after another",
    "forest": "the defaults",
}
"""What the names of methods do not tell."""


def too_few(runs: int, comparisons: int) -> str:
    """Return a warning if so few runs can show no difference, whatever their values; or "".

    If all runs of one method are better, the p-value of Wilcoxon's test is 2^(1 - runs). Holm's
    correction multiplies it by the number of comparisons.
    """

    def least(r: int) -> float:
        return comparisons * 2.0 ** (1 - r)

    if not comparisons or least(runs) <= RATE:
        return ""
    enough = next(r for r in range(runs, 64) if least(r) <= RATE)
    return (
        f"Warning: {runs} runs can show no difference, even if one method wins all of them: the "
        f"least p-value after Holm's correction for {comparisons} comparisons is "
        f"{min(1.0, least(runs)):.2g}. At least {enough} runs can."
    )


def header(functions: Sequence[OwnFunction], wanted: Sequence[Start], reference: str) -> str:
    """Return what was run, and how, in Markdown."""
    methods = list(dict.fromkeys(start.method for start in wanted))
    told = "the number that matters"
    of_functions = [
        [
            function.label,
            f"{function.opened.box.n:,}",
            _bounds(function),
            "not known" if function.told is None else f"{function.told}",
            "not known" if (least := function.opened.optimum) is None else f"{least:g}",
        ]
        for function in functions
    ]
    of_methods = [
        [METHODS[name].label, name, told if METHODS[name].told_d_e else "nothing",
         SETTINGS.get(name, "")]
        for name in methods
    ]  # fmt: skip
    parts = [
        " ".join(sentences(functions, wanted, reference)),
        table(["function", "n", "bounds", "variables that matter, as told", "least value"],
              of_functions),
        table(["method", "name", "is told", "settings"], of_methods),
        too_few(1 + max(start.run for start in wanted), len(methods) - 1),
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def _bounds(function: OwnFunction) -> str:
    low, high = function.opened.box.low, function.opened.box.high
    if (low == low[0]).all() and (high == high[0]).all():
        return f"[{low[0]:g}, {high[0]:g}]"
    return f"within [{low.min():g}, {high.max():g}]"


def sentences(
    functions: Sequence[OwnFunction], wanted: Sequence[Start], reference: str
) -> list[str]:
    """Return the paragraph of set-up, sentence by sentence."""
    runs = 1 + max(start.run for start in wanted)
    budgets = sorted({v for start in wanted for v in (*start.read_at, start.v)})
    made = provenance("race")
    spaces = [
        f"{function.label} has {function.opened.box.n:,} variables, bounds {_bounds(function)}"
        + ("" if function.told is None else f", of which {function.told} matter, as told")
        for function in functions
    ]
    told = [
        METHODS[name].label
        for name in dict.fromkeys(start.method for start in wanted)
        if METHODS[name].told_d_e
    ]
    return [
        f"{'; '.join(spaces)}.",
        f"Told how many variables matter: {', '.join(told)}; the other methods are told nothing."
        if told
        else "No method is told which variables matter, or how many.",
        f"Each method made {runs} runs on each function with each budget of "
        f"{', '.join(f'{v:,}' for v in budgets)} evaluations.",
        "The random numbers of a run are a function of the names of function, n, method and "
        "budget and of the number of the run (the column seed of runs.csv).",
        f"Values below {FLOOR:g} above the least value count as {FLOOR:g}.",
        f"{METHODS[reference].label} was compared with each other method by Wilcoxon's "
        f"signed-rank test with Holm's correction (error rate {RATE:g}).",
        f"EmbeddedHunter's reference implementation, version {__version__} (commit {made.commit}), "
        f"{made.date}; {made.versions}; {made.machine}.",
    ]


def latex(results: Results, paragraph: Iterable[str]) -> str:
    """Return the paragraph of set-up, and for each budget a table: medians with quartiles.

    The least median of a function is bold. The tables need no package.
    """
    (name,) = sets_of(results)
    problems, parts = problems_of(results, name), [_escaped(" ".join(paragraph))]
    for v in sorted({cell.v for cell in results}):
        cells: dict[tuple[str, str], str] = {}
        for problem in problems:
            found = {
                method: quartiles(results[cell])
                for method in methods_of(results, name)
                if (cell := Condition(name, problem, method, v)) in results
            }
            least = min(values[1] for values in found.values())
            texts = dict(zip(found, apart([values[1] for values in found.values()]), strict=True))
            for method, (low, middle, high) in found.items():
                text = rf"\textbf{{{texts[method]}}}" if middle == least else texts[method]
                cells[problem, method] = f"{text} ({short(low)}, {short(high)})"
        head = [f"median (quartiles) at v = {v:,}", *problems]
        lines = [
            [METHODS[method].label, *(cells.get((problem, method), "") for problem in problems)]
            for method in methods_of(results, name)
        ]
        body = "\n".join(" & ".join(map(_escaped, line)) + r" \\" for line in lines)
        parts.append(
            f"\\begin{{tabular}}{{l{'r' * len(problems)}}}\n\\hline\n"
            f"{' & '.join(map(_escaped, head))} \\\\\n\\hline\n{body}\n\\hline\n\\end{{tabular}}"
        )
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    return re.sub(r"([%&#_$])", r"\\\1", text)
