"""What the site shows of docs/results is what is stored there; nothing is copied by hand."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from reproduction import costs

DOCS = Path(__file__).parents[2] / "docs"
STORED = DOCS / "results"
sys.path.insert(0, str(DOCS / "_ext"))
COMMITTED = import_module("committed")  # imports Sphinx in its `setup` only
PROFILES = sorted(path.parent.name for path in STORED.glob("*/report.md"))


@pytest.mark.parametrize("profile", PROFILES)
def test_the_page_of_results_counts_the_cells_of_each_report(profile: str) -> None:
    report = (STORED / profile / "report.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^In all, (\d+ of \d+ cells differ)", report, re.MULTILINE)
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    section = page.partition(f"results/{profile}/figure-1.svg")[2]
    assert section.split("\n\n")[1].startswith(said)
    assert " at commit " in COMMITTED.made(profile)


def test_the_costs_are_shown_with_what_made_them() -> None:
    """The program's methods, all in the same sizes."""
    found, shown = costs.read(STORED), COMMITTED.measurement("costs")
    assert COMMITTED.made("costs") in shown
    sizes = {one[1:3] for one in found}
    assert [one[:3] for one in found] == [
        (name, *size) for size in sorted(sizes) for name in costs.MEASURED
    ]
    for one in found:
        assert f" {one.microseconds:,.0f} |" in shown
