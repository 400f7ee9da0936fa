"""The ask/tell interface: ask for points, evaluate them yourself, tell their values.

`EmbeddedHunter` drives the generator of `hunter`, or any generator with the same protocol. It maps
the generator's evaluations to points of the user's box. It keeps the told values until all values
of a visit are known, and then sends them to the generator. The algorithm is not repeated here.

A run is a function of its settings, its key and the told values. A Python generator cannot be
copied, and an exception ends it. So all values are stored (8 bytes each). When a run is copied or
unpickled, it is made again from its header and its values. After an exception a hunter becomes a
copy of itself.
"""

import copy
import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import count, takewhile

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats
from embedded_hunter.policy import AnyVisit, Parameters
from embedded_hunter.run import status
from embedded_hunter.run.box import BoundsLike, Box, box_of, from_cube
from embedded_hunter.run.header import header_of_run, other_points
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.run.outcomes import values_of
from embedded_hunter.run.policies import Search, policy_of, search_of, settings_from_json
from embedded_hunter.run.queries import Query, Repeats
from embedded_hunter.version import __version__


class EmbeddedHunter:
    """A run of Algorithm 1 with an ask/tell interface.

    A run can be copied and pickled at any moment, finished or not: a copy is the `header` of the
    run and its values. It continues as the original would. The points that wait for a value are
    made again, and so are those that `values` describes. A run whose search was put together by
    hand cannot be copied.

    After an exception inside `ask` or `tell` (MemoryError, KeyboardInterrupt) a run that can be
    copied can be continued. The interrupted call has either taken full effect or none.

    Parameters
    ----------
    settings
        `Settings` or `ForestSettings`: n, the budget v and the parameters of the policy.
    rng
        Seed, `numpy.random.Generator` or any other argument of `numpy.random.default_rng`. The
        same seed gives the same points, however the calls of `ask` and `tell` divide them.
    bounds
        The user's bounds, as for `minimize`, or a `Box`. Unless given, points are those of X.
    rows
        Number of coordinates of x that are computed, n by default. If the objective depends only
        on the first coordinates, the others are not needed. Not with `bounds`.
    search
        The search, instead of `rng` and `rows`: one that `policies.search_of` has made, or one that
        was put together by hand. By default, it is made from `settings`, `rng` and `rows`.
    values
        Values that are known from an earlier start of the same run: {number of the evaluation:
        value}. Those of evaluations 1, 2, ... up to the first number that is missing count as
        told; the others are ignored. The best of their points is made again. With policy ``fresh``
        all are, because one generator draws them one after another, and so are all points that are
        kept or whose values may be used again.
    keep_points
        Whether `history` has the points, too: they take 8 n v bytes.

    Attributes
    ----------
    visit
        The visit of a depth that is being evaluated, or the last visit.
    finished
        Whether the run has ended. Then `ask` returns no more points.
    seed
        The seed that makes the same run again. None if there is none: `rng` was a generator that
        had been used, or the search was put together by hand.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed. The message names the argument. Also if `values` has more
        evaluations than the run.

    Examples
    --------
    >>> from embedded_hunter import EmbeddedHunter, Settings
    >>> run = EmbeddedHunter(Settings(n=100, d=2, v=60), rng=1, bounds=[(-5, 5)] * 100)
    >>> while queries := run.ask():
    ...     run.tell(queries, [abs(query.x[0] - 1) for query in queries])
    >>> run.nfev, run.finished, run.x.shape
    (60, True, (100,))
    """

    def __init__(
        self,
        settings: Parameters,
        rng: np.random.Generator | int | None = None,
        *,
        bounds: BoundsLike | Box | None = None,
        rows: int | None = None,
        search: Search | None = None,
        values: Mapping[int, float] | None = None,
        keep_points: bool = False,
    ) -> None:
        policy_of(settings)  # TypeError if there is none
        if not isinstance(keep_points, bool):
            raise TypeError(f"keep_points must be True or False, got {keep_points!r}")
        self.settings = settings
        self.box = None if bounds is None else box_of(bounds, settings.n, rows)
        if search is None:
            rows = None if rows is None else integer("rows", rows, 1)
            search = search_of(settings, rng, rows)
        elif rng is not None or rows is not None:
            raise ValueError(
                f"rng and rows must be None if search is given, got rng={rng!r:.80}, rows={rows!r}"
            )
        self.seed = search.seed
        self.repeats = Repeats(self.box)
        self._search = search
        self.visit: AnyVisit = next(search.run)
        self.finished = False
        self._first = 1  # number of the visit's first evaluation
        self._end = 1 + len(self.visit.evaluations)  # number of the first one after it
        self._best_of_visits = (math.inf, False)  # of the complete visits; is it at the edge?
        self._whole = True  # False during a call; if it stays so, an exception has ended the call
        self._values = array("d")  # of evaluation 1, 2, ...; nan while there is none
        self._asked = 0  # number of points asked for so far
        self._open: dict[int, Floats] = {}  # those of them that have no value yet, by number
        self._best: tuple[float, int, Floats] | None = None  # value, number and point
        self._greatest = -math.inf  # value
        # Generation and point of each evaluation, by number.
        self._points: dict[int, tuple[int, Floats]] | None = {} if keep_points else None
        if values and 1 in values:
            self._take(values)
        self._go_on()

    def _take(self, values: Mapping[int, float]) -> None:
        """Take the values of evaluations 1, 2, ... that are known without a gap as told."""
        self._values.extend(values[k] for k in takewhile(values.__contains__, count(1)))
        last = self._asked = len(self._values)
        self._greatest = max(self._values)
        if any(map(math.isnan, self._values)):
            raise ValueError("values must be floats that are not nan")
        if self._search.key is None:
            raise ValueError("values are allowed only with a search that `search_of` has made")
        best = self._values.index(least := min(self._values)) + 1
        noted = self._points is not None or self.repeats.possible
        everything = noted or policy_of(self.settings).draws_in_order
        more = True
        while more:
            first, end = self._first, min(self._end, last + 1)
            for k in range(first, end) if everything else [best][: first <= best < end]:
                (x,) = self._search.projection.project([self.visit.evaluations[k - first]])
                if noted or k == best:
                    x = from_cube(self.box, x)
                    self._note(k, x, self._values[k - 1])
                if k == best:
                    self._best = (least, best, x)
            more = self._step()
        if self.waiting < 0:
            raise ValueError(f"values must be at most {last + self.waiting} floats, got {last}")

    def _note(self, number: int, x: Floats, value: float) -> None:
        """Keep a point and its value, where that is asked for."""
        if self._points is not None:
            generation = policy_of(self.settings).generation(self.settings, self.visit)
            self._points[number] = generation, x
        self.repeats.note(x, value)

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
        return self._end - 1 - self._asked

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
        self._recover()
        waiting = self.waiting
        count = waiting if most is None else min(most, waiting)
        if count == 0:
            return []
        number, first = self._asked + 1, self._asked + 1 - self._first
        evaluations = self.visit.evaluations[first : first + count]
        self._whole = False
        points = from_cube(self.box, self._search.projection.project(evaluations))
        points.flags.writeable = False
        queries = list(map(Query, range(number, number + count), points))
        self._values.extend([math.nan] * (self._asked + count - len(self._values)))
        opened, asked = {**self._open, **dict(queries)}, self._asked + count
        self._open, self._asked, self._whole = opened, asked, True  # nothing can separate these
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
        TypeError
            If `queries` or `values` is not a sequence.
        ValueError
            If a point was not asked for or was already told, if a value is NaN or not a real
            number, or if the numbers of points and values differ. Then no value is taken.
        """
        self._recover()
        told = values_of(queries, values, self._open)
        if not told:
            return
        for number, value in told.items():
            self._values[number - 1] = value
            self._note(number, self._open[number], value)
        value, number = min(zip(told.values(), told, strict=True))
        best, greatest = self._best, max(self._greatest, *told.values())
        if best is None or (value, number) < best[:2]:
            best = (value, number, self._open[number].copy())
        still_open = {k: x for k, x in self._open.items() if k not in told}
        # No exception can separate these.
        self._best, self._greatest, self._open = best, greatest, still_open
        self._go_on()

    def _go_on(self) -> None:
        """Begin the next visit that evaluates something if the visit is complete."""
        if not (self.finished or self.waiting or self._open):
            self._whole = False
            while self._step():
                pass
            self._whole = True

    def _step(self) -> bool:
        """Send the values of the visit, and begin the next one; False if that is not possible."""
        if self.finished or self._end > len(self._values) + 1:
            return False
        known = list(self._values[self._first - 1 : self._end - 1])
        if (least := min(known, default=math.inf)) < self._best_of_visits[0]:
            asked, place = self.visit.evaluations, known.index(least)
            at_edge = policy_of(self.settings).at_edge(self.settings, asked, place)
            self._best_of_visits = (least, at_edge)
        try:
            self.visit, self._first = self._search.run.send(known), self._end
            self._end += len(self.visit.evaluations)
        except StopIteration:
            self.finished = True
        return not self.finished

    def _recover(self) -> None:
        """Undo what an exception has left of a call: become a copy."""
        if not self._whole:
            if self._search.key is None:
                raise RuntimeError("an exception ended the given run; it cannot be continued")
            self.__dict__ = copy.copy(self).__dict__
        self._go_on()  # an exception may have come just before

    @property
    def header(self) -> Fields:
        """The header of the run's file without the bounds: it determines the run up to its values.

        TypeError if the search was put together by hand: a Python generator cannot be copied.
        """
        if self._search.key is None:
            raise TypeError("a hunter whose search was put together by hand cannot be copied")
        return header_of_run(self.settings, self._search.key, self.seed)

    def __reduce__(self) -> tuple[Callable[..., "EmbeddedHunter"], tuple[object, ...]]:
        told = self._values[: self._asked]
        for k in self._open:
            told[k - 1] = math.nan
        of_the_search = {"rows": self._search.rows, "memory": self._search.memory}
        keeps = self._points is not None
        return made_again, (self.header, told, self.box, of_the_search, keeps)

    def stop(self) -> dict[str, int]:
        """Return why the run has ended, as {reason: its limit}. Empty while the run continues.

        ``maxfun``: the evaluation budget is used. ``h_max``: every leaf lies below depth h_max.
        """
        if not self.finished:
            return {}
        if self.nfev >= self.settings.v:
            return {"maxfun": self.settings.v}
        return {"h_max": self.settings.h_max}

    @property
    def best_number(self) -> int:
        """Number of the evaluation of the best point; 0 before the first value is told."""
        return 0 if self._best is None else self._best[1]

    @property
    def since_the_best(self) -> int:
        """Number of values told since the last one that was below all before it."""
        return self.nfev - self.best_number

    @property
    def history(self) -> status.History:
        """Number and value of each evaluation that was told, in the order of their numbers."""
        told = {k: v for k, v in enumerate(self._values[: self._asked], 1) if k not in self._open}
        return status.history_of(told, self._points)

    @property
    def result(self) -> OptimizeResult:
        """The outcome so far; with the history if the run has ended. See `run.status`."""
        return self.ended()

    def ended(self, reason: int | None = None) -> OptimizeResult:
        """Return the outcome of a run that ended for this reason, or by itself; see `minimize`."""
        if reason is None:
            reason = status.FULL if self.nfev < self.settings.v else status.USED
            reason = reason if self.finished else status.RUNNING
        flat = self.nfev > 1 and self.fun == self._greatest
        at_edge = self._best_of_visits == (self.fun, True)
        found = status.verdict(reason, self.fun, flat=flat, at_edge=at_edge)
        policy = None if self._search.key is None else self.settings.policy
        result = status.result(
            found,
            policy,
            self.box,
            self._best,
            self.nfev,
            nit=self.visit.t if self.finished else max(self.visit.t - 1, 0),
            nsweep=self.visit.sweep,
            depth=self.visit.tree.depth,
            nleaves=self.visit.tree.leaf_count,
        )
        if reason != status.RUNNING:
            result.history = self.history
        return result


def made_again(
    header: Fields,
    told: Sequence[float],
    box: Box | None,
    of_the_search: Mapping[str, int],
    keep_points: bool,
) -> EmbeddedHunter:
    """Return the hunter of a header and its values: how a copy or a pickle is made again.

    `told` has the values of all points that were asked for, nan for those that wait;
    `of_the_search` has `rows` and `memory` of `policies.search_of`. ValueError if another version
    of the package, or a machine that computes other points, has written the header.
    """
    if (version := header["package"]) != __version__:
        raise ValueError(
            f"the hunter was pickled by version {version} of embedded-hunter, this is version "
            f"{__version__}"
        )
    settings = settings_from_json(header["settings"])
    here = header_of_run(settings, header["key"], header["seed"])
    if differs := other_points(header, here, settings):
        raise ValueError(f"the pickle of the hunter {differs}")
    search = search_of(settings, key=header["key"], seed=header["seed"], **of_the_search)
    known = {k: value for k, value in enumerate(told, 1) if not math.isnan(value)}
    hunter = EmbeddedHunter(
        settings, bounds=box, search=search, values=known, keep_points=keep_points
    )
    hunter.ask(len(told) - hunter.nfev)
    late = [query.number for query in hunter.unanswered if query.number in known]
    hunter.tell(late, [known[k] for k in late])
    return hunter
