"""The numbers that the pages say of the kept runs are those of the kept runs."""

import csv
import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from statistics import median

import pytest
from kept_results import DOCS, RESULTS, kept_cells, page, published, samples, write_published
from test_results_statements import CONTRADICTED, SHOWN, Said

from reproduction.figure_1.head_to_head import head_to_head
from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.figure_1.published import main as summarise
from reproduction.figure_1.report import report
from reproduction.figure_1.statements import SENTENCES
from reproduction.landscapes import OF_PAPER

pytestmark = pytest.mark.claim("kept-results")
ERRATA = (DOCS / "errata.md").read_text(encoding="utf-8")
PAGE, RESULTS_PAGE, FIVE_MINUTES, LETTER, README = map(
    page, ("experiments.md", "results.md", "five-minutes.md", "letter.md", "../README.md")
)
LETTERS = dict(zip("EFRA", OF_PAPER, strict=True))
TITLES = dict(zip(OF_PAPER, ("Ellipsoid", "Fletcher", "Rosenbrock", "Ackley"), strict=True))


def number(text: str) -> float:
    return float(text.replace("*", "").replace(",", ""))


@pytest.mark.parametrize("problem", OF_PAPER)
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
    rows = samples("paper", "scalability")

    def count(other: str) -> list[int]:
        verdicts = Counter(row.verdict for row in head_to_head(rows, other))
        assert verdicts.total() == 40
        return [
            verdicts[v] for v in ("EmbeddedHunter better", "no difference shown", "other better")
        ]

    assert count("radial_random_search") == [0, 11, 29]
    assert (
        "not shown to be better than the best fixed radius in any cell, and is worse in 29 of 40"
        in PAGE
    )
    assert count("radial_random_search_uniform") == [7, 15, 18]
    assert "it is better in 7 cells, 6 of them Rosenbrock, and worse in 18" in PAGE
    assert "EmbeddedHunter is better in 7 cells, worse in 18, and in 15 no" in RESULTS_PAGE
    assert count("resoo") == [3, 2, 35]
    assert "Of the paper's 24 cells, RESOO is better in 19 and EmbeddedHunter in 3" in PAGE
    assert "In our 16 cells with larger $n$, RESOO is better in all" in PAGE
    for text in (README, FIVE_MINUTES, LETTER):
        assert "in 19 of the 24 cells of the scalability experiment, EmbeddedHunter in 3" in text
    for text in (README, page("index.md")):
        assert "RESOO is better in 19 of the 24 cells of one experiment" in text
    assert "in 19 of the paper's 24 cells, and in all 16 with an $n$ beyond" in RESULTS_PAGE
    assert count("uniform_random_search") == [10, 11, 19]
    assert "is better in 10 of 40 cells, all of Rosenbrock. It is worse in 19 cells" in PAGE


def test_random_search_on_the_cube_where_two_variables_matter() -> None:
    found = samples("paper", "effective-dimension")
    lower = {
        problem: median(found[problem, "uniform_random_search", 2])
        < median(found[problem, "embedded_hunter", 2])
        for problem in OF_PAPER
    }
    assert all(lower.values())
    ours, theirs = (
        f"{median(found['rosenbrock', name, 2]):.3f}"
        for name in ("embedded_hunter", "uniform_random_search")
    )
    for text in (FIVE_MINUTES, page("errata.md")):
        assert f"{theirs} against {ours}, but no difference is shown" in text
    contradicted = CONTRADICTED["results-effective-dimension-suitability"]["paper"]
    assert set(contradicted) == {"ellipsoid", "fletcher_powell", "ackley"}


@pytest.mark.parametrize("profile", ["paper", "released"])
def test_the_report_is_that_of_the_kept_runs(profile: str) -> None:
    """All but the comparison with the published runs, which are not stored."""
    text = (RESULTS / profile / "report.md").read_text(encoding="utf-8")
    start, means = "# Reproduced experiments\n\n", "## Means of all cells\n"
    made_by = text.removeprefix(start).split("\n\n")[0]
    again = report(kept_cells(profile), {}, made_by, profile)
    against = "## EmbeddedHunter (fresh matrices) against others"
    for begin, end in ((start, "\n## "), ("### By these runs\n", "\n##"), (against, f"\n{means}")):
        there, here = (t.split(begin)[1].split(end)[0] for t in (text, again))
        assert there == here
    assert text.split(means)[1] == again.split(means)[1]


@pytest.mark.parametrize(
    ("profile", "cells", "comparisons"), [("released", 1, 1), ("paper", 321, 259)]
)
def test_how_many_cells_differ_by_the_report(profile: str, cells: int, comparisons: int) -> None:
    report = (RESULTS / profile / "report.md").read_text(encoding="utf-8")
    (total,) = re.findall(r"^In all, (\d+) of 372 cells differ", report, re.M)
    (sets,) = re.findall(r"within the curve\), (\d+) of 300 comparisons differ", report)
    assert (int(total), int(sets)) == (cells, comparisons)
    by_experiment = re.findall(r"^(\d+) of (\d+) cells differ", report, re.M)
    assert [int(n) for _, n in by_experiment] == [84, 72, 72, 72, 72]
    assert sum(int(differ) for differ, _ in by_experiment) == cells
    assert report.count("| differs |") == cells
    words = {
        "released": f"{cells} of 372 cells differs: ",
        "paper": f"{cells} of 372 cells differ: ",
    }[profile]
    assert words in PAGE
    if profile == "released":
        assert f"{cells} of 372 cells differs" in README
        assert f"{cells} of 372 cells differs" in FIVE_MINUTES
        assert f"{cells} of the 372 cells that you published differs" in LETTER
    assert f"{comparisons} of 300 comparisons differ" in PAGE


def test_how_many_p_values_are_small_without_a_correction() -> None:
    report = (RESULTS / "released" / "report.md").read_text(encoding="utf-8")
    section = report.split("## Published and reproduced, cell by cell")[1].split("\n## ")[0]
    line = r"^\| \w+ \| (\w+) \| \w+ = \d+ \|.*\| (\S+) \| \S+ \| [^|]*\|$"
    rows = [(name, float(p)) for name, p in re.findall(line, section, re.M)]
    assert Counter(name for name, _ in rows) == dict.fromkeys(
        ("resoo", "sresoo", "embedded_hunter"), 124
    )
    small = Counter(name for name, p in rows if p <= 0.05)
    number, expected = small.total(), f"{0.05 * len(rows):.1f}"
    assert f"has p <= 0.05 in {number} of 372 cells, where {expected} are expected" in section
    assert f"p ≤ .05 in {number} of the 372 cells; if all laws were the same, {expected}" in PAGE
    hunter, resoo, sresoo = (small[name] for name in ("embedded_hunter", "resoo", "sresoo"))
    assert (
        f"{0.05 * 124:.1f} are expected in 124 cells: EmbeddedHunter has {hunter}, RESOO {resoo} "
        f"and SRESOO {sresoo}."
    ) in PAGE
    for text in (README, FIVE_MINUTES, LETTER):
        assert f"p ≤ .05 in {number} cells, where {expected} are expected" in text


def test_what_the_page_says_could_have_been_seen() -> None:
    report = (RESULTS / "released" / "report.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^\| geometric means \| (.*) \|$", report, re.M)
    one, ten, half, two = (int(text.split(" of ")[0]) for text in line.split(" | "))
    assert f"within 1 % in {one} cells, within 10 % in {ten}, within a factor 1.5 in {half}" in PAGE
    assert f"within a factor 2 in {two} of the 372 cells" in PAGE
    for text in (README, FIVE_MINUTES, LETTER):
        assert f"within a factor 2 in {two}" in text


@pytest.mark.parametrize("whose", ["By these runs", "By the published runs"])
def test_how_many_sentences_hold_by_the_report(whose: str) -> None:
    report = (RESULTS / "released" / "report.md").read_text(encoding="utf-8")
    section = report.split(f"### {whose}")[1].split("\n##")[0]
    verdicts = Counter(re.findall(r"^- \*\*(not run|holds in part|holds|fails)", section, re.M))
    assert verdicts == {"holds": 1, "holds in part": 8, "fails": 2, "not run": 1}
    assert "one of the eleven sentences that can be tested holds for all four functions" in PAGE
    assert "eight hold for one to three functions" in PAGE


def test_which_cells_differ_by_the_text() -> None:
    report = (RESULTS / "paper" / "report.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \w+ \| (\w+) \| \w+ = .*\| (differs )?\|$", report, re.M)
    found = Counter(algorithm for algorithm, differs in rows if differs)
    assert found == {"resoo": 124 - 3, "sresoo": 124 - 2, "embedded_hunter": 78}
    said = "all of RESOO's 124 except three, all of SRESOO's except two, and 78 of EmbeddedHunter's"
    assert said in PAGE


def test_the_list_of_published_files_is_that_of_the_summary() -> None:
    with (RESULTS / "published-files.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        name = row["file"].removesuffix(".csv")
        assert int(row["runs"]) == sum(cell.runs for cell in published(name).values())
        assert re.fullmatch("[0-9a-f]{64}", row["sha256"])
        assert f"`{row['sha256'][:12]}`" in PAGE
    assert [row["file"].removesuffix(".csv") for row in rows] == list(EXPERIMENTS)


RAW = Path(__file__).parents[3] / "shared" / "published"


@pytest.mark.skipif(not RAW.is_dir(), reason="the published raw results are not at hand")
def test_the_summary_is_that_of_the_published_files(tmp_path: Path) -> None:
    assert summarise([str(RAW), str(tmp_path)]) == 0
    for name in ("published-summary.csv", "published-files.csv"):
        assert (tmp_path / name).read_bytes() == (RESULTS / name).read_bytes()


def test_a_summary_has_a_line_for_each_cell(tmp_path: Path) -> None:
    write_published(tmp_path, "convergence", {("ackley", "resoo", 10): (1.0, 4.0)})
    (tmp_path / "out").mkdir()
    assert summarise([str(tmp_path), str(tmp_path / "out")]) == 0
    summary, files = (
        (tmp_path / "out" / f"published-{name}.csv").read_bytes().decode().split("\n")
        for name in ("summary", "files")
    )
    assert summary == [
        "experiment,problem,algorithm,x,runs,mean,sd,log_mean,log_sd",
        "convergence,ackley,resoo,10,2,2.5,2.1213203,0.69314718,0.98025814",
        "",
    ]
    digest = sha256((tmp_path / "convergence.csv").read_bytes()).hexdigest()
    assert files == ["file,runs,sha256", f"convergence.csv,2,{digest}", ""]
