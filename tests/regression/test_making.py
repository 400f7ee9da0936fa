"""Stored results are made again: what is kept, what is written, and what is refused."""

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter.version import __version__
from reproduction import costs
from reproduction.arithmetic import ENVIRONMENT, arithmetic, standard
from reproduction.benchmark import plan
from reproduction.benchmark.results import results_of
from reproduction.cli import main
from reproduction.figure_1.runs import reproduce
from reproduction.kept_runs import KEPT, Line, frame, keep, kept, write
from reproduction.provenance import provenance
from reproduction.stored import catalogue, headers, making
from reproduction.stored.catalogue import parts
from reproduction.stored.making import MAKERS, TOGETHER, Work, make

DOCS = Path(__file__).parents[2] / "docs"
PARTS = parts()
PAPER = [name for name in PARTS if name.startswith("paper/")]


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the place of docs/results, with its headers and nothing else."""
    folder = tmp_path / "docs" / "results"
    for name in ("paper", "benchmark"):
        (folder / name).mkdir(parents=True)
    shutil.copy(catalogue.RESULTS / headers.FILE, folder)
    write(folder / KEPT, frame([]))
    monkeypatch.setattr(catalogue, "RESULTS", folder)
    return folder


def work(tmp_path: Path, *names: str) -> Work:
    return Work(tmp_path / "work", [PARTS[name] for name in names], 1)


def test_every_result_can_be_made() -> None:
    assert {part.result for part in PARTS.values()} == set(MAKERS)
    assert set(TOGETHER) < set(MAKERS)


@pytest.mark.long
def test_figure_1_is_made_with_its_report(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    algorithms = ("resoo", "sresoo", "embedded_hunter")
    few: dict[str, Any] = {
        "runs": 2, "problems": ["ackley"], "values": [10, 2], "algorithms": algorithms,
    }  # fmt: skip
    monkeypatch.setattr(making, "EXPERIMENTS", ["convergence", "number-of-embeddings"])
    monkeypatch.setattr(making, "reproduce", partial(reproduce, **few))
    make("paper", work(tmp_path, *PAPER))
    assert {path.name for path in (there / "paper").iterdir()} == {
        "report.md", "figure-1.svg", "figure-1.png",
    }  # fmt: skip
    assert set(kept("paper", there)["set"]) == {"convergence", "number-of-embeddings"}
    text = (there / "paper" / "report.md").read_text()
    assert text.startswith("# Reproduced experiments\n\n```{made} paper\n```\n")
    picture = (there / "paper" / "figure-1.svg").read_text(encoding="utf-8")
    assert "results - -make paper" in picture  # as a comment of XML has it
    found = headers.read(there)
    assert {found[name].made.command for name in PAPER} == {
        "python -m reproduction results --make paper"
    }


METHOD = "uniform_random_search"


def test_a_result_that_was_stopped_goes_on(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    perform = plan.perform

    def stopped(start: plan.Start) -> list[Line]:
        if len(made) == 3:
            made.append(-1)
            raise KeyboardInterrupt
        made.append(start.run)
        return perform(start)

    small = plan.SETS["axis-aligned"]._replace(budgets=(100,), problems=("ackley",), runs=5)
    monkeypatch.setattr(plan, "SETS", {"axis-aligned": small})
    monkeypatch.setattr(plan, "PARTS", {"benchmark": ["axis-aligned"]})
    monkeypatch.setattr(plan, "perform", stopped)
    for name in making.PAGES:
        (there.parent / name).write_text("")
    name = f"benchmark/{METHOD}"
    with pytest.raises(KeyboardInterrupt):
        make("benchmark", work(tmp_path, name))
    assert kept("benchmark", there).empty
    assert headers.read(there) == headers.read(DOCS / "results")
    make("benchmark", work(tmp_path, name))
    assert made == [0, 1, 2, -1, 3, 4]
    lines = kept("benchmark", there)
    assert list(lines["run"]) == list(range(5))
    assert (lines["seconds"] >= 0).all()
    assert set(lines["version"]) == {__version__}
    assert headers.read(there)[name] == headers.Header(
        provenance("python -m reproduction results --make benchmark"), __version__
    )


@pytest.mark.long
def test_methods_of_the_benchmark_are_made_alone(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = plan.SETS["axis-aligned"]._replace(budgets=(300, 1000), runs=3)
    monkeypatch.setattr(plan, "SETS", {"axis-aligned": small})
    monkeypatch.setattr(plan, "PARTS", {"benchmark": ["axis-aligned"]})
    lines = kept("benchmark")
    lines = lines[(lines["set"] == "axis-aligned") & lines["method"].isin([METHOD, "resoo"])]
    old = results_of(lines)
    keep("benchmark", lines, there)
    page = "T<!-- table: medians axis-aligned 1000 -->\n<!-- end -->\n"
    for name in making.PAGES:
        (there.parent / name).write_text(page)
    make("benchmark", work(tmp_path, f"benchmark/{METHOD}"))
    now = results_of(kept("benchmark", there))
    mine = {cell: values for cell, values in now.items() if cell.method == METHOD}
    assert {cell.v for cell in mine} == {100, 300, 1000}
    for cell, values in mine.items():
        assert values == old[cell][:3]
    assert {c: v for c, v in now.items() if c not in mine} == {
        c: v for c, v in old.items() if c.method == "resoo"
    }
    shown = (there.parent / "guide.md").read_text()
    assert "| random search, uniform |" in shown
    found, before = headers.read(there), headers.read(DOCS / "results")
    assert {name for name in found if found[name] != before[name]} == {f"benchmark/{METHOD}"}


def test_the_costs_are_measured(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs, "measure", lambda: [costs.Cost("fresh", 10, 5, 1.5, 100.0)])
    make("costs", work(tmp_path, "costs"))
    assert [one.microseconds for one in costs.read(there)] == [1.5]


# The arithmetic and the command


def test_the_tests_run_with_the_standard_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    assert standard()
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    assert not standard()
    assert len(ENVIRONMENT) == 2
    before = arithmetic()
    assert before == arithmetic()
    monkeypatch.setattr(np, "exp", lambda x: np.exp2(x / np.log(2)))
    assert arithmetic() != before


def test_without_the_standard_arithmetic_only_times_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from reproduction.commands import results as command

    made: list[str] = []
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")
    monkeypatch.setattr(command, "commit_of_source", lambda: "7654321")
    monkeypatch.setattr(command, "make", lambda _, work: made.append(str(work.folder)))
    assert main(["results", "--make", "costs", "--folder", "F"]) == 0
    assert made == ["F/7654321/costs"]
    assert main(["results", "--make", "paper"]) == 2
    assert "the variables OPENBLAS_CORETYPE='Haswell' " in capsys.readouterr().err
