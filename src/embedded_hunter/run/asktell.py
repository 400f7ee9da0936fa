"""The ask/tell interface: ask for points, evaluate them yourself, tell their values.

`EmbeddedHunter` drives the generator of `hunter`, or any generator with the same protocol. It maps
the generator's evaluations to points of X = [-1, 1]^n. It keeps the told values until all values of
a visit are known, and then sends them to the generator. The algorithm itself is not repeated here.

A run is a function of its settings, its random numbers and the told values. A Python generator
cannot be copied, and an exception ends it. So all values are stored (8 bytes each). When a run is
copied, unpickled or continued after an exception, a new generator is created and sent these values.
"""

import copy
import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import count, takewhile
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Evaluation, Hunt, Visit, hunt
from embedded_hunter.projection import MEMORY, Floats, Fresh, Projection, generator, projection_of
from embedded_hunter.run import status
from embedded_hunter.run.edge import at_edge
from embedded_hunter.run.outcomes import Failure, outcome_of
from embedded_hunter.run.recall import Recall, Streams
from embedded_hunter.run.search import search_of
from embedded_hunter.settings import Settings, integer
from embedded_hunter.version import __version__

REPLAY_BATCH = 2**20
"""Largest number of coordinates computed at a time when a run is replayed: 8 MiB."""


class Query(NamedTuple):
    """A point to be evaluated."""

    number: int
    """Number of the evaluation in the run, from 1 to v."""
    x: Floats
    """The point of X, shape (n,), read-only."""


class EmbeddedHunter:
    """A run of Algorithm 1 with an ask/tell interface.

    A run can be copied (`copy.deepcopy`) and pickled at any moment, finished or not. The copy
    continues as the original would. Unpickling rebuilds the tree from the values; with policy
    ``forest`` it recomputes the points too. A run whose generator was given as `run` cannot be
    copied.

    After an exception inside `ask` or `tell` (MemoryError, KeyboardInterrupt) the run can be
    continued. The interrupted call has either taken full effect or none. `unanswered` lists the
    points that have no value yet.

    Parameters
    ----------
    settings
        The parameters of the run.
    rng
        Seed, `numpy.random.Generator` or any other argument of `numpy.random.default_rng`. The
        same seed gives the same points, however the calls of `ask` and `tell` divide them.
    rows
        Number of coordinates of x that are computed, n by default. If the objective depends only
        on the first coordinates, the others are not needed.
    run
        The generator to drive. By default, the one that `settings` describe.
    projection
        The object that computes the points. By default, the one that `settings` describe. With
        policy ``forest``, `run` and `projection` belong together: give both (see
        `search.search_of`) or neither.
    values
        Values that are known from an earlier start of the same run: {number of the evaluation:
        value}. Those of evaluations 1, 2, ... up to the first number that is missing count as
        told; `recall` says which of their points are made again. The others are ignored.
    streams
        What `stream` was after some calls of `ask` in the earlier start: {number of the last point
        asked for: state}. With policy ``fresh`` few points are then made again.
    memory
        Bytes for columns of matrices and products that policies ``indexed`` and ``forest`` keep,
        an integer >= 0 (512 MiB). The points do not depend on it.

    Attributes
    ----------
    visit
        The visit of a depth that is being evaluated, or the last visit.
    finished
        Whether the run has ended. Then `ask` returns no more points.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed. The message names the argument. Also if `values` has more
        evaluations than the run, or `streams` has a state of another kind of generator.
    """

    visit: Visit
    finished: bool
    _first: int
    """Number of the visit's first evaluation."""
    _run: Hunt | None
    """None while the generator is advanced. If an exception leaves it None, it is replayed."""

    def __init__(
        self,
        settings: Settings,
        rng: np.random.Generator | int | None = None,
        *,
        rows: int | None = None,
        run: Hunt | None = None,
        projection: Projection | None = None,
        values: Mapping[int, float] | None = None,
        streams: Streams | None = None,
        memory: int = MEMORY,
    ) -> None:
        self.settings = settings
        if isinstance(settings, ForestSettings) and (run is None) != (projection is None):
            given, missing = ("projection", "run") if run is None else ("run", "projection")
            raise ValueError(
                "with policy 'forest', run and projection must both be given or both be None, "
                f"got {given} without {missing}"
            )
        source = generator(rng)
        self._rows = None if rows is None else integer("rows", rows, 1)
        self._memory = integer("memory", memory, 0)
        self._run_is_given = run is not None
        # The points of the forest depend on its run, so both are replayed from the same state.
        replay_points = run is None and isinstance(settings, ForestSettings)
        self._start = copy.deepcopy(source) if replay_points else None
        if run is None and projection is None:
            run, projection = search_of(settings, source, self._rows, self._memory)
        elif projection is None:
            projection = projection_of(settings, source, self._rows, self._memory)
        self._projection = projection
        self._values = array("d")  # of evaluation 1, 2, ...
        self._asked = 0  # number of points asked for so far
        self._open: dict[int, Floats] = {}  # those of them that have no value yet, by number
        self._best: tuple[float, int, Floats] | None = None  # value, number and point
        self._edge = (math.inf, False)  # best value of the complete visits; is it at the edge?
        self._ask_begins = 0  # number of the first point of the current or last call of `ask`
        self._stream_before_ask: Mapping[str, Any] | None = None
        run = hunt(settings) if run is None else run
        if values and 1 in values:
            self._recall(run, values, streams or {})
        else:
            self._advance(run, next(run), 1)

    def _recall(self, run: Hunt, values: Mapping[int, float], streams: Streams) -> None:
        """Take the values of evaluations 1, 2, ... that are known without a gap as told."""
        self._values.extend(values[k] for k in takewhile(values.__contains__, count(1)))
        last = self._asked = len(self._values)
        least = min(self._values)
        best = self._values.index(least) + 1
        recall = Recall(self._projection, best, last, streams)
        self._advance(run, next(run), 1, recall.take)
        if recall.made != last or any(map(math.isnan, self._values)):
            raise ValueError(
                f"values must be at most {recall.made} floats that are not nan, got {last}"
            )
        self._best = (least, best, recall.x)

    @property
    def stream(self) -> Mapping[str, Any] | None:
        """The state of the generator that draws the points, after those asked for so far.

        None if the policy is not ``fresh``: then no points are drawn one after another.
        """
        if isinstance(self._projection, Fresh):
            return self._projection.rng.bit_generator.state
        return None

    @property
    def x(self) -> Floats | None:
        """The best point told so far, a copy of shape (n,). None before the first value is told.

        If several evaluations have the least value, the one with the smallest number is taken,
        whatever the order in which they were told.
        """
        return None if self._best is None else self._best[2].copy()

    @property
    def fun(self) -> float:
        """The value of the best point. +inf before the first value is told."""
        return math.inf if self._best is None else self._best[0]

    @property
    def nfev(self) -> int:
        """Number of values told so far."""
        return self._asked - len(self._open)

    @property
    def waiting(self) -> int:
        """Number of points of the visit that have not been asked for yet."""
        return self._first + len(self.visit.evaluations) - 1 - self._asked

    @property
    def unanswered(self) -> list[Query]:
        """The points that were asked for and have no value yet, in the order of their numbers."""
        return [Query(number, self._open[number]) for number in sorted(self._open)]

    def ask(self, at_most: int | None = None) -> list[Query]:
        """Return the next points of the visit.

        Parameters
        ----------
        at_most
            Largest number of points to return, an integer >= 0. By default, all points of the
            visit that have not been asked for.

        Returns
        -------
        list of Query
            Empty if all points of the visit have been asked for and some values are missing, or if
            the run has ended.

        Raises
        ------
        TypeError, ValueError
            If `at_most` is neither None nor an integer >= 0.
        """
        most = None if at_most is None else integer("at_most", at_most, 0)
        self._synchronize()
        waiting = self.waiting
        count = waiting if most is None else min(most, waiting)
        if count == 0:
            return []
        number, first = self._asked + 1, self._asked + 1 - self._first
        self._stream_before_ask = self.stream
        self._ask_begins = number  # if an exception ends this call, `_synchronize` undoes it
        points = self._projection.project(self.visit.evaluations[first : first + count])
        points.flags.writeable = False
        queries = list(map(Query, range(number, number + count), points))
        self._values.extend([math.nan] * (self._asked + count - len(self._values)))
        opened, asked = {**self._open, **dict(queries)}, self._asked + count
        self._open, self._asked = opened, asked  # no exception can separate the two
        return queries

    def tell(self, queries: Sequence[Query | int], values: Sequence[float]) -> None:
        """Give the values of points that were asked for.

        The points can be told in any order and in several calls.

        Parameters
        ----------
        queries
            The points, or their numbers.
        values
            One value for each point. +inf is allowed, NaN is not.

        Raises
        ------
        ValueError
            If a point was not asked for or was already told, if a value is NaN or not a real
            number, or if the numbers of points and values differ. Then no value is taken.
        """
        self._synchronize()
        if len(queries) != len(values):
            raise ValueError(
                "queries and values must have the same length, "
                f"got {len(queries)} queries and {len(values)} values"
            )
        told: dict[int, float] = {}
        for query, value in zip(queries, values, strict=True):
            given: object = getattr(query, "number", query)
            number = given if type(given) is int else _integer(given)
            if number not in self._open or number in told:
                raise ValueError(f"evaluation {given!r:.50} was not asked for, or was already told")
            outcome = outcome_of(value)
            if isinstance(outcome, Failure):
                raise ValueError(f"the value of evaluation {number}: {outcome.why}")
            told[number] = outcome
        if not told:
            return
        for number, value in told.items():
            self._values[number - 1] = value
        value, number = min(zip(told.values(), told, strict=True))
        best = self._best
        if best is None or (value, number) < best[:2]:
            best = (value, number, self._open[number].copy())
        still_open = {k: x for k, x in self._open.items() if k not in told}
        self._best, self._open = best, still_open  # no exception can separate the two
        self._synchronize()

    def _synchronize(self) -> None:
        """Advance the generator if the visit is complete. First undo an interrupted `ask`."""
        if self._ask_begins == self._asked + 1:  # an exception ended `ask`
            if isinstance(self._projection, Fresh) and self._stream_before_ask is not None:
                self._projection.rng.bit_generator.state = self._stream_before_ask
            if self._start is not None:
                self._run = None
            self._ask_begins = 0
        if self._run is None:
            self._replay()
        elif not (self.finished or self.waiting or self._open):
            run, self._run = self._run, None
            self._advance(run, self.visit, self._first)

    def _advance(
        self,
        run: Hunt,
        visit: Visit,
        first: int,
        take: Callable[[Sequence[Evaluation]], object] | None = None,
    ) -> None:
        """Send the values of all complete visits. Stop at the first visit that is not complete.

        Parameters
        ----------
        run
            The generator.
        visit, first
            The current visit of `run`, and the number of its first evaluation.
        take
            If given, it gets all evaluations that were asked for, in their order.
        """
        known = min(self._open, default=self._asked + 1)  # all numbers below have a value
        finished = False
        while True:
            end = first + len(visit.evaluations)
            if take is not None and visit.evaluations:
                asked = visit.evaluations[: self._asked + 1 - first]
                step = max(1, REPLAY_BATCH // (self._rows or self.settings.n))
                for k in range(0, len(asked), step):
                    take(asked[k : k + step])
            if end > known:
                break
            try:
                values = self._values[first - 1 : end - 1].tolist() if end > first else []
                if (least := min(values, default=math.inf)) < self._edge[0]:
                    k = values.index(least)
                    self._edge = (least, at_edge(self.settings, visit.evaluations, k))
                following = run.send(values)
            except StopIteration:
                finished = True
                break
            visit, first = following, end
        self.visit, self._first, self.finished, self._run = visit, first, finished, run

    def _replay(self) -> None:
        """Create a new generator and send it the known values.

        Raises
        ------
        RuntimeError
            If the generator was given as `run`: it cannot be created again.
        """
        if self._run_is_given:
            raise RuntimeError("an exception ended the given run; it cannot be continued")
        if self._start is None:
            run = hunt(self.settings)
            self._advance(run, next(run), 1)
        else:
            run, self._projection = search_of(
                self.settings, copy.deepcopy(self._start), self._rows, self._memory
            )
            self._advance(run, next(run), 1, self._projection.project)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state that determines the run.

        Raises
        ------
        TypeError
            If the generator was given as `run`: a Python generator cannot be copied.
        """
        if self._run_is_given:
            raise TypeError(
                "a hunter whose run was given cannot be copied or pickled: its run is a Python "
                "generator"
            )
        self._synchronize()
        state = {**vars(self), "version": __version__}
        del state["_run"], state["visit"]
        if self._start is not None:
            del state["_projection"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state that `__getstate__` returned, and replay the run.

        Raises
        ------
        ValueError
            If another version of the package wrote the state.
        """
        state = state.copy()
        if (version := state.pop("version", None)) != __version__:
            raise ValueError(
                f"the hunter was pickled by version {version} of embedded-hunter, this is version "
                f"{__version__}"
            )
        vars(self).update(state)
        for x in self._open.values():
            x.flags.writeable = False
        self._replay()

    def __copy__(self) -> "EmbeddedHunter":
        """Return a deep copy. A shallow copy would share the random generator."""
        return copy.deepcopy(self)

    def stop(self) -> dict[str, int]:
        """Return why the run has ended, as {reason: its limit}. Empty while the run continues.

        The reasons are ``maxfun`` (the evaluation budget is used) and ``h_max`` (every leaf lies
        below depth h_max).
        """
        if not self.finished:
            return {}
        if self.nfev >= self.settings.v:
            return {"maxfun": self.settings.v}
        return {"h_max": self.settings.h_max}

    @property
    def result(self) -> OptimizeResult:
        """The outcome so far, with x in the coordinates of X. `run.status` explains `status`.

        ``nit`` counts the complete visits of a depth, including those that expanded no leaf. It
        does not count the evaluation of the root.
        """
        if not self.finished:
            reason = status.RUNNING
        elif self.fun == math.inf:
            reason = status.INFINITE
        elif self._edge[1]:
            reason = status.AT_EDGE
        else:
            reason = status.USED if "maxfun" in self.stop() else status.FULL
        return OptimizeResult(
            x=self.x,
            fun=self.fun,
            nfev=self.nfev,
            nit=self.visit.t if self.finished else max(self.visit.t - 1, 0),
            nsweep=self.visit.sweep,
            depth=self.visit.tree.depth,
            nleaves=self.visit.tree.leaf_count,
            success=reason in status.SUCCESS,
            status=reason,
            message=status.MESSAGES[reason],
        )


def _integer(number: object) -> int:
    """Return the number of an evaluation as an int; 0 if `number` is not an integer >= 1."""
    try:
        return integer("number", number, 1)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0
