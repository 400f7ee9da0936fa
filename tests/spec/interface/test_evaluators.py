"""Specification of `evaluators`: what an objective may return, and how it is called."""

import math
import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from embedded_hunter.projection import Floats
from embedded_hunter.run.evaluators import MOST_WORKERS, Mapped, Serial, Vectorized, make_evaluator
from embedded_hunter.run.outcomes import Failure, Guarded, Outcome, outcome_of
from embedded_hunter.run.processes import Processes

POINTS = [np.array([float(k), 1.0]) for k in range(4)]


def total(x: Floats, scale: float = 1.0) -> float:
    return scale * float(x.sum())


def picky(x: Floats) -> float:
    """Fails for the points 1 and 3."""
    if x[0] in (1, 3):
        raise KeyError("odd")
    return total(x)


def columns(x: Floats, scale: float) -> Floats:
    result: Floats = scale * x.sum(axis=0)
    return result


def ignores_the_keyboard(x: Floats) -> float:
    return float(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)


class Unpicklable(Exception):
    def __init__(self) -> None:
        super().__init__("with a lambda")
        self.extra = lambda: None


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def dies(x: Floats) -> float:
    if x[0] == 0:
        os._exit(1)
    return total(x)


def in_order(outcomes: Iterable[tuple[int, Outcome]]) -> list[Outcome]:
    """The outcomes in the order of their points; there is one for each of the first points."""
    pairs = sorted(outcomes, key=lambda pair: pair[0])
    assert [k for k, _ in pairs] == list(range(len(pairs)))
    return [outcome for _, outcome in pairs]


def reasons(outcomes: Iterable[tuple[int, Outcome]]) -> list[float | str]:
    return [o.why if isinstance(o, Failure) else o for o in in_order(outcomes)]


def told(outcomes: Iterable[tuple[int, Outcome]]) -> list[tuple[int, float | str]]:
    """Position and value or reason, as they come."""
    return [(k, o.why if isinstance(o, Failure) else o) for k, o in outcomes]


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    "value",
    [
        2.0, 2, np.float64(2), np.float32(2), np.int8(2), np.array(2.0), np.array([2.0]), [2.0],
        np.array([[2]]),
    ],
)  # fmt: skip
def test_real_numbers_and_arrays_of_one_are_values(value: object) -> None:
    outcome = outcome_of(value)
    assert outcome == 2.0
    assert type(outcome) is float


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize("value", [math.inf, -math.inf, np.float32(math.inf)])
def test_infinity_is_a_value(value: float) -> None:
    assert outcome_of(value) == float(value)


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("value", "got"),
    [
        (None, "NoneType"),
        ("1.0", "str"),
        (True, "bool"),
        (1j, "complex"),
        (Fraction(1, 2), "Fraction"),
        (np.array([1.0, 2.0]), "ndarray of shape (2,)"),
        (np.empty((0, 3)), "ndarray of shape (0, 3)"),
        ([1.0, 2.0], "list of shape (2,)"),
        ([1.0, [2.0, 3.0]], "list"),
        ({"fun": 1.0}, "dict"),
    ],
)
def test_anything_else_is_a_failure_that_says_what_it_is(value: object, got: str) -> None:
    outcome = outcome_of(value)
    assert isinstance(outcome, Failure)
    assert outcome.why == f"the objective must return one real number, got {got}"
    assert outcome.cause is None


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize("value", [math.nan, np.float32(math.nan), np.array([math.nan])])
def test_nan_is_a_failure(value: object) -> None:
    assert outcome_of(value) == Failure("the objective returned nan")


def many() -> list[Callable[[Guarded], Any]]:
    return [
        Serial,
        lambda guarded: Mapped(guarded, map),
        lambda guarded: Processes(guarded, 2),
    ]


@pytest.mark.claim("batch-equivalence")
@pytest.mark.parametrize("make", many())
def test_each_outcome_comes_with_the_position_of_its_point(make: Callable[[Guarded], Any]) -> None:
    with make(Guarded(total, (2.0,))) as entered, make(Guarded(total, (2.0,))) as _:
        assert entered is None
    evaluator = make(Guarded(total, (2.0,)))
    with evaluator:
        assert in_order(evaluator.outcomes(POINTS)) == [2.0, 4.0, 6.0, 8.0]
        assert in_order(evaluator.outcomes(iter(POINTS[2:]))) == [6.0, 8.0]
        assert in_order(evaluator.outcomes([])) == []


@pytest.mark.claim("batch-equivalence")
def test_a_vectorized_objective_gets_the_points_as_columns() -> None:
    shapes = []

    def fun(x: Floats, scale: float) -> Floats:
        shapes.append(x.shape)
        result: Floats = scale * x.sum(axis=0)
        return result

    with (vectorized := Vectorized(Guarded(fun, (2.0,)))):
        outcomes = in_order(vectorized.outcomes(POINTS))
    assert outcomes == [2.0, 4.0, 6.0, 8.0]
    assert all(type(outcome) is float for outcome in outcomes)
    assert shapes == [(2, 4)]


@pytest.mark.claim("nan-and-inf")
def test_serial_stops_at_the_first_failure() -> None:
    seen = []

    def fun(x: Floats) -> float:
        seen.append(x[0])
        return picky(x)

    outcomes = list(Serial(Guarded(fun, ())).outcomes(POINTS))
    assert told(outcomes) == [(0, 1.0), (1, "the objective raised KeyError: 'odd'")]
    failure = outcomes[1][1]
    assert isinstance(failure, Failure)
    assert isinstance(failure.cause, KeyError)
    assert seen == [0.0, 1.0]


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize("make", many()[1:])
def test_a_failure_takes_no_other_outcome_with_it(make: Callable[[Guarded], Any]) -> None:
    why = "the objective raised KeyError: 'odd'"
    with (evaluator := make(Guarded(picky, ()))):
        outcomes = list(evaluator.outcomes(POINTS))
    assert reasons(outcomes) == [1.0, why, 3.0, why]
    failure = in_order(outcomes)[1]
    assert isinstance(failure, Failure)
    assert isinstance(failure.cause, KeyError)


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("fun", "expected"),
    [
        (lambda x: 1 / 0, ["the objective raised ZeroDivisionError: division by zero"]),
        (
            lambda x: x,
            [
                "the vectorized objective must return one value for each column, an array of "
                "shape (4,), got shape (2, 4)"
            ],
        ),
        (
            lambda x: 1.0,
            [
                "the vectorized objective must return one value for each column, an array of "
                "shape (4,), got shape ()"
            ],
        ),
        (
            lambda x: [1.0, math.nan, math.inf, 2],
            [1.0, "the objective returned nan", math.inf, 2.0],
        ),
        (
            lambda x: ["a", "b", "c", "d"],
            ["the objective must return one real number, got str_"] * 4,
        ),
    ],
)
def test_a_vectorized_objective_that_fails(
    fun: Callable[[Floats], object], expected: list[float | str]
) -> None:
    assert reasons(Vectorized(Guarded(fun, ())).outcomes(POINTS)) == expected


Mapper = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


def breaks_off(f: Callable[[Any], Any], points: Iterable[Any]) -> Iterator[Any]:
    yield f(next(iter(points)))
    raise OSError("no more machines")


def by_threads(f: Callable[[Any], Any], points: Iterable[Any]) -> Iterator[Any]:
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(f, points)


def backwards(f: Callable[[Any], Any], points: Iterable[Any]) -> Iterator[Any]:
    for point in list(points)[::-1]:
        yield f(point)


def twice(f: Callable[[Any], Any], points: Iterable[Any]) -> Iterator[Any]:
    for point in points:
        yield f(point)
        yield f(point)


FOREIGN = "the map returned {}, which the function did not return"
AGAIN = "the map returned an answer that it had returned before"


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("mapper", "expected"),
    [
        (breaks_off, [(0, 1.0), (1, "the map raised OSError: no more machines")]),
        (
            lambda f, points: [f(x) for x in list(points)[:3]],
            [(0, 1.0), (1, 2.0), (2, 3.0), (3, "the map returned 3 answers for 4 tasks")],
        ),
        (
            lambda f, points: [f(x) for x in points[1:3]],
            [(1, 2.0), (2, 3.0), (0, "the map returned 2 answers for 4 tasks")],
        ),
        (twice, [(0, 1.0), (1, AGAIN)]),
        (
            lambda f, points: [f(x) for x in [*points, points[2]]],
            [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0), (0, AGAIN)],
        ),
        (
            lambda f, points: (float(k) for k in range(10**9)),
            [(0, FOREIGN.format("0.0"))],
        ),
        (
            lambda f, points: [f(points[1]), None],
            [(1, 2.0), (0, FOREIGN.format("None"))],
        ),
        (
            lambda f, points: None,
            [(0, "the map raised TypeError: 'NoneType' object is not iterable")],
        ),
        (by_threads, [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0)]),
        (backwards, [(3, 4.0), (2, 3.0), (1, 2.0), (0, 1.0)]),
    ],
)
def test_a_map_may_fail_in_its_own_ways(mapper: Mapper, expected: Any) -> None:
    assert told(Mapped(Guarded(total, ()), mapper).outcomes(POINTS)) == expected


@pytest.mark.claim("determinism")
def test_an_answer_of_an_earlier_call_is_noticed() -> None:
    """Such as a queue gives that was not emptied."""
    queue: list[Any] = []

    def late(f: Callable[[Any], Any], points: Iterable[Any]) -> Iterator[Any]:
        for point in points:
            queue.append(f(point))
            yield queue[0]
        queue[:] = queue[:1]

    mapped = Mapped(Guarded(total, ()), late)
    assert told(mapped.outcomes(POINTS[:1])) == [(0, 1.0)]
    assert told(mapped.outcomes(POINTS[:1])) == [(0, AGAIN)]


@pytest.mark.claim("nan-and-inf")
def test_a_worker_that_dies_fails_the_points_without_a_value() -> None:
    """A pool that is broken evaluates nothing more; points that it did not take remain."""
    with (processes := Processes(Guarded(dies, ()), 1)):
        outcomes = reasons(processes.outcomes(POINTS))
        again = told(processes.outcomes(POINTS))
    assert 1 <= len(outcomes) <= 4
    assert str(outcomes[0]).startswith("a worker failed: BrokenProcessPool")
    assert set(again) <= {(k, "a worker died before this point was sent to it") for k in range(4)}
    assert again


def slow_at_zero(x: Floats) -> float:
    if x[0] == 0:
        time.sleep(1)
    return total(x)


@pytest.mark.claim("determinism")
def test_a_slow_point_holds_no_other_back() -> None:
    """Of forty points the first takes longest: its outcome is the last."""
    points = [np.array([float(k)]) for k in range(40)]
    with (processes := Processes(Guarded(slow_at_zero, ()), 2)):
        order = [k for k, _ in processes.outcomes(points)]
    assert sorted(order) == list(range(40))
    assert order[-1] == 0


@pytest.mark.claim("determinism")
def test_points_are_taken_as_processes_become_free() -> None:
    """So that a run that cannot go on stops early, and all that it has begun is kept."""
    taken: list[int] = []

    def points() -> Iterator[Floats]:
        for k in range(1000):
            if len(done) >= 3:
                return
            taken.append(k)
            yield np.array([float(k)])

    done: list[int] = []
    with (processes := Processes(Guarded(total, ()), 2)):
        for k, _ in processes.outcomes(points()):
            done.append(k)
    assert sorted(done) == taken
    assert len(taken) < 20


@pytest.mark.claim("nan-and-inf")
def test_a_failure_has_the_exception_behind_it() -> None:
    """Of each evaluator, whoever failed: the objective, the map, a process."""
    ((_, outcome),) = Vectorized(Guarded(lambda x: 1 / 0, ())).outcomes(POINTS)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.cause, ZeroDivisionError)
    _, (_, outcome) = Mapped(Guarded(total, ()), breaks_off).outcomes(POINTS)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.cause, OSError)
    with (processes := Processes(Guarded(dies, ()), 1)):
        outcomes = [*processes.outcomes(POINTS[:1]), *processes.outcomes(POINTS[:1])]
    for _, outcome in outcomes:
        assert isinstance(outcome, Failure)
        assert isinstance(outcome.cause, BrokenExecutor)


@pytest.mark.claim("nan-and-inf")
def test_a_failure_travels_without_an_exception_that_cannot() -> None:
    here = Failure("why", Unpicklable())
    assert vars(pickle.loads(pickle.dumps(here))) == {"why": "why", "cause": None}
    there = pickle.loads(pickle.dumps(Failure("why", KeyError("k"))))
    assert (there.why, repr(there.cause)) == ("why", "KeyError('k')")


@pytest.mark.claim("nan-and-inf")
def test_an_exception_that_cannot_tell_itself_is_told_by_its_type() -> None:
    def fun(x: Floats) -> float:
        raise Unspeakable

    assert reasons(Serial(Guarded(fun, ())).outcomes(POINTS)) == [
        "the objective raised Unspeakable"
    ]


@pytest.mark.claim("nan-and-inf")
def test_a_masked_value_is_none() -> None:
    for value in (np.ma.masked, np.ma.array([1.0], mask=[True])):
        assert isinstance(outcome_of(value), Failure)
    assert outcome_of(np.ma.array([1.0], mask=[False])) == 1.0


def test_the_keyboard_is_for_the_first_process_only() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
    try:
        with (processes := Processes(Guarded(ignores_the_keyboard, ()), 1)):
            assert in_order(processes.outcomes(POINTS[:1])) == [1.0]
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, None])
def test_an_exit_cancels_what_waits_and_the_keyboard_ends_what_runs(kind: Any) -> None:
    """One evaluation runs, twenty wait. The keyboard ends it, though it would take an hour."""
    processes = Processes(Guarded(total, ()), 1)
    processes.__enter__()
    pool = processes.pool_for(1)
    slow = pool.submit(time.sleep, 3600 if kind else 3)
    waiting = [pool.submit(time.sleep, 1) for _ in range(20)]
    while not slow.running():
        time.sleep(0.01)
    processes.__exit__(kind, None, None)
    if kind is None:
        assert slow.done()
        assert not slow.cancelled()
        assert slow.exception() is None
    assert any(future.cancelled() or future.exception() for future in waiting)


@pytest.mark.claim("nan-and-inf")
def test_an_objective_that_cannot_be_sent_to_a_process_is_a_failure() -> None:
    with (processes := Processes(Guarded(lambda x: 1.0, ()), 1)):
        (outcome,) = reasons(processes.outcomes(POINTS[:1]))
    assert str(outcome).startswith("a worker failed: ")
    assert "pickle" in str(outcome)


@pytest.mark.claim("determinism")
def test_the_arguments_choose_the_evaluator() -> None:
    assert type(make_evaluator(total, (), 1, False)) is Serial
    assert type(make_evaluator(total, (), 1, True)) is Vectorized
    assert type(make_evaluator(total, (), map, False)) is Mapped
    assert type(make_evaluator(total, (), 2, False)) is Processes
    all_processors: Any = make_evaluator(total, (), -1, False)
    assert all_processors.count == os.cpu_count() or type(all_processors) is Serial


@pytest.mark.claim("determinism")
@pytest.mark.parametrize(
    ("workers", "vectorized"), [(1, False), (1, True), (map, False), (2, False), (-1, False)]
)
def test_the_evaluator_calls_the_function_with_the_arguments(
    workers: Any, vectorized: bool
) -> None:
    fun = columns if vectorized else total
    with (chosen := make_evaluator(fun, (2.0,), workers, vectorized)):
        assert in_order(chosen.outcomes(POINTS)) == [2.0, 4.0, 6.0, 8.0]


def process(x: Floats) -> float:
    time.sleep(0.05)  # so that every process of the pool gets a point
    return float(os.getpid())


@pytest.mark.claim("determinism")
def test_no_more_processes_than_were_asked_for_or_points_wait() -> None:
    before = len(multiprocessing.active_children())

    def count(points: int) -> int:
        assert len(list(processes.outcomes(POINTS[:points]))) == points
        return len(multiprocessing.active_children()) - before

    with (processes := Processes(Guarded(process, ()), 3)):
        assert [count(k) for k in (1, 2, 1, 4, 1)] == [1, 2, 2, 3, 3]
    assert len(multiprocessing.active_children()) == before


@pytest.mark.claim("determinism")
def test_as_many_processes_as_there_are_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    def count(workers: Any) -> Any:
        chosen = make_evaluator(total, (), workers, False)
        return chosen.count if isinstance(chosen, Processes) else type(chosen)

    for workers in (2, MOST_WORKERS, np.int64(3), np.uint8(2)):
        assert count(workers) == workers
    for processors, expected in ((7, 7), (10**6, MOST_WORKERS), (None, 1)):  # it may not know
        monkeypatch.setattr(os, "cpu_count", lambda processors=processors: processors)
        assert count(-1) == expected
    assert count(np.int64(1)) is Serial
    assert type(make_evaluator(total, (), np.int64(1), True)) is Vectorized  # type: ignore[arg-type]


def test_an_interrupt_while_processes_are_made_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It comes when they are made: within a fork Python would pass over it."""
    submit, inside = ProcessPoolExecutor.submit, []

    def interrupted(pool: Any, *given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        inside.append(given)
        return submit(pool, *given)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", interrupted)
    processes = Processes(Guarded(total, ()), 1)
    with processes, pytest.raises(KeyboardInterrupt):
        list(processes.outcomes([np.zeros(2)]))
    assert len(inside) == 1
