"""The numbers that the pages say of the kept runs are those of the kept runs."""

import csv
import re
from collections.abc import Sequence
from statistics import median

import pytest

from regression.kept_results import DOCS, RESULTS, kept_cells, page, published, samples, table_rows
from reproduction.figure_1.head_to_head import head_to_head
from reproduction.figure_1.plan import EXPERIMENTS
from reproduction.figure_1.report import report
from reproduction.figure_1.samples import published_means
from reproduction.problems.registry import OF_PAPER, PROBLEMS

pytestmark = pytest.mark.claim("kept-results")
ERRATA = (DOCS / "errata.md").read_text(encoding="utf-8")
PAGE, RESULTS_PAGE, FIVE_MINUTES, LETTER, README, INDEX = map(
    page,
    ("experiments.md", "results.md", "five-minutes.md", "letter.md", "../README.md", "index.md"),
)
PAGES = (PAGE, RESULTS_PAGE, FIVE_MINUTES, LETTER, README, INDEX)


def said_everywhere(pattern: str, pages: Sequence[str] = PAGES) -> set[str]:
    """The numbers that pages say, by a pattern around a number; each page says one."""
    found = [set(re.findall(pattern, text)) for text in pages]
    assert all(found), pattern
    return set.union(*found)


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


def test_against_random_search_and_resoo_at_each_n() -> None:
    """In how many of 40 cells EmbeddedHunter is better, nothing is shown, the other is better."""
    rows = samples("paper", "scalability")
    tables = {
        other: head_to_head(rows, other)
        for other in (
            "radial_random_search", "radial_random_search_uniform", "resoo", "uniform_random_search"
        )
    }  # fmt: skip
    verdicts = ("EmbeddedHunter better", "no difference shown", "other better")
    found = {
        other: [sum(row.verdict == verdict for row in table) for verdict in verdicts]
        for other, table in tables.items()
    }
    assert found == {
        "radial_random_search": [0, 11, 29],
        "radial_random_search_uniform": [7, 15, 18],
        "resoo": [3, 2, 35],
        "uniform_random_search": [10, 11, 19],
    }
    of_paper = [row for row in tables["resoo"] if row.n in EXPERIMENTS["scalability"].values]
    better = sum(row.verdict == "other better" for row in of_paper)
    pattern = rf"(\d+) of the (?:paper's )?{len(of_paper)} cells"
    assert said_everywhere(pattern, PAGES[1:]) == {str(better)}


def test_random_search_on_the_cube_where_two_variables_matter() -> None:
    found = samples("paper", "effective-dimension")
    ours, theirs = (
        {problem: median(found[problem, name, 2]) for problem in OF_PAPER}
        for name in ("embedded_hunter", "uniform_random_search")
    )
    assert all(theirs[problem] < ours[problem] for problem in OF_PAPER)
    assert f"{theirs['rosenbrock']:.3f} against {ours['rosenbrock']:.3f}" in ERRATA


def test_the_report_is_that_of_the_kept_runs() -> None:
    text = (RESULTS / "paper" / "report.md").read_text(encoding="utf-8")
    assert text == report(kept_cells("paper"), published_means(), "```{made} paper\n```")


REPORTS = {
    "paper": (RESULTS / "paper" / "comparison.md").read_text(encoding="utf-8"),
    "released": (RESULTS / "released" / "report.md").read_text(encoding="utf-8"),
}
"""The comparisons with the published runs, which version 1.1.0 has the program of."""
SOME = (PAGE, LETTER)


@pytest.mark.parametrize(
    ("said", "pages", "counted", "profiles"),
    [
        (r"(\d+) of (?:the )?372 cells (?:that you published )?differs?", [" ".join(PAGES)],
         r"^In all, (\d+) of 372 cells differ", ("paper", "released")),
        (r"(\d+) of 300 comparisons differ", [PAGE],
         r"within the curve\), (\d+) of 300 comparisons differ", ("paper", "released")),
        (r"p ≤ \.05 in (\d+)", SOME, r"has p <= 0\.05 in (\d+) of 372 cells", ("released",)),
        (r"EmbeddedHunter has (\d+), RESOO", [PAGE], r"embedded_hunter (\d+) of 124",
         ("released",)),
        (r"EmbeddedHunter has \d+, RESOO (\d+) and", [PAGE], r"[ (]resoo (\d+) of 124 \(",
         ("released",)),
        (r"and SRESOO (\d+)\.", [PAGE], r"sresoo (\d+) of 124 \(", ("released",)),
        (r"within a factor 2 in (\d+)", SOME,
         r"^\| geometric means \|.*\| (\d+) of [^|\n]*\|$", ("released",)),
    ],
)  # fmt: skip
def test_the_numbers_of_the_pages_are_those_of_the_reports(
    said: str, pages: Sequence[str], counted: str, profiles: Sequence[str]
) -> None:
    found = [re.findall(counted, REPORTS[profile], re.M) for profile in profiles]
    assert all(found)
    assert said_everywhere(said, pages) == {number for numbers in found for number in numbers}


def test_a_page_that_gives_the_number_says_that_it_is_no_independent_test() -> None:
    """Parts of the description of the program were found from the published results."""
    said = re.compile(r"\b1 of (the )?372 cells")
    texts = [" ".join(file.read_text(encoding="utf-8").split()) for file in DOCS.rglob("*.md")]
    concerned = [text for text in (*texts, README) if said.search(text)]
    assert len(concerned) >= 7
    for text in concerned:
        assert "found from" in text
        assert "not an independent test" in text
        assert "but the test functions" in text


def test_the_list_of_published_files_is_that_of_the_summary() -> None:
    with (RESULTS / "published-files.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        name = row["file"].removesuffix(".csv")
        assert int(row["runs"]) == sum(cell.runs for cell in published(name).values())
        assert re.fullmatch("[0-9a-f]{64}", row["sha256"])
    assert [row["file"].removesuffix(".csv") for row in rows] == list(EXPERIMENTS)


@pytest.mark.claim("optimal-rule")
def test_the_page_has_the_numbers_of_the_best_rule() -> None:
    """One row of the table for each line of the file, in its order."""
    text = (DOCS / "paper" / "ours.md").read_text(encoding="utf-8")
    text = text.partition("<!-- table: optimal-rule -->")[2]
    rows = [[cell.strip() for cell in row] for row in table_rows(text.partition("<!-- end")[0])]
    with (RESULTS / "optimal-rule" / "numbers.csv").open(encoding="utf-8", newline="") as file:
        for row, line in zip(rows[1:], csv.DictReader(file), strict=True):
            x = {name: float(text) for name, text in line.items() if name != "function"}
            assert row[1:] == [
                f"{x['v']:,.0f}", f"{x['certified_low']:.4g}", f"{x['ceiling']:.4g}",
                f"{x['least']:.5g} to {x['mean']:.5g}", f"{x['certified_high']:.4g}",
                f"{x['fixed']:.5g} ({x['scale']:.2g})",
                f"{x['rule']:.5g} ± {x['rule_error']:.1g}",
                f"{x['gain']:.2g} ± {x['gain_error']:.1g}",
            ]  # fmt: skip
            assert row[0] == PROBLEMS[line["function"]].title
