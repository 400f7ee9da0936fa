"""Figure 1 drawn again shows all that its files have, and nothing else."""

import re
from pathlib import Path

import numpy as np

from regression.kept_results import write_campaign
from reproduction.figure_1.figures import figure
from reproduction.figure_1.report import present
from reproduction.figure_1.samples import Cells
from reproduction.kept_runs import FILE, read


def cells(*curves: tuple[str, str]) -> Cells:
    """One run of each algorithm on a problem at x = 10 and 100."""
    return {(*curve, x): np.array([x + 0.5]) for curve in curves for x in (10, 100)}


def drawn(folder: Path, ours: dict[str, Cells]) -> tuple[int, str]:
    """Return how many panels there are, and the picture."""
    svg, _ = figure(folder, ours, {})
    text = svg.read_text()
    return len(re.findall(r'id="axes_\d+"', text)), text


def test_a_panel_without_runs_is_not_drawn(tmp_path: Path) -> None:
    """Two experiments of one function each: two panels of four, both with their titles."""
    ours = {
        "convergence": cells(("ackley", "resoo")),
        "scalability": cells(("ellipsoid", "sresoo")),
    }
    count, text = drawn(tmp_path, ours)
    assert count == 2
    assert "Ellipsoid" in text
    assert "Ackley" in text
    assert text.count("mean best value") == 2


def test_figure_and_report_are_written(tmp_path: Path) -> None:
    write_campaign(tmp_path, "scalability", cells(("ackley", "resoo")))
    written = present(tmp_path, read(tmp_path / FILE))
    assert written == [tmp_path / name for name in ("figure-1.svg", "figure-1.png", "report.md")]
    assert all(path.stat().st_size > 0 for path in written)
    text = written[-1].read_text(encoding="utf-8")
    assert (
        "Effective rows, version 1.0.0: 2 values, 20 evaluations, 1 seconds of "
        "processor time." in text
    )
