"""How the objective is called: serially, by several workers, or vectorized.

An evaluator turns points into outcomes. An outcome is a float, or a `Failure` if the evaluation
has no value. Outcomes are returned as soon as they are known, in any order, each with the position
of its point. A failed evaluation does not invalidate the outcomes of other points.
"""

import math
import multiprocessing
import operator
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import connection
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from embedded_hunter.projection import Floats

Objective = Callable[..., Any]
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

SERIAL_LIMIT = 2**15
"""Numbers made at a time when points are evaluated one by one: as many as a cache holds."""

BATCH_LIMIT = 2**23
"""Numbers made at a time when points are evaluated together: 64 MiB."""

MOST_WORKERS = 1024
"""Greatest number of processes that may be asked for."""


@dataclass
class Failure:
    """An evaluation without a value: the reason, and the exception that caused it, if any."""

    why: str
    cause: BaseException | None = None

    def __getstate__(self) -> dict[str, object]:
        """Drop the exception if it cannot be pickled and unpickled."""
        try:
            pickle.loads(pickle.dumps(self.cause))
        except Exception:
            return {"why": self.why, "cause": None}
        return {"why": self.why, "cause": self.cause}


Outcome = float | Failure


class Evaluator(Protocol):
    """What `minimize` requires of an evaluator. Its context is entered during a run."""

    batch_limit: int
    """How many numbers may be made at a time."""

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate points, each of shape (n,) and in the user's bounds.

        A point that is not taken from `points`, or for which nothing is yielded, is evaluated
        later.

        Yields
        ------
        (int, Outcome)
            The position of a point, counted from 0, and its outcome.
        """

    def __enter__(self) -> object: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


@dataclass
class Guarded:
    """The objective as a function of x. It returns a `Failure` instead of raising."""

    fun: Objective
    args: tuple[Any, ...]

    def __call__(self, x: Floats) -> Outcome:
        """Evaluate one point, shape (n,)."""
        try:
            value = self.fun(x, *self.args)
        except (Exception, SystemExit) as error:
            return Failure(f"the objective raised {_describe(error)}", error)
        return outcome_of(value)


def outcome_of(value: object) -> Outcome:
    """Return the value of the objective as a float, or a `Failure` if it is not allowed.

    Allowed are a real number and an array of exactly one real number. Infinite values are allowed,
    NaN is not.
    """
    if type(value) is not float and type(value) is not np.float64:
        try:
            array = np.array(None) if np.ma.is_masked(value) else np.asarray(value)
        except Exception:  # nested lists of different lengths, or any error of a foreign object
            array = np.array(None)
        if array.size != 1 or array.dtype.kind not in "iuf":
            shape = f" of shape {array.shape}" if array.ndim else ""
            return Failure(
                f"the objective must return one real number, got {type(value).__name__}{shape}"
            )
        value = float(array.reshape(()))
    return Failure("the objective returned nan") if math.isnan(value) else float(value)


def _describe(error: BaseException) -> str:
    """Return the type and message of an exception; only the type if its message raises."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


class _Plain:
    """An evaluator whose context has nothing to open and nothing to close."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


class Serial(_Plain):
    """One point after another, in this process."""

    batch_limit = SERIAL_LIMIT

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate the points in turn, up to the first failure; see `Evaluator.outcomes`."""
        for k, x in enumerate(points):
            outcome = self._guarded(x)
            yield k, outcome
            if isinstance(outcome, Failure):
                return


class Vectorized(_Plain):
    """All points in one call, as columns of an array of shape (n, S)."""

    batch_limit = BATCH_LIMIT

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate all points in one call; see `Evaluator.outcomes`."""
        points = list(points)
        try:
            values = np.ma.asarray(self._guarded.fun(np.stack(points, axis=1), *self._guarded.args))
        except (Exception, SystemExit) as error:
            yield 0, Failure(f"the objective raised {_describe(error)}", error)
            return
        if values.shape != (len(points),):
            yield (
                0,
                Failure(
                    "the vectorized objective must return one value for each column, an array of "
                    f"shape ({len(points)},), got shape {values.shape}"
                ),
            )
            return
        yield from enumerate(map(outcome_of, values))


@dataclass(frozen=True)
class Task:
    """A point that a map-like callable has evaluated, with its number."""

    number: int
    x: Floats


@dataclass(frozen=True)
class Answer:
    """The outcome of the `Task` of the same number."""

    number: int
    outcome: Outcome


@dataclass
class Answering:
    """The function that is passed to a map-like callable: it turns a task into its answer."""

    guarded: Guarded

    def __call__(self, task: Task) -> Answer:
        """Evaluate the point of a task."""
        return Answer(task.number, self.guarded(task.x))


class Mapped(_Plain):
    """Points are evaluated by a map-like callable of the user.

    Tasks are numbered consecutively over all calls. So the map may return the answers in any
    order, and an answer that is returned twice or belongs to an earlier call is detected.
    """

    batch_limit = BATCH_LIMIT

    def __init__(self, guarded: Guarded, mapper: Map) -> None:
        self._answering, self._mapper = Answering(guarded), mapper
        self._sent = 0

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate the points by the map; see `Evaluator.outcomes`."""
        first = self._sent
        tasks = [Task(number, x) for number, x in enumerate(points, first)]
        self._sent += len(tasks)
        missing = {task.number for task in tasks}
        try:
            for answer in self._mapper(self._answering, tasks):
                if not isinstance(answer, Answer):
                    why = f"the map returned {answer!r:.50}, which the function did not return"
                elif answer.number in missing:
                    missing.remove(answer.number)
                    yield answer.number - first, answer.outcome
                    continue
                else:
                    why = "the map returned an answer that it had returned before"
                yield min(missing, default=first) - first, Failure(why)
                return
        except Exception as error:
            why = f"the map raised {_describe(error)}"
            yield min(missing, default=first) - first, Failure(why, error)
            return
        if missing:
            why = f"the map returned {len(tasks) - len(missing)} answers for {len(tasks)} tasks"
            yield min(missing) - first, Failure(why)


class Processes:
    """Points are evaluated in several processes, at most one for each point of a call."""

    batch_limit = BATCH_LIMIT

    def __init__(self, guarded: Guarded, count: int) -> None:
        self._guarded, self.count = guarded, count
        self._pool: ProcessPoolExecutor | None = None
        self._size = 0  # of the pool

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._pool is None:
            return
        if kind is KeyboardInterrupt:  # do not wait for the running evaluations
            for process in list(getattr(self._pool, "_processes", {}).values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)
        self._pool, self._size = None, 0

    def pool_for(self, points: int) -> ProcessPoolExecutor:
        """Return a pool of at least `points` processes."""
        if self._pool is not None and self._size < points:
            self._pool.shutdown()
            self._pool = None
        if self._pool is None:
            self._pool, self._size = ProcessPoolExecutor(points, initializer=begin_worker), points
        return self._pool

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate the points in the processes; see `Evaluator.outcomes`.

        If a worker dies, the points that have no value yet fail; the values that are known remain.
        """
        points = iter(points)
        first = list(islice(points, self.count))
        if not first:
            return
        pool = self.pool_for(len(first))
        waiting = enumerate(chain(first, points))
        running: dict[Future[Outcome], int] = {}
        while True:
            # Submit twice as many points as there are processes, so that no process has to wait.
            for k, x in islice(waiting, 2 * self._size - len(running)):
                try:
                    with interrupts_held():
                        future = pool.submit(self._guarded, x)
                    running[future] = k
                except BrokenExecutor as error:
                    yield k, Failure("a worker died before this point was sent to it", error)
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                k = running.pop(future)
                try:
                    yield k, future.result()
                except Exception as error:
                    yield k, Failure(f"a worker failed: {_describe(error)}", error)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C while processes are started: an interrupt during a fork would be lost."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Prepare a worker of `Processes`: it ignores Ctrl-C and ends when its parent ends."""
    # Ctrl-C interrupts the parent, which then ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see `interrupts_held`
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()


def _end_with_parent(started_by: int) -> None:
    """End this process when its parent has ended, even during an evaluation.

    The parent holds the sentinel, a pipe, open. A process that the parent forks later holds it
    open too, and may live longer than the parent. So the parent's process id is checked as well:
    it changes when the parent ends.
    """
    parent = multiprocessing.parent_process()
    if parent is None:  # not started by multiprocessing
        return
    while not connection.wait([parent.sentinel], timeout=1) and os.getppid() == started_by:
        pass
    os._exit(1)


def make_evaluator(
    fun: Objective, args: tuple[Any, ...], workers: int | Map, vectorized: bool
) -> Evaluator:
    """Return the evaluator for these arguments of `minimize`.

    Raises
    ------
    TypeError, ValueError
        If `workers` or `vectorized` is not allowed. The message names the argument and the allowed
        values.
    """
    guarded = Guarded(fun, args)
    if not isinstance(vectorized, bool | np.bool_):
        raise TypeError(
            "vectorized must be True or False, "
            f"got {vectorized!r} of type {type(vectorized).__name__}"
        )
    allowed = (
        f"workers must be an integer from 1 to {MOST_WORKERS}, -1 (all processors), or a "
        "map-like callable"
    )
    count = 0  # a map-like callable
    if not callable(workers):
        try:
            count = operator.index(None if isinstance(workers, bool) else workers)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(
                f"{allowed}, got {workers!r} of type {type(workers).__name__}"
            ) from None
        if count != -1 and not 1 <= count <= MOST_WORKERS:
            raise ValueError(f"{allowed}, got {count}")
    if vectorized:
        if count != 1:
            raise ValueError(
                "workers must be 1 if vectorized is true: one call takes all points, "
                f"got {workers!r}"
            )
        return Vectorized(guarded)
    if callable(workers):
        return Mapped(guarded, workers)
    if count == 1:
        return Serial(guarded)
    return Processes(guarded, min(os.cpu_count() or 1, MOST_WORKERS) if count == -1 else count)
