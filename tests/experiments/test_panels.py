"""The 20 panels of Figure 1, held against the runs that are kept in docs/results.

Twelve panels have published raw results, summarised cell by cell in docs/results. A panel *agrees*
with runs of ours if none of its cells differs: Welch's test of the means of logarithms, adjusted by
Benjamini and Hochberg over the cells of the experiment, false discovery rate 5 %. If the laws are
the same, some cell of an experiment is called differing with probability at most 5 %.

The eight others are held against what the text says of all panels, that EmbeddedHunter is the best
of the three; for Scalability also against published runs of the same setting in other experiments.
"""

from collections.abc import Callable

import pytest
from committed import differing, p_value, published, samples
from scipy import stats

from embedded_hunter.experiments.figure_1.plan import EXPERIMENTS, PROBLEM_NAMES
from embedded_hunter.experiments.statistics import smaller

NAMES = {
    "convergence": "convergence",
    "scalability": "scalability",
    "number-of-embeddings": "embedding-number",
    "effective-dimension": "effective-dimension",
    "effective-dimension-knowledge": "knowledge",
}
RAW = ("convergence", "number-of-embeddings", "effective-dimension")
OURS, RIVALS = "embedded_hunter", ("resoo", "sresoo")


def claim(experiment: str, problem: str) -> pytest.MarkDecorator:
    return pytest.mark.claim(f"fig-1-{NAMES[experiment]}-{problem.replace('_', '-')}")


def panels(*experiments: str) -> pytest.MarkDecorator:
    """One test for each panel of some experiments, marked with its claim."""
    return pytest.mark.parametrize(
        ("experiment", "problem"),
        [
            pytest.param(experiment, problem, marks=claim(experiment, problem))
            for experiment in experiments
            for problem in PROBLEM_NAMES
        ],
    )


def of_panel(
    profile: str, experiment: str, problem: str, label: Callable[[str], str] = lambda a: a
) -> list[tuple[str, str, int]]:
    return sorted(key for key in differing(profile, experiment, label) if key[0] == problem)


@panels(*RAW)
def test_the_panel_is_that_of_the_released_program(experiment: str, problem: str) -> None:
    assert of_panel("released", experiment, problem) == []


@panels(*RAW)
def test_with_two_labels_exchanged_it_would_not_be(experiment: str, problem: str) -> None:
    """The power of the test above: RESOO's runs taken for SRESOO's and the other way round."""
    exchange = {OURS: OURS, "resoo": "sresoo", "sresoo": "resoo"}
    assert of_panel("released", experiment, problem, exchange.__getitem__) != []


@panels(*RAW)
def test_the_panel_is_not_that_of_the_papers_text(experiment: str, problem: str) -> None:
    """At least one cell differs: a false alarm has probability at most 5 % for an experiment."""
    assert of_panel("paper", experiment, problem) != []


def better(
    profile: str, experiment: str, problem: str, *, rival_first: bool = False
) -> list[tuple[str, int]]:
    """(rival, x) where EmbeddedHunter is better, or with `rival_first` the rival.

    Mann-Whitney, one-sided; wrong anywhere in a panel with probability at most 1 % (Bonferroni).
    """
    cells, xs = samples(profile, experiment), EXPERIMENTS[experiment].values
    found = []
    for rival in RIVALS:
        for x in xs:
            pair = (cells[problem, OURS, x], cells[problem, rival, x])
            if smaller(*(pair[::-1] if rival_first else pair)) <= 0.01 / (len(xs) * len(RIVALS)):
                found.append((rival, x))
    return found


@panels("scalability")
def test_embedded_hunter_is_the_best_at_every_n(experiment: str, problem: str) -> None:
    """By the released program's behaviour."""
    everywhere = [(rival, x) for rival in RIVALS for x in EXPERIMENTS[experiment].values]
    assert better("released", experiment, problem) == everywhere
    # The power: with the two sides exchanged, nowhere.
    assert better("released", experiment, problem, rival_first=True) == []


@panels("effective-dimension-knowledge")
def test_embedded_hunter_is_the_best_at_every_d_e(experiment: str, problem: str) -> None:
    """By the released program's behaviour; of RESOO at d_e = 2 only that it is nowhere better."""
    from_5 = {(rival, x) for rival in RIVALS for x in EXPERIMENTS[experiment].values if x >= 5}
    assert set(better("released", experiment, problem)) >= from_5 | {("sresoo", 2)}
    assert better("released", experiment, problem, rival_first=True) == []


@panels("scalability", "effective-dimension-knowledge")
def test_by_the_papers_text_a_rival_is_better_somewhere(experiment: str, problem: str) -> None:
    assert better("paper", experiment, problem, rival_first=True) != []


SAME_SETTING = {"number-of-embeddings": 5, "effective-dimension": 10}
"""Where n = 10^4 of the scalability experiment was published too: M = 5, d = 10."""


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(name, marks=claim("scalability", name))
        for name in ("ellipsoid", "rosenbrock", "ackley")  # FletcherPowell: other instances there
    ],
)
def test_the_panel_goes_through_published_runs_of_its_setting(problem: str) -> None:
    """Welch's test of the means of logarithms in 6 cells; level 1 % for all 3 panels together."""

    def p(ours: str, theirs: str) -> list[float]:
        cell = samples("released", "scalability")[problem, ours, 10**4]
        return [p_value(published(e)[problem, theirs, x], cell) for e, x in SAME_SETTING.items()]

    level = 0.01 / (3 * 3 * len(SAME_SETTING))
    assert min(q for a in (OURS, *RIVALS) for q in p(a, a)) > level
    # The power: EmbeddedHunter's runs are not RESOO's, nor the other way round.
    assert max(p(OURS, "resoo") + p("resoo", OURS)) < level


@pytest.mark.parametrize(
    ("problem", "mean"),
    [
        pytest.param("ackley", 0.285, marks=claim("effective-dimension-knowledge", "ackley")),
        pytest.param("ellipsoid", 0.85, marks=claim("effective-dimension-knowledge", "ellipsoid")),
    ],
)
def test_the_panel_starts_at_the_published_mean(problem: str, mean: float) -> None:
    """EmbeddedHunter at d_e = 2: all that is at hand of the published runs is their mean.

    Level 1 % for the two panels: a difference of means of 20 runs with the spread of ours.
    """
    sample = samples("released", "effective-dimension-knowledge")[problem, OURS, 2]
    error = sample.std(ddof=1) * (2 / len(sample)) ** 0.5

    def p(other: float) -> float:
        return float(2 * stats.t.sf(abs(sample.mean() - other) / error, 2 * len(sample) - 2))

    assert p(mean) > 0.01 / 2
    # The power: the mean of the experiment on d, with d = d_e = 2, is another one.
    assert p(published("effective-dimension")[problem, OURS, 2].mean) < 0.01 / 2
