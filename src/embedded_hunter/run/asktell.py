"""Algorithm 1 from outside: ask for points, tell their values.

`EmbeddedHunter` drives the generator of `hunter` (or any generator that speaks its protocol) and
turns its evaluations into points of X = [-1, 1]^n. There is no second loop of the algorithm here:
a value that was told waits until the visit of a depth is complete, then the generator goes on.

A run is a function of its settings, its random numbers and the values it was told. A generator
cannot be copied, and an exception ends it. So all values are kept (8 bytes each), and the generator
is made again and sent them when a run is copied, unpickled, or goes on after an exception.
"""

import copy
import math
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Hunt, Visit, hunt
from embedded_hunter.projection import Floats, Fresh, Projection, generator, projection_of
from embedded_hunter.run.evaluators import Failure, outcome_of
from embedded_hunter.run.search import search_of
from embedded_hunter.settings import Settings, integer
from embedded_hunter.version import __version__

MESSAGES = {
    0: "The evaluation budget is used.",
    1: "The tree is full: every leaf lies below depth h_max.",
    2: "The callback asked to stop.",
    3: "Interrupted.",
    4: "An evaluation of the objective failed.",
    5: "The run goes on.",
    6: "The checkpoint could not be written.",
}
"""What `status` of a result means; `success` is true for 0 and 1."""

PIECE = 2**20
"""Coordinates of points that are made at a time when a run is made again: 8 MiB."""


class Query(NamedTuple):
    """A point to be evaluated."""

    number: int
    """Number of the evaluation in the run, from 1 to v."""
    x: Floats
    """The point of X, shape (n,), read-only."""


class EmbeddedHunter:
    """A run of Algorithm 1 that asks and is told.

    A run can be copied (`copy.deepcopy`) and pickled at any moment, finished or not: the copy goes
    on as the original would. Unpickling makes the tree again from the values; with policy
    ``forest`` the points too. A run with a `run` of its own cannot be copied.

    After an exception inside `ask` or `tell` (MemoryError, KeyboardInterrupt) the run goes on; the
    call has been made as a whole or not at all, and `unanswered` says which points wait for a
    value.

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
        What makes the points, the one that `settings` names unless given. With policy ``forest``
        the two belong together: give both (see `search.search_of`) or none.

    Attributes
    ----------
    visit
        The visit of a depth which is being evaluated, or the last one.
    finished
        Whether the run has ended: nothing more will be asked.

    Raises
    ------
    TypeError, ValueError
        For an argument that is not allowed; the message names it.
    """

    visit: Visit
    finished: bool
    _first: int
    """Number of the visit's first evaluation."""
    _run: Hunt | None
    """None while the generator is advanced: if an exception leaves it so, it is made again."""

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
        if isinstance(settings, ForestSettings) and (run is None) != (projection is None):
            raise ValueError("run and projection of policy 'forest' must be given both or none")
        source = generator(rng)
        self._rows = None if rows is None else integer("rows", rows, 1)
        self._run_is_given = run is not None
        # The points of the forest depend on its run: both are made again from the same start.
        remade = run is None and isinstance(settings, ForestSettings)
        self._start = copy.deepcopy(source) if remade else None
        if run is None and projection is None:
            run, projection = search_of(settings, source, self._rows)
        elif projection is None:
            projection = projection_of(settings, source, self._rows)
        self._projection = projection
        self._values = array("d")  # of evaluation 1, 2, ...
        self._asked = 0  # points asked for so far
        self._open: dict[int, Floats] = {}  # those of them that have no value yet, by number
        self._best: tuple[float, int, Floats] | None = None  # value, number and point
        self._asking = 0  # number of the first point that `ask` makes or made last
        self._before: Mapping[str, Any] = {}  # state of the random generator when it began
        run = hunt(settings) if run is None else run
        self._stand(run, next(run), 1)

    @property
    def x(self) -> Floats | None:
        """The best point told so far, a copy of shape (n,); None before.

        Of equal values the evaluation of the smallest number counts, in whatever order they are
        told.
        """
        return None if self._best is None else self._best[2].copy()

    @property
    def fun(self) -> float:
        """The value of the best point; +inf before any."""
        return math.inf if self._best is None else self._best[0]

    @property
    def nfev(self) -> int:
        """Values told so far."""
        return self._asked - len(self._open)

    @property
    def waiting(self) -> int:
        """How many points of the visit have not been asked for yet."""
        return self._first + len(self.visit.evaluations) - 1 - self._asked

    @property
    def unanswered(self) -> list[Query]:
        """The points that were asked for and have no value yet, in the order of their numbers."""
        return [Query(number, self._open[number]) for number in sorted(self._open)]

    def ask(self, at_most: int | None = None) -> list[Query]:
        """Return the next points, at most so many; all that are left of this visit unless given.

        Returns
        -------
        list of Query, empty when all points of the visit have been asked for but not yet told, or
        when the run has ended.

        Raises
        ------
        TypeError, ValueError
            If `at_most` is not None or an integer >= 0.
        """
        most = None if at_most is None else integer("at_most", at_most, 0)
        self._mend()
        count = self.waiting if most is None else min(most, self.waiting)
        if count == 0:
            return []
        number, first = self._asked + 1, self._asked + 1 - self._first
        if isinstance(self._projection, Fresh):
            self._before = self._projection.rng.bit_generator.state
        self._asking = number  # until that many are asked for, `_mend` takes back what follows
        points = self._projection.project(self.visit.evaluations[first : first + count])
        points.flags.writeable = False
        queries = list(map(Query, range(number, number + count), points))
        self._values.extend([math.nan] * (self._asked + count - len(self._values)))
        opened, asked = {**self._open, **dict(queries)}, self._asked + count
        self._open, self._asked = opened, asked  # nothing can come in between
        return queries

    def tell(self, queries: Sequence[Query | int], values: Sequence[float]) -> None:
        """Give the values of points that were asked for, in any order and any portions.

        Parameters
        ----------
        queries
            The points, or their numbers.
        values
            As many values; +inf is allowed.

        Raises
        ------
        ValueError
            For a point that was not asked for or was told before, a value that is nan or no real
            number, or a different number of points and values. Nothing is taken then.
        """
        self._mend()
        if len(queries) != len(values):
            raise ValueError(f"{len(queries)} points were told with {len(values)} values")
        told: dict[int, float] = {}
        for query, value in zip(queries, values, strict=True):
            given: object = getattr(query, "number", query)
            number = _integer(given)
            if number not in self._open or number in told:
                raise ValueError(f"evaluation {given!r:.50} was not asked for, or was told before")
            outcome = outcome_of(value)
            if isinstance(outcome, Failure):
                raise ValueError(f"the value of evaluation {number}: {outcome.why}")
            told[number] = outcome
        if not told:
            return
        for number, value in told.items():
            self._values[number - 1] = value
        value, number = min((value, number) for number, value in told.items())
        best = self._best
        if best is None or (value, number) < best[:2]:
            best = (value, number, self._open[number].copy())
        still_open = {k: x for k, x in self._open.items() if k not in told}
        self._best, self._open = best, still_open  # nothing can come in between
        self._mend()

    def _mend(self) -> None:
        """Go on if the visit is complete; first repair what an exception has interrupted."""
        if self._asking == self._asked + 1:  # `ask` did not come to its end
            if isinstance(self._projection, Fresh):
                self._projection.rng.bit_generator.state = self._before
            if self._start is not None:
                self._run = None
            self._asking = 0
        if self._run is None:
            self._replay()
        elif not (self.finished or self.waiting or self._open):
            run, self._run = self._run, None
            self._stand(run, self.visit, self._first)

    def _stand(
        self, run: Hunt, visit: Visit, first: int, projection: Projection | None = None
    ) -> None:
        """Send the values of complete visits, and stand at the first one that is not complete.

        Parameters
        ----------
        visit, first
            Where `run` stands, and the number of the first evaluation there.
        projection
            Makes all points that were asked for again, if it is given.
        """
        known = min(self._open, default=self._asked + 1)  # all numbers below have a value
        finished = False
        while True:
            end = first + len(visit.evaluations)
            if projection is not None:
                asked = visit.evaluations[: self._asked + 1 - first]
                step = max(1, PIECE // (self._rows or self.settings.n))
                for k in range(0, len(asked), step):
                    projection.project(asked[k : k + step])
            if end > known:
                break
            try:
                following = run.send(self._values[first - 1 : end - 1].tolist())
            except StopIteration:
                finished = True
                break
            visit, first = following, end
        self.visit, self._first, self.finished, self._run = visit, first, finished, run

    def _replay(self) -> None:
        """Make the generator again, and send it the values that are known."""
        if self._run_is_given:
            raise RuntimeError("an exception has ended the run that was given; it cannot go on")
        if self._start is None:
            run = hunt(self.settings)
            self._stand(run, next(run), 1)
        else:
            run, self._projection = search_of(self.settings, copy.deepcopy(self._start), self._rows)
            self._stand(run, next(run), 1, self._projection)

    def __getstate__(self) -> dict[str, Any]:
        """Return what determines the run.

        Raises
        ------
        TypeError
            If the run was given: a Python generator cannot be copied.
        """
        if self._run_is_given:
            raise TypeError(
                "a hunter whose run was given cannot be copied or pickled: its run is a Python "
                "generator"
            )
        self._mend()
        state = {**vars(self), "version": __version__}
        del state["_run"], state["visit"]
        if self._start is not None:
            del state["_projection"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what `__getstate__` returned, and make the rest again.

        Raises
        ------
        ValueError
            If another version of the package has written it.
        """
        state = state.copy()
        if (version := state.pop("version", None)) != __version__:
            raise ValueError(
                f"the hunter was pickled by version {version} of embedded-hunter, this is "
                f"{__version__}"
            )
        vars(self).update(state)
        for x in self._open.values():
            x.flags.writeable = False
        self._replay()

    def __copy__(self) -> "EmbeddedHunter":
        """Return a deep copy: a shallow one would share the random numbers."""
        return copy.deepcopy(self)

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
        """The outcome so far, in the coordinates of X; `status` is explained in `MESSAGES`.

        nit counts the visits of a depth that are complete, also those that expanded no leaf; the
        evaluation of the root is not one of them.
        """
        reasons = self.stop()
        status = 5 if not reasons else 0 if "maxfun" in reasons else 1
        return OptimizeResult(
            x=self.x,
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


def _integer(number: object) -> int:
    """Return the number of an evaluation as an int, or 0, which no evaluation has."""
    try:
        return integer("number", number, 1)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0
