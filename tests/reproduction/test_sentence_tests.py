"""Each rule that judges a sentence of the paper: what it asserts, its error rates and its power.

The specification of the rules is `sentence_rules`.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats
from sentence_rules import CLEAR, EH, RE, RULES, SD, Cells, Rule

from reproduction.figure_1.samples import Runs
from reproduction.figure_1.statements import ALPHA, SENTENCES

BY_RULE = pytest.mark.parametrize(
    "claim",
    [pytest.param(name, marks=pytest.mark.long if "down" in name else ()) for name in RULES],
)


def cells_of(rule: Rule, k: Sequence[float], rng: np.random.Generator, runs: int = 20) -> Cells:
    return {
        (a, x): np.exp(rule.law(k, a, place) + SD * rng.standard_normal(runs))
        for a in rule.algorithms
        for place, x in enumerate(rule.xs)
    }


def runs_of(rule: Rule, cells: Cells) -> Runs:
    samples = {("ackley", *cell): sample for cell, sample in cells.items()}
    return Runs(rule.experiment, samples)


def test_every_sentence_has_its_rule_here() -> None:
    named = {name.split(" ")[0]: rule for name, rule in RULES.items()}
    assert set(named) == {sentence.claim for sentence in SENTENCES}
    for sentence in SENTENCES:
        rule = named[sentence.claim]
        assert rule.experiment == sentence.experiment
        assert rule.judge.__name__ == sentence.judge.__name__
        assert rule.algorithms == sentence.algorithms


@BY_RULE
def test_a_verdict_begins_at_the_level_of_its_weakest_or_strongest_part(claim: str) -> None:
    """Each part in turn, and then all, near the edge or a little below; each decides somewhere."""
    rule = RULES[claim]
    rng = np.random.default_rng(4)
    decided: tuple[set[int], set[int]] = (set(), set())
    each, together = np.eye(rule.parts), np.ones((2, rule.parts))
    for near in (*each / 2, *each, *together / 2):
        off = SD * (0.5 * rng.standard_normal(rule.parts) - 2 * (near == 1))
        cells = cells_of(rule, np.where(near > 0, off, CLEAR).tolist(), rng, runs=8)
        runs = runs_of(rule, cells)
        shown, against = rule.shown(cells), rule.contradicted(cells)
        decided[0].add(int(np.argmax(shown)))
        decided[1].add(int(np.argmin(against)))
        for level, word in ((max(shown), "shown"), (min(against), "contradicted")):
            if 1e-6 < level < 30:
                assert getattr(rule.judge(runs, "ackley", level * (1 + 1e-7)), word)
                assert not getattr(rule.judge(runs, "ackley", level * (1 - 1e-7)), word)
    assert min(map(len, decided)) >= rule.parts, decided


def simulated(rule: Rule, k: Sequence[float], level: float, campaigns: int) -> tuple[int, int]:
    """In how many campaigns the rule says "shown", and in how many "contradicted"."""
    rng = np.random.default_rng(9)
    found = [
        rule.judge(runs_of(rule, cells_of(rule, k, rng)), "ackley", level) for _ in range(campaigns)
    ]
    return sum(judged.shown for judged in found), sum(judged.contradicted for judged in found)


def knobs(rule: Rule, others: float, **one: float) -> list[list[float]]:
    """For each part: it has one value, all others another."""
    (value,) = one.values()
    return [
        [value if k == part else others for k in range(rule.parts)] for part in range(rule.parts)
    ]


LEVEL = 0.05
CAMPAIGNS = 100
MOST = int(stats.binom.ppf(1 - 1e-4, CAMPAIGNS, LEVEL))
"""So many errors, at most, have probability 1 - 1e-4 if an error has probability `LEVEL`."""


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


@pytest.mark.long
def test_values_of_one_run_make_a_growing_lead_no_easier_to_show() -> None:
    """In the profile `released` the values at all budgets come from the same 20 runs.

    The test takes them for independent. Their correlation is positive; a lead that does not grow is
    then shown less often than stated. Seed fixed, false alarm 1e-4.
    """
    rule = RULES["results-convergence-gap"]
    rng = np.random.default_rng(9)
    shown = 0
    for _ in range(CAMPAIGNS):
        cells = dict(cells_of(rule, [0.0, CLEAR], rng))
        for a in (EH, RE):
            level = rule.law([0.0, CLEAR], a, 0)
            run = np.log(cells[a, 100_000]) - level
            for x in rule.xs[:-1]:
                cells[a, x] = np.exp(level + 0.8 * run + 0.6 * (np.log(cells[a, x]) - level))
        shown += rule.judge(runs_of(rule, cells), "ackley", LEVEL).shown
    assert shown <= MOST


# Campaigns in part


def test_constant_values_show_nothing() -> None:
    """For instance 9.0, the value of Rosenbrock at 0, in every run; a change of 0 is below 1 %."""
    below_one_percent = {
        "results-scalability-degrades",
        "results-effective-dimension-degrades",
        "results-embedding-number",
    }
    for claim, rule in RULES.items():
        cells = {key: np.full(3, 9.0) for key in cells_of(rule, [0.0] * rule.parts, RNG)}
        found = rule.judge(runs_of(rule, cells), "ackley", 0.5)
        assert (found.shown, found.contradicted) == (False, claim in below_one_percent), claim
        if claim == "results-sweet-spot":
            assert found.numbers.endswith("; p = 1")


RNG = np.random.default_rng(0)


def test_a_lead_begins_at_the_least_budget_that_was_run() -> None:
    rule = RULES["results-convergence-refine"]
    cells = cells_of(rule, [CLEAR, CLEAR], np.random.default_rng(1))
    late = runs_of(rule, {key: value for key, value in cells.items() if key[1] > 1000})
    assert "v = 10000 to 100000" in rule.judge(late, "ackley", 0.05).numbers
    early = runs_of(rule, {key: value for key, value in cells.items() if key[1] < 1000})
    found = rule.judge(early, "ackley", 0.5)
    assert "v = 100 to 100" in found.numbers
    assert not found.shown
    assert not found.contradicted


@pytest.mark.parametrize("claim", ["results-knowledge-degrades", "results-knowledge-gap"])
def test_a_side_needs_two_values(claim: str) -> None:
    rule = RULES[claim]
    cells = cells_of(rule, [CLEAR] * 4, np.random.default_rng(1))
    below = {key: value for key, value in cells.items() if key[1] in (2, 8, 25)}
    found = rule.judge(runs_of(rule, below), "ackley", 0.05)
    assert found.shown
    assert "8 to 2" in found.numbers
    assert "25" not in found.numbers
    nothing = {key: value for key, value in cells.items() if key[1] in (8, 25)}
    found = rule.judge(runs_of(rule, nothing), "ackley", 0.5)
    assert (found.shown, found.contradicted) == (False, False)
