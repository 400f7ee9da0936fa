"""Verdicts on the paper's sentences: right on runs made to show them, and on runs of noise."""

from collections.abc import Callable
from typing import Any

import numpy as np

from reproduction.figure_1.plan import EXPERIMENTS, PROBLEM_NAMES, PUBLISHED
from reproduction.figure_1.statements import ALPHA, findings
from reproduction.statistics import smaller

Level = Callable[[str, int], float]
"""(algorithm, rank of x) -> mean of log best value."""


def made(experiment: str, level: Level, seed: int = 0, runs: int = 20) -> list[dict[str, Any]]:
    """Lognormal best values with given means of their logarithms."""
    rng = np.random.default_rng(seed)
    axis = EXPERIMENTS[experiment].axis
    return [
        {
            "experiment": experiment,
            "problem": problem,
            "algorithm": algorithm,
            axis: x,
            "run": run,
            "best_value": float(np.exp(level(algorithm, rank) + 0.05 * rng.standard_normal())),
        }
        for problem in PROBLEM_NAMES
        for algorithm in (*PUBLISHED, "radial_random_search", "uniform_random_search")
        for rank, x in enumerate(EXPERIMENTS[experiment].values)
        for run in range(runs)
    ]


def clear_gain(algorithm: str, rank: int) -> float:
    """A level that shows "a clear gain" in every function."""
    return 0.0 if algorithm == "embedded_hunter" else 1.0


def test_a_sentence_can_hold_in_part() -> None:
    rows = made("convergence", clear_gain)
    for row in rows:
        if row["problem"] == "rosenbrock":
            row["best_value"] = 1.0
    finding = findings({"convergence": rows})[0]
    assert finding.verdict == "holds in part"
    assert finding.judged["rosenbrock"].word == "neither"


def test_what_was_not_run_is_not_judged() -> None:
    assert {finding.verdict for finding in findings({})} == {"not run"}


def test_a_part_of_the_runs_is_judged_as_far_as_it_goes() -> None:
    rows = made("convergence", clear_gain)
    assert findings({"convergence": [r for r in rows if r["v"] == 10]})[0].verdict == "not run"
    assert findings({"convergence": [r for r in rows if r["run"] == 0]})[0].verdict == "not run"
    two = [r for r in rows if r["algorithm"] != "sresoo"]
    assert findings({"convergence": two})[0].verdict == "not run"
    few = [r for r in rows if r["v"] in (10, 50) and r["problem"] == "ackley"]
    assert list(findings({"convergence": few})[0].judged) == ["ackley"]


def test_a_sentence_divides_its_level_among_the_functions() -> None:
    """p between ALPHA/4 and ALPHA: shown where one function was run, not where four were."""
    low, high = [1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]
    p = smaller(np.array(low), np.array(high))
    assert ALPHA / 4 < p < ALPHA

    def judged(*problems: str) -> list[str]:
        rows: list[dict[str, str | int | float]] = [
            {"problem": problem, "algorithm": algorithm, "d": d, "best_value": value}
            for problem in problems
            for algorithm, values in (("embedded_hunter", low), ("uniform_random_search", high))
            for d in (2, 5)
            for value in values
        ]
        found = {finding.claim: finding for finding in findings({"effective-dimension": rows})}
        finding = found["results-effective-dimension-suitability"]
        assert list(finding.judged) == list(problems)
        assert finding.sentence.startswith("At the least effective dimension EmbeddedHunter is")
        return [result.word for result in finding.judged.values()]

    assert judged("ackley") == ["shown"]
    assert judged(*PROBLEM_NAMES) == ["neither"] * 4
