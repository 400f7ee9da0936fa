"""What the demo prints, word for word, and what it has drawn; the runs are given."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import EmbeddedHunter, Settings
from embedded_hunter.baselines.random_search import random_search
from embedded_hunter.cli import main
from embedded_hunter.commands import demo
from embedded_hunter.commands.demo import HONEST, Run, Size, draw_partition, leaves, one_run, table
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.problems.lasso import WeightedLasso
from embedded_hunter.version import __version__

SIZE = Size(n=3000, d=3, d_e=2, v=1234, v_lasso=5, v_partition=60, runs=2)


def runs(*values: float, leaves: int = 7) -> list[Run]:
    return [
        Run(
            np.array([9.0, value]),
            OptimizeResult(fun=value, nfev=100, depth=4, nleaves=leaves, x=np.full(495, value)),
            0.0021 * (k + 1),
        )
        for k, value in enumerate(values)
    ]


def test_a_table_has_a_line_for_the_median_run_of_each_method() -> None:
    """Of an even number, the better one of the two in the middle."""
    compared = {
        "the first": runs(0.25, 0.125, 4.5, 3.0),
        "another": runs(2.0, leaves=1),
        "third": runs(1.0, leaves=2),
    }
    text = table(compared, "best value", ("regret", lambda result: f"{result.fun:.3f}"))
    assert text == "\n".join(
        [
            "                          "
            "  best value     regret       best to worst run  evals  depth  leaves  us/eval",
            "  the first               "
            "        0.25      0.250            0.125 to 4.5    100      4       7       21",
            "  another                 "
            "           2      2.000                  2 to 2    100      -       -       21",
            "  third                   "
            "           1      1.000                  1 to 1    100      4       2       21",
        ]
    )


def test_a_time_is_in_microseconds() -> None:
    (slow,) = runs(1.0)
    slow.seconds = 210.0
    text = table({"slow": [slow]}, "best value", ("regret", lambda result: "0"))
    assert text.endswith("  7  2100000")


def test_a_run_is_timed_and_its_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []

    @contextmanager
    def progress(total: int, label: str) -> Iterator[Callable[[int], None]]:
        told.append((total, label))
        yield told.append

    clock = iter([10.0, 12.5])
    monkeypatch.setattr(demo, "progress", progress)
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    problem = PROBLEMS["ackley"](20, 2, 0)
    run = one_run("a name", random_search, problem, problem.bounds, 30, 1)
    assert told[0] == (30, "a name")
    assert told[-1] == 30
    assert len(told) > 1
    assert run.seconds == 2.5
    told.clear()
    monkeypatch.undo()
    monkeypatch.setattr(demo, "progress", progress)
    demo.run_methods(problem, problem.bounds, 2, 10, 2, 1)
    names = [
        "EmbeddedHunter, forest",
        "EmbeddedHunter, fresh",
        "EmbeddedHunter, indexed",
        "uniform random search",
    ]
    begun = [pair for pair in told if isinstance(pair, tuple)]
    assert begun == [(10, name) for name in names for _ in range(2)]


def given(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Replace the runs by others; return what is asked for."""
    asked: list[Any] = []

    def run_methods(*args: Any) -> dict[str, list[Run]]:
        asked.append(args)
        return {"the first": runs(0.25, 0.5), "another": runs(2.0, 3.0)}

    monkeypatch.setattr(demo, "run_methods", run_methods)
    return asked


def test_the_part_of_ackley(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = given(monkeypatch)
    panel = demo.ackley(SIZE, 5)
    ((problem, bounds, *numbers),) = asked
    assert numbers == [3, 1234, 2, 5]
    assert bounds is problem.bounds or np.array_equal(bounds.lb, problem.bounds.lb)
    x = np.linspace(-1, 1, 3000)
    assert problem(x) == PROBLEMS["ackley"](3000, 2, 5)(x)
    expected = table(
        demo.run_methods(), "best value", ("regret", lambda result: f"{result.fun:.4g}")  # type: ignore[call-arg]
    )  # fmt: skip
    assert capsys.readouterr().out == (
        "\nAckley, n = 3,000 of which 2 matter, d = 3, v = 1,234; median of 2 runs; "
        f"least value 0\n{expected}\n\n{HONEST}"
    )
    assert panel.title == "Ackley, n = 3,000, $d_e$ = 2, d = 3"
    assert panel.ylabel == "best value so far (least: 0)"
    assert panel.reference is None
    assert {name: drawn.tolist() for name, drawn in panel.curves.items()} == {
        "the first": [[9.0, 0.25], [9.0, 0.5]], "another": [[9.0, 2.0], [9.0, 3.0]]
    }  # fmt: skip


def test_the_regret_is_that_beyond_the_least_value(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of Ackley's function that is 0; here it is another."""
    given(monkeypatch)
    monkeypatch.setattr("embedded_hunter.problems.hidden.Problem.f_star", 0.125)
    demo.ackley(SIZE, 5)
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].split()[:4] == ["the", "first", "0.25", "0.125"]


def test_the_part_of_the_lasso(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside the searches stands the best penalty that all features share."""
    asked = given(monkeypatch)
    monkeypatch.setattr(WeightedLasso, "shared_x", 0.125)
    monkeypatch.setattr(WeightedLasso, "__call__", lambda lasso, x: float(x.sum()))
    monkeypatch.setattr(WeightedLasso, "test_error", lambda lasso, x: 2 * float(x[0]))
    panel = demo.lasso(SIZE, 6)
    ((objective, bounds, *numbers),) = asked
    assert isinstance(objective, WeightedLasso)
    assert numbers == [3, 5, 2, 6]
    assert np.array_equal(bounds.ub, objective.bounds.ub)
    expected = table(
        demo.run_methods(),  # type: ignore[call-arg]
        "validation error", ("test error", lambda result: f"{2 * result.fun:.4g}"),
    )  # fmt: skip
    shared = f"{495 / 8:.4g}"
    assert capsys.readouterr().out == (
        "\nLasso on breast-cancer data, one penalty for each of n = 495 features, d = 3, v = 5; "
        f"median of 2 runs\n{expected}\n"
        f"  LassoCV, one penalty                 {shared}        0.25\n"
        "\nThe searches minimise the validation error, so it is optimistic for them. The test\n"
        "error is the error on patients whose data no method has used.\n"
    )
    assert (panel.title, panel.ylabel) == ("Lasso, n = 495, d = 3", "best validation error so far")
    assert panel.reference == ("LassoCV, one penalty", 495 / 8)
    assert isinstance(panel.reference[1], float)
    assert panel.curves["another"].tolist() == [[9.0, 2.0], [9.0, 3.0]]


def test_the_partitions_are_those_of_both_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def partition(*given: Any) -> list[str]:
        asked.append(given)
        return ["files"]

    monkeypatch.setattr(demo, "partition", partition)
    files: Any = draw_partition(SIZE, 5, "made so", Path("there"))
    assert files == ["files"]
    ((drawn, settings, title, caption, path),) = asked
    assert (settings.n, settings.d, settings.v) == (3000, 2, 60)
    assert (caption, path) == ("made so", Path("there"))
    assert title == (
        "The partition of Y after 60 evaluations of Ackley (n = 3,000, $d_e$ = d = 2): "
        "evaluations of each base point"
    )
    assert list(drawn) == ["fresh matrices", "indexed matrices"]
    objective = PROBLEMS["ackley"](3000, 2, 5).effective
    for policy in ("fresh", "indexed"):
        of_the_run = leaves(Settings(3000, 2, 60, policy=policy), objective, 2, 5)
        found = drawn[f"{policy} matrices"]
        assert [(leaf.h, leaf.i, leaf.f_star, leaf.evaluations) for leaf in found] == [
            (leaf.h, leaf.i, leaf.f_star, leaf.evaluations) for leaf in of_the_run
        ]


def test_the_leaves_have_the_values_of_the_objective() -> None:
    settings = Settings(40, 2, 50, policy="indexed")
    hunter = EmbeddedHunter(settings, 7, rows=2)
    while queries := hunter.ask(1):
        hunter.tell(queries, [float(np.sum(queries[0].x ** 2))])
    found = leaves(settings, lambda x: float(np.sum(x**2)), 2, 7)
    assert [leaf.f_star for leaf in found] == [leaf.f_star for leaf in hunter.visit.tree.leaves()]


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Replace the parts of the demo; what they are called with."""
    calls: list[Any] = []

    def spy(name: str, answer: Any) -> Callable[..., Any]:
        def called(*args: Any) -> Any:
            calls.append((name, *args))
            return answer

        return called

    answers = {
        "extra": None, "ackley": "panel 1", "lasso": "panel 2", "convergence": [Path("a"), "b"],
        "draw_partition": ["c"],
    }  # fmt: skip
    for name, answer in answers.items():
        monkeypatch.setattr(demo, name, spy(name, answer))
    return calls


def test_the_parts_follow_one_another(parts: list[Any], tmp_path: Path) -> None:
    out = tmp_path / "some" / "folder"
    for _ in range(2):  # a folder that is there is used again
        parts.clear()
        assert demo.demo(out, 3, SIZE) == [Path("a"), "b", "c"]
        assert out.is_dir()
        caption = f"embedded-hunter {__version__}: embedded-hunter demo --seed 3"
        medians = f"{caption} (lines: medians of 2 runs; bands: best to worst)"
        assert parts == [
            ("extra", "matplotlib"),
            ("extra", "sklearn"),
            ("ackley", SIZE, 3),
            ("lasso", SIZE, 3),
            ("convergence", ["panel 1", "panel 2"], medians, out / "convergence"),
            ("draw_partition", SIZE, 3, caption, out / "partition"),
        ]


def test_the_command_says_where_the_pictures_are(
    parts: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    clock = iter([100.0, 163.4])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    assert main(["demo", "--out", str(tmp_path), "--seed", "4"]) == 0
    assert ("ackley", Size(), 4) in parts
    assert capsys.readouterr().out == "\nPictures: a, b, c\nThe demo took 63 s.\n"
