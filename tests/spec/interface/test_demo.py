"""The demo: its table is that of the runs it names, its picture shows what happened."""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import minimize
from embedded_hunter.baselines.random_search import random_search
from embedded_hunter.cli import main
from embedded_hunter.commands import demo
from embedded_hunter.commands.demo import LEGEND, Run, Size, compare, curves, one_run, plane
from embedded_hunter.extras import UsageError, extra
from embedded_hunter.plots.growth import Cell
from embedded_hunter.plots.pictures import Curves, Plane
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.version import __version__

SMALL = Size(n=1200, d=3, d_e=2, v=80, runs=3, n_plane=50, v_plane=120, side=81)
METHODS = [
    "uniform random search",
    "EmbeddedHunter, fresh",
    "EmbeddedHunter, indexed",
    "EmbeddedHunter, forest",
]


def expected(seed: int, v: int) -> list[float]:
    """Return the best value of each method."""
    problem = PROBLEMS["ackley"](1200, 2, 10)
    box: dict[str, Any] = {"maxfun": v, "rng": seed}
    return [
        random_search(problem, problem.bounds, **box).fun,
        minimize(problem, problem.bounds, d=3, policy="fresh", **box).fun,
        minimize(problem, problem.bounds, d=3, policy="indexed", **box).fun,
        minimize(problem, problem.bounds, policy="forest", effective_dimension=3, **box).fun,
    ]


def test_the_table_has_each_run_of_random_search_and_the_three_policies(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the same budget, every run with its own seed, every value kept."""
    clock = iter(0.004 * k for k in range(100))
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    compared = compare(PROBLEMS["ackley"](1200, 2, 10), SMALL, 10)
    found = np.array([expected(10 + k, 80) for k in range(3)]).T
    assert list(compared) == METHODS
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == ("  best value of               seed 10   seed 11   seed 12    median   us/eval")
    for label, values, line in zip(METHODS, found, lines, strict=True):
        for run, value in zip(compared[label], values, strict=True):
            assert run.best.size == 80
            assert run.best[-1] == value
            assert np.all(np.diff(run.best) <= 0)
        cells = [f"{value:>10.3g}" for value in (*values, np.median(values))]
        assert line == f"  {label:<25}{''.join(cells)}        50"


def test_a_value_is_printed_when_it_is_known(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Even if the output is buffered: at the start of each run all former values are there."""
    shown: list[str] = []

    def run(*_: Any) -> Run:
        shown.append(capfd.readouterr().out)
        return Run(np.array([9.0, len(shown)]), 1.0)

    monkeypatch.setattr(demo, "one_run", run)
    with open(1, "w", closefd=False) as buffered:
        monkeypatch.setattr(sys, "stdout", buffered)
        compare(PROBLEMS["ackley"](20, 2, 0), Size(runs=2), 0)
    assert shown[0].splitlines()[0].split()[:5] == ["best", "value", "of", "seed", "0"]
    assert shown[0].endswith(f"\n  {METHODS[0]:<25}")
    assert shown[1] == "         1"
    assert shown[2] == f"         2       1.5    500000\n  {METHODS[1]:<25}"


@pytest.mark.parametrize("evaluations", [1, 100, 300])
def test_an_interrupt_ends_the_demo(
    evaluations: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No median of runs of which one was cut short; in random search and in `minimize`."""
    made = iter(range(evaluations))

    def interrupted(problem: Any, x: Any) -> float:
        if next(made, None) is None:
            raise KeyboardInterrupt
        return float(x[0] ** 2)

    monkeypatch.setattr(demo, "Size", lambda: SMALL)
    monkeypatch.setattr("embedded_hunter.problems.hidden.Problem.__call__", interrupted)
    assert main(["demo", "--out", str(tmp_path)]) == 130
    printed = capsys.readouterr()
    rows = [line for line in printed.out.splitlines() if line.startswith(("  uniform", "  Embed"))]
    assert len(rows) == 1 + evaluations // (3 * 80)
    finished = evaluations // 80 - 3 * (len(rows) - 1)
    assert len(rows[-1][27:].split()) == finished  # values, and no median
    assert printed.err == "embedded-hunter demo: interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_a_run_keeps_the_least_value_so_far_and_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 12.5])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    problem = PROBLEMS["ackley"](20, 2, 0)
    run = one_run(random_search, problem, problem.bounds, 30, 1)
    assert run.best[-1] == random_search(problem, problem.bounds, maxfun=30, rng=1).fun
    assert (run.best.size, run.seconds) == (30, 2.5)


def test_a_run_that_ended_early_keeps_its_best_value() -> None:
    short, long = Run(np.array([2.0, 1.0]), 1.0), Run(np.array([3.0] * 4), 1.0)
    drawn = curves({"a": [short, long]})
    np.testing.assert_array_equal(drawn["a"], [[2.0, 1.0, 1.0, 1.0], [3.0] * 4])


def leaves_of(root: Cell) -> list[Cell]:
    return [cell for cell in root.below() if not cell.children]


@pytest.mark.claim("partition-coverage")
def test_the_cells_of_the_leaves_cover_the_plane_once() -> None:
    root, _ = plane(SMALL, 4)
    leaves = leaves_of(root)
    assert len(leaves) > 50
    assert sum(leaf.width * leaf.height for leaf in leaves) == pytest.approx(root.width**2)
    for one, leaf in enumerate(leaves):  # no two overlap
        for other in leaves[one + 1 :]:
            width = min(leaf.x + leaf.width, other.x + other.width) - max(leaf.x, other.x)
            height = min(leaf.y + leaf.height, other.y + other.height) - max(leaf.y, other.y)
            assert min(width, height) < 1e-9


def test_the_values_on_the_plane_are_those_that_the_search_saw() -> None:
    """Base points are middles of squares if 3**k of them are a side: 81 here, and M = 0."""
    root, values = plane(SMALL, 4)
    assert values.shape == (81, 81)
    compared = 0
    for leaf in leaves_of(root):
        across = (leaf.x + leaf.width / 2 - root.x) / root.width * 81
        up = (leaf.y + leaf.height / 2 - root.y) / root.height * 81
        if min(leaf.width, leaf.height) > root.width / 100:
            assert leaf.node.f_star == pytest.approx(values[int(up), int(across)], abs=1e-9)
            compared += 1
    assert compared > 50


def test_the_parts_follow_one_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is printed, word for word, and what is drawn."""
    asked: list[Any] = []

    def picture(*given: Any) -> list[Path]:
        asked.append(given)
        return [Path("a"), Path("b")]

    def compare(*_: Any) -> dict[str, list[Run]]:
        print("table")
        return given

    ticks = iter([100.0, 163.4])
    given = {"the first": [Run(np.array([9.0, 0.25]), 1.0)]}
    monkeypatch.setattr(demo, "picture", picture)
    monkeypatch.setattr(demo, "compare", compare)
    monkeypatch.setattr(demo, "Size", lambda: SMALL)
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    out = tmp_path / "some" / "folder"
    assert main(["demo", "--out", str(out), "--seed", "3"]) == 0
    assert out.is_dir()
    assert capsys.readouterr().out == (
        "Four methods minimise Ackley's function of 1,200 variables, 2 of which matter.\n"
        "Its least value is 0. Each run has 80 evaluations; d = 3.\n\n"
        f"table\n\n{LEGEND}\nPicture: a, b\nThe demo took 63 s.\n"
    )
    ((left, right, caption, path),) = asked
    assert isinstance(left, Plane)
    assert left.title == (
        "Cells of the search space: smaller where values are low\n"
        "Ackley, n = 50, $d_e$ = d = 2, one fixed matrix, 120 evaluations"
    )
    np.testing.assert_array_equal(left.values, plane(SMALL, 3)[1])
    assert isinstance(right, Curves)
    assert right.title == (
        "Ackley, n = 1,200, $d_e$ = 2, d = 3; least value 0\n"
        "lines: medians of 3 runs; bands: best to worst"
    )
    assert {name: best.tolist() for name, best in right.best.items()} == {
        "the first": [[9.0, 0.25]]
    }
    assert caption == f"embedded-hunter {__version__}: embedded-hunter demo --seed 3"
    assert path == out / "demo"


@pytest.mark.long
def test_the_command_writes_two_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "Size", lambda: SMALL)
    assert main(["demo", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert sorted(file.name for file in tmp_path.iterdir()) == ["demo.png", "demo.svg"]
    for name in ("demo.png", "demo.svg"):
        assert str(tmp_path / name) in printed


def test_a_missing_extra_is_named_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["demo", "--out", str(tmp_path / "out")]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert not (tmp_path / "out").exists()
    assert len(printed.err.splitlines()) == 1
    assert "matplotlib is not installed" in printed.err
    assert "pip install -e '.[experiments]' in a checkout" in printed.err


def test_an_extra_that_is_there_is_returned() -> None:
    assert extra("json").dumps([1]) == "[1]"
    with pytest.raises(UsageError, match="nothing_such is not installed"):
        extra("nothing_such.sub")
