"""How the objective is called: serially, by a map of the user, vectorized, or in processes.

An evaluator turns points into outcomes (see `outcomes`), which are returned as soon as they are
known, in any order, each with the position of its point. A failed evaluation does not invalidate
the outcomes of other points.
"""

import operator
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

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
from embedded_hunter.run.processes import Processes
from embedded_hunter.run.queries import Query

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
        """Evaluate all points in one call; see `Evaluator.outcomes`."""
        columns = np.stack(list(points), axis=1)
        count = columns.shape[1]
        try:
            values = np.ma.asarray(self._guarded.fun(columns, *self._guarded.args))
        except (Exception, SystemExit) as error:
            hint = ""
            if isinstance(error, TypeError | ValueError):  # as a function of one point raises
                hint = f" (vectorized: x has shape {columns.shape}, one point in each column)"
            failure = raised(error, columns, hint)
            yield from ((k, failure) for k in range(count))
            return
        if values.shape != (count,):
            yield (
                0,
                Failure(
                    "the vectorized objective must return one value for each column, an array of "
                    f"shape ({count},), got shape {values.shape}"
                ),
            )
            return
        yield from enumerate(map(outcome_of, values))


@dataclass(frozen=True)
class Answer:
    """The outcome of the point of the same number."""

    number: int
    outcome: Outcome


def answer(guarded: Guarded, task: Query) -> Answer:
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
        tasks = [Query(number, x) for number, x in enumerate(points, first)]
        self._sent += len(tasks)
        missing = {task.number for task in tasks}
        try:
            for found in self._mapper(partial(answer, self._guarded), tasks):
                if not isinstance(found, Answer):
                    why = f"the map returned {found!r:.50}, which the function did not return"
                elif found.number in missing:
                    missing.remove(found.number)
                    yield found.number - first, found.outcome
                    continue
                else:
                    why = "the map returned an answer that it had returned before"
                yield min(missing, default=first) - first, Failure(why)
                return
        except Exception as error:
            why = f"the map raised {describe(error)}"
            yield min(missing, default=first) - first, Failure(why, error)
            return
        if missing:
            why = f"the map returned {len(tasks) - len(missing)} answers for {len(tasks)} tasks"
            yield min(missing) - first, Failure(why)


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
    return Processes(guarded, min(os.cpu_count() or 1, MOST_WORKERS) if count == -1 else count)
