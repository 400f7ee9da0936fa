"""The report of a campaign: its numbers, from small runs with known answers."""

from pathlib import Path

import numpy as np
import pytest

from regression.kept_results import table_rows
from reproduction.figure_1.report import report
from reproduction.figure_1.samples import Cells, published_cells
from reproduction.statistics import ratio_of_geometric_means, ratio_of_medians, two_sample_p

pytestmark = pytest.mark.claim("published-comparison")


def of_embeddings(**shifts: float) -> Cells:
    """Eight runs of two algorithms at M = 1 and 2: 1, 2, ..., 8, times a factor."""
    return {
        ("ackley", algorithm, M): shifts.get(f"{algorithm}_{M}", 1.0) * np.arange(1.0, 9)
        for algorithm in ("resoo", "sresoo")
        for M in (1, 2)
    }


def part(text: str, heading: str, level: str = "##") -> str:
    """Return the text below a heading, up to the next one of the same level."""
    (_, found) = text.split(f"{level} {heading}\n", 1)
    return found.split(f"\n{level} ")[0]


def test_a_file_without_rows_or_columns_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "scalability.csv"
    for text, missing in (
        ("problem,algorithm,v,best_value\na,b,1,2\n", "n"),
        ("algorithm,n\na,1\n", "best_value, problem"),
        ("problem,algorithm,n,best_value\n", "algorithm, best_value, n, problem"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=rf"^{path} has no {missing} in its first row$"):
            published_cells(tmp_path)
    path.write_text("problem,algorithm,n,best_value\nackley,resoo,1,nan\n")
    with pytest.raises(ValueError, match=r"has nan among its values$"):
        published_cells(tmp_path)
    path.unlink()
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole text is compared
        published_cells(tmp_path)
    assert str(error.value) == (
        f"{tmp_path} holds no <experiment>.csv, as the authors published them"
    )


def test_the_comparison_counts_the_cells_that_differ() -> None:
    """Of four cells one is multiplied by 100: no value of one side meets one of the other."""
    ours, theirs = (
        {"number-of-embeddings": of_embeddings(**shift)} for shift in ({"sresoo_2": 100.0}, {})
    )
    text = part(report(ours, theirs, "", "released"), "Published and reproduced, cell by cell")
    assert "In all, 1 of 4 cells differ (25.0 %)." in text
    assert "1 of 4 comparisons differ (25.0 %)." in text
    assert "p <= 0.05 in 1 of 4 cells, where 0.2 are expected if all laws are the same: " in text
    assert "resoo 0 of 2 (0.1 expected), sresoo 1 of 2 (0.1 expected)." in text
    assert "### number-of-embeddings\n\n1 of 4 cells differ (25.0 %).\n\n|" in text
    tables = table_rows(text)
    assert tables[3:6] == [
        ["cells that differ", "ackley"], ["resoo", "0 of 2"], ["sresoo", "1 of 2"],
    ]  # fmt: skip
    a, b = np.arange(1.0, 9), 100 * np.arange(1.0, 9)
    ratios = [ratio(b, a) for ratio in (ratio_of_geometric_means, ratio_of_medians)]
    assert tables[10] == [
        "ackley", "sresoo", "M = 2", "4.5 (2.4)", "450 (2.4e+02)",
        *(f"{low:.4g} to {high:.4g}" for low, high in ratios),
        *(f"{p:.3g}" for p in two_sample_p(a, b)), "differs",
    ]  # fmt: skip
    assert (tables[7][:3], tables[7][8:]) == (["ackley", "resoo", "M = 1"], ["1", ""])
