"""The authors' program, as re-created here, on any function."""

from collections.abc import Callable

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.common.arguments import integer
from embedded_hunter.matrices import Floats, generator
from embedded_hunter.run.box import BoundsLike, Box
from reproduction.released.hunter import hunt_released


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
        ``x``, ``fun`` and ``nfev``.
    """
    box, best, source = Box(bounds), OptimizeResult(x=None, fun=np.inf), generator(rng)

    def evaluate(radii: list[float]) -> list[float]:
        values = []
        for s in radii:
            x = box.from_cube(np.clip(s * source.standard_normal(box.n), -1.0, 1.0))
            values.append(float(fun(x)))
            if values[-1] < best.fun:
                best.x, best.fun = x.copy(), values[-1]
        return values

    v, d = integer("maxfun", maxfun, 1), integer("d", d, 1)
    best.nfev = hunt_released(evaluate, n=box.n, d=d, v=v, M=M)
    return best
