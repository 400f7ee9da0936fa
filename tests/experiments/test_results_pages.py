"""The numbers that the pages say of the kept runs are those of the kept runs."""

import re
from collections import Counter
from pathlib import Path

import pytest
from committed import RESULTS, differing, kept, samples
from test_results_statements import CONTRADICTED, SHOWN, Said

from embedded_hunter.experiments.figure_1.head_to_head import head_to_head
from embedded_hunter.experiments.figure_1.plan import EXPERIMENTS, PROBLEM_NAMES, PUBLISHED
from embedded_hunter.experiments.figure_1.statements import SENTENCES

pytestmark = pytest.mark.claim("kept-results")
DOCS = Path(__file__).parents[2] / "docs"
ERRATA = (DOCS / "errata.md").read_text(encoding="utf-8")
PAGE = " ".join((DOCS / "experiments.md").read_text(encoding="utf-8").split())
LETTERS = dict(zip("EFRA", PROBLEM_NAMES, strict=True))
TITLES = dict(zip(PROBLEM_NAMES, ("Ellipsoid", "Fletcher", "Rosenbrock", "Ackley"), strict=True))


def number(text: str) -> float:
    return float(text.replace("*", "").replace(",", ""))


@pytest.mark.parametrize("problem", PROBLEM_NAMES)
def test_the_means_in_the_errata(problem: str) -> None:
    (line,) = re.findall(rf"^\| {TITLES[problem]}[^|]*\|([^|]*/[^|]*)\|([^|]*)\|$", ERRATA, re.M)
    for profile, text in zip(("paper", "released"), line, strict=True):
        said = dict(zip(("embedded_hunter", "resoo", "sresoo"), text.split("/"), strict=True))
        for algorithm, mean in said.items():
            digits = len(re.sub(r"[^0-9]", "", mean).rstrip("0"))
            sample = samples(profile, "scalability")[problem, algorithm, 10_000]
            assert float(f"{sample.mean():.{digits}g}") == number(mean), (profile, algorithm)
        least = min(said.values(), key=number)
        assert "**" in least


def letters(said: Said, claim: str, profile: str) -> str:
    problems = said.get(claim, {}).get(profile, ())
    return " ".join(letter for letter, name in LETTERS.items() if name in problems) or "-"


def test_the_sentences_in_the_errata() -> None:
    table = ERRATA.split("| by the text: shown / contradicted |")[1].split("\n\n")[0]
    lines = [line.split("|")[2:4] for line in table.splitlines()[2:]]
    assert len(lines) == len(SENTENCES)
    for sentence, texts in zip(SENTENCES, lines, strict=True):
        for profile, text in zip(("paper", "released"), texts, strict=True):
            shown, against = (
                letters(said, sentence.claim, profile) for said in (SHOWN, CONTRADICTED)
            )
            expected = (
                "not run" if shown == against == "-" and "not" in text else f"{shown} / {against}"
            )
            assert text.strip() == expected, sentence.claim


def test_what_the_page_says_of_random_search_and_of_resoo() -> None:
    rows = kept("paper")["scalability"]

    def count(other: str) -> list[int]:
        verdicts = Counter(row.verdict for row in head_to_head(rows, other))
        assert verdicts.total() == 40
        return [
            verdicts[v] for v in ("EmbeddedHunter better", "no difference shown", "other better")
        ]

    assert count("radial_random_search") == [0, 9, 31]
    assert (
        "not shown to be better than the best fixed radius in any cell, and is worse in 31 of 40"
        in PAGE
    )
    assert count("radial_random_search_uniform") == [8, 15, 17]
    assert "it is better in 8 cells, 7 of them Rosenbrock, and worse in 17" in PAGE
    assert count("resoo") == [3, 1, 36]
    assert "Of the paper's 24 cells, RESOO is better in 20 and EmbeddedHunter in 3" in PAGE
    assert "In our 16 cells with larger $n$, RESOO is better in all" in PAGE
    assert count("uniform_random_search") == [10, 10, 20]
    assert "is better in 10 of 40 cells, all of Rosenbrock. It is worse in 20 cells" in PAGE


@pytest.mark.parametrize("profile", ["paper", "released"])
def test_the_report_is_that_of_the_kept_runs(profile: str) -> None:
    """Every mean of the last tables of the report; the number of runs is in its head."""
    text = (RESULTS / profile / "report.md").read_text(encoding="utf-8")
    tables = text.split("## Means of all cells")[1]
    cells = 0
    for name, experiment in EXPERIMENTS.items():
        table = tables.split(f"### {name}\n")[1].split("\n### ")[0]
        head, _, *lines = [line for line in table.splitlines() if line.startswith("|")]
        xs = [int(float(x)) for x in re.findall(rf" {experiment.axis} = (\S+)", head)]
        for line in lines:
            problem, algorithm, *means = [part.strip() for part in line.strip("|").split("|")]
            for x, mean in zip(xs, means, strict=True):
                sample = samples(profile, name)[problem, algorithm, x]
                assert f"{sum(sample) / len(sample):.4g}" == mean
                cells += 1
    assert cells == sum(len(samples(profile, name)) for name in EXPERIMENTS)


def test_how_many_cells_differ_from_the_published_ones() -> None:
    """By Welch's test on the kept summaries; the page counts by two tests on the runs."""
    raw = ("convergence", "number-of-embeddings", "effective-dimension")
    assert [len(differing("released", name)) for name in raw] == [0, 0, 0]
    found = Counter(algorithm for name in raw for _, algorithm, _ in differing("paper", name))
    assert found["resoo"] > 70
    assert found["sresoo"] > 70
    assert found["embedded_hunter"] < 60
    assert set(found) <= set(PUBLISHED)
    assert "69 of 84, 59 of 72 and 64 of 72 cells differ" in PAGE
    report = (RESULTS / "paper" / "report.md").read_text(encoding="utf-8")
    assert re.findall(r"^(\d+) of (\d+) cells differ", report, re.M) == [
        ("69", "84"), ("59", "72"), ("64", "72"),
    ]  # fmt: skip
