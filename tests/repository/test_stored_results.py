"""What the site shows of docs/results is what is stored there; nothing is copied by hand."""

import re
from pathlib import Path

import pytest

from reproduction import costs

DOCS = Path(__file__).parents[2] / "docs"
STORED = DOCS / "results"
COMPARISONS = {"paper": "comparison.md", "released": "report.md"}


@pytest.mark.parametrize("profile", COMPARISONS)
def test_the_page_of_results_counts_the_cells_that_differ(profile: str) -> None:
    text = (STORED / profile / COMPARISONS[profile]).read_text(encoding="utf-8")
    (said,) = re.findall(r"^In all, (\d+ of \d+ cells differ)", text, re.MULTILINE)
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    section = page.partition(f"results/{profile}/figure-1.svg")[2]
    assert section.split("\n\n")[1].startswith(said)


def test_the_costs_are_those_of_the_methods_in_the_same_sizes() -> None:
    found = costs.read(STORED)
    shown = costs.table_of(found)
    sizes = {one[1:3] for one in found}
    assert [one[:3] for one in found] == [
        (name, *size) for size in sorted(sizes) for name in costs.MEASURED
    ]
    for one in found:
        assert f" {one.microseconds:,.0f} |" in shown
