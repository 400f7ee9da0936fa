"""What the site shows of docs/results is what is stored there; nothing is copied by hand."""

import re
from pathlib import Path

import pytest

from reproduction import costs
from reproduction.stored import headers

DOCS = Path(__file__).parents[2] / "docs"
STORED = DOCS / "results"
PROFILES = sorted(path.parent.name for path in STORED.glob("*/report.md"))


@pytest.mark.parametrize("profile", PROFILES)
def test_the_page_of_results_counts_the_cells_of_each_report(profile: str) -> None:
    report = (STORED / profile / "report.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^In all, (\d+ of \d+ cells differ)", report, re.MULTILINE)
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    section = page.partition(f"results/{profile}/figure-1.svg")[2]
    assert section.split("\n\n")[1].startswith(said)
    assert " at commit " in headers.sentences(profile, headers.read(STORED))


def test_the_costs_are_those_of_the_methods_in_the_same_sizes() -> None:
    found = costs.read(STORED)
    shown = costs.table_of(found)
    sizes = {one[1:3] for one in found}
    assert [one[:3] for one in found] == [
        (name, *size) for size in sorted(sizes) for name in costs.MEASURED
    ]
    for one in found:
        assert f" {one.microseconds:,.0f} |" in shown
