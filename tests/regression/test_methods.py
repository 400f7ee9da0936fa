"""The registry: a baseline of one class and one line takes part in every study."""

from pathlib import Path

import numpy as np
import pytest

from reproduction.benchmark import figure as benchmark_figure
from reproduction.benchmark import plan, race, report, results
from reproduction.cli import parser
from reproduction.figure_1 import runs
from reproduction.figure_1.figures import figure
from reproduction.figure_1.plan import all_algorithms
from reproduction.figure_1.samples import cells_of
from reproduction.methods import COMPARING, METHODS, in_figure_1, style_of
from reproduction.optimizers.black_box import BlackBox, ProblemInfo
from reproduction.optimizers.method import Method


class Shrinking:
    """A toy: steps about the best point so far, each a little shorter than the one before."""

    def __call__(self, box: BlackBox, info: ProblemInfo, rng: np.random.Generator) -> None:
        best, step = np.zeros(box.rows), 0.5
        least = box(best)
        while True:
            x = np.clip(best + step * rng.standard_normal(box.rows), -1.0, 1.0)
            step *= 0.99
            if (value := box(x)) < least:
                best, least = x, value


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Method:
    method = Method("A toy", Shrinking(), figure_1="toy", sets=COMPARING)
    monkeypatch.setitem(METHODS, "toy", method)
    return method


def test_it_is_in_figure_1(tmp_path: Path) -> None:
    assert all_algorithms()[-1] == "toy"
    options = ["reproduce", "convergence", "--algorithms", "toy"]
    assert parser("reproduce").parse_args(options).algorithms == ["toy"]
    file = runs.reproduce(
        ["convergence"], tmp_path, runs=2, problems=["ackley"], algorithms=["toy"],
        values=[10, 50],
    )  # fmt: skip
    assert file.cost()[0] == 2 * (10 + 50)
    cells = cells_of(file.lines())
    assert [(*cell[1:], len(sample)) for cell, sample in cells["convergence"].items()] == [
        ("toy", 10, 2), ("toy", 50, 2)
    ]  # fmt: skip
    assert "<!-- A toy -->" in figure(tmp_path, cells, {})[0].read_text(encoding="utf-8")


def test_it_is_in_the_benchmark(tmp_path: Path) -> None:
    assert "toy" in race.available(told=True)
    assert {start.method for start in plan.tasks(["toy"], plan.SETS)} == {"toy"}
    ackley = plan.HiddenFunction("axis-aligned", "ackley")
    wanted = plan.starts([ackley], ["toy"], [100, 300], 2)
    file = plan.make_runs(wanted, tmp_path)
    assert file.cost()[0] == 2 * (100 + 300)
    found = results.results_of(file.lines())
    assert [(c.method, c.v, len(runs)) for c, runs in found.items()] == [
        ("toy", 100, 2), ("toy", 300, 2)
    ]  # fmt: skip
    assert "| A toy |" in report.medians(found, "axis-aligned", 300)
    svg, *_ = benchmark_figure.draw(found, tmp_path)
    assert "<!-- A toy -->" in svg.read_text(encoding="utf-8")


def test_the_methods_of_one_figure_have_different_styles() -> None:
    for study in (in_figure_1(), {name: m for name, m in METHODS.items() if m.sets}):
        styles = [style_of(method) for method in study.values() if method.style is not None]
        assert len(set(styles)) == len(styles) >= 7
        assert len({style.color for style in styles}) == len(styles)


def test_a_name_of_a_study_stands_for_one_method() -> None:
    for names in (
        [method.figure_1 for method in METHODS.values() if method.figure_1 is not None],
        [method.label for method in METHODS.values()],
    ):
        assert len(set(names)) == len(names) > 4
