"""Each search of this project as ask and tell, one point at a time, in the user's bounds."""

import math
from typing import get_args

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import one_of
from embedded_hunter.matrices import Floats
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import BoundsLike, Box
from embedded_hunter.run.minimize import solve
from embedded_hunter.run.outcomes import Objective
from embedded_hunter.run.policies import POLICIES, PolicyName

Method = PolicyName
SEARCHES: tuple[Method, ...] = get_args(PolicyName)
"""The three policies."""
Seed = np.random.Generator | int | None


def hunter_of(
    method: Method,
    bounds: BoundsLike,
    effective_dimension: int | None,
    budget: int,
    rng: Seed = None,
) -> EmbeddedHunter:
    """Return a search, one of `SEARCHES`, as ask and tell.

    `effective_dimension` is a guess of the number of directions that matter. It is d, except in the
    forest, which needs none. `budget` is v. TypeError or ValueError if an argument is not allowed.
    """
    one_of("method", method, SEARCHES)
    box = Box(bounds)
    settings = POLICIES[method].guessing(box.n, budget, effective_dimension)
    return EmbeddedHunter(settings, rng, bounds=box)


def minimize_with(
    method: Method,
    fun: Objective,
    bounds: BoundsLike,
    *,
    effective_dimension: int | None = None,
    maxfun: int,
    rng: Seed = None,
) -> OptimizeResult:
    """Minimise a function by one of `SEARCHES`; see `hunter_of` and `minimize`."""
    return solve(fun, hunter_of(method, bounds, effective_dimension, maxfun, rng))


class PointByPoint:
    """A search that is asked for one point at a time and told its value before the next one."""

    def __init__(self, hunter: EmbeddedHunter) -> None:
        self._hunter = hunter

    @property
    def finished(self) -> bool:
        """Whether the search asks for no more points."""
        return self._hunter.finished

    def ask(self) -> Floats:
        """Return the next point in the user's bounds, shape (n,).

        RuntimeError if the last point has no value yet, or if the search has ended.
        """
        if self._hunter.unanswered:
            raise RuntimeError("the last point has no value yet: evaluate one point at a time")
        queries = self._hunter.ask(1)
        if not queries:
            raise RuntimeError(f"the search has ended: {self._hunter.stop()}")
        return queries[0].x.copy()

    def tell(self, value: float) -> None:
        """Give the value of the point that was asked for; +inf or NaN if its evaluation failed.

        ValueError if no point waits for a value, or the value is not a real number.
        """
        queries = self._hunter.unanswered
        if not queries:
            raise ValueError("no point waits for a value")
        self._hunter.tell(queries, [math.inf if math.isnan(value) else value])
