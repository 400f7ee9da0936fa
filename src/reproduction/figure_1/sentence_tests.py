"""The statistical tests behind the verdicts on the paper's sentences, for one function each.

A test gets the runs, the function and a level. Its result is that the runs *show* what the sentence
asserts, or *contradict* it, or neither. Either result is wrong with probability at most the level.
A sentence has parts. It is shown only if all of its parts are shown, and contradicted if one is,
each at the level divided by the number of parts (`judged`).
"""

from collections.abc import Callable, Sequence
from math import log
from typing import NamedTuple, TypeAlias

from scipy import stats

from reproduction.figure_1.samples import Runs
from reproduction.statistics import Contrast, contrast, smaller

NEGLIGIBLE = log(1.01)
"""A change of one percent. A smaller change is neither degradation nor help."""
ROBUST = log(1.1)
"""Ten percent. "Robust" is a change of at most this much from the least to the greatest n."""
LATE = 1000
"""The budget from which on we read "more function evaluations"."""
OURS, RIVALS = "embedded_hunter", ("resoo", "sresoo")
UNIFORM = "uniform_random_search"


class Judged(NamedTuple):
    """The outcome of a sentence for one function."""

    shown: bool
    contradicted: bool
    numbers: str

    @property
    def word(self) -> str:
        """The result in one word."""
        return "shown" if self.shown else "contradicted" if self.contradicted else "neither"


Judge: TypeAlias = Callable[[Runs, str, float], Judged]


class PartOfSentence(NamedTuple):
    """The p-values of a part of a sentence: for what it asserts, and for the opposite."""

    asserted: float
    opposite: float


def judged(parts: Sequence[PartOfSentence], level: float, numbers: str) -> Judged:
    """Return the outcome of a sentence with these parts; without parts it is neither."""
    if not parts:
        return Judged(False, False, numbers)
    least = level / len(parts)
    return Judged(
        all(part.asserted <= least for part in parts),
        any(part.opposite <= least for part in parts),
        numbers,
    )


def _lead(runs: Runs, problem: str, rival: str, *, later: int, earlier: int) -> Contrast:
    """Return how much EmbeddedHunter's lead over a rival grows from one x to another."""
    return contrast(
        [runs.at(problem, rival, later), runs.at(problem, OURS, earlier)],
        [runs.at(problem, OURS, later), runs.at(problem, rival, earlier)],
    )


def _change(runs: Runs, problem: str, algorithm: str, against: float) -> Contrast:
    """Return by how much more than `against` an algorithm is worse at the greatest x."""
    first, last = runs.xs[0], runs.xs[-1]
    return contrast(
        [runs.at(problem, algorithm, last)], [runs.at(problem, algorithm, first)], against
    )


def clear_gain(runs: Runs, problem: str, level: float) -> Judged:
    """Test: at the greatest x, EmbeddedHunter is better than both others."""
    ours = runs.at(problem, OURS, x := runs.xs[-1])
    theirs = [runs.at(problem, rival, x) for rival in RIVALS]
    parts = [PartOfSentence(smaller(ours, sample), smaller(sample, ours)) for sample in theirs]
    means = ", ".join(f"{a} {runs.at(problem, a, x).mean():.4g}" for a in (OURS, *RIVALS))
    better = ", ".join(f"{part.asserted:.1e}" for part in parts)
    return judged(parts, level, f"at v = {x}: {means}; p of better {better}")


def lead_grows(earlier: int) -> Judge:
    """Test: EmbeddedHunter's lead grows from the first x that is at least `earlier` to the last."""

    def judge(runs: Runs, problem: str, level: float) -> Judged:
        begin = min((x for x in runs.xs if x >= earlier), default=runs.xs[-1])
        leads = [_lead(runs, problem, rival, later=runs.xs[-1], earlier=begin) for rival in RIVALS]
        text = f"lead over resoo and sresoo, log scale, v = {begin} to {runs.xs[-1]}: " + ", ".join(
            f"{lead.value:+.3f} (p of growth {lead.positive:.1e})" for lead in leads
        )
        return judged([PartOfSentence(lead.positive, lead.negative) for lead in leads], level, text)

    return judge


def degrades(runs: Runs, problem: str, level: float) -> Judged:
    """Test: quality degrades with x.

    It is shown by a trend and a change from the first to the last x of more than one percent.
    """
    parts, texts = [], []
    for name in (OURS, "resoo"):
        rho, p = runs.trend(problem, name)
        change = _change(runs, problem, name, NEGLIGIBLE)
        trend = p if rho > 0 else 1.0
        parts.append(PartOfSentence(max(trend, change.positive), change.negative))
        texts.append(
            f"{name}: rho {rho:+.2f} (p = {p:.1e}), end to end {change.value + NEGLIGIBLE:+.3f}"
        )
    return judged(parts, level, "; ".join(texts))


def sresoo_robust_yet_poorer(runs: Runs, problem: str, level: float) -> Judged:
    """Test: SRESOO changes by less than ten percent, and is worse than both others at each x."""
    upper = _change(runs, problem, "sresoo", ROBUST)
    lower = _change(runs, problem, "sresoo", -ROBUST)
    robust = PartOfSentence(
        max(upper.negative, lower.positive), min(upper.positive, lower.negative)
    )
    pairs = [
        (runs.at(problem, a, x), runs.at(problem, "sresoo", x))
        for x in runs.xs
        for a in (OURS, "resoo")
    ]
    k = len(pairs)
    poorer, better = ([k * smaller(*pair[::step]) for pair in pairs] for step in (1, -1))
    text = (
        f"sresoo changes by {upper.value + ROBUST:+.3f} (log scale) from n = {runs.xs[0]} to "
        f"{runs.xs[-1]}; poorer in {sum(p <= level / 2 for p in poorer)}, better in "
        f"{sum(p <= level / 2 for p in better)} of {k} comparisons"
    )
    return judged([robust, PartOfSentence(max(poorer), min(better))], level, text)


def more_embeddings_help_resoo(runs: Runs, problem: str, level: float) -> Judged:
    """Test: RESOO gains from the least to the greatest x, and gains more than SRESOO.

    A gain is an improvement by more than one percent.
    """
    first, last = runs.xs[0], runs.xs[-1]
    change = _change(runs, problem, "resoo", -NEGLIGIBLE)
    more = contrast(
        [runs.at(problem, "resoo", first), runs.at(problem, "sresoo", last)],
        [runs.at(problem, "resoo", last), runs.at(problem, "sresoo", first)],
    )
    text = (
        f"M = {first} to {last}, log scale: resoo {change.value - NEGLIGIBLE:+.3f} (p of a "
        f"gain {change.negative:.1e}), its gain over sresoo's {more.value:+.3f} "
        f"(p = {more.positive:.1e})"
    )
    parts = [
        PartOfSentence(change.negative, change.positive),
        PartOfSentence(more.positive, more.negative),
    ]
    return judged(parts, level, text)


def sweet_spot(runs: Runs, problem: str, level: float) -> Judged:
    """Test: M matters at all, which a sweet spot needs (Kruskal-Wallis test over its values)."""
    samples = [runs.at(problem, OURS, x) for x in runs.xs]
    equal = all((sample == samples[0][0]).all() for sample in samples)
    p = 1.0 if equal else float(stats.kruskal(*samples).pvalue)
    means = ", ".join(f"{x}: {s.mean():.4g}" for x, s in zip(runs.xs, samples, strict=True))
    return judged([PartOfSentence(p, 1.0)], level, f"means by M {means}; p = {p:.2g}")


def suits_low_dimensions(runs: Runs, problem: str, level: float) -> Judged:
    """Test: at the least effective dimension, EmbeddedHunter is better than random search on X."""
    ours, theirs = (runs.at(problem, a, x := runs.xs[0]) for a in (OURS, UNIFORM))
    part = PartOfSentence(smaller(ours, theirs), smaller(theirs, ours))
    text = f"at d = {x}: {OURS} {ours.mean():.4g}, {UNIFORM} {theirs.mean():.4g}"
    return judged([part], level, f"{text}; p of better {part.asserted:.1e}")


def _either(p: float, q: float) -> float:
    """Return the p-value of two tests together, by Bonferroni's correction."""
    return min(1.0, 2.0 * min(p, q))


def _gap_shrinks(
    first: int, last: int, runs: Runs, problem: str
) -> tuple[list[PartOfSentence], list[str]]:
    """Return for each rival the part "the gap shrinks", and its numbers.

    The gap is an absolute value. |a| < |b| if and only if b - a and b + a have the same sign. So
    the signs of both are tested.
    """
    parts, texts = [], []
    for rival in RIVALS:
        a, b = ((runs.at(problem, rival, x), runs.at(problem, OURS, x)) for x in (last, first))
        less = contrast([b[0], a[1]], [b[1], a[0]])
        more = contrast([b[0], a[0]], [b[1], a[1]])
        shrinks = _either(max(less.positive, more.positive), max(less.negative, more.negative))
        grows = _either(max(less.negative, more.positive), max(less.positive, more.negative))
        sizes = [abs(contrast([s[0]], [s[1]]).value) for s in (b, a)]
        parts.append(PartOfSentence(shrinks, grows))
        texts.append(f"{rival} {sizes[0]:.3f} to {sizes[1]:.3f} (p = {shrinks:.1e})")
    return parts, texts


def gap_shrinks_along(runs: Runs, problem: str, level: float) -> Judged:
    """Test: the gap shrinks from the least x to the greatest."""
    parts, texts = _gap_shrinks(runs.xs[0], runs.xs[-1], runs, problem)
    return judged(parts, level, f"size of the gap, log scale, end to end: {'; '.join(texts)}")


def _sides(runs: Runs) -> list[tuple[int, int]]:
    """Return, for d_e below 10 and above 10, the values nearest to 10 and farthest from it.

    The dimension of the search is 10. A side with only one value is left out.
    """
    below = sorted((x for x in runs.xs if x < 10), reverse=True)
    above = sorted(x for x in runs.xs if x > 10)
    return [(side[0], side[-1]) for side in (below, above) if len(side) > 1]


def mismatch_degrades(runs: Runs, problem: str, level: float) -> Judged:
    """Test: on both sides of d_e = 10, quality degrades from the least to the greatest mismatch."""
    parts, texts = [], []
    for near, far in _sides(runs):
        for a in (OURS, "resoo"):
            change = contrast([runs.at(problem, a, far)], [runs.at(problem, a, near)])
            parts.append(PartOfSentence(change.positive, change.negative))
            texts.append(f"{a}, d_e = {near} to {far}: {change.value:+.3f}")
    return judged(parts, level, f"change on log scale: {'; '.join(texts)}")


def mismatch_gap_shrinks(runs: Runs, problem: str, level: float) -> Judged:
    """Test: on both sides of d_e = 10, the gap shrinks from the least to the greatest mismatch."""
    parts, texts = [], []
    for near, far in _sides(runs):
        of_side, words = _gap_shrinks(near, far, runs, problem)
        parts += of_side
        texts.append(f"d_e = {near} to {far}: {', '.join(words)}")
    return judged(parts, level, f"size of the gap, log scale, {'; '.join(texts)}")
