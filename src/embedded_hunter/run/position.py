"""Where a run stands: all that follows from its settings, its key and the values known so far."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from embedded_hunter.matrices import Floats, raise_trim_threshold
from embedded_hunter.run.box import from_cube
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.policy import AnyVisit
from embedded_hunter.run.run import Run


class Query(NamedTuple):
    """A point to be evaluated."""

    number: int
    """Number of the evaluation in the run, from 1 to v."""
    x: Floats
    """The point, shape (n,), read-only: within the bounds if they were given, else in [-1, 1]^n."""


class Position:
    """The position of a run: its generator, its visit, and the points that wait for a value.

    It is made from a run, whose values it goes through. Few points are made for that: the best
    one, those that wait, and all if one generator draws them one after another (policy ``fresh``).

    Attributes
    ----------
    draws_in_order
        Whether one generator draws all points, in their order.
    visit
        The visit that is being evaluated, or the last one.
    first
        Number of its first evaluation.
    finished
        Whether the run has ended.
    asked
        Number of points asked for so far.
    open
        Those of them that have no value yet: {number: point}.
    best
        Value, number and point of the best evaluation; None before the first value.
    greatest
        The greatest value.
    """

    def __init__(self, run: Run, memory: int) -> None:
        raise_trim_threshold()
        if run.key is None:
            raise ValueError("a run without a key cannot be continued: its points are not known")
        rows = run.rows or run.settings.n
        self._settings, self._box, self._policy = run.settings, run.box, policy_of(run.settings)
        self._hunt = self._policy.run(run.settings, run.key, rows)
        self._points = self._policy.points(run.settings, run.key, rows, memory)
        self.visit: AnyVisit = next(self._hunt)
        self.draws_in_order = self._policy.draws_in_order
        self.first, self.asked, self.finished = 1, 0, False
        self.open: dict[int, Floats] = {}
        self.best: tuple[float, int, Floats] | None = None
        self.greatest = -math.inf
        self._least_of_visits = (math.inf, False)  # of the complete visits; is it at the edge?
        self._go_through(run.known.tolist())
        more = len(run.values) - self.asked
        if more > self.waiting:
            raise ValueError(
                f"values must be at most {self.asked + self.waiting} floats, got {len(run.values)}"
            )
        if more:
            self.ask(self.points(more))
        values = run.values.tolist()
        self.follow(values, [k for k in self.open if not math.isnan(values[k - 1])])

    def _go_through(self, known: Sequence[float]) -> None:
        """Pass the visits that these values of evaluations 1, 2, ... complete."""
        best = known.index(least := min(known)) + 1 if known else 0
        while True:
            end = min(self.end, len(known) + 1)
            wanted = range(self.first, end)
            if not self.draws_in_order:
                wanted = range(best, best + (best in wanted))
            for k in wanted:
                (x,) = self._points.project([self.visit.evaluations[k - self.first]])
                if k == best:
                    self.best = least, best, from_cube(self._box, x)
            self.asked = end - 1
            if self.end > len(known) + 1 or not self._pass(known):
                break
        self.greatest = max(known, default=-math.inf)

    @property
    def end(self) -> int:
        """Number of the first evaluation behind the visit."""
        return self.first + len(self.visit.evaluations)

    @property
    def waiting(self) -> int:
        """Number of points of the visit that have not been asked for."""
        return self.end - 1 - self.asked

    def points(self, count: int) -> Floats:
        """Return the next points of the visit, read-only.

        After an exception the position is as it was, unless `draws_in_order` is true.
        """
        begin = self.asked + 1 - self.first
        points = from_cube(
            self._box, self._points.project(self.visit.evaluations[begin : begin + count])
        )
        points.flags.writeable = False
        return points

    def ask(self, points: Floats) -> list[Query]:
        """Keep the next points of the visit among the open ones, and return them as queries."""
        numbers = range(self.asked + 1, self.asked + 1 + len(points))
        queries = list(map(Query, numbers, points))
        self.open.update(queries)
        self.asked += len(points)
        return queries

    def follow(self, values: Sequence[float], told: Iterable[int]) -> None:
        """Take the values of open points as told; pass the visit if it is complete.

        `values` has those of all evaluations so far, `told` the numbers of the new ones.
        """
        for number in told:
            value, x = values[number - 1], self.open.pop(number)
            self.greatest = max(self.greatest, value)
            if self.best is None or (value, number) < self.best[:2]:
                self.best = value, number, x.copy()  # `x` is a part of a greater array
        while not (self.finished or self.open or self.waiting):
            self._pass(values)

    def _pass(self, values: Sequence[float]) -> bool:
        """Send the values of the visit, begin the next one; return whether there is one."""
        known = list(values[self.first - 1 : self.end - 1])
        if (least := min(known, default=math.inf)) < self._least_of_visits[0]:
            asked, place = self.visit.evaluations, known.index(least)
            self._least_of_visits = least, self._policy.at_edge(self._settings, asked, place)
        try:
            visit = self._hunt.send(known)
        except StopIteration:
            self.finished = True
        else:
            self.visit, self.first = visit, self.end
        return not self.finished

    @property
    def at_edge(self) -> bool:
        """Whether the best point, that of a complete visit, lies at the edge of the search."""
        return self.best is not None and self._least_of_visits == (self.best[0], True)
