"""The demo: its table is that of the runs that it names."""

import time
from typing import Any

import numpy as np
import pytest

from embedded_hunter import minimize
from embedded_hunter.cli import main
from embedded_hunter.commands import demo
from embedded_hunter.commands.demo import Size, compare, hidden_ackley
from reproduction.problems.registry import PROBLEMS

SMALL = Size(n=1200, d=3, d_e=2, v=80, runs=3)


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
    clock = iter(0.012 * k for k in range(100))
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    compare(hidden_ackley(1200, 2, 10), SMALL, 10)
    found = [expected(10 + k, 80) for k in range(3)]
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == ("  best value of               seed 10   seed 11   seed 12    median   us/eval")
    for label, line in zip(found[0], lines, strict=True):
        values = [one[label] for one in found]
        cells = [f"{value:>10.3g}" for value in (*values, np.median(values))]
        assert line == f"  {label:<25}{''.join(cells)}        50"


@pytest.mark.parametrize("evaluations", [1, 300])
def test_an_interrupt_ends_the_demo(
    evaluations: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No median of runs of which one was cut short; in random search and in `minimize`."""
    made = iter(range(evaluations))

    def interrupted(z: Any) -> float:
        if next(made, None) is None:
            raise KeyboardInterrupt
        return float(z[0] ** 2)

    monkeypatch.setattr(demo, "Size", lambda: SMALL)
    monkeypatch.setattr(demo, "ackley", interrupted)
    assert main(["demo"]) == 130
    printed = capsys.readouterr()
    rows = [line for line in printed.out.splitlines() if line.startswith("  ")][1:]  # no head
    assert len(rows) == 1 + evaluations // (3 * 80)
    finished = evaluations // 80 - 3 * (len(rows) - 1)
    assert len(rows[-1][27:].split()) == finished  # values, and no median
    assert printed.err == "embedded-hunter demo: interrupted\n"


def test_the_command_says_what_it_compares(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "Size", lambda: SMALL)
    assert main(["demo", "--seed", "3"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Four methods minimise Ackley's function of 1,200 variables, 2 of ")
    assert "seed 5    median" in printed
    assert printed.splitlines()[-1].startswith("The demo took ")
