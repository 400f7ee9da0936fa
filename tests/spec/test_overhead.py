"""The bench: what is timed is the run and the floor that are meant. Nothing here is timed."""

import json
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

import numpy as np
import pytest
from scipy.optimize import Bounds

from embedded_hunter import minimize
from embedded_hunter.cli import main
from embedded_hunter.commands import overhead
from embedded_hunter.commands.overhead import (
    D_E,
    SEED,
    TURN,
    Measurement,
    bytes_per_leaf,
    drawing,
    effective_rows,
    front_door,
    large_run,
    multiplying,
    order_of_matrices,
    peak_memory,
    table,
    take_turns,
)
from embedded_hunter.evaluators import SERIAL_FLOATS
from embedded_hunter.problems import PROBLEMS, Problem
from embedded_hunter.settings import Policy


class Recording:
    """A problem that keeps the points it was called with."""

    def __init__(self, n: int) -> None:
        self.problem = PROBLEMS["ackley"](n, D_E, SEED)
        self.n, self.d_e = n, D_E
        self.bounds: Bounds = self.problem.bounds
        self.points: list[Any] = []

    def __call__(self, x: Any) -> Any:
        self.points.append(np.array(x))
        return self.problem(x)

    def effective(self, z: Any) -> Any:
        self.points.append(np.array(z))
        return self.problem.effective(z)


@pytest.mark.parametrize("policy", ["fresh", "indexed"])
def test_the_run_that_is_timed_is_that_of_minimize(policy: Policy) -> None:
    timed, plain = Recording(40), Recording(40)
    v = 2 * TURN + 100
    turns = list(islice(front_door(cast(Problem, timed), v, policy), 3))
    assert sum(turns) == v
    assert min(turns[:2]) >= TURN
    minimize(plain, plain.bounds, d=10, maxfun=v, policy=policy, rng=np.random.default_rng(SEED))
    np.testing.assert_array_equal(timed.points, plain.points)


def test_a_run_on_effective_rows_makes_them_alone_and_is_repeated_without_end() -> None:
    problem = Recording(1000)
    turns = list(islice(effective_rows(cast(Problem, problem), 150), 4))
    assert turns == [150] * 4
    assert {x.shape for x in problem.points} == {(D_E,)}
    # Another run is another run: the generator goes on.
    assert not np.array_equal(problem.points[:150], problem.points[150:300])


@pytest.mark.parametrize("rows", [D_E, SERIAL_FLOATS // 3, SERIAL_FLOATS + 1])
def test_the_floor_draws_scales_clips_and_calls(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overhead, "TURN", 30)
    points: list[Any] = []
    made = next(drawing(rows, lambda x: points.append(x.copy()) if len(points) < 40 else None))
    assert made >= 30
    x = np.concatenate(points)
    assert {point.shape for point in points} == {(rows,)}
    rng = np.random.default_rng(SEED)
    np.testing.assert_array_equal(x, np.clip(0.3 * rng.standard_normal(x.size), -1, 1))
    assert x.max() == 1 or x.size < 3000  # so wide a scale that clipping has work to do


def test_the_floor_of_indexed_multiplies_in_the_order_of_a_run() -> None:
    order = [1, 2, 1, 3] * (TURN // 4) + [2]
    points: list[Any] = []
    turns = list(islice(multiplying(20, lambda x: points.append(x.copy()), order), 3))
    assert turns == [TURN, 1, TURN]
    products = {p: points[order.index(p)] for p in (1, 2, 3)}
    assert len({x.tobytes() for x in products.values()}) == 3
    for p, x in zip(order * 2, points, strict=False):
        np.testing.assert_array_equal(x, products[p])


def test_the_order_of_matrices_is_that_of_all_evaluations_of_a_run() -> None:
    order = order_of_matrices(PROBLEMS["ackley"](100, D_E, SEED), 700)
    assert len(order) == 700
    assert order[0] == 1
    assert 2 in order
    assert sum(p == 1 for p in order) > 350  # two of three children are new base points


def test_streams_take_turns_until_each_has_made_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    clock = {"now": 0.0}
    monkeypatch.setattr(time, "thread_time", lambda: clock["now"])

    def stream(name: str, turn: int, seconds: float) -> Iterator[int]:
        while True:
            log.append(name)
            clock["now"] += seconds
            yield turn

    costs = take_turns([stream("a", 10, 1.0), stream("b", 4, 2.0)], 20)
    assert log == list("ababbbb")
    assert costs == pytest.approx([1e6 * 2 / 20, 1e6 * 10 / 20])


def test_a_measurement_divides_by_its_floor() -> None:
    measured = Measurement("fresh", 50.0, {10: 55.0, 1000: 66.0})
    assert measured.ratio(10) == pytest.approx(1.1)
    assert measured.growth == pytest.approx(1.2)
    text = table(measured)
    assert "1.320 x floor" in text
    assert "growth from v = 10 to 1000: 1.200" in text


def test_a_leaf_costs_at_most_600_bytes() -> None:
    assert 150 < bytes_per_leaf(3000) < 600


def test_memory_of_a_run_shows_in_the_peak() -> None:
    before = peak_memory()
    held = np.ones(2**24)
    assert peak_memory() >= before
    assert peak_memory() > held.nbytes


@pytest.mark.parametrize("rows", [None, D_E])
def test_a_large_run_makes_its_evaluations(rows: int | None) -> None:
    large = large_run(50, 120, rows)
    assert large.evaluations == 120
    assert large.what == f"n = 50, v = 120, {'effective' if rows else 'full'} rows"
    assert large.peak_bytes >= large.baseline_bytes > 2**20


KINDS = ("fresh", "indexed", "family", "effective rows")


def test_the_command_reports_every_kind_of_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(overhead, "N", 60)
    monkeypatch.setattr(overhead, "QUICK_BUDGETS", (50, 200))
    monkeypatch.setattr(overhead, "LARGE", ((60, 100, D_E),))
    assert main(["bench", "overhead", "--quick", "--json", "--large"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [kind["kind"] for kind in report["kinds"]] == list(KINDS)
    for kind in report["kinds"]:
        assert kind["floor"] > 0
        for v in ("50", "200"):
            assert kind["ratios"][v] == pytest.approx(kind["runs"][v] / kind["floor"])
    assert report["large"][0]["evaluations"] == 100
    assert main(["bench", "overhead", "--quick"]) == 0
    text = capsys.readouterr().out
    for kind in (*KINDS, "bytes per leaf"):
        assert kind in text
