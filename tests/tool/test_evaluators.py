"""Specification of `evaluators` and `processes`: how an objective is called, what it may return."""

import math
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from embedded_hunter.run import processes as processes_module
from embedded_hunter.run.evaluators import Mapped, Vectorized
from embedded_hunter.run.minimize import MOST_WORKERS, make_evaluator
from embedded_hunter.run.outcomes import (
    Failure,
    Guarded,
    Outcome,
    Serial,
    outcome_of,
)
from embedded_hunter.run.processes import Processes
from tool.front_door import backwards

INF = math.inf
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


class Unpicklable(Exception):
    def __init__(self) -> None:
        super().__init__("with a lambda")
        self.held = lambda: None


class TwoArguments(Exception):
    """Pickles, but cannot be unpickled: a common mistake."""

    def __init__(self, first: object, second: object) -> None:
        super().__init__("two")


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
    "value", [2, np.float32(2), np.array([[2]]), [2.0], np.ma.array([2.0]), Fraction(2), Decimal(2)]
)
def test_real_numbers_and_arrays_of_one_are_values(value: object) -> None:
    outcome = outcome_of(value)
    assert outcome == 2.0
    assert type(outcome) is float
    assert outcome_of(np.float32(math.inf)) == math.inf
    assert (outcome_of(10**20), outcome_of(-(10**30))) == (1e20, -1e30)


class NoArray:
    def __array__(self, *args: object, **kwargs: object) -> object:
        raise RuntimeError("not even an array")


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("value", "got"),
    [
        (None, "NoneType"), ("1.0", "str"), (True, "bool"), (1j, "complex"), (10**400, "int"),
        (np.datetime64("NaT"), "datetime64"), (Decimal("sNaN"), "Decimal"),
        (np.array([1.0, 2.0]), "ndarray of shape (2,)"), ([], "list of shape (0,)"),
        ([1.0, [2.0, 3.0]], "list"), (np.ma.masked, "MaskedConstant"),
        (np.ma.array([1.0], mask=[True]), "MaskedArray"), (NoArray(), "NoArray"),
    ],
)  # fmt: skip
def test_anything_else_is_a_failure_that_says_what_it_is(value: object, got: str) -> None:
    outcome = outcome_of(value)
    assert isinstance(outcome, Failure)
    assert outcome.why == f"the objective must return one real number, got {got}"
    assert outcome.cause is None
    assert outcome_of(np.array([math.nan])) == Failure("the objective returned nan", at_point=True)


@pytest.mark.claim("determinism", "batch-equivalence")
@pytest.mark.parametrize(
    ("workers", "vectorized", "kind"),
    [(1, False, Serial), (np.int64(1), True, Vectorized), (map, False, Mapped),
     (2, False, Processes)],
)  # fmt: skip
def test_the_arguments_choose_the_evaluator(workers: Any, vectorized: bool, kind: type) -> None:
    """Each outcome comes with the position of its point."""
    fun = columns if vectorized else total
    with (evaluator := make_evaluator(fun, (2.0,), workers, vectorized)):
        assert type(evaluator) is kind
        assert in_order(evaluator.outcomes(POINTS)) == [2.0, 4.0, 6.0, 8.0]
        assert in_order(evaluator.outcomes(iter(POINTS[2:]))) == [6.0, 8.0]
        assert in_order(evaluator.outcomes([])) == []


ODD = "the objective raised KeyError: 'odd'"


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("workers", "expected"),
    [(1, [1.0, ODD]), (map, [1.0, ODD, 3.0, ODD]), (2, [1.0, ODD, 3.0, ODD])],
)
def test_a_failure_takes_no_other_outcome_with_it(workers: Any, expected: list[Any]) -> None:
    """In this process the first one is the last outcome."""
    with (evaluator := make_evaluator(picky, (), workers, False)):
        outcomes = list(evaluator.outcomes(POINTS))
    assert reasons(outcomes) == expected
    failure = in_order(outcomes)[1]
    assert isinstance(failure, Failure)
    assert isinstance(failure.cause, KeyError)


def test_a_wrong_column_takes_no_other_value_with_it() -> None:
    """After an exception the points are evaluated one by one, up to the first that fails."""
    seen: list[int] = []

    def some(x: Floats) -> list[float]:
        seen.append(x.shape[1])
        if (x[0] == 2).any():
            raise ValueError("two is too great")
        return list(x[0])

    vectorized = Vectorized(Guarded(some, ()))
    found = reasons(vectorized.outcomes(POINTS))
    assert found[:2] == [0.0, 1.0]
    assert "two is too great" in str(found[2])
    assert (len(found), seen) == (3, [4, 1, 1, 1])
    assert reasons(vectorized.outcomes(POINTS[3:])) == [3.0]
    assert list(vectorized.outcomes([])) == []


@pytest.mark.claim("nan-and-inf")
@pytest.mark.parametrize(
    ("fun", "expected"),
    [
        (lambda x: 1 / 0, ["ZeroDivisionError: division by zero"]),
        (lambda x: x, ["an array of shape (4,), got shape (2, 4)"]),
        (lambda x: [1.0, math.nan, math.inf, 2], [1.0, "the objective returned nan", INF, 2.0]),
        (lambda x: ["a", "b", "c", "d"], ["must return one real number, got str_"] * 4),
    ],
)
def test_a_vectorized_objective_that_fails(
    fun: Callable[[Floats], object], expected: list[float | str]
) -> None:
    found = reasons(Vectorized(Guarded(fun, ())).outcomes(POINTS))
    for one, other in zip(found, expected, strict=True):
        assert str(one).endswith(other) if isinstance(other, str) else one == other


Mapper = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


def breaks_off(f: Callable[[Any], Any], points: Iterable[Any]) -> Iterator[Any]:
    yield f(next(iter(points)))
    raise OSError("no more machines")


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
            lambda f, points: [f(x) for x in points[1:3]],
            [(1, 2.0), (2, 3.0), (0, "the map returned 2 answers for 4 tasks")],
        ),
        (twice, [(0, 1.0), (1, AGAIN)]),
        (
            lambda f, points: [f(x) for x in [*points, points[2]]],
            [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0), (0, AGAIN)],
        ),
        (lambda f, points: (float(k) for k in range(10**9)), [(0, FOREIGN.format("0.0"))]),
        (
            lambda f, points: None,
            [(0, "the map raised TypeError: 'NoneType' object is not iterable")],
        ),
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


def test_points_fail_if_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: multiprocessing.Process) -> None:
        raise BlockingIOError(11, "no more processes")

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", full)
    with (processes := Processes(Guarded(total, ()), 2)):
        why = "no process could be started: BlockingIOError: [Errno 11] no more processes"
        assert told(processes.outcomes(POINTS)) == [(k, why) for k in range(len(POINTS))]


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


def unfit_to_travel(x: Floats) -> float:
    if x[0] == 1:
        raise TwoArguments(1, 2)
    if x[0] == 2:
        raise Unpicklable
    return float(x[0])


@pytest.mark.claim("nan-and-inf")
def test_an_exception_that_cannot_travel_takes_no_other_value_with_it() -> None:
    points = [np.array([float(k)]) for k in range(4)]
    with (processes := Processes(Guarded(unfit_to_travel, ()), 1)):
        first, second, third, fourth = (o for _, o in sorted(processes.outcomes(points)))
    assert (first, fourth) == (0.0, 3.0)
    assert isinstance(second, Failure)
    assert second.why == "the objective raised TwoArguments: two"
    # Where tblib is loaded, as Dask does, exceptions of two arguments do travel.
    assert second.cause is None or isinstance(second.cause, TwoArguments)
    assert third == Failure("the objective raised Unpicklable: with a lambda", at_point=True)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, None])
def test_an_exit_cancels_what_waits_and_the_keyboard_ends_what_runs(kind: Any) -> None:
    """One evaluation runs, twenty wait. The keyboard ends it, though it would take an hour."""
    processes = Processes(Guarded(total, ()), 1)
    processes.__enter__()
    pool = processes.pool_for(1)
    slow = pool.submit(time.sleep, 3600 if kind else 0.3)
    waiting = [pool.submit(time.sleep, 0.1) for _ in range(20)]
    while not slow.running():
        time.sleep(0.01)
    processes.__exit__(kind, None, None)
    if kind is None:
        assert slow.done()
        assert not slow.cancelled()
        assert slow.exception() is None
    assert any(future.cancelled() or future.exception() for future in waiting)


class Heavy:
    """An argument that counts how often it is pickled."""

    pickled = 0

    def __reduce__(self) -> tuple[Any, ...]:
        Heavy.pickled += 1
        return Heavy, ()


def with_data(x: Floats, data: Heavy) -> float:
    return total(x)


@pytest.mark.parametrize(("method", "times"), [("fork", 0), ("spawn", 1)])
def test_the_arguments_are_sent_once_and_not_for_each_evaluation(
    method: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is forked inherits them."""
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: method)
    monkeypatch.setattr(Heavy, "pickled", 0)
    with (processes := Processes(Guarded(with_data, (Heavy(),)), 2)):
        for _ in range(3):
            assert in_order(processes.outcomes(POINTS)) == [1.0, 2.0, 3.0, 4.0]
    assert Heavy.pickled == times


@pytest.mark.claim("nan-and-inf")
def test_an_objective_that_cannot_be_sent_to_a_process_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A lambda is sent by cloudpickle, if that is installed, or inherited by a fork."""
    local = Guarded(lambda x: float(x[0]), ())
    with (processes := Processes(local, 1)):
        assert in_order(processes.outcomes(POINTS[:2])) == [0.0, 1.0]
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: "spawn")
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with (processes := Processes(local, 1)):
        (outcome,) = reasons(processes.outcomes(POINTS[:1]))
    assert str(outcome).startswith("the objective cannot be sent to a worker: ")
    assert str(outcome).endswith("Define it in a module that workers can import, or install "
                                 "cloudpickle")  # fmt: skip
    monkeypatch.undo()
    pytest.importorskip("cloudpickle")
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: "spawn")
    with (processes := Processes(local, 1)):
        assert in_order(processes.outcomes(POINTS[:2])) == [0.0, 1.0]


def test_an_objective_that_a_worker_cannot_load_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as one that a notebook has defined."""
    monkeypatch.setattr(processes_module, "as_sent", lambda guarded: b"not a pickle")
    with (processes := Processes(Guarded(total, ()), 1)):
        (outcome,) = reasons(processes.outcomes(POINTS[:1]))
    assert "a worker cannot load the objective: " in str(outcome)
    assert "install cloudpickle" in str(outcome)


def in_a_daemon(_: object) -> str:
    try:
        make_evaluator(total, (), 2, False)
    except ValueError as error:
        return str(error)
    return "nothing was refused"


def test_workers_in_a_process_that_may_have_none_are_refused_at_once() -> None:
    with multiprocessing.Pool(1) as pool:
        (said,) = pool.map(in_a_daemon, [0])
    assert said.startswith("workers must be 1 in a process that may not start others")


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
    for processors, expected in ((7, 7), (10**6, MOST_WORKERS), (None, 1)):  # it may not know
        monkeypatch.setattr(os, "cpu_count", lambda processors=processors: processors)
        chosen = make_evaluator(total, (), -1, False)
        assert isinstance(chosen, Processes)
        assert chosen.count == expected


def test_an_interrupt_while_processes_are_made_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
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
