"""Algorithm 1 from outside: ask for points, tell their values.

`EmbeddedHunter` drives the generator of `hunter` (or any generator that speaks its protocol) and
turns its evaluations into points of X = [-1, 1]^n. There is no second loop of the algorithm here:
a value that was told waits until the visit of a depth is complete, then the generator goes on.
"""

import math
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.evaluators import Failure, outcome_of
from embedded_hunter.family import hunt_family
from embedded_hunter.hunter import Hunt, Visit, hunt
from embedded_hunter.planted import Planted
from embedded_hunter.projection import Floats, Projection, projection_of
from embedded_hunter.refinement import Plant
from embedded_hunter.settings import Settings

MESSAGES = {
    0: "The evaluation budget is used.",
    1: "The tree is full: every leaf lies below depth h_max.",
    2: "The callback asked to stop.",
    3: "Interrupted.",
    4: "An evaluation of the objective failed.",
    5: "The run goes on.",
}
"""What `status` of a result means; `success` is true for 0 and 1."""


class Query(NamedTuple):
    """A point to be evaluated."""

    number: int
    """Number of the evaluation in the run, from 1 to v."""
    x: Floats
    """The point of X, shape (n,), read-only."""


def search_of(
    settings: Settings, rng: np.random.Generator, rows: int | None = None
) -> tuple[Hunt, Projection]:
    """Return the generator and the projection, making `rows` rows, that `settings` names."""
    if settings.policy != "family":
        return hunt(settings), projection_of(settings, rng, rows)
    plants: deque[Plant] = deque(maxlen=1)
    projection = Planted(settings, rng, settings.n if rows is None else rows, plants)
    return hunt_family(settings, plants), projection


class EmbeddedHunter:
    """A run of Algorithm 1 that asks and is told.

    Parameters
    ----------
    settings
        The parameters of the run.
    rng
        Seed, `numpy.random.Generator` or whatever `numpy.random.default_rng` takes. The same seed
        gives the same points, in whatever portions they are asked for and told.
    rows
        How many coordinates of x are made, n unless given: a problem that depends on known
        coordinates alone needs no others.
    run
        The generator to drive, the one that `settings` names unless given.
    projection
        What makes the points, the one that `settings` names unless given. With policy ``family``
        the two belong together: give both (see `search_of`) or none.

    Attributes
    ----------
    x, fun
        The best point told so far, shape (n,), and its value; None and +inf before. Of equal
        values the evaluation of the smallest number counts, in whatever order they are told.
    nfev
        Values told so far.
    visit
        The visit of a depth which is being evaluated, or the last one.
    finished
        Whether the run has ended: nothing more will be asked.
    """

    def __init__(
        self,
        settings: Settings,
        rng: np.random.Generator | int | None = None,
        *,
        rows: int | None = None,
        run: Hunt | None = None,
        projection: Projection | None = None,
    ) -> None:
        self.settings = settings
        if settings.policy == "family" and (run is None) != (projection is None):
            raise ValueError("run and projection of policy 'family' must be given both or none")
        if run is None and projection is None:
            run, projection = search_of(settings, np.random.default_rng(rng), rows)
        elif projection is None:
            projection = projection_of(settings, np.random.default_rng(rng), rows)
        self._projection = projection
        self._run = hunt(settings) if run is None else run
        self.x: Floats | None = None
        self.fun = math.inf
        self._best: int | None = None  # number of the best evaluation
        self.nfev = 0
        self.finished = False
        self._start(next(self._run))

    def _start(self, visit: Visit) -> None:
        """Begin to evaluate a visit; visits that need no evaluation are passed at once."""
        while not visit.evaluations:
            try:
                visit = self._run.send(())
            except StopIteration:
                self.finished = True
                break
        self.visit = visit
        self._asked = 0
        self._first = self.nfev + 1  # number of the visit's first evaluation
        self._open: dict[int, Floats] = {}
        self._values: list[float | None] = [None] * len(visit.evaluations)
        self._missing = len(visit.evaluations)

    @property
    def waiting(self) -> int:
        """How many points of the visit have not been asked for yet."""
        return len(self.visit.evaluations) - self._asked

    def ask(self, at_most: int | None = None) -> list[Query]:
        """Return the next points, at most so many; all that are left of this visit unless given.

        Returns
        -------
        list of Query, empty when all points of the visit have been asked for but not yet told, or
        when the run has ended.

        Raises
        ------
        ValueError
            If `at_most` is negative.
        """
        if at_most is not None and at_most < 0:
            raise ValueError(f"at_most must be >= 0 or None, got {at_most}")
        if self.finished:
            return []
        first = self._asked
        count = self.waiting if at_most is None else min(at_most, self.waiting)
        self._asked += count
        if count == 0:
            return []
        points = self._projection.project(self.visit.evaluations[first : first + count])
        points.flags.writeable = False
        queries = list(map(Query, range(self._first + first, self._first + self._asked), points))
        self._open.update(queries)
        return queries

    def tell(self, queries: Sequence[Query], values: Sequence[float]) -> None:
        """Give the values of points that were asked for, in any order and any portions.

        Raises
        ------
        ValueError
            For a point that was not asked for or was told before, a value that is nan or no real
            number, or a different number of points and values. Nothing is taken then.
        """
        if len(queries) != len(values):
            raise ValueError(f"{len(queries)} points were told with {len(values)} values")
        told: dict[int, float] = {}
        for query, value in zip(queries, values, strict=True):
            number: object = getattr(query, "number", query)
            if not isinstance(number, int) or number not in self._open or number in told:
                raise ValueError(f"evaluation {number!r:.50} was not asked for, or was told before")
            outcome = outcome_of(value)
            if isinstance(outcome, Failure):
                raise ValueError(f"the value of evaluation {number}: {outcome.why}")
            told[number] = outcome
        for number, value in told.items():
            x = self._open.pop(number)
            self._values[number - self._first] = value
            if self._best is None or (value, number) < (self.fun, self._best):
                self.x, self.fun, self._best = x.copy(), value, number
        self._missing -= len(told)
        self.nfev += len(told)
        if told and self._missing == 0:
            self._go_on()

    def _go_on(self) -> None:
        values = [value for value in self._values if value is not None]
        try:
            self._start(self._run.send(values))
        except StopIteration:
            self.finished = True

    def stop(self) -> dict[str, int]:
        """Return why the run has ended, as {reason: its limit}; empty while it goes on.

        ``maxfun``: the evaluation budget is used; ``h_max``: every leaf lies below depth h_max.
        """
        if not self.finished:
            return {}
        if self.nfev >= self.settings.v:
            return {"maxfun": self.settings.v}
        return {"h_max": self.settings.h_max}

    @property
    def result(self) -> OptimizeResult:
        """The outcome so far, in the coordinates of X; `status` is explained in `MESSAGES`."""
        reasons = self.stop()
        status = 5 if not reasons else 0 if "maxfun" in reasons else 1
        return OptimizeResult(
            x=None if self.x is None else self.x.copy(),
            fun=self.fun,
            nfev=self.nfev,
            nit=self.visit.t if self.finished else max(self.visit.t - 1, 0),
            nsweep=self.visit.sweep,
            depth=self.visit.tree.depth,
            nleaves=self.visit.tree.leaf_count,
            success=status in (0, 1),
            status=status,
            message=MESSAGES[status],
        )
