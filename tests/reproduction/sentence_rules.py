"""The specification of each rule that judges a sentence of the paper.

For every rule there are

- the p-value of each part of the sentence, computed here with SciPy. From them follow the least
  level at which the rule says "shown", and the least at which it says "contradicted";
- a law of the runs with one number for each part of the sentence: how far the part is true (above
  0) or false (below 0). At 0 a part lies at the edge, where an error is most probable.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log
from typing import TypeAlias

import numpy as np
from scipy import stats

from reproduction.figure_1 import sentence_tests
from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.figure_1.samples import Runs
from reproduction.figure_1.sentence_tests import Judge, Judged
from reproduction.statistics import Sample

EH, RE, SRE, UNIFORM = "embedded_hunter", "resoo", "sresoo", "uniform_random_search"
ONE_PERCENT, TEN_PERCENT = log(1.01), log(1.1)
SD = 0.05
"""Standard deviation of the logarithms of the simulated best values."""
CLEAR = 0.2
"""A difference of means of logarithms that 20 runs show: 12 standard errors."""

Cells: TypeAlias = Mapping[tuple[str, int], Sample]
"""(algorithm, x) -> best values."""
Law: TypeAlias = Callable[[Sequence[float], str, int], float]
"""(how far each part is true, algorithm, place of x) -> mean of the logarithms."""


# p-values, by SciPy


def less(a: Sample, b: Sample) -> float:
    """p-value of "a is smaller than b"."""
    return float(stats.mannwhitneyu(a, b, alternative="less").pvalue)


def greater_sum(plus: Sequence[Sample], minus: Sequence[Sample], than: float = 0.0) -> float:
    """p-value of "the sum of the means of logarithms, plus minus minus, is greater"."""
    up, down = ([np.log(sample) for sample in samples] for samples in (plus, minus))
    estimate = sum(x.mean() for x in up) - sum(x.mean() for x in down) - than
    squares = np.array([x.var(ddof=1) / len(x) for x in (*up, *down)])
    freedom = squares.sum() ** 2 / sum(squares**2 / [len(x) - 1 for x in (*up, *down)])
    return float(stats.t.sf(estimate / np.sqrt(squares.sum()), freedom))


def trend(samples: Sequence[Sample]) -> float:
    """p-value of Spearman's correlation of place and value, infinite if it is not positive."""
    places = np.repeat(np.arange(len(samples)), [len(sample) for sample in samples])
    found = stats.spearmanr(places, np.concatenate(samples))
    return float(found.pvalue) if found.statistic > 0 else inf


def gap_p(near: Sequence[Sample], far: Sequence[Sample]) -> tuple[float, float]:
    """p-values of "the absolute gap (rival, ours) is smaller far than near", and "greater".

    With gaps g and g': |g'| < |g| means that g - g' and g + g' have one sign, positive or negative.
    """
    (r, o), (r_far, o_far) = near, far
    difference = [greater_sum([r, o_far], [o, r_far]), greater_sum([o, r_far], [r, o_far])]
    total = [greater_sum([r, r_far], [o, o_far]), greater_sum([o, o_far], [r, r_far])]
    smaller = min(max(difference[k], total[k]) for k in (0, 1))
    larger = min(max(difference[k], total[1 - k]) for k in (0, 1))
    return min(1.0, 2 * smaller), min(1.0, 2 * larger)


@dataclass(frozen=True)
class Rule:
    """The specification of a rule."""

    judge: Judge
    experiment: str
    shown: Callable[[Cells], list[float]]
    """For each part, the least level at which it is shown; the sentence needs all of them."""
    contradicted: Callable[[Cells], list[float]]
    """For each part, the least level at which it is contradicted; one of them is enough."""
    parts: int
    law: Law
    algorithms: tuple[str, ...] = (EH, RE, SRE)

    @property
    def xs(self) -> tuple[int, ...]:
        return EXPERIMENTS[self.experiment].values


def lead_parts(begin: int, sign: int) -> Callable[[Cells], list[float]]:
    def parts(cells: Cells) -> list[float]:
        end = 100_000
        found = []
        for rival in (RE, SRE):
            plus = [cells[rival, end], cells[EH, begin]]
            minus = [cells[EH, end], cells[rival, begin]]
            found.append(2 * greater_sum(*((plus, minus) if sign > 0 else (minus, plus))))
        return found

    return parts


def lead_grows(earlier: int) -> Judge:
    """`sentence_tests.lead_grows`, looked up when it is used."""

    def judge(runs: Runs, problem: str, level: float) -> Judged:
        return sentence_tests.lead_grows(earlier)(runs, problem, level)

    return judge


def pairs(cells: Cells) -> list[tuple[Sample, Sample]]:
    """(another, SRESOO) at each n."""
    xs = EXPERIMENTS["scalability"].values
    return [(cells[a, x], cells[SRE, x]) for x in xs for a in (EH, RE)]


def sresoo_law(sign: int) -> Law:
    """Part 0: SRESOO's change, up or down. The others: how much poorer it is, at each x."""

    def law(k: Sequence[float], algorithm: str, place: int) -> float:
        change = sign * max(0.0, TEN_PERCENT - k[0]) * place / 5
        if algorithm == SRE:
            return change
        return change - k[1 + 2 * place + (algorithm == RE)]

    return law


def sides(cells: Cells) -> list[tuple[str, int, int]]:
    return [(a, near, far) for near, far in ((8, 2), (25, 250)) for a in (EH, RE)]


def gaps(cells: Cells, ends: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    return [
        gap_p(*([cells[rival, x], cells[EH, x]] for x in (near, far)))
        for near, far in ends
        for rival in (RE, SRE)
    ]


def side_of(place: int) -> tuple[int, int]:
    """(side, distance from the nearest value on the side) of d_e = 2, 5, 8, 25, 75, 250."""
    return (0, 2 - place) if place < 3 else (1, place - 3)


def mismatch_law(k: Sequence[float], algorithm: str, place: int) -> float:
    side, distance = side_of(place)
    return 0.0 if algorithm == SRE else k[2 * side + (algorithm == RE)] * distance / 2


def mismatch_gap_law(k: Sequence[float], algorithm: str, place: int) -> float:
    side, distance = side_of(place)
    return 0.0 if algorithm == EH else 2.0 - k[2 * side + (algorithm == SRE)] * distance / 2


def lead_law(k: Sequence[float], algorithm: str, place: int) -> float:
    """The lead grows between v = 1000 and the end only."""
    grown = place == 6
    return {EH: 0.0, RE: 1.0 + k[0] * grown, SRE: 1.0 + k[1] * grown}[algorithm]


def degrading_law(k: Sequence[float], algorithm: str, place: int) -> float:
    part = {EH: 0, RE: 1}.get(algorithm)
    return 0.0 if part is None else (ONE_PERCENT + k[part]) * place / 5


def degrading(experiment: str) -> Rule:
    first, *_, last = xs = EXPERIMENTS[experiment].values
    return Rule(
        sentence_tests.degrades,
        experiment,
        lambda c: [2 * trend([c[a, x] for x in xs]) for a in (EH, RE)]
        + [2 * greater_sum([c[a, last]], [c[a, first]], ONE_PERCENT) for a in (EH, RE)],
        lambda c: [
            2 * greater_sum([c[a, first]], [c[a, last]], -ONE_PERCENT) for a in (EH, RE)
        ],
        2,
        degrading_law,
    )  # fmt: skip


def robust(cells: Cells, sign: int) -> list[float]:
    """p-values of "the change is less than ten percent", up and down, or of the opposite."""
    first, last = [cells[SRE, 100]], [cells[SRE, 100_000]]
    if sign > 0:
        return [greater_sum(first, last, -TEN_PERCENT), greater_sum(last, first, -TEN_PERCENT)]
    return [greater_sum(last, first, TEN_PERCENT), greater_sum(first, last, TEN_PERCENT)]


def resoo_sresoo(c: Cells) -> tuple[list[Sample], list[Sample]]:
    """RESOO's gain is greater than SRESOO's if the first sum is greater than the second."""
    return [c[RE, 1], c[SRE, 20]], [c[RE, 20], c[SRE, 1]]


def rule_of_sresoo(sign: int) -> Rule:
    return Rule(
        sentence_tests.sresoo_robust_yet_poorer,
        "scalability",
        lambda c: robust(c, 1) + [12 * less(a, s) for a, s in pairs(c)],
        lambda c: [2 * p for p in robust(c, -1)] + [24 * less(s, a) for a, s in pairs(c)],
        13,
        sresoo_law(sign),
    )


RULES = {
    "results-clear-gain": Rule(
        sentence_tests.clear_gain,
        "convergence",
        lambda c: [2 * less(c[EH, 100_000], c[rival, 100_000]) for rival in (RE, SRE)],
        lambda c: [2 * less(c[rival, 100_000], c[EH, 100_000]) for rival in (RE, SRE)],
        2,
        lambda k, algorithm, place: {EH: 0.0, RE: k[0], SRE: k[1]}[algorithm] * (place == 6),
    ),
    "results-convergence-gap": Rule(
        lead_grows(0), "convergence", lead_parts(10, 1), lead_parts(10, -1), 2, lead_law
    ),
    "results-convergence-refine": Rule(
        lead_grows(1000), "convergence", lead_parts(1000, 1), lead_parts(1000, -1), 2, lead_law
    ),
    "results-scalability-degrades": degrading("scalability"),
    "results-sresoo-robust": rule_of_sresoo(1),
    "results-sresoo-robust (downward)": rule_of_sresoo(-1),
    "results-embedding-number": Rule(
        sentence_tests.more_embeddings_help_resoo,
        "number-of-embeddings",
        lambda c: [
            2 * greater_sum([c[RE, 1]], [c[RE, 20]], ONE_PERCENT),
            2 * greater_sum(*resoo_sresoo(c)),
        ],
        lambda c: [
            2 * greater_sum([c[RE, 20]], [c[RE, 1]], -ONE_PERCENT),
            2 * greater_sum(*resoo_sresoo(c)[::-1]),
        ],
        2,
        lambda k, algorithm, place: (
            0.0
            if algorithm == EH
            else -(ONE_PERCENT + k[0] - (k[1] if algorithm == SRE else 0.0)) * place / 5
        ),
    ),
    "results-sweet-spot": Rule(
        sentence_tests.sweet_spot,
        "number-of-embeddings",
        lambda c: [float(stats.kruskal(*(c[EH, x] for x in (1, 2, 5, 8, 10, 20))).pvalue)],
        lambda c: [inf],
        1,
        lambda k, algorithm, place: k[0] * (algorithm == EH and place == 3),
    ),
    "results-effective-dimension-suitability": Rule(
        sentence_tests.suits_low_dimensions,
        "effective-dimension",
        lambda c: [less(c[EH, 2], c[UNIFORM, 2])],
        lambda c: [less(c[UNIFORM, 2], c[EH, 2])],
        1,
        lambda k, algorithm, place: k[0] * (algorithm == UNIFORM and place == 0),
        (EH, UNIFORM),
    ),
    "results-effective-dimension-degrades": degrading("effective-dimension"),
    "results-effective-dimension-gap": Rule(
        sentence_tests.gap_shrinks_along,
        "effective-dimension",
        lambda c: [2 * p for p, _ in gaps(c, [(2, 75)])],
        lambda c: [2 * p for _, p in gaps(c, [(2, 75)])],
        2,
        lambda k, algorithm, place: (
            0.0 if algorithm == EH else 1.0 - k[int(algorithm == SRE)] * place / 5
        ),
    ),
    "results-knowledge-degrades": Rule(
        sentence_tests.mismatch_degrades,
        "effective-dimension-knowledge",
        lambda c: [4 * greater_sum([c[a, far]], [c[a, near]]) for a, near, far in sides(c)],
        lambda c: [4 * greater_sum([c[a, near]], [c[a, far]]) for a, near, far in sides(c)],
        4,
        mismatch_law,
    ),
    "results-knowledge-gap": Rule(
        sentence_tests.mismatch_gap_shrinks,
        "effective-dimension-knowledge",
        lambda c: [4 * p for p, _ in gaps(c, [(8, 2), (25, 250)])],
        lambda c: [4 * p for _, p in gaps(c, [(8, 2), (25, 250)])],
        4,
        mismatch_gap_law,
    ),
}
RULES["results-effective-dimension-gap (crossing)"] = replace(
    RULES["results-effective-dimension-gap"],
    law=lambda k, algorithm, place: (
        0.0 if algorithm == EH else 1.0 - (2.0 - k[int(algorithm == SRE)]) * place / 5
    ),
)
