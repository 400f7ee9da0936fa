"""How the objective is called: serially, by a map of the user, vectorized, or in processes.

An evaluator turns points into outcomes (see `outcomes`), which are returned as soon as they are
known, in any order, each with the position of its point. A failed evaluation does not invalidate
the outcomes of other points.
"""

import multiprocessing
import operator
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from embedded_hunter.matrices import Floats
from embedded_hunter.run.outcomes import (
    Evaluator,
    Failure,
    Guarded,
    Objective,
    Outcome,
    describe,
    outcome_of,
    raised,
)

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

SERIAL_LIMIT = 2**17
"""Numbers made at a time when points are evaluated one by one: 1 MiB, which a cache holds."""

MOST_WORKERS = 1024
"""Greatest number of processes that may be asked for."""


class Serial(Evaluator):
    """One point after another, in this process."""

    batch_limit = SERIAL_LIMIT

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate the points in turn, up to the first failure; see `Evaluator.outcomes`."""
        for k, x in enumerate(points):
            outcome = self._guarded(x)
            yield k, outcome
            if isinstance(outcome, Failure):
                return


class Vectorized(Evaluator):
    """All points in one call, as columns of an array of shape (n, S)."""

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate all points in one call; see `Evaluator.outcomes`.

        If the call raises an exception, the points are evaluated one by one, up to the first one
        that fails: a point that is wrong takes no value of another one with it.
        """
        columns = list(points)
        if not columns:
            return
        values = self._values_of(columns)
        if isinstance(values, Failure) and values.at_point:
            for k, column in enumerate(columns):
                value = self._values_of([column])
                yield k, value if isinstance(value, Failure) else outcome_of(value[0])
                if isinstance(value, Failure):
                    return
        elif isinstance(values, Failure):
            yield 0, values
        else:
            yield from enumerate(map(outcome_of, values))

    def _values_of(self, points: list[Floats]) -> Any:
        """Return the values of points, an array, or the failure of the call."""
        columns = np.stack(points, axis=1)
        try:
            values = np.ma.asarray(self._guarded.fun(columns, *self._guarded.args))
        except (Exception, SystemExit) as error:
            hint = ""
            if isinstance(error, TypeError | ValueError):  # as a function of one point raises
                hint = f" (vectorized: x has shape {columns.shape}, one point in each column)"
            return raised(error, columns, hint)
        if values.shape != (len(points),):
            return Failure(
                "the vectorized objective must return one value for each column, an array of "
                f"shape ({len(points)},), got shape {values.shape}"
            )
        return values


class MapTask(NamedTuple):
    """A point that a map-like callable is given."""

    number: int
    x: Floats


@dataclass(frozen=True)
class Answer:
    """The outcome of the point of the same number."""

    number: int
    outcome: Outcome


def answer(guarded: Guarded, task: MapTask) -> Answer:
    """Evaluate a point that a map-like callable has been given."""
    return Answer(task.number, guarded(task.x))


class Mapped(Evaluator):
    """Points are evaluated by a map-like callable of the user.

    Tasks are numbered consecutively over all calls. So the map may return the answers in any
    order, and an answer that is returned twice or belongs to an earlier call is detected.
    """

    def __init__(self, guarded: Guarded, mapper: Map) -> None:
        super().__init__(guarded)
        self._mapper, self._sent = mapper, 0

    def outcomes(self, points: Iterable[Floats]) -> Iterator[tuple[int, Outcome]]:
        """Evaluate the points by the map; see `Evaluator.outcomes`."""
        first = self._sent
        tasks = [MapTask(number, x) for number, x in enumerate(points, first)]
        if not tasks:
            return
        self._sent += len(tasks)
        missing = {task.number for task in tasks}
        wrong: Failure | None = None
        try:
            for found in self._mapper(partial(answer, self._guarded), tasks):
                if not isinstance(found, Answer):
                    wrong = Failure(
                        f"the map returned {found!r:.50}, which the function did not return"
                    )
                    break
                if found.number not in missing:
                    wrong = Failure("the map returned an answer that it had returned before")
                    break
                missing.remove(found.number)
                yield found.number - first, found.outcome
        except Exception as error:
            wrong = Failure(f"the map raised {describe(error)}", error)
        if missing and wrong is None:
            made = len(tasks) - len(missing)
            wrong = Failure(f"the map returned {made} answers for {len(tasks)} tasks")
        if wrong is not None:
            yield min(missing, default=first) - first, wrong


def make_evaluator(
    fun: Objective, args: tuple[Any, ...], workers: int | Map, vectorized: bool
) -> Evaluator:
    """Return the evaluator for these arguments of `minimize`, with its errors."""
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
    if multiprocessing.current_process().daemon:
        raise ValueError(
            "workers must be 1 in a process that may not start others, such as a worker of "
            f"multiprocessing.Pool (of a ProcessPoolExecutor it may be greater), got {workers!r}"
        )
    from embedded_hunter.run.processes import Processes

    return Processes(guarded, min(os.cpu_count() or 1, MOST_WORKERS) if count == -1 else count)
