"""Each rule that judges a sentence of the paper: what it asserts, its error rates and its power.

For every rule there is a law of the runs with one number for each part of the sentence: how far the
part is true (above 0) or false (below 0). At 0 a part lies at the edge, where an error is most
probable.
"""

from collections.abc import Callable, Mapping, Sequence
from math import log
from typing import NamedTuple, TypeAlias

import numpy as np
import pytest
from scipy import stats

from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.figure_1.samples import Runs
from reproduction.figure_1.sentence_tests import PartOfSentence, judged
from reproduction.figure_1.statements import ALPHA, SENTENCES, Sentence
from reproduction.statistics import Sample

EH, RE, SRE, UNIFORM = "embedded_hunter", "resoo", "sresoo", "uniform_random_search"
ONE_PERCENT, TEN_PERCENT = log(1.01), log(1.1)
SD = 0.05
"""Standard deviation of the logarithms of the simulated best values."""
CLEAR = 0.2
"""A difference of means of logarithms that 20 runs show: 12 standard errors."""

Law: TypeAlias = Callable[[Sequence[float], str, int], float]
"""(how far each part is true, algorithm, place of x) -> mean of the logarithms."""
OfAlgorithms: TypeAlias = Mapping[tuple[str, int], Sample]
"""(algorithm, x) -> best values."""


def sresoo_law(sign: int) -> Law:
    """Part 0: SRESOO's change, up or down. The others: how much poorer it is, at each x."""

    def law(k: Sequence[float], algorithm: str, place: int) -> float:
        change = sign * max(0.0, TEN_PERCENT - k[0]) * place / 5
        if algorithm == SRE:
            return change
        return change - k[1 + 2 * place + (algorithm == RE)]

    return law


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


def gain_law(k: Sequence[float], algorithm: str, place: int) -> float:
    return {EH: 0.0, RE: k[0], SRE: k[1]}[algorithm] * (place == 6)


def embeddings_law(k: Sequence[float], algorithm: str, place: int) -> float:
    gain = ONE_PERCENT + k[0] - (k[1] if algorithm == SRE else 0.0)
    return 0.0 if algorithm == EH else -gain * place / 5


def gap_law(k: Sequence[float], algorithm: str, place: int) -> float:
    return 0.0 if algorithm == EH else 1.0 - k[int(algorithm == SRE)] * place / 5


def crossing_law(k: Sequence[float], algorithm: str, place: int) -> float:
    return 0.0 if algorithm == EH else 1.0 - (2.0 - k[int(algorithm == SRE)]) * place / 5


class Rule(NamedTuple):
    """A sentence, the number of its parts, and a law of the runs."""

    sentence: Sentence
    parts: int
    law: Law

    @property
    def xs(self) -> tuple[int, ...]:
        return EXPERIMENTS[self.sentence.experiment].values


LAWS: dict[str, tuple[int, Law]] = {
    "results-clear-gain": (2, gain_law),
    "results-convergence-gap": (2, lead_law),
    "results-convergence-refine": (2, lead_law),
    "results-scalability-degrades": (2, degrading_law),
    "results-sresoo-robust": (13, sresoo_law(1)),
    "results-sresoo-robust (downward)": (13, sresoo_law(-1)),
    "results-embedding-number": (2, embeddings_law),
    "results-sweet-spot": (1, lambda k, algorithm, place: k[0] * (algorithm == EH and place == 3)),
    "results-effective-dimension-suitability": (
        1, lambda k, algorithm, place: k[0] * (algorithm == UNIFORM and place == 0)
    ),
    "results-effective-dimension-degrades": (2, degrading_law),
    "results-effective-dimension-gap": (2, gap_law),
    "results-effective-dimension-gap (crossing)": (2, crossing_law),
    "results-knowledge-degrades": (4, mismatch_law),
    "results-knowledge-gap": (4, mismatch_gap_law),
}  # fmt: skip
BY_CLAIM = {sentence.claim: sentence for sentence in SENTENCES}
RULES = {name: Rule(BY_CLAIM[name.split(" ")[0]], *law) for name, law in LAWS.items()}
BY_RULE = pytest.mark.parametrize(
    "claim",
    [pytest.param(name, marks=pytest.mark.long if "down" in name else ()) for name in RULES],
)


def samples_by(
    rule: Rule, k: Sequence[float], rng: np.random.Generator, runs: int = 20
) -> OfAlgorithms:
    return {
        (a, x): np.exp(rule.law(k, a, place) + SD * rng.standard_normal(runs))
        for a in rule.sentence.algorithms
        for place, x in enumerate(rule.xs)
    }


def runs_of(rule: Rule, cells: OfAlgorithms) -> Runs:
    samples = {("ackley", *cell): sample for cell, sample in cells.items()}
    return Runs(rule.sentence.experiment, samples)


def test_every_sentence_has_its_law_here() -> None:
    assert {name.split(" ")[0] for name in LAWS} == set(BY_CLAIM)


def test_all_parts_are_shown_or_one_is_contradicted_at_the_level_divided_by_their_number() -> None:
    for p, shown in ((0.02, True), (0.021, False)):
        assert judged([PartOfSentence(0.001, 0.9), PartOfSentence(p, 0.5)], 0.04, "")[:2] == (
            shown,
            False,
        )
        assert judged([PartOfSentence(0.9, 0.03), PartOfSentence(0.5, p)], 0.04, "")[:2] == (
            False,
            shown,
        )
    assert judged([], 1.0, "it") == (False, False, "it")


def simulated(rule: Rule, k: Sequence[float], level: float, campaigns: int) -> tuple[int, int]:
    """In how many campaigns the rule says "shown", and in how many "contradicted"."""
    rng = np.random.default_rng(9)
    found = [
        rule.sentence.judge(runs_of(rule, samples_by(rule, k, rng)), "ackley", level)
        for _ in range(campaigns)
    ]
    return sum(outcome.shown for outcome in found), sum(outcome.contradicted for outcome in found)


def knobs(rule: Rule, others: float, **one: float) -> list[list[float]]:
    """For each part: it has one value, all others another."""
    (value,) = one.values()
    return [
        [value if k == part else others for k in range(rule.parts)] for part in range(rule.parts)
    ]


LEVEL = 0.05
CAMPAIGNS = 100
MOST = int(stats.binom.ppf(1 - 1e-4, CAMPAIGNS, LEVEL))
"""At most this many errors have probability 1 - 1e-4 if an error has probability `LEVEL`."""


@pytest.mark.long
@BY_RULE
def test_a_sentence_that_is_just_true_is_contradicted_no_more_often_than_stated(claim: str) -> None:
    """All parts at the edge; seed fixed, a false alarm has probability 1e-4 for each rule."""
    rule = RULES[claim]
    assert simulated(rule, [0.0] * rule.parts, LEVEL, CAMPAIGNS)[1] <= MOST


@pytest.mark.long
@BY_RULE
def test_a_sentence_that_is_just_false_is_shown_no_more_often_than_stated(claim: str) -> None:
    """One part at the edge, all others clearly true: the most favourable case of a false sentence.

    Up to three of the parts in turn; seed fixed, a false alarm has probability 1e-4 for each.
    """
    rule = RULES[claim]
    for k in knobs(rule, CLEAR, at_the_edge=0.0)[:: max(1, rule.parts // 3)]:
        assert simulated(rule, k, LEVEL, CAMPAIGNS)[0] <= MOST, k


@BY_RULE
def test_a_sentence_that_is_clearly_true_is_shown(claim: str) -> None:
    """At the level that a sentence has for each of four functions."""
    rule = RULES[claim]
    assert simulated(rule, [CLEAR] * rule.parts, ALPHA / 4, 5) == (5, 0)


@BY_RULE
def test_one_false_part_contradicts_the_sentence(claim: str) -> None:
    """The smallest violation: one comparison of the sentence alone is false, whichever it is."""
    rule = RULES[claim]
    for k in knobs(rule, CLEAR, violated=-CLEAR):
        shown, contradicted = simulated(rule, k, ALPHA / 4, 2)
        if claim == "results-sweet-spot":  # any difference at all is what it asserts
            assert (shown, contradicted) == (2, 0)
        else:
            assert (shown, contradicted) == (0, 2), k


# Campaigns in part


def test_constant_values_show_nothing() -> None:
    """For instance 9.0, the value of Rosenbrock at 0, in every run; a change of 0 is below 1 %."""
    below_one_percent = {
        "results-scalability-degrades",
        "results-effective-dimension-degrades",
        "results-embedding-number",
    }
    for claim, rule in RULES.items():
        cells = {(a, x): np.full(3, 9.0) for a in rule.sentence.algorithms for x in rule.xs}
        found = rule.sentence.judge(runs_of(rule, cells), "ackley", 0.5)
        assert (found.shown, found.contradicted) == (False, claim in below_one_percent), claim


def test_a_worse_value_at_the_end_alone_is_no_degradation() -> None:
    """Best values that fall with n up to the last one, which is worse than the first."""
    rule, rng = RULES["results-scalability-degrades"], np.random.default_rng(1)
    cells = {
        (a, x): np.exp((0.5 if place == 5 else -place) + SD * rng.standard_normal(200))
        for a in rule.sentence.algorithms
        for place, x in enumerate(rule.xs)
    }
    assert rule.sentence.judge(runs_of(rule, cells), "ackley", 0.05)[:2] == (False, False)


@pytest.mark.parametrize("claim", ["results-knowledge-degrades", "results-knowledge-gap"])
def test_a_side_needs_two_values(claim: str) -> None:
    rule = RULES[claim]
    cells = samples_by(rule, [CLEAR] * 4, np.random.default_rng(1))
    below = {key: value for key, value in cells.items() if key[1] in (2, 8, 25)}
    found = rule.sentence.judge(runs_of(rule, below), "ackley", 0.05)
    assert found.shown
    assert "8 to 2" in found.numbers
    assert "25" not in found.numbers
    nothing = {key: value for key, value in cells.items() if key[1] in (8, 25)}
    found = rule.sentence.judge(runs_of(rule, nothing), "ackley", 0.5)
    assert (found.shown, found.contradicted) == (False, False)
