"""The demo: its table is that of the runs it names, its picture shows what happened."""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import minimize
from embedded_hunter.cli import main
from embedded_hunter.commands import demo
from embedded_hunter.commands.demo import Size, TimedRun, compare, curves, hidden_ackley
from embedded_hunter.plots.pictures import Curves, picture
from reproduction.problems.registry import PROBLEMS

SMALL = Size(n=1200, d=3, d_e=2, v=80, runs=3, n_plane=50, v_plane=120, side=81)


def expected(seed: int, v: int) -> dict[str, float]:
    """Return the best value of each method."""
    f = hidden_ackley(1200, 2, 10)
    points = np.random.default_rng(seed).uniform(-1, 1, (v, 1200))
    run: dict[str, Any] = {"bounds": [(-1, 1)] * 1200, "maxfun": v, "rng": seed}
    return {
        "uniform random search": min(map(f, points)),
        "EmbeddedHunter": minimize(f, d=3, policy="fresh", **run).fun,
        "indexed": minimize(f, d=3, policy="indexed", **run).fun,
        "forest": minimize(f, **run).fun,
    }


def test_the_function_is_ackley_of_some_of_the_variables() -> None:
    """Its least value is 0; in the middle it is that of the problem of the experiments."""
    rng = np.random.default_rng(1)
    f, of_experiments = hidden_ackley(50, 4, 7), PROBLEMS["ackley"](50, 4, 7)
    for x in rng.uniform(-1, 1, (20, 50)):
        assert f(x) == pytest.approx(of_experiments(x), rel=1e-12)
    assert f(of_experiments.x_star) == pytest.approx(0, abs=1e-14)


def test_the_table_has_each_run_of_random_search_and_the_three_policies(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the same budget, every run with its own seed, every value kept."""
    clock = iter(0.004 * k for k in range(100))
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    compared = compare(hidden_ackley(1200, 2, 10), SMALL, 10)
    found = [expected(10 + k, 80) for k in range(3)]
    assert list(compared) == list(found[0])
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == ("  best value of               seed 10   seed 11   seed 12    median   us/eval")
    for (label, runs), line in zip(compared.items(), lines, strict=True):
        values = [one[label] for one in found]
        for run, value in zip(runs, values, strict=True):
            assert run.best.size == 80
            assert run.best[-1] == value
            assert np.all(np.diff(run.best) <= 0)
        cells = [f"{value:>10.3g}" for value in (*values, np.median(values))]
        assert line == f"  {label:<25}{''.join(cells)}        50"


@pytest.mark.parametrize("evaluations", [1, 300])
def test_an_interrupt_ends_the_demo(
    evaluations: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No median of runs of which one was cut short; in random search and in `minimize`."""
    made = iter(range(evaluations))

    def interrupted(z: Any) -> float:
        if next(made, None) is None:
            raise KeyboardInterrupt
        return float(z[0] ** 2)

    monkeypatch.setattr(demo, "Size", lambda: SMALL)
    monkeypatch.setattr(demo, "ackley", interrupted)
    assert main(["demo", "--out", str(tmp_path)]) == 130
    printed = capsys.readouterr()
    rows = [line for line in printed.out.splitlines() if line.startswith("  ")][1:]  # no head
    assert len(rows) == 1 + evaluations // (3 * 80)
    finished = evaluations // 80 - 3 * (len(rows) - 1)
    assert len(rows[-1][27:].split()) == finished  # values, and no median
    assert printed.err == "embedded-hunter demo: interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_ended_early_keeps_its_best_value() -> None:
    short, long = TimedRun(np.array([2.0, 1.0]), 1.0), TimedRun(np.array([3.0] * 4), 1.0)
    drawn = curves({"a": [short, long]})
    np.testing.assert_array_equal(drawn["a"], [[2.0, 1.0, 1.0, 1.0], [3.0] * 4])


@pytest.mark.long
def test_the_command_writes_the_same_two_files_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "Size", lambda: SMALL)
    for folder in ("one", "other"):
        assert main(["demo", "--out", str(tmp_path / folder), "--seed", "3"]) == 0
        printed = capsys.readouterr().out
        assert printed.startswith("Four methods minimise Ackley's function of 1,200 variables, 2 ")
        for name in ("demo.png", "demo.svg"):
            assert str(tmp_path / folder / name) in printed
    for name in ("demo.png", "demo.svg"):
        content = (tmp_path / "one" / name).read_bytes()
        assert content == (tmp_path / "other" / name).read_bytes()
        assert b"<dc:date>" not in content


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


# --- the picture, read from matplotlib's objects ----------------------------------------------


plt = pytest.importorskip("matplotlib.pyplot")


CURVES = Curves("the runs", {"a": np.ones((2, 3))})


def test_a_picture_leaves_no_style_and_no_figure_even_if_it_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plt.switch_backend("Agg")  # as a picture does
    before = dict(plt.rcParams)

    def failing(figure: Any, path: Path, **options: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(plt.Figure, "savefig", failing)
    with pytest.raises(OSError, match=r"^no space left$"):
        picture(lambda ax: None, CURVES, "caption", Path("there"))
    assert dict(plt.rcParams) == before
    assert plt.get_fignums() == []
