"""The sentences of the paper's "Results & Discussion", each as tests on the runs of a campaign.

A finding says, for each function, whether the runs *show* what the sentence asserts, *contradict*
it, or do neither. A sentence *holds* if the runs show it for all functions. It *fails* if they show
it for no function, and *holds in part* otherwise. It is *contradicted* if the runs contradict it
for some function.

Error rates: all tests of a sentence share `ALPHA`, by Bonferroni's correction over the functions
and over the comparisons for each function. So the probability that a sentence is contradicted for a
function for which it is true is at most `ALPHA`. The probability that a sentence is said to hold
where it is false is at most `ALPHA` too. Over twelve sentences, the expected number of errors of
each kind is at most 0.12.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from reproduction.figure_1 import sentence_tests
from reproduction.figure_1.samples import Cells, Runs
from reproduction.figure_1.sentence_tests import (
    LATE,
    OURS,
    RIVALS,
    UNIFORM,
    Judge,
    Judged,
)

ALPHA = 0.01


@dataclass(frozen=True)
class Finding:
    """The outcome of a sentence; `judged` has an entry for each function."""

    claim: str
    sentence: str
    judged: Mapping[str, Judged]

    @property
    def verdict(self) -> str:
        """The verdict in words: holds, holds in part, fails or not run; contradicted or not."""
        if not self.judged:
            return "not run"
        shown = [judged.shown for judged in self.judged.values()]
        word = "holds" if all(shown) else "holds in part" if any(shown) else "fails"
        against = [name for name, judged in self.judged.items() if judged.contradicted]
        return f"{word}, contradicted for {', '.join(against)}" if against else word


class Sentence(NamedTuple):
    """A sentence of the paper in our words, and the statistical test of it."""

    claim: str
    experiment: str
    words: str
    judge: Judge
    algorithms: tuple[str, ...] = (OURS, *RIVALS)


SENTENCES = (
    Sentence(
        "results-clear-gain",
        "convergence",
        "EmbeddedHunter is clearly better than RESOO and SRESOO (at the greatest budget).",
        sentence_tests.clear_gain,
    ),
    Sentence(
        "results-convergence-gap",
        "convergence",
        "EmbeddedHunter's lead over the others grows with the budget v.",
        sentence_tests.lead_grows(0),
    ),
    Sentence(
        "results-convergence-refine",
        "convergence",
        f"From v = {LATE} on, EmbeddedHunter refines its best value further than the others do.",
        sentence_tests.lead_grows(LATE),
    ),
    Sentence(
        "results-scalability-degrades",
        "scalability",
        "The quality of EmbeddedHunter and RESOO degrades with n.",
        sentence_tests.degrades,
    ),
    Sentence(
        "results-sresoo-robust",
        "scalability",
        "SRESOO is robust to n (within 10 %), yet poorer than EmbeddedHunter and RESOO.",
        sentence_tests.sresoo_robust_yet_poorer,
    ),
    Sentence(
        "results-embedding-number",
        "number-of-embeddings",
        "More embeddings help RESOO, and SRESOO less.",
        sentence_tests.more_embeddings_help_resoo,
    ),
    Sentence(
        "results-sweet-spot",
        "number-of-embeddings",
        "M matters to EmbeddedHunter: each function has a sweet spot.",
        sentence_tests.sweet_spot,
    ),
    Sentence(
        "results-effective-dimension-suitability",
        "effective-dimension",
        "Our comparison, which the paper does not make: at the least effective dimension "
        "EmbeddedHunter is better than random search without any embedding.",
        sentence_tests.suits_low_dimensions,
        (OURS, UNIFORM),
    ),
    Sentence(
        "results-effective-dimension-degrades",
        "effective-dimension",
        "The quality of EmbeddedHunter and RESOO degrades with the effective dimension.",
        sentence_tests.degrades,
    ),
    Sentence(
        "results-effective-dimension-gap",
        "effective-dimension",
        "The gap between the algorithms shrinks with the effective dimension.",
        sentence_tests.gap_shrinks_along,
    ),
    Sentence(
        "results-knowledge-degrades",
        "effective-dimension-knowledge",
        "Quality degrades as the effective dimension and the searched one differ more.",
        sentence_tests.mismatch_degrades,
    ),
    Sentence(
        "results-knowledge-gap",
        "effective-dimension-knowledge",
        "The gap between the algorithms shrinks as they differ more.",
        sentence_tests.mismatch_gap_shrinks,
    ),
)


def findings(cells_of: Mapping[str, Cells]) -> list[Finding]:
    """Judge all sentences by the samples of their experiments.

    A sentence whose experiment is missing has the verdict "not run".
    """
    found = []
    for claim, experiment, words, judge, algorithms in SENTENCES:
        judged: dict[str, Judged] = {}
        if cells_of.get(experiment):
            runs = Runs(experiment, cells_of[experiment])
            problems = runs.problems(*algorithms) if len(runs.xs) > 1 else []
            for problem in problems:
                judged[problem] = judge(runs, problem, ALPHA / len(problems))
        found.append(Finding(claim, words, judged))
    return found
