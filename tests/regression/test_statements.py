"""Verdicts on the paper's sentences: right on runs made to show them, and on runs of noise."""

from collections.abc import Mapping

import numpy as np

from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.figure_1.samples import Cell
from reproduction.figure_1.statements import ALPHA, Finding, findings
from reproduction.problems.registry import OF_PAPER
from reproduction.statistics import Sample, smaller

RNG = np.random.default_rng(0)
CLEAR = {
    (problem, algorithm, v): np.exp(shift + 0.05 * RNG.standard_normal(20))
    for problem in OF_PAPER
    for algorithm, shift in (("embedded_hunter", 0.0), ("resoo", 1.0), ("sresoo", 1.0))
    for v in EXPERIMENTS["convergence"].values
}
"""Runs that show "a clear gain" in every function."""


def gain(cells: Mapping[Cell, Sample]) -> Finding:
    """What runs of the convergence experiment say of "a clear gain"."""
    return findings({"convergence": cells})[0]


def test_a_sentence_can_hold_in_part() -> None:
    ones = {cell: 0 * x + 1 if cell[0] == "rosenbrock" else x for cell, x in CLEAR.items()}
    assert gain(CLEAR).verdict == "holds"
    assert gain(ones).verdict == "holds in part"
    assert gain(ones).judged["rosenbrock"].word == "neither"


def test_a_part_of_the_runs_is_judged_as_far_as_it_goes() -> None:
    for some in (
        {cell: x for cell, x in CLEAR.items() if cell[2] == 10},
        {cell: x[:1] for cell, x in CLEAR.items()},
        {cell: x for cell, x in CLEAR.items() if cell[1] != "sresoo"},
    ):
        assert gain(some).verdict == "not run"
    few = {cell: x for cell, x in CLEAR.items() if cell[2] in (10, 50) and cell[0] == "ackley"}
    assert list(gain(few).judged) == ["ackley"]


def test_a_sentence_divides_its_level_among_the_functions() -> None:
    """p between ALPHA/4 and ALPHA: shown where one function was run, not where four were."""
    low, high = [1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]
    p = smaller(np.array(low), np.array(high))
    assert ALPHA / 4 < p < ALPHA

    def judged(*problems: str) -> list[str]:
        cells = {
            (problem, algorithm, d): np.array(values)
            for problem in problems
            for algorithm, values in (("embedded_hunter", low), ("uniform_random_search", high))
            for d in (2, 5)
        }
        rows = {"effective-dimension": cells}
        found = {finding.claim: finding for finding in findings(rows)}
        finding = found["results-effective-dimension-suitability"]
        assert list(finding.judged) == list(problems)
        assert finding.sentence.startswith("Our comparison, which the paper does not make: ")
        return [result.word for result in finding.judged.values()]

    assert judged("ackley") == ["shown"]
    assert judged(*OF_PAPER) == ["neither"] * 4
