"""How the objective is called: one point after another, by several workers, or vectorized.

An evaluator turns points into outcomes: a float, or a `Failure` where there is no value. Each
outcome comes with the position of its point, as soon as it is known, so in any order. A failure
does not take the outcomes of other points with it.
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

SERIAL_FLOATS = 2**15
"""Numbers made at a time when points are evaluated one by one: as many as a cache holds."""

BATCH_FLOATS = 2**23
"""Numbers made at a time when points are evaluated together: 64 MiB."""

MOST_WORKERS = 1024
"""Greatest number of processes that may be asked for."""


@dataclass
class Failure:
    """An evaluation without a value: why, and the exception behind it if there is one."""

    why: str
    cause: BaseException | None = None

    def __getstate__(self) -> dict[str, object]:
        """Leave the exception behind if it would not arrive in another process."""
        try:
            pickle.loads(pickle.dumps(self.cause))
        except Exception:
            return {"why": self.why, "cause": None}
        return {"why": self.why, "cause": self.cause}


Outcome = float | Failure


class Evaluator(Protocol):
    """What `minimize` needs of an evaluator; entered for the time of a run."""

    floats: int
    """How many numbers may be made at a time."""

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate points of shape (n,), in the user's bounds; position (from 0) and outcome.

        A point that is not taken from `points`, or has no outcome, remains to be evaluated.
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
    """The objective as a function of x that returns its outcome in the place of raising."""

    fun: Objective
    args: tuple[Any, ...]

    def __call__(self, x: Floats) -> Outcome:
        """Evaluate one point, shape (n,)."""
        try:
            value = self.fun(x, *self.args)
        except (Exception, SystemExit) as error:
            return Failure(f"the objective raised {_told(error)}", error)
        return outcome_of(value)


def outcome_of(value: object) -> Outcome:
    """Return the float that an objective's value is, or why it is none.

    A real number, or an array with exactly one; +inf is one, nan is not.
    """
    if type(value) is not float and type(value) is not np.float64:
        try:
            array = np.array(None) if np.ma.is_masked(value) else np.asarray(value)
        except Exception:  # nested lists of different lengths, or whatever an object may do
            array = np.array(None)
        if array.size != 1 or array.dtype.kind not in "iuf":
            shape = f" of shape {array.shape}" if array.ndim else ""
            return Failure(
                f"the objective must return one real number, got {type(value).__name__}{shape}"
            )
        value = float(array.reshape(()))
    return Failure("the objective returned nan") if math.isnan(value) else float(value)


def _told(error: BaseException) -> str:
    """Return an exception in words, its type alone if it cannot tell them."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


class _Plain:
    """Nothing to open, nothing to close."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


class Serial(_Plain):
    """One point after another, in this process."""

    floats = SERIAL_FLOATS

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Stop at the first failure: the points behind it stay unanswered, not lost."""
        for k, x in enumerate(points):
            outcome = self._guarded(x)
            yield k, outcome
            if isinstance(outcome, Failure):
                return


class Vectorized(_Plain):
    """All points in one call, as columns of an array of shape (n, S)."""

    floats = BATCH_FLOATS

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate all points together."""
        points = list(points)
        try:
            values = np.ma.asarray(self._guarded.fun(np.stack(points, axis=1), *self._guarded.args))
        except (Exception, SystemExit) as error:
            yield 0, Failure(f"the objective raised {_told(error)}", error)
            return
        if values.shape != (len(points),):
            yield (
                0,
                Failure(
                    f"the vectorized objective must return shape ({len(points)},), "
                    f"one value for each column, got {values.shape}"
                ),
            )
            return
        yield from enumerate(map(outcome_of, values))


@dataclass(frozen=True)
class Task:
    """A point that a map sends to wherever it is evaluated, and the number it is known by."""

    number: int
    x: Floats


@dataclass(frozen=True)
class Answer:
    """What comes back for a `Task`."""

    number: int
    outcome: Outcome


@dataclass
class Answering:
    """The function that a map gets: it evaluates a task and returns its answer."""

    guarded: Guarded

    def __call__(self, task: Task) -> Answer:
        """Evaluate the point of a task."""
        return Answer(task.number, self.guarded(task.x))


class Mapped(_Plain):
    """The points of a visit through a map-like callable, the user's own.

    Tasks are numbered through all calls. So an answer belongs to its point in whatever order the
    map returns them, and one that is returned twice, or was asked for by an earlier call, is
    noticed.
    """

    floats = BATCH_FLOATS

    def __init__(self, guarded: Guarded, mapper: Map) -> None:
        self._answering, self._mapper = Answering(guarded), mapper
        self._sent = 0

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate the points in whatever way the map does."""
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
            why = f"the map raised {_told(error)}"
            yield min(missing, default=first) - first, Failure(why, error)
            return
        if missing:
            why = f"the map returned {len(tasks) - len(missing)} answers for {len(tasks)} tasks"
            yield min(missing) - first, Failure(why)


class Processes:
    """The points of a visit in several processes; no more are started than points wait."""

    floats = BATCH_FLOATS

    def __init__(self, guarded: Guarded, count: int) -> None:
        self._guarded, self._count = guarded, count
        self._pool: ProcessPoolExecutor | None = None
        self._size = 0  # of the pool

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._pool is None:
            return
        if kind is KeyboardInterrupt:  # nobody waits for what is being evaluated
            for process in list(getattr(self._pool, "_processes", {}).values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)
        self._pool, self._size = None, 0

    def _pool_for(self, points: int) -> ProcessPoolExecutor:
        """Return a pool with a process for each of so many points, if that is not too many."""
        if self._pool is not None and self._size < points:
            self._pool.shutdown()
            self._pool = None
        if self._pool is None:
            self._pool, self._size = ProcessPoolExecutor(points, initializer=begin_worker), points
        return self._pool

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Wait for every point; a worker that dies costs the points without a value only."""
        points = iter(points)
        first = list(islice(points, self._count))
        if not first:
            return
        pool = self._pool_for(len(first))
        waiting = enumerate(chain(first, points))
        running: dict[Future[Outcome], int] = {}
        while True:
            # Twice as many as there are processes: none of them has to wait for this one.
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
                    yield k, Failure(f"a worker failed: {_told(error)}", error)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while processes are made: one that comes within a fork would be lost."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Prepare a process of `Processes`: the keyboard is not for it, and it ends with its parent."""
    # The keyboard interrupts the parent, which then ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see `interrupts_held`
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()


def _end_with_parent(started_by: int) -> None:
    """End this process when its parent has ended, whatever it is evaluating.

    The sentinel is a pipe that the parent holds open. A process that the parent has forked later
    holds it open too, and may live longer. So the process that has started this one is looked at
    as well: another takes its place when it ends.
    """
    parent = multiprocessing.parent_process()
    if parent is None:  # not started by multiprocessing
        return
    while not connection.wait([parent.sentinel], timeout=1) and os.getppid() == started_by:
        pass
    os._exit(1)


def evaluator(
    fun: Objective, args: tuple[Any, ...], workers: int | Map, vectorized: bool
) -> Evaluator:
    """Return the evaluator that the arguments of `minimize` ask for.

    Raises
    ------
    TypeError, ValueError
        Naming the argument and what is allowed.
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
