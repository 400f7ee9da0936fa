"""The bench: what is timed is the run and the floor that are meant. Nothing here is timed."""

import json
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

import numpy as np
import pytest
from scipy.optimize import Bounds

from embedded_hunter import EmbeddedHunter, minimize
from embedded_hunter.matrices import key_from, stream
from embedded_hunter.problems.hidden import PROBLEMS, Problem
from embedded_hunter.run.evaluators import SERIAL_LIMIT
from embedded_hunter.run.policies import settings_of
from embedded_hunter.settings import MatrixPolicy
from embedded_hunter.traces.recorded import trace_of
from reproduction.cli import main
from reproduction.performance import benches, memory, streams, workers
from reproduction.performance.benches import POLICIES, QUICK_AXES
from reproduction.performance.memory import bytes_per_leaf
from reproduction.performance.streams import (
    D_E,
    SEED,
    TURN,
    D,
    drawing,
    effective_rows,
    front_door,
    multiplying,
    order_of_matrices,
    take_turns,
)


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
def test_the_run_that_is_timed_is_that_of_minimize(policy: MatrixPolicy) -> None:
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


@pytest.mark.parametrize("rows", [D_E, SERIAL_LIMIT // 3, SERIAL_LIMIT + 1])
def test_the_floor_draws_scales_clips_and_calls(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "TURN", 31)
    points: list[Any] = []
    block = max(1, SERIAL_LIMIT // rows)
    drawn = drawing(rows, lambda x: points.append(x.copy()) if len(points) < 40 else None)
    made = [next(drawn), next(drawn)]
    assert made == [-(-31 // block) * block] * 2  # whole blocks, until there are enough
    x = np.concatenate(points)
    assert {point.shape for point in points} == {(rows,)}
    rng = stream(key_from(np.random.default_rng(SEED)))
    np.testing.assert_array_equal(x, np.clip(0.3 * rng.standard_normal(x.size), -1, 1))
    assert x.max() == 1 or x.size < 3000  # so wide a scale that clipping has work to do


def test_the_floor_of_indexed_multiplies_in_the_order_of_a_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With matrices that lie in memory as those of a run do."""
    order = [1, 2, 1, 3] * (TURN // 4) + [2]
    matmul, columns = np.matmul, set()

    def watched(A: Any, y: Any, out: Any) -> Any:
        columns.add(A.flags.f_contiguous)
        return matmul(A, y, out=out)

    monkeypatch.setattr(np, "matmul", watched)
    for d, given in ((D, ()), (4, (4,))):
        points: list[Any] = []

        def called(x: Any, keep: Any = points.append) -> None:
            keep(x.copy())

        stream = multiplying(20, called, order, *given)
        assert list(islice(stream, 3)) == [TURN, 1, TURN]
        assert columns == {True}
        rng = np.random.default_rng(SEED)
        A = {p: rng.standard_normal((20, d)) for p in (1, 2, 3)}
        y = rng.standard_normal(d)
        products = {p: np.clip(A[p] @ y, -1, 1) for p in A}
        assert 0 < np.sum(np.abs(products[1]) == 1) < 20
        for p, x in zip((order * 2)[: 2 * TURN + 1], points, strict=True):
            np.testing.assert_allclose(x, products[p], rtol=1e-12, atol=1e-12)


FOREST: dict[str, Any] = {"d": 4, "policy": "forest"}


@pytest.mark.parametrize(("v", "given"), [(300, {}), (300, {"d": 3, "M": 1}), (2000, FOREST)])
def test_the_order_of_matrices_is_that_of_the_trace_of_the_run(
    v: int, given: dict[str, Any]
) -> None:
    """Each event says p; a refinement tree has the matrix of the tree that its center lies in."""
    problem = PROBLEMS["ackley"](100, D_E, SEED)
    settings = settings_of(n=100, v=v, **{"d": D, "policy": "indexed", **given})
    hunter = EmbeddedHunter(settings, SEED, rows=D_E)
    while queries := hunter.ask():
        hunter.tell(queries, [float(problem.effective(x)) for _, x in queries])
    events = list(trace_of(settings, hunter.history["value"].tolist()))
    matrix = {p: p for p in range(1, v + 1)}
    for event in events:
        if event.get("event") == "refine":
            h, i = event["center"]
            matrix[event["q"] + 1] = matrix[i // settings.K**h + 1]
    numbers = [event["p"] for event in events if event.get("event") == "evaluate"]
    expected = [matrix[p] for p in numbers]
    assert (expected != numbers) == (given is FOREST)
    assert order_of_matrices(problem, v, **given) == expected
    assert len(set(expected)) > 1 or given


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


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benches of a second."""
    for module in (benches, memory):
        monkeypatch.setattr(module, "N", 60)
    monkeypatch.setattr(benches, "QUICK_BUDGETS", (50, 200))
    monkeypatch.setattr(benches, "COORDINATES", 0)
    monkeypatch.setattr(benches, "BASE", {"n": 30, "v": 40, "d": 3, "M": 2})
    monkeypatch.setattr(benches, "RESUMED", {"n": 12, "v": 40})
    monkeypatch.setattr(memory, "LARGE", ((60, 100, D_E, "fresh"),))
    monkeypatch.setattr(benches, "WORKERS", (1, 2))
    monkeypatch.setattr(benches, "EVALUATIONS", 30)
    monkeypatch.setattr(benches, "MILLISECONDS", 0)
    monkeypatch.setattr(workers, "KINDS", {"fresh": workers.KINDS["fresh"]})


def printed(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main(["bench", *options]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["command"] == " ".join(["python -m reproduction bench", *options])
    assert {"commit", "date", "machine", "versions"} < found.keys()
    return found


def test_each_bench_prints_what_it_measures(
    small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    found = printed(capsys, "overhead", "--quick", "--large")
    kinds = found["kinds"]
    assert [kind["kind"] for kind in kinds] == ["fresh", "indexed", "forest", "effective rows"]
    for kind in kinds:
        assert kind["floor"] > 0
        for v in ("50", "200"):
            assert kind["ratios"][v] == pytest.approx(kind["runs"][v] / kind["floor"])
        assert kind["growth"] == pytest.approx(kind["runs"]["200"] / kind["runs"]["50"])
    assert found["large"][0]["evaluations"] == 100
    assert found["bytes_per_leaf"] > 0
    found = printed(capsys, "scaling", "--quick")
    assert [(p["axis"], p["value"], p["policy"]) for p in found["points"]] == [
        (axis, value, policy)
        for axis, values in QUICK_AXES.items()
        for policy in POLICIES
        for value in values
    ]
    found = printed(capsys, "resume")
    assert [row["policy"] for row in found["policies"]] == ["fresh", "indexed", "forest"]
    found = printed(capsys, "workers")
    assert [(row["kind"], row["turns"][0]) for row in found["kinds"]] == [("fresh", 30)]


def test_a_leaf_costs_at_most_600_bytes() -> None:
    assert 150 < bytes_per_leaf(1000) < 600
