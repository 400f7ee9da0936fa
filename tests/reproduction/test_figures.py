"""Figure 1 drawn again shows all that its files have, and nothing else."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept_results import write_campaign
from matplotlib.figure import Figure

from reproduction.cli import main
from reproduction.figure_1.figures import figure
from reproduction.figure_1.plan import algorithms_of
from reproduction.figure_1.samples import Cells
from reproduction.landscapes import OF_PAPER


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


@pytest.mark.long
def test_the_legend_lies_within_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all methods, and those that the authors published."""
    methods = algorithms_of("paper")
    curves = [(problem, name) for problem in OF_PAPER for name in methods]
    published = [(problem, name) for problem, name in curves if name in methods[:3]]
    drawings: list[Any] = []
    monkeypatch.setattr(Figure, "savefig", lambda drawing, *_, **__: drawings.append(drawing))
    figure(tmp_path, {"convergence": cells(*curves)}, {"convergence": cells(*published)})
    drawing = drawings[0]
    drawing.canvas.draw()
    (legend,) = drawing.legends
    box = legend.get_window_extent()
    assert len(legend.get_texts()) == len(methods) + 3
    assert drawing.bbox.x0 <= box.x0 < box.x1 <= drawing.bbox.x1
    assert drawing.bbox.y0 <= box.y0 < box.y1 <= drawing.bbox.y1


def test_the_command_writes_figure_and_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_campaign(tmp_path, "scalability", cells(("ackley", "resoo")))
    assert main(["figure", str(tmp_path)]) == 0
    written = [tmp_path / name for name in ("figure-1.svg", "figure-1.png", "report.md")]
    assert capsys.readouterr().out == "".join(f"{path}\n" for path in written)
    assert all(path.stat().st_size > 0 for path in written)
    text = written[-1].read_text(encoding="utf-8")
    assert (
        "Profile paper, effective rows, version 1.0.0: 2 values, 20 evaluations, 1 seconds of "
        "processor time." in text
    )
