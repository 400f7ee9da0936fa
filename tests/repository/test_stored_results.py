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
def test_a_campaign_is_shown_with_what_made_it_and_every_verdict(profile: str) -> None:
    report = (STORED / profile / "report.md").read_text(encoding="utf-8")
    shown = COMMITTED.campaign(profile)
    assert shown.startswith(f"```{{made}} {profile}\n```\n")
    assert " at commit " in COMMITTED.made(profile)
    assert report.split("\n\n")[2] in shown or report.split("\n\n")[2].startswith("## ")
    assert f"results/{profile}/figure-1.svg" in shown
    for name, differing, cells in re.findall(r"### ([a-z-]+)\n\n(\d+) of (\d+) cells", report):
        assert f"| `{name}` | {cells} | {differing} |" in shown
    verdicts = re.findall(r"^- \*\*(.+?)\*\*", report, re.MULTILINE)
    assert len(verdicts) >= 10
    assert sorted(re.findall(r"\| \*\*(.+?)\*\*", shown)) == sorted(verdicts)
    for link in re.findall(rf"results/{profile}/[\w.-]+\w", shown):
        assert (DOCS / link).is_file()


def test_another_report_shows_other_numbers(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "report.md").write_text(
        "# T\n\nreproduce x, commit 1234567\n\n### convergence\n\n3 of 7 cells differ (43 %).\n\n"
        "### By these runs\n\n- **not shown** (fig-1): a sentence | with a bar\n"
        "### By other runs\n\n- **shown** (fig-2): another\n- **holds** (fig-1): "
        "a sentence | with a bar\n## Means\n"
    )
    shown = COMMITTED.campaign("new", tmp_path)
    assert "| `convergence` | 7 | 3 |" in shown
    assert "| by these runs | by other runs |" in shown
    assert r"| a sentence \| with a bar (`fig-1`) | **not shown** | **holds** |" in shown
    assert "| another (`fig-2`) |  | **shown** |" in shown


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
