"""The ask/tell interface: ask for points, evaluate them yourself, tell their values.

`Search` numbers the points of a run, maps them into the user's box and keeps their values. Where
the run stands follows from these: see `position`. The algorithm is not repeated here.
"""

from __future__ import annotations

import math
import threading
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import integer
from embedded_hunter.forest.uniform import better_part
from embedded_hunter.matrices import MEMORY, Floats, Seed
from embedded_hunter.run import status
from embedded_hunter.run.box import BoundsLike, Box, box_of
from embedded_hunter.run.outcomes import Failure, outcome_of
from embedded_hunter.run.policy import AnyVisit, Parameters
from embedded_hunter.run.position import Position, Query
from embedded_hunter.run.run import Run, other_version
from embedded_hunter.run.status import Status

ValuesLike: TypeAlias = Sequence[float] | npt.NDArray[Any]


class Search:
    """A run with an ask/tell interface, whatever its policy.

    A search can be copied and pickled at any moment, finished or not: a copy is its `Run`, and
    continues as the original would. The points that wait for a value are computed again.

    After an exception inside `ask` or `tell` (MemoryError, KeyboardInterrupt) a search can be
    continued. The interrupted call has either taken full effect or none. Threads may share a
    search: one at a time is in `ask` or `tell`, no point is given twice, and what any other one
    reads meanwhile, such as `result`, belongs to one moment.

    Parameters
    ----------
    settings
        `Settings` or `ForestSettings`: n, the budget v and the parameters of the policy. Or a
        `Run`, which is continued: no value is told again.
    rng
        Seed, `numpy.random.Generator` or any other argument of `numpy.random.default_rng`. The
        same seed gives the same points, however the calls of `ask` and `tell` divide them. Not
        with a `Run`.
    bounds
        The user's bounds, as for `minimize`, or a `Box`. Unless given, points are those of X, or
        within the box of the `Run`.
    rows
        Number of coordinates of x that are computed, n by default. If the objective depends only
        on the first coordinates, the others are not needed. Not with `bounds` or a `Run`.
    memory
        As for `minimize`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed. The message names the argument. Also if the `Run` has no key,
        or more values than evaluations.

    Examples
    --------
    >>> from embedded_hunter import Search, Settings
    >>> search = Search(Settings(n=100, d=2, v=60), rng=1, bounds=[(-5, 5)] * 100)
    >>> while queries := search.ask():
    ...     search.tell(queries, [abs(query.x[0] - 1) for query in queries])
    >>> search.nfev, search.finished, search.x.shape
    (60, True, (100,))
    """

    def __init__(
        self,
        settings: Parameters | Run,
        rng: Seed = None,
        *,
        bounds: BoundsLike | Box | None = None,
        rows: int | None = None,
        memory: int = MEMORY,
    ) -> None:
        if not isinstance(settings, Run):
            run = Run.begin(settings, rng, bounds, rows)
        elif rng is not None or rows is not None:
            raise ValueError(
                f"rng and rows must be None if a run is given, got rng={rng!r:.80}, rows={rows!r}"
            )
        else:
            run = settings
            if bounds is not None:
                run = replace(run, box=box_of(bounds, run.settings.n, run.rows))
        self._memory = integer("memory", memory, 0)
        self._begun = replace(run, values=np.empty(0))
        self._values = array("d", run.values.tobytes())  # nan: asked for, not told
        self._lock = threading.RLock()
        # What follows from `_begun` and `_values`. A call that changes it takes it away, and puts
        # it back at its end: after an exception it is missing, and made again.
        self._known_position: Position | None = Position(run, memory)

    @property
    def run(self) -> Run:
        """The settings, the key and the values: nan for a point that waits for its value."""
        with self._lock:  # `ask` makes the array longer
            return replace(self._begun, values=np.array(self._values))

    @property
    def settings(self) -> Parameters:
        """The parameters of the run."""
        return self._begun.settings

    @property
    def seed(self) -> int | None:
        """The seed that makes the same run again; None if `rng` was a generator in use."""
        return self._begun.seed

    @property
    def _position(self) -> Position:
        with self._lock:  # not while another thread changes it
            if self._known_position is None:
                self._known_position = Position(self.run, self._memory)
            return self._known_position

    @property
    def visit(self) -> AnyVisit:
        """The visit of a depth that is being evaluated, or the last visit."""
        return self._position.visit

    @property
    def finished(self) -> bool:
        """Whether the run has ended. Then `ask` returns no more points."""
        return self._position.finished

    @property
    def x(self) -> Floats | None:
        """The best point told so far, a copy of shape (n,). None before the first value is told.

        If several evaluations have the least value, the one with the smallest number is taken,
        whatever the order in which they were told.
        """
        best = self._position.best
        return None if best is None else best[2].copy()

    @property
    def fun(self) -> float:
        """The value of the best point. +inf before the first value is told."""
        best = self._position.best
        return math.inf if best is None else best[0]

    @property
    def best_number(self) -> int:
        """Number of the evaluation of the best point; 0 before the first value is told."""
        best = self._position.best
        return 0 if best is None else best[1]

    @property
    def nfev(self) -> int:
        """Number of values told so far."""
        with self._lock:
            return self._position.asked - len(self._position.open)

    @property
    def since_the_best(self) -> int:
        """Number of values told since the last one that was below all before it."""
        with self._lock:
            return self.nfev - self.best_number

    @property
    def waiting(self) -> int:
        """Number of points of the visit that have not been asked for yet."""
        return self._position.waiting

    @property
    def visited(self) -> int:
        """Number of evaluations of the complete visits."""
        with self._lock:
            return self.nfev if self.finished else self._position.first - 1

    @property
    def unanswered(self) -> list[Query]:
        """The points that were asked for and have no value yet, in the order of their numbers."""
        with self._lock:
            points = self._position.open
            return [Query(k, points[k]) for k in sorted(points) if math.isnan(self._values[k - 1])]

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
        with self._lock:
            self.go_on()
            position = self._position
            waiting = position.waiting
            count = waiting if most is None else min(most, waiting)
            if count == 0:
                return []
            if position.draws_in_order:
                self._known_position = None
            points = position.points(count)
            self._known_position = None
            queries = position.ask(points)
            self._values.extend([math.nan] * count)
            self._known_position = position
        return queries

    def tell(self, queries: Sequence[Query | int], values: ValuesLike) -> None:
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
        TypeError
            If `queries` or `values` is not a sequence.
        ValueError
            If a point was not asked for or was already told, or is that of another search, if a
            value is NaN or not a real number, or if the numbers of points and values differ. Then
            no value is taken.
        """
        with self._lock:
            position = self._position
            told = self.checked(queries, values)
            if told:
                self._known_position = None
                np.frombuffer(self._values)[[k - 1 for k in told]] = list(told.values())
                position.follow(self._values, told)
                self._known_position = position

    def checked(self, queries: Sequence[Query | int], values: ValuesLike) -> dict[int, float]:
        """Return {number of the evaluation: value} if `tell` takes them; its errors otherwise."""
        if hasattr(queries, "number") or not (_is_row(queries) and _is_row(values)):
            raise TypeError(
                "queries and values must be sequences of the same length; for one point, "
                f"tell([query], [value]), got {queries!r:.50} and {values!r:.50}"
            )
        if len(queries) != len(values):
            raise ValueError(
                "queries and values must have the same length, "
                f"got {len(queries)} queries and {len(values)} values"
            )
        waiting = self._position.open
        told: dict[int, float] = {}
        for query, value in zip(queries, values, strict=True):
            given: object = getattr(query, "number", query)
            number = given if type(given) is int else _integer(given)
            if number not in waiting or number in told or not math.isnan(self._values[number - 1]):
                raise ValueError(f"evaluation {given!r:.50} was not asked for, or was already told")
            x = getattr(query, "x", waiting[number])
            if x is not waiting[number] and not np.array_equal(x, waiting[number]):
                raise ValueError(f"the point of evaluation {number} is that of another search")
            outcome = outcome_of(value)
            if isinstance(outcome, Failure):
                raise ValueError(f"the value of evaluation {number}: {outcome.why}")
            told[number] = outcome
        return told

    def note(self, number: int, value: float) -> None:
        """Keep the value of a point that waits for it; `go_on` takes all kept values as told."""
        self._values[number - 1] = value

    def go_on(self) -> None:
        """Take the kept values as told, and begin the next visit if they complete this one."""
        with self._lock:
            position, self._known_position = self._position, None
            noted = [k for k in position.open if not math.isnan(self._values[k - 1])]
            position.follow(self._values, noted)
            self._known_position = position

    def __reduce__(self) -> tuple[Callable[..., Search], tuple[Run, int]]:
        return made_again, (self.run, self._memory)

    @property
    def history(self) -> status.History:
        """Number and value of each evaluation that was told, in the order of their numbers."""
        return status.history_of(self.run.values)

    @property
    def result(self) -> OptimizeResult:
        """The outcome so far; with the history if the run has ended. See `run.status`."""
        return self.ended()

    def ended(self, reason: Status | None = None) -> OptimizeResult:
        """Return the outcome of a run that ended for this reason, or by itself; see `minimize`."""
        with self._lock:
            return self._ended(reason)

    def _ended(self, reason: Status | None) -> OptimizeResult:
        if reason is None:
            by_itself = Status.FULL if self.nfev < self.settings.v else Status.USED
            reason = by_itself if self.finished else Status.RUNNING
        # Who stops a run by its values chooses which uniform points count.
        by_budget = self.finished and reason == Status.USED
        nuniform = getattr(self.visit, "uniform", 0) if by_budget else 0  # policy forest
        box = self._begun.box
        sure = getattr(self.visit, "sure", 0) if by_budget else 0
        better = better_part(sure if box is None or box.x0 is None else 0)
        flat = self.nfev > 1 and self.fun == self._position.greatest
        if self.nfev:
            at_edge = self._position.at_edge
            reason = status.verdict(reason, self.fun, flat=flat, at_edge=at_edge)
        visit = self.visit
        result = OptimizeResult(
            x=self.x,
            fun=self.fun,
            nfev=self.nfev,
            nit=visit.t if self.finished else max(visit.t - 1, 0),
            nsweep=visit.sweep,
            depth=visit.tree.depth,
            nleaves=visit.tree.leaf_count,
            success=reason in status.SUCCESS and self.nfev > 0,
            status=reason,
            message=status.message_of(
                reason, self.settings.policy, box, self.nfev, self.best_number, better
            ),
            nuniform=nuniform,
            better_part=better,
            policy=self.settings.policy,
            seed=self.seed,
        )
        if reason != Status.RUNNING:
            result.update(history=self.history, run=self.run)
        return result


def _is_row(given: object) -> bool:
    """Tell whether this is a sequence or an array of one dimension at least, and no string."""
    is_sequence = isinstance(given, Sequence) and not isinstance(given, str | bytes)
    return is_sequence or getattr(given, "ndim", 0) > 0


def _integer(number: object) -> int:
    """Return the number of an evaluation as an int; 0 if `number` is not an integer >= 1."""
    try:
        return integer("number", number, 1)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0


def made_again(run: Run | Mapping[str, object], *more: int) -> Search:
    """Return the search of a pickle; ValueError if version 1.1.0 or an older one has written it."""
    if not isinstance(run, Run):
        raise ValueError(other_version(run.get("package")))
    return Search(run, memory=more[0])
