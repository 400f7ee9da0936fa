"""The authors' program, as re-created here, on any function."""

from collections.abc import Callable

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats, generator
from embedded_hunter.run.box import BoundsLike, Box
from reproduction.released.hunter import ReleasedProblem, embedded_hunter_released


def released(
    fun: Callable[[Floats], float],
    bounds: BoundsLike,
    maxfun: int,
    d: int,
    *,
    M: int = 5,
    rng: int | np.random.Generator | None = None,
) -> OptimizeResult:
    """Minimise a function by EmbeddedHunter as released (see `hunter`).

    Parameters
    ----------
    fun, bounds
        As in `embedded_hunter.minimize`.
    maxfun
        The budget as the program counts it: up to three evaluations more are made.
    d
        Dimension of the small space.
    M
        Factor of the cap on the evaluations of a base point.
    rng
        Source of the matrices, or its seed.

    Returns
    -------
    OptimizeResult
        ``x``, ``fun``, ``nfev``, and ``record`` with the improvements.
    """
    box, best = Box(bounds), OptimizeResult(x=None, fun=np.inf)

    def landscape(points: Floats) -> Floats:
        values = []
        for z in points.T:
            x = box.from_cube(z)
            values.append(float(fun(x)))
            if values[-1] < best.fun:
                best.x, best.fun = x.copy(), values[-1]
        return np.array(values)

    problem = ReleasedProblem(landscape, np.arange(box.n), box.n)
    v, d = integer("maxfun", maxfun, 1), integer("d", d, 1)
    record = embedded_hunter_released(problem, n=box.n, d=d, v=v, M=M, rng=generator(rng))
    return OptimizeResult(x=best.x, fun=best.fun, nfev=record.evaluations, record=record)
