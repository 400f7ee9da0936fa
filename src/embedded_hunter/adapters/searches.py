"""Each search of this project as ask and tell, one point at a time, in the user's bounds."""

import math
from typing import Literal, get_args

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.baselines.random_search import Uniform, hunt_nothing
from embedded_hunter.baselines.resoo import hunt_resoo
from embedded_hunter.baselines.soo import Identity, hunt_soo
from embedded_hunter.baselines.sresoo import sresoo_parts
from embedded_hunter.matrices import Floats, generator
from embedded_hunter.projection import Indexed
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import BoundsLike, Box
from embedded_hunter.run.minimize import solve
from embedded_hunter.run.outcomes import Objective
from embedded_hunter.run.policies import POLICIES, PolicyName, Search
from embedded_hunter.settings import Settings, guess_of, one_of

Baseline = Literal["resoo", "sresoo", "soo", "uniform_random_search"]
Method = PolicyName | Baseline
SEARCHES: tuple[Method, ...] = (*get_args(PolicyName), *get_args(Baseline))
"""The three policies, and the baselines."""
EMBEDDINGS = 5
"""Embeddings of RESOO and SRESOO, M of Table 1."""
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
    forest, which needs none. ``soo`` and ``uniform_random_search`` do not have it: None. `budget`
    is v. TypeError or ValueError if an argument is not allowed.
    """
    one_of("method", method, SEARCHES)
    box, source = Box(bounds), generator(rng)
    n = box.n
    guess = effective_dimension
    if method == "soo" or method == "uniform_random_search":
        if guess is not None:
            raise TypeError(
                f"method {method!r} has no parameter effective_dimension, got {guess!r}"
            )
        settings = Settings(n, n, budget)
        if method == "soo":
            search = Search(hunt_soo(settings), Identity(settings))
        else:
            search = Search(hunt_nothing(budget), Uniform(source, n))
        return EmbeddedHunter(settings, bounds=box, search=search)
    if method in POLICIES:
        return EmbeddedHunter(POLICIES[method].guessing(n, budget, guess), source, bounds=box)
    if guess is None:
        raise TypeError(f"effective_dimension must be given for method {method!r}")
    d = guess_of(n, guess)
    if method == "resoo":
        settings = Settings(n, d, budget, policy="indexed")
        search = Search(hunt_resoo(settings, EMBEDDINGS), Indexed(settings, source, n))
    else:
        settings = Settings(n, d, budget)
        search = Search(*sresoo_parts(settings, EMBEDDINGS, source, n))
    return EmbeddedHunter(settings, bounds=box, search=search)


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
