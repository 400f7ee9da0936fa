"""Verdicts on the paper's sentences: right on runs made to show them, and on runs of noise."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from reproduction.figure_1.figures import figure
from reproduction.figure_1.head_to_head import head_to_head
from reproduction.figure_1.plan import EXPERIMENTS, PROBLEM_NAMES, PUBLISHED
from reproduction.figure_1.report import report
from reproduction.figure_1.statements import SENTENCES, Finding, findings

Level = Callable[[str, int], float]
"""(algorithm, rank of x) -> mean of log best value."""


def made(
    experiment: str, level: Level, seed: int = 0, runs: int = 20, beyond: bool = False
) -> list[dict[str, Any]]:
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
        for rank, x in enumerate(
            EXPERIMENTS[experiment].values + (EXPERIMENTS[experiment].beyond if beyond else ())
        )
        for run in range(runs)
    ]


def judged(claim: str, level: Level, seed: int = 0) -> Finding:
    experiment = {s.claim: s.experiment for s in SENTENCES}[claim]
    found = findings({experiment: made(experiment, level, seed)})
    (finding,) = [finding for finding in found if finding.claim == claim]
    return finding


def mismatch(k: int) -> int:
    """The place of d_e = 2, 5, 8, 25, 75, 250 on its side of 10, from the nearest on."""
    return 2 - k if k < 3 else k - 3


def ours(a: str) -> bool:
    return a == "embedded_hunter"


# For each sentence: runs that show it, and runs that contradict it.
SHOWN: dict[str, Level] = {
    "results-clear-gain": lambda a, k: 0.0 if ours(a) else 1.0,
    "results-convergence-gap": lambda a, k: -0.5 * k if ours(a) else 0.0,
    "results-convergence-refine": lambda a, k: -0.5 * k if ours(a) else 0.0,
    "results-scalability-degrades": lambda a, k: 0.4 * k,
    "results-sresoo-robust": lambda a, k: 3.0 if a == "sresoo" else 0.2 * k,
    "results-embedding-number": lambda a, k: -0.3 * k if a == "resoo" else -0.1 * k,
    "results-sweet-spot": lambda a, k: 0.3 * abs(k - 2),
    "results-effective-dimension-suitability": lambda a, k: 0.0 if ours(a) else 1.0,
    "results-effective-dimension-degrades": lambda a, k: 0.4 * k,
    "results-effective-dimension-gap": lambda a, k: 0.0 if ours(a) else 3.0 - 0.5 * k,
    "results-knowledge-degrades": lambda a, k: 0.4 * mismatch(k),
    "results-knowledge-gap": lambda a, k: 0.0 if ours(a) else 3.0 - mismatch(k),
}
CONTRADICTED: dict[str, Level] = {
    "results-clear-gain": lambda a, k: 0.0 if a == "resoo" else 1.0,
    "results-convergence-gap": lambda a, k: -0.5 * k if a == "sresoo" else -0.1 * k,
    "results-convergence-refine": lambda a, k: (-0.5 * k if k < 4 else -2.0) if ours(a) else -k,
    "results-scalability-degrades": lambda a, k: 0.4 * k if ours(a) else -0.1 * k,
    "results-sresoo-robust": lambda a, k: 3.0 + 0.1 * k if a == "sresoo" else 0.0,
    "results-embedding-number": lambda a, k: -0.3 * k if a == "sresoo" else -0.1 * k,
    "results-effective-dimension-suitability": lambda a, k: 1.0 if ours(a) else 0.0,
    "results-effective-dimension-degrades": lambda a, k: abs(k - 5),
    "results-effective-dimension-gap": lambda a, k: 0.0 if ours(a) else -0.5 * k,
    "results-knowledge-degrades": lambda a, k: 0.4 * k,
    "results-knowledge-gap": lambda a, k: 0.0 if ours(a) else 3.0 - 0.5 * k,
}


def test_every_sentence_has_runs_that_show_it() -> None:
    assert set(SHOWN) == {sentence.claim for sentence in SENTENCES}
    assert set(SHOWN) - set(CONTRADICTED) == {"results-sweet-spot"}


@pytest.mark.parametrize("claim", SHOWN)
def test_a_true_sentence_holds(claim: str) -> None:
    finding = judged(claim, SHOWN[claim])
    assert finding.verdict == "holds", finding


@pytest.mark.parametrize("claim", CONTRADICTED)
def test_a_false_sentence_is_contradicted(claim: str) -> None:
    finding = judged(claim, CONTRADICTED[claim])
    assert {judged.word for judged in finding.judged.values()} == {"contradicted"}, finding
    assert finding.verdict == f"fails, contradicted for {', '.join(PROBLEM_NAMES)}"


@pytest.mark.parametrize("claim", SHOWN)
def test_noise_shows_nothing(claim: str) -> None:
    """All algorithms and all x alike. False alarms: each sentence at most 2 % (seeds fixed)."""
    finding = judged(claim, lambda a, k: 0.0, seed=5)
    assert finding.verdict == "fails", finding


def test_a_sentence_can_hold_in_part() -> None:
    rows = made("convergence", SHOWN["results-clear-gain"])
    for row in rows:
        if row["problem"] == "rosenbrock":
            row["best_value"] = 1.0
    finding = findings({"convergence": rows})[0]
    assert finding.verdict == "holds in part"
    assert finding.judged["rosenbrock"].word == "neither"


def test_what_was_not_run_is_not_judged() -> None:
    assert {finding.verdict for finding in findings({})} == {"not run"}


def test_a_part_of_the_runs_is_judged_as_far_as_it_goes() -> None:
    rows = made("convergence", SHOWN["results-clear-gain"])
    assert findings({"convergence": [r for r in rows if r["v"] == 10]})[0].verdict == "not run"
    assert findings({"convergence": [r for r in rows if r["run"] == 0]})[0].verdict == "not run"
    two = [r for r in rows if r["algorithm"] != "sresoo"]
    assert findings({"convergence": two})[0].verdict == "not run"
    few = [r for r in rows if r["v"] in (10, 50) and r["problem"] == "ackley"]
    assert list(findings({"convergence": few})[0].judged) == ["ackley"]


def test_versus_needs_no_other_algorithm_and_goes_beyond_the_paper() -> None:
    rows = made("scalability", lambda a, k: 0.0 if ours(a) else 1.0, beyond=True)
    pair = [r for r in rows if r["algorithm"] in ("embedded_hunter", "radial_random_search")]
    table = head_to_head(pair, "radial_random_search")
    assert [row.n for row in table] == 4 * [*EXPERIMENTS["scalability"].values, *(
        EXPERIMENTS["scalability"].beyond)]  # fmt: skip
    assert {row.verdict for row in table} == {"EmbeddedHunter better"}
    assert head_to_head(pair, "resoo") == []


def test_versus_finds_the_better_one_and_only_then() -> None:
    rows = made("scalability", lambda a, k: 1.0 if a == "radial_random_search" else 0.0)
    table = head_to_head(rows, "radial_random_search")
    assert len(table) == 6 * 4
    assert {row.verdict for row in table} == {"EmbeddedHunter better"}
    table = head_to_head(rows, "resoo")
    assert {row.verdict for row in table} == {"no difference shown"}
    sample = [float(str(r["best_value"])) for r in rows if r["algorithm"] == "resoo"]
    assert stats.tmean(sample) == pytest.approx(np.mean([row.theirs for row in table]))


def write(folder: Path, experiment: str, rows: list[dict[str, Any]]) -> None:
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    (folder / f"{experiment}.csv").write_text("\n".join(lines) + "\n")


@pytest.mark.long
def test_report_and_figure_of_two_folders(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    for name in ("scalability", "number-of-embeddings"):
        write(ours, name, made(name, lambda a, k: 0.2 * k, seed=1, runs=5))
    published = [
        row
        for row in made("number-of-embeddings", lambda a, k: 0.2 * k, seed=2, runs=5)
        if row["algorithm"] in PUBLISHED
    ]
    write(theirs, "number-of-embeddings", published)
    text = report(ours, theirs, "made by a test")
    assert "made by a test" in text
    assert "0 of 72 cells differ" in text
    assert "results-sweet-spot" in text
    assert "### RESOO" in text
    files = figure(ours, theirs, "made by a test")
    assert [path.name for path in files] == ["figure-1.svg", "figure-1.png"]
    first = [path.read_bytes() for path in files]
    assert first == [path.read_bytes() for path in figure(ours, theirs, "made by a test")]
    assert b"EmbeddedHunter, fresh, published" in first[0]
    assert len(first[1]) > 50_000


@pytest.mark.long
def test_a_difference_is_reported(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    write(ours, "scalability", made("scalability", lambda a, k: 0.0, seed=1))
    shifted = made("scalability", lambda a, k: 2.0 if a == "resoo" else 0.0, seed=2)
    write(theirs, "scalability", shifted)
    table = [line for line in report(ours, theirs).splitlines() if "| n = " in line and "(" in line]
    differing = [line for line in table if line.endswith("| differs |")]
    assert len(table) == 120
    assert sum("| resoo |" in line for line in differing) == 24
    assert len(differing) <= 27  # a false discovery rate of 5 % for each of two tests
    assert f"{len(differing)} of 120 cells differ" in report(ours, theirs)


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no <experiment>"):
        report(tmp_path)
    with pytest.raises(ValueError, match="holds no <experiment>"):
        figure(tmp_path)
