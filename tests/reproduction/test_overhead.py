"""The bench: what is timed is the run and the floor that are meant. Nothing here is timed."""

import json
import time
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

import numpy as np
import pytest
from scipy.optimize import Bounds

from embedded_hunter import EmbeddedHunter, minimize
from embedded_hunter.problems.hidden import PROBLEMS, Problem
from embedded_hunter.projection import key_from, stream
from embedded_hunter.run.evaluators import SERIAL_LIMIT
from embedded_hunter.run.policies import search_of, settings_of
from embedded_hunter.settings import MatrixPolicy, Settings
from embedded_hunter.traces.events import traced_search
from reproduction.cli import main
from reproduction.commands import overhead
from reproduction.commands.overhead import (
    D_E,
    SEED,
    TURN,
    D,
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


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """How many points a run asks for at a time."""
    portions: list[Any] = []
    ask = EmbeddedHunter.ask

    def noted(hunter: EmbeddedHunter, at_most: Any = None) -> Any:
        portions.append(at_most)
        return ask(hunter, at_most)

    monkeypatch.setattr(EmbeddedHunter, "ask", noted)
    return portions


@pytest.mark.parametrize("n", [40, SERIAL_LIMIT // 2, SERIAL_LIMIT + 1])
def test_a_run_asks_for_as_many_points_as_fit_into_a_cache(n: int, asked: list[Any]) -> None:
    problem = cast(Problem, Recording(n))
    assert next(front_door(problem, 3, "fresh")) == 3
    assert set(asked) == {max(1, SERIAL_LIMIT // n)}
    asked.clear()
    assert next(effective_rows(problem, 3)) == 3
    assert set(asked) == {SERIAL_LIMIT // D_E}


@pytest.mark.parametrize("stream", [effective_rows, front_door])
def test_a_turn_ends_with_the_run_or_when_it_is_long_enough(
    stream: Any, asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two evaluations at a time: a turn is over with the one that makes it long enough."""
    monkeypatch.setattr(overhead, "SERIAL_LIMIT", 2 * D_E)
    monkeypatch.setattr(overhead, "TURN", 7)
    made: list[int] = []
    tell = EmbeddedHunter.tell

    def told(hunter: EmbeddedHunter, *given: Any) -> None:
        tell(hunter, *given)
        made.append(hunter.nfev)

    monkeypatch.setattr(EmbeddedHunter, "tell", told)
    problem = cast(Problem, Recording(SERIAL_LIMIT // 2))
    runs = stream(problem, 40, "fresh") if stream is front_door else stream(problem, 40)
    turns = [0]
    while sum(turns) < 80:
        turns.append(next(runs))
    expected, before = [], 0
    for nfev in made:
        if nfev - before >= 7 or nfev == 40:
            expected.append(nfev - before)
            before = nfev if nfev < 40 else 0
    assert [turn for turn in turns if turn] == expected
    assert {7, 8} >= set(expected[:4]) >= {7}
    assert sum(turns) == 80
    assert set(asked) == {2}


def test_the_parameters_of_a_run_are_those_given() -> None:
    timed, plain = Recording(40), Recording(40)
    turn = next(front_door(cast(Problem, timed), 200, "fresh", 3, 2))
    generator = np.random.default_rng(SEED)
    minimize(plain, plain.bounds, d=3, maxfun=200, M=2, rng=generator)
    assert turn == 200
    np.testing.assert_array_equal(timed.points, plain.points)
    timed, plain = Recording(40), Recording(40)
    next(front_door(cast(Problem, timed), 200, "forest", 4, n_embeddings=3))
    generator = np.random.default_rng(SEED)
    forest: dict[str, Any] = {"policy": "forest", "n_embeddings": 3}
    minimize(plain, plain.bounds, d=4, maxfun=200, rng=generator, **forest)
    np.testing.assert_array_equal(timed.points, plain.points)


def test_a_run_on_effective_rows_is_that_of_the_paper() -> None:
    """The usual d, and M; its values are those of the effective coordinates."""
    timed = Recording(60)
    next(effective_rows(cast(Problem, timed), 300))
    hunter = EmbeddedHunter(Settings(60, D, 300), np.random.default_rng(SEED), rows=D_E)
    points = []
    while queries := hunter.ask(1):
        points.append(queries[0].x.copy())
        hunter.tell(queries, [float(timed.problem.effective(points[-1]))])
    np.testing.assert_array_equal(timed.points, points)


def test_a_run_on_effective_rows_makes_them_alone_and_is_repeated_without_end() -> None:
    problem = Recording(1000)
    turns = list(islice(effective_rows(cast(Problem, problem), 150), 4))
    assert turns == [150] * 4
    assert {x.shape for x in problem.points} == {(D_E,)}
    # Another run is another run: the generator goes on.
    assert not np.array_equal(problem.points[:150], problem.points[150:300])


@pytest.mark.parametrize("rows", [D_E, SERIAL_LIMIT // 3, SERIAL_LIMIT + 1])
def test_the_floor_draws_scales_clips_and_calls(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overhead, "TURN", 31)
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


def test_the_order_of_matrices_is_that_of_all_evaluations_of_a_run() -> None:
    order = order_of_matrices(PROBLEMS["ackley"](100, D_E, SEED), 700)
    assert len(order) == 700
    assert order[0] == 1
    assert 2 in order
    assert sum(p == 1 for p in order) > 350  # two of three children are new base points


FOREST: dict[str, Any] = {"d": 4, "policy": "forest"}


@pytest.mark.parametrize(("v", "given"), [(300, {}), (300, {"d": 3, "M": 1}), (700, FOREST)])
def test_the_order_of_matrices_is_that_of_the_trace_of_the_run(
    v: int, given: dict[str, Any]
) -> None:
    """Each event says p; a refinement tree has the matrix of the tree that its center lies in."""
    problem = PROBLEMS["ackley"](100, D_E, SEED)
    settings = settings_of(n=100, v=v, **{"d": D, "policy": "indexed", **given})
    events: list[Any] = []
    search = traced_search(search_of(settings, SEED, D_E), settings, events.append)
    hunter = EmbeddedHunter(settings, search=search)
    while queries := hunter.ask():
        hunter.tell(queries, [float(problem.effective(x)) for _, x in queries])
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


def test_a_measurement_is_that_of_the_floor_and_of_each_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []

    def turns(streams: list[Any], evaluations: int) -> list[float]:
        seen.append((streams, evaluations))
        return [2.0, 3.0, 5.0]

    monkeypatch.setattr(overhead, "take_turns", turns)
    floor: Any = "floor"
    measured = overhead.measure("kind", (70, 20), lambda v: cast(Any, f"run {v}"), floor)
    assert seen == [(["floor", "run 70", "run 20"], 70)]
    assert measured == Measurement("kind", 2.0, {70: 3.0, 20: 5.0})


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


@pytest.mark.long
def test_a_leaf_costs_at_most_600_bytes() -> None:
    assert 150 < bytes_per_leaf(3000) < 600


def test_the_memory_of_a_leaf_is_what_a_run_adds_over_its_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The run is that of the paper's settings on the effective rows of one seed."""
    values: list[float] = []
    tell = EmbeddedHunter.tell

    def told(hunter: EmbeddedHunter, queries: Any, given: Any) -> None:
        values.extend(given)
        tell(hunter, queries, given)

    monkeypatch.setattr(EmbeddedHunter, "tell", told)
    problem = PROBLEMS["ackley"](overhead.N, D_E, SEED)
    hunter = EmbeddedHunter(Settings(overhead.N, D, 500), SEED, rows=D_E)
    while queries := hunter.ask():
        hunter.tell(queries, [float(problem.effective(x)) for _, x in queries])
    seen = iter([(1000, 5), (1000 + 250 * hunter.visit.tree.leaf_count, 10**9)])
    monkeypatch.setattr(tracemalloc, "get_traced_memory", lambda: next(seen))
    assert bytes_per_leaf(500) == 250
    assert values[:500] == values[500:]
    assert len(values) == 1000
    assert not tracemalloc.is_tracing()


def test_memory_of_a_run_shows_in_the_peak() -> None:
    before = peak_memory()
    held = np.ones(2**24)
    assert peak_memory() >= before
    assert peak_memory() > held.nbytes


@pytest.mark.parametrize("rows", [None, D_E])
def test_a_large_run_makes_its_evaluations(rows: int | None) -> None:
    large = large_run(50, 120, rows, "fresh")
    assert large.evaluations == 120
    assert large.what == f"fresh, n = 50, v = 120, {'effective' if rows else 'full'} rows"
    assert large.peak_bytes >= large.baseline_bytes > 2**20


KINDS = ("fresh", "indexed", "forest", "effective rows")


@pytest.mark.long
def test_the_command_reports_every_kind_of_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(overhead, "N", 60)
    monkeypatch.setattr(overhead, "QUICK_BUDGETS", (50, 200))
    monkeypatch.setattr(overhead, "LARGE", ((60, 100, D_E, "fresh"),))
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
