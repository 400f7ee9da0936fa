"""The examples of applications in the gallery run, and find what they should."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import embedded_hunter

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
FOUND = {
    "plot_9g_simulator.py": {77, 1200, 3000},
    "plot_9h_ode.py": {12, 100, 340},
    "plot_9i_constraint.py": {5, 60, 700},
    "plot_9j_penalties.py": {2, 3, 8},
    "plot_9k_warm_start.py": None,
}
"""The variables that matter in each application; None: those that it counts itself."""
NEEDS = {"plot_9j_penalties.py": "sklearn"}


@pytest.mark.long
@pytest.mark.parametrize("name", FOUND)
def test_an_application_finds_what_matters(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip(NEEDS.get(name, "matplotlib"))
    source = str(Path(embedded_hunter.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": source, "MPLBACKEND": "agg", "TMPDIR": str(tmp_path)}
    ignored = ["-W", "ignore:FigureCanvasAgg is non-interactive"]
    command = [sys.executable, *ignored, str(GALLERY / name)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    if (wanted := FOUND[name]) is None:
        (found,) = re.findall(r"^(\d+) of \d+ variables matter", done.stdout, re.MULTILINE)
        assert f"\n{found} entries are visited" in done.stdout
    else:
        _, _, table = done.stdout.partition("95 % interval\n")
        rows = [line.split() for line in table.splitlines()]
        assert {int(row[0]) for row in rows if row[0].isdecimal()} == wanted
    assert done.stderr == ""
    assert len((GALLERY / name).read_text(encoding="utf-8").splitlines()) < 60
