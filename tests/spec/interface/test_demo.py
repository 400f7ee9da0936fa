"""The demo: its tables are those of the runs it names, its pictures show what happened."""

import hashlib
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.optimize import OptimizeResult

from embedded_hunter import EmbeddedHunter, Settings, minimize
from embedded_hunter.baselines.random_search import random_search
from embedded_hunter.cli import main
from embedded_hunter.commands import demo
from embedded_hunter.commands.demo import (
    HONEST,
    Run,
    Size,
    curves,
    leaves,
    one_run,
    run_methods,
    table,
)
from embedded_hunter.extras import UsageError, extra
from embedded_hunter.node import Node
from embedded_hunter.plots.pictures import Panel, convergence, partition
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.problems.lasso import WeightedLasso

SMALL = Size(n=60, d=3, d_e=3, v=80, v_lasso=5, v_partition=60, runs=3)
METHODS = [
    "EmbeddedHunter, forest",
    "EmbeddedHunter, fresh",
    "EmbeddedHunter, indexed",
    "uniform random search",
]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command `demo` at a size that a test can afford."""
    monkeypatch.setattr(demo, "Size", lambda: SMALL)
    monkeypatch.setattr(WeightedLasso, "shared_x", 0.1)  # a fit of its own, tested elsewhere


def test_the_methods_are_the_three_policies_and_random_search() -> None:
    """At the same budget, every run with its own seed, every value kept."""
    problem = PROBLEMS["ackley"](60, 3, 0)
    compared = run_methods(problem, problem.bounds, 3, 80, 2, 10)
    assert list(compared) == METHODS
    for k in range(2):
        forest: dict[str, Any] = {"policy": "forest", "effective_dimension": 3}
        expected = [
            minimize(problem, problem.bounds, maxfun=80, rng=10 + k, **forest),
            minimize(problem, problem.bounds, d=3, maxfun=80, policy="fresh", rng=10 + k),
            minimize(problem, problem.bounds, d=3, maxfun=80, policy="indexed", rng=10 + k),
            random_search(problem, problem.bounds, maxfun=80, rng=10 + k),
        ]
        for label, result in zip(METHODS, expected, strict=True):
            run = compared[label][k]
            assert run.result.fun == result.fun
            assert run.best.size == run.result.nfev == 80
            assert run.best[-1] == result.fun
            assert np.all(np.diff(run.best) <= 0)
            assert run.seconds > 0


def test_the_table_shows_the_median_run_and_the_range() -> None:
    def run(fun: float, leaves: int) -> Run:
        result = OptimizeResult(fun=fun, nfev=100, depth=4, nleaves=leaves, x=np.zeros(2))
        return Run(np.array([fun]), result, 0.002)

    compared = {
        "a": [run(3.0, 30), run(1.0, 10), run(2.0, 20)],
        "b": [run(7.0, 1), run(5.0, 1)],
    }
    head, a, b = table(compared, "best value", ("twice", lambda r: f"{2 * r.fun:.1f}")).split("\n")
    columns = ["best value", "twice", "best to worst run", "evals", "depth", "leaves", "us/eval"]
    assert re.split(r"\s{2,}", head.strip()) == columns
    assert re.split(r"\s{2,}", a.strip()) == ["a", "2", "4.0", "1 to 3", "100", "4", "20", "20"]
    assert re.split(r"\s{2,}", b.strip()) == ["b", "5", "10.0", "5 to 7", "100", "-", "-", "20"]
    assert len(head) == len(a) == len(b)


def test_small_numbers_do_not_run_into_their_neighbours() -> None:
    """With four digits and an exponent they are longer than their headings."""
    result = OptimizeResult(fun=9.3241e-08, nfev=100, depth=4, nleaves=30)
    text = table(
        {"a": [Run(np.zeros(1), result, 0.002)]}, "best value", ("regret", lambda _: "9.324e-08")
    )
    number = "9.324e-08"
    cells = ["a", number, number, f"{number} to {number}", "100", "4", "30", "20"]
    assert re.split(r"\s{2,}", text.split("\n")[1].strip()) == cells


def test_a_run_that_ended_early_keeps_its_best_value() -> None:
    result = OptimizeResult(fun=1.0, nfev=2)
    short, long = Run(np.array([2.0, 1.0]), result, 1.0), Run(np.array([3.0] * 4), result, 1.0)
    drawn = curves({"a": [short, long]})
    np.testing.assert_array_equal(drawn["a"], [[2.0, 1.0, 1.0, 1.0], [3.0] * 4])


@pytest.mark.long
@pytest.mark.usefixtures("small")
def test_the_command_prints_what_it_ran_and_writes_four_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--out", str(tmp_path / "a"), "--seed", "3"]) == 0
    printed = capsys.readouterr().out
    assert HONEST in printed
    assert "close to a random search over radii" in printed
    names = ["convergence.png", "convergence.svg", "partition.png", "partition.svg"]
    assert sorted(file.name for file in (tmp_path / "a").iterdir()) == names
    for name in names:
        assert str(tmp_path / "a" / name) in printed

    problem, objective = PROBLEMS["ackley"](60, 3, 3), WeightedLasso()
    found = sorted(
        minimize(problem, problem.bounds, d=3, maxfun=80, policy="indexed", rng=seed).fun
        for seed in (3, 4, 5)
    )
    rows = [line.split("  ") for line in printed.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    ackley, lasso = [row for row in cells if row and row[0] == METHODS[2]]
    assert ackley[1:5] == [f"{found[1]:.4g}"] * 2 + [f"{found[0]:.4g} to {found[2]:.4g}", "80"]
    chosen = sorted(
        (
            minimize(objective, objective.bounds, d=3, maxfun=5, policy="indexed", rng=seed)
            for seed in (3, 4, 5)
        ),
        key=lambda result: float(result.fun),
    )[1]
    assert lasso[1:3] == [f"{chosen.fun:.4g}", f"{objective.test_error(chosen.x):.4g}"]
    shared = np.full(objective.n, objective.shared_x)
    (reference,) = [row for row in cells if row and row[0] == "LassoCV, one penalty"]
    assert reference[1:] == [
        f"{objective(shared):.4g}", f"{objective.test_error(shared):.4g}"
    ]  # fmt: skip


def digests(files: list[Path]) -> list[str]:
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]


@pytest.mark.long
def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    """And other data give others."""
    settings = Settings(30, 2, 60)
    objective = PROBLEMS["ackley"](30, 2, 0).effective

    def draw(folder: str, seed: int) -> list[str]:
        (tmp_path / folder).mkdir()
        best = np.minimum.accumulate(np.random.default_rng(seed).random((3, 50)), axis=1)
        panel = Panel("title", "value", {"a": best, "b": best / 2}, ("reference", 0.3))
        trees = {"fresh": leaves(settings, objective, 2, seed)}
        return digests(
            [
                *convergence([panel], "caption", tmp_path / folder / "convergence"),
                *partition(trees, settings, "title", "caption", tmp_path / folder / "partition"),
            ]
        )

    first = draw("first", 1)
    assert draw("second", 1) == first
    assert not set(draw("third", 2)) & set(first)


@pytest.mark.claim("partition-coverage")
def test_the_picture_shows_every_cell_and_the_evaluations_of_its_base_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[Any] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: saved.append(figure))
    settings = Settings(30, 2, 61)
    hunter = EmbeddedHunter(settings, 4, rows=2)
    while queries := hunter.ask():
        hunter.tell(queries, [float(np.sum((query.x - 0.4) ** 2)) for query in queries])
    shown: list[Node] = list(hunter.visit.tree.leaves())
    partition({"fresh": shown}, settings, "title", "caption", tmp_path / "partition")
    ax = saved[0].axes[0]
    (cells,) = ax.collections
    assert cells.get_array().tolist() == [leaf.evaluations for leaf in shown]
    boxes = [path.get_extents() for path in cells.get_paths()]
    R = float(settings.radius)
    assert sum(box.width * box.height for box in boxes) == pytest.approx((2 * R) ** 2)
    for one, box in enumerate(boxes):  # no two overlap
        for other in boxes[one + 1 :]:
            width = min(box.x1, other.x1) - max(box.x0, other.x0)
            height = min(box.y1, other.y1) - max(box.y0, other.y0)
            assert min(width, height) < 1e-9
    centers = {(round(text.get_position()[0], 6), round(text.get_position()[1], 6)): text
               for text in ax.texts}  # fmt: skip
    assert centers[0.0, 0.0].get_text() == "1"  # the zero vector is evaluated once
    assert len(centers) > 20


def test_the_leaves_are_those_of_a_run_on_the_effective_rows() -> None:
    settings = Settings(40, 2, 50, policy="indexed")
    found = leaves(settings, lambda x: float(np.sum(x**2)), 2, 7)
    hunter = EmbeddedHunter(settings, 7, rows=2)
    while queries := hunter.ask(1):
        hunter.tell(queries, [float(np.sum(queries[0].x ** 2))])
    expected = list(hunter.visit.tree.leaves())
    assert [(x.h, x.i, x.evaluations) for x in found] == [
        (x.h, x.i, x.evaluations) for x in expected
    ]


@pytest.mark.parametrize("module", ["matplotlib", "sklearn"])
def test_a_missing_extra_is_named_before_any_work(
    module: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert main(["demo", "--out", str(tmp_path / "out")]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert not (tmp_path / "out").exists()
    assert len(printed.err.splitlines()) == 1
    assert f"{module} is not installed" in printed.err
    assert "pip install -e '.[experiments]' in a checkout" in printed.err


def test_an_extra_that_is_there_is_returned() -> None:
    assert extra("json").dumps([1]) == "[1]"
    with pytest.raises(UsageError, match="nothing_such is not installed"):
        extra("nothing_such.sub")


@pytest.mark.parametrize("there", [True, False])
def test_a_run_needs_no_bar(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With tqdm (silent, as stderr is no terminal) or without, the run is the same."""
    problem = PROBLEMS["ackley"](20, 2, 0)
    if not there:
        monkeypatch.setitem(sys.modules, "tqdm", None)
    run = one_run("label", random_search, problem, problem.bounds, 30, 1)
    assert run.result.fun == random_search(problem, problem.bounds, maxfun=30, rng=1).fun
