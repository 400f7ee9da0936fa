"""The report of a campaign: each of its sentences and numbers, from small runs with known answers.

The expected numbers are computed here from the samples, by NumPy and SciPy or by hand.
"""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from reproduction.figure_1 import repeated
from reproduction.figure_1 import report as module
from reproduction.figure_1.plan import Task
from reproduction.figure_1.repeated import DRAWS, NONE, Draw
from reproduction.figure_1.report import read_rows, report
from reproduction.figure_1.runs import Outcome, Reading
from reproduction.figure_1.statements import SENTENCES
from reproduction.figure_1.store import Store

pytestmark = pytest.mark.claim("published-comparison")

Samples = Mapping[tuple[str, str, int], Sequence[float]]
"""Best values by (problem, algorithm, x)."""
FACTS = {"profile": "paper", "rows": "effective", "version": "9.9", "cost": "36 runs, 360 h"}


def stored(folder: Path, experiment: str, axis: str, samples: Samples) -> None:
    """Write ``<experiment>.csv`` as a campaign does."""
    folder.mkdir(exist_ok=True)
    with (folder / f"{experiment}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["experiment", "problem", "algorithm", axis, "run", "best_value"])
        for (problem, algorithm, x), values in samples.items():
            for run, value in enumerate(values):
                writer.writerow([experiment, problem, algorithm, x, run, value])


def of_embeddings(**shifts: float) -> dict[tuple[str, str, int], list[float]]:
    """Eight runs of two algorithms at M = 1 and 2: 1, 2, ..., 8, times a factor."""
    return {
        ("ackley", algorithm, M): [shifts.get(f"{algorithm}_{M}", 1.0) * k for k in range(1, 9)]
        for algorithm in ("resoo", "sresoo")
        for M in (1, 2)
    }


def part(text: str, heading: str, level: str = "##") -> str:
    """Return the text below a heading, up to the next one of the same level."""
    (_, found) = text.split(f"{level} {heading}\n", 1)
    return found.split(f"\n{level} ")[0]


def cells_of(line: str) -> list[str]:
    """Return the cells of a line of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(text: str) -> list[list[str]]:
    """Return the lines of the tables of a text, without the rules below their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [cells_of(line) for line in lines if "---" not in line]


def interval(low: float, high: float) -> str:
    return f"{low:.4g} to {high:.4g}"


def test_the_files_of_a_folder_are_read_in_the_order_of_the_experiments(tmp_path: Path) -> None:
    stored(tmp_path, "number-of-embeddings", "M", of_embeddings())
    stored(tmp_path, "scalability", "n", {("ackley", "resoo", 100): [0.5]})
    found = read_rows(tmp_path)
    assert list(found) == ["scalability", "number-of-embeddings"]
    assert found["scalability"] == [
        {"experiment": "scalability", "problem": "ackley", "algorithm": "resoo", "n": "100",
         "run": "0", "best_value": "0.5"},
    ]  # fmt: skip
    assert len(found["number-of-embeddings"]) == 32


def test_a_file_without_rows_or_columns_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "scalability.csv"
    for text, missing in (
        ("problem,algorithm,v,best_value\na,b,1,2\n", "n"),
        ("algorithm,n\na,1\n", "best_value, problem"),
        ("problem,algorithm,n,best_value\n", "algorithm, best_value, n, problem"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=rf"^{path} has no {missing} in its first row$"):
            read_rows(tmp_path)
    path.unlink()
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole text is compared
        report(tmp_path)
    assert str(error.value) == (
        f"{tmp_path} holds no <experiment>.csv, such as `python -m reproduction reproduce` writes"
    )


def test_the_report_has_its_parts_in_order(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    stored(ours, "number-of-embeddings", "M", of_embeddings())
    stored(theirs, "number-of-embeddings", "M", of_embeddings())
    alone = report(ours)
    headings = [line for line in alone.splitlines() if line.startswith("#")]
    assert headings == [
        "# Reproduced experiments",
        '## The sentences of "Results & Discussion"',
        "### By these runs",
        "## Means of all cells",
        "### number-of-embeddings",
    ]
    assert alone.startswith(
        '# Reproduced experiments\n\n## The sentences of "Results & Discussion"\n\n'
        + module.SENTENCES_SAY
    )
    both = report(ours, theirs, "made by a test")
    assert both.startswith(
        "# Reproduced experiments\n\nmade by a test\n\n## Published and reproduced, cell by cell\n"
    )
    headings = [line for line in both.splitlines() if line.startswith("#")]
    assert headings == [
        "# Reproduced experiments",
        "## Published and reproduced, cell by cell",
        "### number-of-embeddings",
        '## The sentences of "Results & Discussion"',
        "### By these runs",
        "### By the published runs",
        "## Means of all cells",
        "### number-of-embeddings",
    ]


def test_how_the_runs_were_made(tmp_path: Path) -> None:
    stored(tmp_path, "number-of-embeddings", "M", of_embeddings())
    (tmp_path / "made.json").write_text(json.dumps(FACTS))
    assert report(tmp_path).startswith(
        "# Reproduced experiments\n\nProfile paper, effective rows of the matrices, version 9.9: "
        "36 runs, 360 h. The seed of a run is a hash of its profile, experiment, problem, "
        "algorithm, value on the axis and number (`plan.seed_of`), and of nothing else.\n\n## The"
    )


def test_the_store_of_a_folder_says_how_its_runs_were_made(tmp_path: Path) -> None:
    """Rather than a file beside it, which may be of an earlier campaign."""
    stored(tmp_path, "number-of-embeddings", "M", of_embeddings())
    (tmp_path / "made.json").write_text(json.dumps(FACTS))
    store = Store(tmp_path, {"profile": "released", "rows": "full", "version": "1.2"})
    task = Task("released", "number-of-embeddings", "ackley", "resoo", 1, 0)
    store.add(Outcome(task, (Reading(1, 0.5),), 1234, 5.0))
    store.close()
    assert (
        "Profile released, full rows of the matrices, version 1.2: 1 runs, 1,234 evaluations, 5 "
        "seconds of processor time. The seed "
    ) in report(tmp_path)


@pytest.mark.parametrize(("profile", "differs"), [("paper", True), ("released", False)])
def test_only_runs_by_the_papers_text_differ_by_construction(
    tmp_path: Path, profile: str, differs: bool
) -> None:
    stored(tmp_path, "number-of-embeddings", "M", of_embeddings())
    (tmp_path / "made.json").write_text(json.dumps(FACTS | {"profile": profile}))
    text = report(tmp_path, tmp_path)
    assert (module.AGREEMENT_SAYS + "\n" in text, module.BY_CONSTRUCTION in text) == (True, differs)
    assert f"Profile {profile}, " in text


def test_folders_without_a_common_experiment_are_not_compared(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    stored(ours, "number-of-embeddings", "M", of_embeddings())
    stored(theirs, "scalability", "n", {("ackley", "resoo", 100): [0.5, 1.0]})
    text = report(ours, theirs)
    assert "cell by cell" not in text
    assert "### By the published runs" in text


def test_the_comparison_counts_the_cells_that_differ(tmp_path: Path) -> None:
    """Of four cells one is multiplied by 100: no value of one side meets one of the other."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    stored(ours, "number-of-embeddings", "M", of_embeddings(sresoo_2=100.0))
    stored(theirs, "number-of-embeddings", "M", of_embeddings())
    text = part(report(ours, theirs), "Published and reproduced, cell by cell")
    assert (
        "In all, 1 of 4 cells differ (25.0 %). The cells of a curve along the budget v are "
        "readings of the same runs. Counted as one comparison (Bonferroni within the curve), "
        "1 of 4 comparisons differ (25.0 %).\n\n" + module.EQUAL_SAYS
    ) in text
    assert "### number-of-embeddings\n\n1 of 4 cells differ (25.0 %).\n\n|" in text
    tables = rows_of(text)
    assert tables[0] == [
        "90 % interval of the ratio of", "within 1 %", "within 10 %", "within a factor 1.5",
        "within 2",
    ]  # fmt: skip
    assert tables[3:6] == [
        ["cells that differ", "ackley"],
        ["resoo", "0 of 2"],
        ["sresoo", "1 of 2"],
    ]
    assert tables[6] == [
        "problem", "algorithm", "x", "published mean (sd)", "reproduced mean (sd)",
        "ratio of geometric means", "ratio of medians", "MW p", "KS p", "",
    ]  # fmt: skip
    assert [line[:3] for line in tables[7:]] == [
        ["ackley", "resoo", "M = 1"],
        ["ackley", "resoo", "M = 2"],
        ["ackley", "sresoo", "M = 1"],
        ["ackley", "sresoo", "M = 2"],
    ]
    a, b = np.arange(1.0, 9), 100 * np.arange(1.0, 9)
    welch = stats.ttest_ind(np.log(b), np.log(a), equal_var=False).confidence_interval(0.9)
    # Hodges-Lehmann: 64 ratios, of which floor(32 + 1/2 - 1.645 sqrt(64 * 17 / 12)) = 16 from
    # either end.
    ratios = np.sort(np.divide.outer(b, a), axis=None)
    mw, ks = stats.mannwhitneyu(a, b).pvalue, stats.ks_2samp(a, b).pvalue
    assert tables[10][3:] == [
        "4.5 (2.4)", "450 (2.4e+02)", interval(*np.exp([welch.low, welch.high])),
        interval(ratios[15], ratios[-16]), f"{mw:.3g}", f"{ks:.3g}", "differs",
    ]  # fmt: skip
    same = stats.mannwhitneyu(a, a).pvalue
    assert tables[7][7:] == [f"{same:.3g}", "1", ""]


def test_intervals_count_the_cells_that_are_nearly_equal(tmp_path: Path) -> None:
    """The runs of a cell are 1, 1 + s, ..., 1 + 7 s, so that the intervals lie within 1 +- 7 s."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    spreads = {("ackley", "resoo", 1): 0.001, ("ackley", "resoo", 2): 0.01,
               ("ackley", "sresoo", 1): 0.12, ("ackley", "sresoo", 2): 9.0}  # fmt: skip
    samples = {key: [1 + s * k for k in range(8)] for key, s in spreads.items()}
    stored(ours, "number-of-embeddings", "M", samples)
    stored(theirs, "number-of-embeddings", "M", samples)
    found = rows_of(part(report(ours, theirs), "Published and reproduced, cell by cell"))[1:3]
    counted = []
    for of in ("means", "medians"):
        largest = []
        for values in samples.values():
            x = np.log(values)
            welch = stats.ttest_ind(x, x, equal_var=False).confidence_interval(0.9)
            ratios = np.sort(np.subtract.outer(x, x), axis=None)
            largest.append(np.exp(welch.high if of == "means" else ratios[-16]))
        counted.append([sum(r <= factor for r in largest) for factor in (1.01, 1.1, 1.5, 2.0)])
    assert counted == [[1, 2, 3, 3], [1, 2, 3, 3]]
    assert found == [
        ["geometric means", "1 of 4", "2 of 4", "3 of 4", "3 of 4"],
        ["medians", "1 of 4", "2 of 4", "3 of 4", "3 of 4"],
    ]


def test_each_sentence_has_its_verdict_and_a_line_for_each_function(tmp_path: Path) -> None:
    """EmbeddedHunter is better than both others at v = 50, 30 times and more, on Ackley alone."""
    samples = {
        (problem, algorithm, v): [
            level * (1 + 0.01 * k) * (0.01 if problem == "ackley" and hunts and v == 50 else 1.0)
            for k in range(20)
        ]
        for problem in ("rosenbrock", "ackley")
        for algorithm, level, hunts in (
            ("embedded_hunter", 1.0, True), ("resoo", 1.0, False), ("sresoo", 0.5, False),
        )
        for v in (10, 50)
    }  # fmt: skip
    stored(tmp_path, "convergence", "v", samples)
    text = part(report(tmp_path), "By these runs", "###")
    lines = text.splitlines()
    claims = [line for line in lines if line.startswith("- ")]
    assert len(claims) == len(SENTENCES) == 12
    for line, sentence in zip(claims, SENTENCES, strict=True):
        assert line.endswith(f"** ({sentence.claim}): {sentence.words}")
    assert claims[0].startswith("- **holds in part, contradicted for rosenbrock** (results-clear")
    assert claims[3].startswith("- **not run** (results-scalability-degrades): ")
    k = lines.index(claims[0])
    assert lines[k + 1].startswith("    - rosenbrock, contradicted: ")
    assert lines[k + 2].startswith("    - ackley, shown: ")
    assert lines[k + 3] == claims[1]
    assert text.startswith("\n- **")


def pair_of_algorithms(other: str, better: float) -> Samples:
    """EmbeddedHunter and another algorithm at n = 100 and 500: 20 runs, the first times `better`
    at n = 100."""
    values = 1 + 0.01 * np.arange(20)
    return {
        ("ackley", algorithm, n): (factor * values).tolist()
        for n in (100, 500)
        for algorithm, factor in (("embedded_hunter", better if n == 100 else 1.0), (other, 1.0))
    }


@pytest.mark.parametrize(
    ("factor", "verdict"), [(0.5, "EmbeddedHunter better"), (2.0, "other better")]
)
def test_head_to_head_tables(tmp_path: Path, factor: float, verdict: str) -> None:
    stored(tmp_path, "scalability", "n", pair_of_algorithms("resoo", factor))
    text = part(report(tmp_path), "EmbeddedHunter (fresh matrices) against others, at each n")
    start = f"\n{module.HEAD_TO_HEAD_SAYS}\n### RESOO\n\n"
    counts = sorted([f"{verdict}: 1", "no difference shown: 1"])
    assert text.startswith(f"{start}Of 2 cells, {', '.join(counts)}.\n\n| problem")
    assert text.count("###") == 1
    head, first, second = rows_of(text)
    assert head == [
        "problem", "n", "EmbeddedHunter", "other", "ratio", "p better", "p worse", "verdict",
    ]  # fmt: skip
    b = 1 + 0.01 * np.arange(20)
    a = factor * b
    p = [stats.mannwhitneyu(x, y, alternative="less").pvalue
         for x, y in ((a, b), (b, b), (b, a), (b, b))]  # fmt: skip
    adjusted = [min(1.0, 4 * p[0]), 1.0, min(1.0, 4 * p[2]), 1.0]
    m = 20
    k = int(m * m / 2 + 0.5 - stats.norm.isf(0.05) * np.sqrt(m * m * (2 * m + 1) / 12))
    ratios = np.sort(np.divide.outer(a, b), axis=None)
    ones = np.sort(np.divide.outer(b, b), axis=None)
    assert first == [
        "ackley", "100", f"{a.mean():.4g}", "1.095", interval(ratios[k - 1], ratios[-k]),
        f"{adjusted[0]:.2g}", f"{adjusted[2]:.2g}", verdict,
    ]  # fmt: skip
    assert second == [
        "ackley", "500", "1.095", "1.095", interval(ones[k - 1], ones[-k]), "1", "1",
        "no difference shown",
    ]  # fmt: skip


@pytest.mark.parametrize(("other", "words"), module.QUESTIONS)
def test_each_question_has_its_heading(tmp_path: Path, other: str, words: str) -> None:
    stored(tmp_path, "scalability", "n", pair_of_algorithms(other, 0.5))
    assert f"\n### {words}\n\nOf 2 cells, " in report(tmp_path)


def test_the_means_of_all_cells(tmp_path: Path) -> None:
    samples = {
        ("ackley", "resoo", 500): [1.0, 2.0],
        ("ackley", "resoo", 100): [12345.0],
        ("rosenbrock", "resoo", 500): [0.125, 0.25, 0.5],
    }
    stored(tmp_path, "scalability", "n", samples)
    text = report(tmp_path).split("## Means of all cells\n")[1]
    assert text.startswith("\n### scalability\n\n| problem")
    assert text.endswith("|\n")
    assert rows_of(text) == [
        ["problem", "algorithm", "n = 100", "n = 500"],
        ["ackley", "resoo", "1.234e+04", "1.5"],
        ["rosenbrock", "resoo", "", "0.2917"],
    ]


OWN = repeated.own_draw()


def write_repeated(folder: Path) -> None:
    """The runs of draw k: 100 k + 1, ..., 100 k + 20. So all draws can be told apart."""
    with (folder / "repeated.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(repeated.COLUMNS)
        for k, draw in enumerate(DRAWS):
            for run in range(20):
                writer.writerow([*draw, run, 100 * k + run + 1])


def sample_of(draw: Draw | None) -> list[float]:
    """The runs of a draw; for None, runs that no draw has."""
    k = -1 if draw is None else DRAWS.index(draw)
    return [100.0 * k + run + 101 if k < 0 else 100.0 * k + run + 1 for run in range(20)]


@pytest.mark.parametrize(
    ("ours", "theirs", "passes"),
    [
        (OWN, NONE, True),
        (OWN, Draw(2, 3), True),
        (NONE, NONE, False),
        (OWN, None, False),
        (OWN, OWN, True),
    ],
)
def test_the_cell_of_the_repeated_coordinate(
    tmp_path: Path, ours: Draw, theirs: Draw | None, passes: bool
) -> None:
    key = (repeated.PROBLEM, repeated.ALGORITHM, repeated.N)
    mine, published = tmp_path / "ours", tmp_path / "theirs"
    far = [10.0**6 + k for k in range(20)]
    stored(mine, "scalability", "n", {key: sample_of(ours)})
    stored(published, "scalability", "n", {key: far if theirs is None else sample_of(theirs)})
    assert "## The cell" not in report(mine, published)
    write_repeated(mine)
    text = part(
        report(mine, published), "The cell rosenbrock, embedded_hunter, n = 100 of scalability"
    )
    said = " ".join(text.split())
    no_tie = 2 * stats.ks_2samp(range(20), range(20, 40)).pvalue  # the least of the two tests
    assert 2 * stats.mannwhitneyu(range(20), range(20, 40)).pvalue > no_tie
    distinct = np.prod(1 - np.arange(10) / 100)
    assert (
        f"With n = 100 the 10 coordinates are all different with probability {distinct:.2f}. In "
        "the draw of the reproduced runs, arguments 1 and 10 of the function read the same "
        "coordinate; this draw has probability "
        f"{np.prod(1 - np.arange(9) / 100) / 100:.4f}. "
    ) in said
    assert (
        "The cell was run again for each of the 46 draws with at most one repetition, 20 runs "
        "each, with other seeds (`repeated.csv`). A sample is compatible with a draw if the two "
        "tests of a cell together do not tell it from these runs at level 5%. "
    ) in said
    own, other = ours == OWN, theirs == OWN
    assert (
        f"- The reproduced runs are {'' if own else 'not '}compatible with their own draw (p = "
        f"{1 if own else no_tie:.2g}). They are compatible with 1 of the 46 draws. "
    ) in said
    assert (
        f"- The published runs are {'' if other else 'not '}compatible with this draw (p = "
        f"{1 if other else no_tie:.1e}). They are "
        f"compatible with {0 if theirs is None else 1} of the 46 draws. For the draw without "
        f"repetition, p = {1 if theirs == NONE else no_tie:.2g}. "
    ) in said
    assert (
        f"The explanation {'passes both tests' if passes else 'fails'}: the reproduced runs must "
        "be compatible with their draw, and the published runs with some draw. If it is true, it "
        "fails the first one with probability 5%, and the second one with at most this "
        "probability if the published draw has no more than one repetition."
    ) in said
    assert text.startswith("\nThe effective coordinates of a cell are drawn with replacement, ")
    assert "\n\n- The reproduced" in text
    assert "\n- The published" in text


def test_the_repeated_coordinate_needs_the_experiment_on_both_sides(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    key = (repeated.PROBLEM, repeated.ALGORITHM, repeated.N)
    for folder in (ours, theirs):
        stored(folder, "number-of-embeddings", "M", of_embeddings())
    write_repeated(ours)
    assert "## The cell" not in report(ours, theirs)
    stored(ours, "scalability", "n", {key: sample_of(OWN)})
    assert "## The cell" not in report(ours, theirs)
    (ours / "scalability.csv").unlink()
    stored(theirs, "scalability", "n", {key: sample_of(OWN)})
    assert "## The cell" not in report(ours, theirs)


def values(text: str) -> list[Any]:
    return [float(x) for x in text.split(" to ")]


def test_an_interval_is_printed_from_its_low_to_its_high_end(tmp_path: Path) -> None:
    stored(tmp_path, "number-of-embeddings", "M", of_embeddings())
    for line in rows_of(part(report(tmp_path, tmp_path), "number-of-embeddings", "###"))[4:8]:
        for low, high in map(values, line[5:7]):
            assert low < 1 < high
            assert low * high == pytest.approx(1, rel=1e-3)
