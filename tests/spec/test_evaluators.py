"""Specification of `evaluators`: what an objective may return, and how it is called."""

import math
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from embedded_hunter.evaluators import (
    Failure,
    Guarded,
    Mapped,
    Outcome,
    Processes,
    Serial,
    Vectorized,
    evaluator,
    outcome_of,
)
from embedded_hunter.projection import Floats

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


def reasons(outcomes: Iterable[Outcome]) -> list[float | str]:
    return [o.why if isinstance(o, Failure) else o for o in outcomes]


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
def test_outcomes_come_in_the_order_of_the_points(make: Callable[[Guarded], Any]) -> None:
    with make(Guarded(total, (2.0,))) as entered, make(Guarded(total, (2.0,))) as _:
        assert entered is None
    evaluator = make(Guarded(total, (2.0,)))
    with evaluator:
        assert list(evaluator.outcomes(POINTS)) == [2.0, 4.0, 6.0, 8.0]


@pytest.mark.claim("batch-equivalence")
def test_a_vectorized_objective_gets_the_points_as_columns() -> None:
    shapes = []

    def fun(x: Floats, scale: float) -> Floats:
        shapes.append(x.shape)
        result: Floats = scale * x.sum(axis=0)
        return result

    with (vectorized := Vectorized(Guarded(fun, (2.0,)))):
        outcomes = list(vectorized.outcomes(POINTS))
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
    assert reasons(outcomes) == [1.0, "the objective raised KeyError: 'odd'"]
    assert isinstance(outcomes[1], Failure)
    assert isinstance(outcomes[1].cause, KeyError)
    assert seen == [0.0, 1.0]


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize("make", many()[1:])
def test_a_failure_takes_no_other_outcome_with_it(make: Callable[[Guarded], Any]) -> None:
    why = "the objective raised KeyError: 'odd'"
    with (evaluator := make(Guarded(picky, ()))):
        outcomes = list(evaluator.outcomes(POINTS))
    assert reasons(outcomes) == [1.0, why, 3.0, why]
    assert isinstance(outcomes[1].cause, KeyError)


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("fun", "expected"),
    [
        (lambda x: 1 / 0, ["the objective raised ZeroDivisionError: division by zero"]),
        (
            lambda x: x,
            [
                "the vectorized objective must return shape (4,), one value for each column, "
                "got (2, 4)"
            ],
        ),
        (
            lambda x: 1.0,
            ["the vectorized objective must return shape (4,), one value for each column, got ()"],
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


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("mapper", "expected"),
    [
        (breaks_off, [1.0, "the map raised OSError: no more machines"]),
        (
            lambda f, points: [f(x) for x in list(points)[:3]],
            [1.0, 2.0, 3.0, "the map returned 3 values for 4 points"],
        ),
        (
            lambda f, points: [f(x) for x in [*points, *points]],
            [1.0, 2.0, 3.0, "the map returned more than 4 values for 4 points"],
        ),
        (
            lambda f, points: (float(k) for k in range(10**9)),
            [0.0, 1.0, 2.0, "the map returned more than 4 values for 4 points"],
        ),
        (lambda f, points: None, ["the map raised TypeError: 'NoneType' object is not iterable"]),
        (
            lambda f, points: [None, math.nan, np.float64(3), np.array([4.0])],
            [
                "the objective must return one real number, got NoneType",
                "the objective returned nan",
                3.0,
                4.0,
            ],
        ),
        (by_threads, [1.0, 2.0, 3.0, 4.0]),
    ],
)
def test_a_map_may_fail_in_its_own_ways(mapper: Mapper, expected: list[float | str]) -> None:
    assert reasons(Mapped(Guarded(total, ()), mapper).outcomes(POINTS)) == expected


@pytest.mark.claim("nan-and-inf")
def test_a_worker_that_dies_fails_the_points_without_a_value() -> None:
    with (processes := Processes(Guarded(dies, ()), 1)):
        outcomes = reasons(processes.outcomes(POINTS))
        again = reasons(processes.outcomes(POINTS))
    assert len(outcomes) == 4
    assert str(outcomes[0]).startswith("a worker failed: BrokenProcessPool")
    assert again == ["a worker died before this point was sent to it"] * 4


@pytest.mark.claim("nan-and-inf")
def test_a_failure_has_the_exception_behind_it() -> None:
    """Of each evaluator, whoever failed: the objective, the map, a process."""
    (outcome,) = Vectorized(Guarded(lambda x: 1 / 0, ())).outcomes(POINTS)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.cause, ZeroDivisionError)
    _, outcome = Mapped(Guarded(total, ()), breaks_off).outcomes(POINTS)
    assert isinstance(outcome, Failure)
    assert isinstance(outcome.cause, OSError)
    with (processes := Processes(Guarded(dies, ()), 1)):
        outcomes = [*processes.outcomes(POINTS[:1]), *processes.outcomes(POINTS[:1])]
    for outcome in outcomes:
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
            assert list(processes.outcomes(POINTS[:1])) == [1.0]
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, None])
def test_an_exit_cancels_what_waits_and_the_keyboard_ends_what_runs(kind: Any) -> None:
    """One evaluation of three seconds runs, twenty wait; only the keyboard ends it at once."""
    processes = Processes(Guarded(total, ()), 1)
    processes.__enter__()
    slow = processes._pool.submit(time.sleep, 3)
    waiting = [processes._pool.submit(time.sleep, 1) for _ in range(20)]
    while not slow.running():
        time.sleep(0.01)
    begun = time.monotonic()
    processes.__exit__(kind, None, None)
    passed = time.monotonic() - begun
    if kind is KeyboardInterrupt:
        assert passed < 2
    else:
        assert slow.done()
        assert not slow.cancelled()
        assert slow.exception() is None
        assert passed < 10
    assert any(future.cancelled() or future.exception() for future in waiting)


@pytest.mark.claim("nan-and-inf")
def test_an_objective_that_cannot_be_sent_to_a_process_is_a_failure() -> None:
    with (processes := Processes(Guarded(lambda x: 1.0, ()), 1)):
        (outcome,) = reasons(processes.outcomes(POINTS[:1]))
    assert str(outcome).startswith("a worker failed: ")
    assert "pickle" in str(outcome)


@pytest.mark.claim("determinism")
def test_the_arguments_choose_the_evaluator() -> None:
    assert type(evaluator(total, (), 1, False)) is Serial
    assert type(evaluator(total, (), 1, True)) is Vectorized
    assert type(evaluator(total, (), map, False)) is Mapped
    assert type(evaluator(total, (), 2, False)) is Processes
    all_processors: Any = evaluator(total, (), -1, False)
    assert all_processors._count == os.cpu_count() or type(all_processors) is Serial


@pytest.mark.claim("determinism")
@pytest.mark.parametrize(
    ("workers", "vectorized"), [(1, False), (1, True), (map, False), (2, False), (-1, False)]
)
def test_the_evaluator_calls_the_function_with_the_arguments(
    workers: Any, vectorized: bool
) -> None:
    fun = columns if vectorized else total
    with (chosen := evaluator(fun, (2.0,), workers, vectorized)):
        assert list(chosen.outcomes(POINTS)) == [2.0, 4.0, 6.0, 8.0]


@pytest.mark.claim("determinism")
def test_as_many_processes_as_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def count(workers: int) -> int:
        with (processes := evaluator(total, (), workers, False)):
            assert isinstance(processes, Processes)
            return int(vars(processes._pool)["_max_workers"])

    assert count(2) == 2
    assert count(3) == 3
    assert count(-1) == os.cpu_count()
    monkeypatch.setattr(os, "cpu_count", lambda: None)  # it may not know
    assert count(-1) == 1
    assert count(3) == 3


WORKERS = "workers must be an integer >= 1, -1 (all processors), or a map-like callable"


@pytest.mark.claim("determinism")
@pytest.mark.parametrize(
    ("workers", "vectorized", "kind", "message"),
    [
        (0, False, ValueError, f"{WORKERS}, got 0"),
        (-2, False, ValueError, f"{WORKERS}, got -2"),
        (True, False, TypeError, f"{WORKERS}, got True of type bool"),
        (1.5, False, TypeError, f"{WORKERS}, got 1.5 of type float"),
        (None, False, TypeError, f"{WORKERS}, got None of type NoneType"),
        (
            2,
            True,
            ValueError,
            "workers must be 1 if vectorized is true: one call takes all points, got 2",
        ),
    ],
)
def test_bad_workers_are_named(
    workers: Any, vectorized: bool, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        evaluator(total, (), workers, vectorized)
    assert str(caught.value) == message
