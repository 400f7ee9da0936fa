"""For `ioh.Experiment` of IOHexperimenter: an algorithm is an object that is called with a problem.

This module does not import `ioh`.
"""

from typing import Any

import numpy as np

from embedded_hunter.adapters.searches import SEARCHES, Method, minimize_with
from embedded_hunter.common.arguments import one_of


class Algorithm:
    """A search of this project, as `ioh.Experiment` calls it: with one problem for each run.

    `budget`, `effective_dimension` and `method` are those of `searches.hunter_of`. The k-th call,
    from 0 on, uses the random numbers of (seed, k). The attribute `name` is for `algorithm_name`.
    ValueError for an unknown method.
    """

    def __init__(
        self,
        budget: int,
        effective_dimension: int | None = None,
        method: Method = "forest",
        seed: int = 0,
    ) -> None:
        one_of("method", method, SEARCHES)
        self.effective_dimension, self.budget, self.method = effective_dimension, budget, method
        self.name = f"embedded_hunter_{method}"
        self._seed, self._calls = seed, 0

    def __call__(self, problem: Any) -> float:
        """Minimise a problem within its bounds, with `budget` evaluations; return the least value.

        The problem must be a continuous one that is minimised: TypeError if its variables are
        integers. Otherwise the errors are those of `embedded_hunter.minimize`.
        """
        if np.asarray(problem.bounds.lb).dtype.kind in "iu":
            raise TypeError(f"problem must be continuous, got one of integers: {problem}")
        rng = np.random.default_rng((self._seed, self._calls))
        self._calls += 1
        bounds = np.column_stack([problem.bounds.lb, problem.bounds.ub])
        result = minimize_with(
            self.method, problem, bounds,
            effective_dimension=self.effective_dimension, maxfun=self.budget, rng=rng,
        )  # fmt: skip
        return float(result.fun)
