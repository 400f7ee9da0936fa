"""Two ways to evaluate many points: by one call that takes all of them, or by a map of the user."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from embedded_hunter.matrices import Floats
from embedded_hunter.run.outcomes import (
    Evaluator,
    Failure,
    Guarded,
    Map,
    Outcome,
    describe,
    outcome_of,
    raised,
)


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
