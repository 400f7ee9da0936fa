"""The sentences of the paper's "Results & Discussion", each as a test on the runs of a campaign.

A finding says what the sentence asserts, for which functions the runs show it, and the numbers. A
sentence *holds* if the runs show it for all four functions, *fails* if for none, and holds *in
part* otherwise. Every comparison is one-sided at level `ALPHA`, Bonferroni-corrected over all the
comparisons of its sentence, so that a sentence that is false everywhere is called holding or
holding in part with probability at most `ALPHA`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from embedded_hunter.experiments.plan import EXPERIMENTS, PROBLEM_NAMES

Row: TypeAlias = Mapping[str, str | int | float]
Sample: TypeAlias = NDArray[np.float64]

ALPHA = 0.01
BOOTSTRAP = 20_000
OURS, RIVALS = "embedded_hunter", ("resoo", "sresoo")


@dataclass(frozen=True)
class Finding:
    """What the runs say about a sentence."""

    claim: str
    sentence: str
    shown: dict[str, bool]
    """For each function, whether the runs show it."""
    numbers: dict[str, str]
    """For each function, the numbers behind that."""

    @property
    def verdict(self) -> str:
        """Holds, holds in part, or fails."""
        if not self.shown:
            return "not run"
        if all(self.shown.values()):
            return "holds"
        return "holds in part" if any(self.shown.values()) else "fails"


class Runs:
    """The best values of one experiment by (problem, algorithm, x)."""

    def __init__(self, experiment: str, rows: Sequence[Row]) -> None:
        axis = EXPERIMENTS[experiment].axis
        cells: dict[tuple[str, str, int], list[float]] = defaultdict(list)
        for row in rows:
            key = (str(row["problem"]), str(row["algorithm"]), int(row[axis]))
            cells[key].append(float(row["best_value"]))
        self._cells = {key: np.array(values) for key, values in cells.items()}
        # The sentences speak of the paper's values, not of what lies beyond.
        known = EXPERIMENTS[experiment].values
        self.xs = [x for x in known if any(key[2] == x for key in cells)]
        self.problems = [
            problem
            for problem in PROBLEM_NAMES
            if all((problem, a, x) in cells for a in (OURS, *RIVALS) for x in self.xs)
        ]

    def at(self, problem: str, algorithm: str, x: int) -> Sample:
        """Return the best values of a cell."""
        return self._cells[problem, algorithm, x]

    def has(self, problem: str, algorithm: str, x: int) -> bool:
        """Tell whether there is such a cell."""
        return (problem, algorithm, x) in self._cells

    def trend(self, problem: str, algorithm: str) -> tuple[float, float]:
        """Return Spearman's correlation of x and value, and its two-sided p-value."""
        x = np.concatenate([np.full(len(self.at(problem, algorithm, x)), x) for x in self.xs])
        y = np.concatenate([self.at(problem, algorithm, x) for x in self.xs])
        if np.all(y == y[0]):
            return 0.0, 1.0
        result = stats.spearmanr(x, y)
        return float(result.statistic), float(result.pvalue)


def smaller(a: Sample, b: Sample) -> float:
    """Return the p-value of "a is smaller than b" (Mann-Whitney, one-sided)."""
    return float(stats.mannwhitneyu(a, b, alternative="less").pvalue)


Judge: TypeAlias = Callable[[Runs, str, float], tuple[bool, str]]


def _clear_gain(runs: Runs, problem: str, level: float) -> tuple[bool, str]:
    x = runs.xs[-1]
    p = [smaller(runs.at(problem, OURS, x), runs.at(problem, rival, x)) for rival in RIVALS]
    means = ", ".join(f"{a} {runs.at(problem, a, x).mean():.4g}" for a in (OURS, *RIVALS))
    return max(p) <= level / 2, f"at the greatest v: {means}; p = {p[0]:.1e}, {p[1]:.1e}"


def _gaps(runs: Runs, problem: str, rival: str) -> tuple[Sample, Sample]:
    """Bootstrap of the gap to a rival, log(its mean / our mean), at the least and greatest x."""
    rng = np.random.default_rng(17)
    least, greatest = (
        np.log(
            rng.choice(theirs := runs.at(problem, rival, x), (BOOTSTRAP, len(theirs))).mean(axis=1)
            / rng.choice(ours := runs.at(problem, OURS, x), (BOOTSTRAP, len(ours))).mean(axis=1)
        )
        for x in (runs.xs[0], runs.xs[-1])
    )
    return least, greatest


def _gap_grows(runs: Runs, problem: str, level: float) -> tuple[bool, str]:
    shown, texts = [], []
    for rival in RIVALS:
        least, greatest = _gaps(runs, problem, rival)
        p = float(np.mean(greatest <= least))
        shown.append(p <= level / len(RIVALS))
        texts.append(f"{rival}: {least.mean():+.2f} to {greatest.mean():+.2f} (p = {p:.3f})")
    return all(shown), "log ratio of means, least to greatest x, " + "; ".join(texts)


def _gap_shrinks(runs: Runs, problem: str, level: float) -> tuple[bool, str]:
    shown, texts = [], []
    for rival in RIVALS:
        least, greatest = map(np.abs, _gaps(runs, problem, rival))
        p = float(np.mean(greatest >= least))
        shown.append(p <= level / len(RIVALS))
        texts.append(f"{rival}: {least.mean():.2f} to {greatest.mean():.2f} (p = {p:.3f})")
    return all(shown), "size of the log ratio of means, least to greatest x, " + "; ".join(texts)


def _degrades(runs: Runs, problem: str, level: float) -> tuple[bool, str]:
    found = {a: runs.trend(problem, a) for a in (OURS, "resoo")}
    shown = all(rho > 0 and p <= level for rho, p in found.values())
    return shown, "; ".join(f"{a}: rho = {rho:+.2f} (p = {p:.1e})" for a, (rho, p) in found.items())


def _sresoo_robust_yet_poorer(runs: Runs, problem: str, level: float) -> tuple[bool, str]:
    rho, p = runs.trend(problem, "sresoo")
    poorer = [
        smaller(runs.at(problem, a, x), runs.at(problem, "sresoo", x))
        for x in runs.xs
        for a in (OURS, "resoo")
    ]
    count = sum(q <= level / len(poorer) for q in poorer)
    text = f"trend of sresoo: rho = {rho:+.2f} (p = {p:.1e}); "
    text += f"poorer in {count} of {len(poorer)} comparisons"
    return p > level and count == len(poorer), text


def _more_embeddings_help_resoo(runs: Runs, problem: str, level: float) -> tuple[bool, str]:
    rho, p = runs.trend(problem, "resoo")
    other, q = runs.trend(problem, "sresoo")
    shown = rho < 0 and p <= level and abs(other) < abs(rho)
    return shown, f"resoo: rho = {rho:+.2f} (p = {p:.1e}); sresoo: rho = {other:+.2f} (p = {q:.1e})"


def _sweet_spot(runs: Runs, problem: str, level: float) -> tuple[bool, str]:
    """A sweet spot needs that M matters at all: Kruskal and Wallis over its values."""
    samples = [runs.at(problem, OURS, x) for x in runs.xs]
    if np.ptp(np.concatenate(samples)) == 0:
        return False, "all values are equal"
    p = float(stats.kruskal(*samples).pvalue)
    means = ", ".join(f"{x}: {s.mean():.4g}" for x, s in zip(runs.xs, samples, strict=True))
    return p <= level, f"means by M {means}; p = {p:.2g}"


SENTENCES: tuple[tuple[str, str, str, Judge], ...] = (
    (
        "results-clear-gain",
        "convergence",
        "EmbeddedHunter is clearly better than RESOO and SRESOO at the greatest budget.",
        _clear_gain,
    ),
    (
        "results-convergence-gap",
        "convergence",
        "The gap between EmbeddedHunter and the others grows with the budget v.",
        _gap_grows,
    ),
    (
        "results-scalability-degrades",
        "scalability",
        "The quality of EmbeddedHunter and RESOO degrades with n.",
        _degrades,
    ),
    (
        "results-sresoo-robust",
        "scalability",
        "SRESOO is robust to n, yet poorer than EmbeddedHunter and RESOO.",
        _sresoo_robust_yet_poorer,
    ),
    (
        "results-embedding-number",
        "number-of-embeddings",
        "More embeddings help RESOO, and SRESOO less.",
        _more_embeddings_help_resoo,
    ),
    (
        "results-sweet-spot",
        "number-of-embeddings",
        "M matters to EmbeddedHunter: each function has a sweet spot.",
        _sweet_spot,
    ),
    (
        "results-effective-dimension-degrades",
        "effective-dimension",
        "Performance degrades with the effective dimension.",
        _degrades,
    ),
    (
        "results-effective-dimension-gap",
        "effective-dimension",
        "The gap between the algorithms shrinks with the effective dimension.",
        _gap_shrinks,
    ),
    (
        "results-knowledge-degrades",
        "effective-dimension-knowledge",
        "Performance degrades as the effective dimension outgrows the one that is searched.",
        _degrades,
    ),
    (
        "results-knowledge-gap",
        "effective-dimension-knowledge",
        "The gap between the algorithms shrinks with that mismatch.",
        _gap_shrinks,
    ),
)


def findings(rows_of: Mapping[str, Sequence[Row]]) -> list[Finding]:
    """Judge every sentence whose experiment is there: {experiment: its rows}."""
    found = []
    for claim, experiment, sentence, judge in SENTENCES:
        shown: dict[str, bool] = {}
        numbers: dict[str, str] = {}
        if rows_of.get(experiment):
            runs = Runs(experiment, rows_of[experiment])
            for problem in runs.problems:
                level = ALPHA / len(runs.problems)
                shown[problem], numbers[problem] = judge(runs, problem, level)
        found.append(Finding(claim, sentence, shown, numbers))
    return found


@dataclass(frozen=True)
class Versus:
    """Two algorithms at one n."""

    problem: str
    n: int
    ours: float
    theirs: float
    p_smaller: float
    """That EmbeddedHunter is better, one-sided, Holm-adjusted over the table."""
    p_greater: float
    """That the other is better, likewise."""

    @property
    def verdict(self) -> str:
        """Which one is better at level `ALPHA`."""
        if self.p_smaller <= ALPHA:
            return "EmbeddedHunter better"
        return "other better" if self.p_greater <= ALPHA else "no difference shown"


def versus(rows: Sequence[Row], other: str) -> list[Versus]:
    """Compare EmbeddedHunter (fresh) with another algorithm at each n of the scalability rows."""
    runs = Runs("scalability", rows)
    cells = [
        (problem, n) for problem in runs.problems for n in runs.xs if runs.has(problem, other, n)
    ]
    pairs = [(runs.at(problem, OURS, n), runs.at(problem, other, n)) for problem, n in cells]
    adjusted = holm([smaller(a, b) for a, b in pairs] + [smaller(b, a) for a, b in pairs])
    return [
        Versus(problem, n, float(a.mean()), float(b.mean()), adjusted[k], adjusted[k + len(cells)])
        for k, ((problem, n), (a, b)) in enumerate(zip(cells, pairs, strict=True))
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values by Holm's step-down procedure, in the order given."""
    order = np.argsort(p_values, kind="stable")
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, k in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[k]))
        adjusted[k] = running
    return adjusted
