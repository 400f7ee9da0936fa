"""How the objective is called: one point after another, by several workers, or vectorized.

An evaluator turns points into outcomes, in their order: a float, or a `Failure` where there is no
value. A failure never takes the outcomes of other points with it.
"""

import math
import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass
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

    def outcomes(self, points: Iterable[Floats]) -> Iterator[Outcome]:
        """Evaluate points of shape (n,), in the user's bounds."""

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

    def outcomes(self, points: Iterable[Floats]) -> Iterator[Outcome]:
        """Stop at the first failure: the points behind it stay unanswered, not lost."""
        for x in points:
            outcome = self._guarded(x)
            yield outcome
            if isinstance(outcome, Failure):
                return


class Vectorized(_Plain):
    """All points in one call, as columns of an array of shape (n, S)."""

    floats = BATCH_FLOATS

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded

    def outcomes(self, points: Iterable[Floats]) -> Iterator[Outcome]:
        """Evaluate all points together."""
        points = list(points)
        try:
            values = np.ma.asarray(self._guarded.fun(np.stack(points, axis=1), *self._guarded.args))
        except (Exception, SystemExit) as error:
            yield Failure(f"the objective raised {_told(error)}", error)
            return
        if values.shape != (len(points),):
            yield Failure(
                f"the vectorized objective must return shape ({len(points)},), "
                f"one value for each column, got {values.shape}"
            )
            return
        yield from map(outcome_of, values)


class Mapped(_Plain):
    """The points of a visit through a map-like callable, the user's own."""

    floats = BATCH_FLOATS

    def __init__(self, guarded: Guarded, mapper: Map) -> None:
        self._guarded, self._mapper = guarded, mapper

    def outcomes(self, points: Iterable[Floats]) -> Iterator[Outcome]:
        """Evaluate the points in whatever way the map does."""
        points = list(points)
        returned = 0
        try:
            outcomes = iter(self._mapper(self._guarded, points))
            for outcome in outcomes:
                returned += 1
                if returned == len(points) and any(True for _ in outcomes):
                    # The last point stays without a value, so that the run stops here.
                    yield Failure(
                        f"the map returned more than {returned} values for {returned} points"
                    )
                    return
                yield outcome if isinstance(outcome, Failure) else outcome_of(outcome)
        except Exception as error:
            yield Failure(f"the map raised {_told(error)}", error)
            return
        if returned != len(points):
            yield Failure(f"the map returned {returned} values for {len(points)} points")


class Processes:
    """The points of a visit in so many processes."""

    floats = BATCH_FLOATS

    def __init__(self, guarded: Guarded, count: int) -> None:
        self._guarded, self._count = guarded, count

    def __enter__(self) -> None:
        # The keyboard interrupts this process, which then ends the others.
        self._pool = ProcessPoolExecutor(
            self._count, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
        )

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is KeyboardInterrupt:  # nobody waits for what is being evaluated
            for process in list(getattr(self._pool, "_processes", {}).values()):
                process.terminate()
        self._pool.shutdown(cancel_futures=True)

    def outcomes(self, points: Iterable[Floats]) -> Iterator[Outcome]:
        """Wait for every point; a worker that dies costs the points without a value only."""
        points = list(points)
        futures = []
        try:
            for x in points:
                futures.append(self._pool.submit(self._guarded, x))
        except BrokenExecutor as error:
            broken: BaseException = error
        for future in futures:
            try:
                yield future.result()
            except Exception as error:
                yield Failure(f"a worker failed: {_told(error)}", error)
        for _ in points[len(futures) :]:
            yield Failure("a worker died before this point was sent to it", broken)


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
    allowed = "workers must be an integer >= 1, -1 (all processors), or a map-like callable"
    if isinstance(workers, bool) or not (callable(workers) or isinstance(workers, int)):
        raise TypeError(f"{allowed}, got {workers!r} of type {type(workers).__name__}")
    if vectorized and workers != 1:
        raise ValueError(
            f"workers must be 1 if vectorized is true: one call takes all points, got {workers!r}"
        )
    if vectorized:
        return Vectorized(guarded)
    if callable(workers):
        return Mapped(guarded, workers)
    if workers < 1 and workers != -1:
        raise ValueError(f"{allowed}, got {workers}")
    if workers == 1:
        return Serial(guarded)
    return Processes(guarded, (os.cpu_count() or 1) if workers == -1 else workers)
