"""The notebook runs, from a function to a trace that conforms, and is stored without outputs."""

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "tour.ipynb"
CELLS = [
    ("".join(cell["source"]), cell)
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    if cell["cell_type"] == "code"
]


def test_no_output_is_stored() -> None:
    assert len(CELLS) >= 5
    assert [cell["outputs"] for _, cell in CELLS] == [[]] * len(CELLS)


@pytest.mark.long
def test_the_cells_run_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    monkeypatch.setattr(plt, "show", lambda: None)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    reports = []
    for text, _ in CELLS:
        code = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
        exec(code, names)
        if "report" in names:
            reports.append(names["report"].conforms)
    plt.close("all")
    assert reports == [True, False]
    assert names["result"].nfev == 500
    assert len(names["curves"]) == 3
