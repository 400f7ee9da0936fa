"""The quadratic function of least norm through values at scattered points, and where it is least.

With fewer values than a quadratic function has coefficients, many fit. The one of least
coefficients (kernel ridge regression with k(u, v) = u v + (u v)^2 / 2) sees what the values
show, a gradient and the strongest curvatures, and nothing else.
"""

import numpy as np
from numpy.linalg import norm

from embedded_hunter.projection import Floats

FURTHEST = 1e3
"""Rises are cut at so many times their median."""
SHIFTS: Floats = np.concatenate([[0.0], np.geomspace(1e-6, 1e4, 41)])
"""What is added to the diagonal, the least first, in units of the greatest curvature."""
NONE = 1e-150
"""So small a curvature is none."""


def least_within(u: Floats, rises: Floats, reach: float, ridge: float) -> Floats:
    """Return about where, within `reach` of the origin, the function is least.

    Parameters
    ----------
    u
        The points, shape (m, d), m >= 1.
    rises
        How much greater the function is there than at the origin, shape (m,), finite and >= 0.
    reach
        > 0.
    ridge
        How much less than exactly the values are met, > 0: rough functions are smoothed by it.

    Returns
    -------
    array of shape (d,)
        The minimiser of the model g u + u H u / 2 with so much added to the diagonal of H that it
        has one and it lies within reach; where the slope is too steep for that, straight down to
        where reach ends. 0 where there is no curvature.
    """
    with np.errstate(over="ignore"):
        usual = float(np.median(rises))
        r = np.minimum(rises / usual, FURTHEST) if usual > 0 else np.zeros_like(rises)
    products = u @ u.T
    kernel = products + 0.5 * products * products
    # The higher a value is, the less exactly it is met.
    kernel.flat[:: len(r) + 1] += ridge * (1 + r) ** 2
    weights = np.linalg.solve(kernel, r)
    curvatures, directions = np.linalg.eigh((u.T * weights) @ u)
    slopes = directions.T @ (u.T @ weights)
    least, largest = curvatures[0], np.abs(curvatures).max()
    if not largest > NONE:
        return np.zeros(u.shape[1])
    damped = curvatures + max(0.0, -least) + largest * (SHIFTS[:, np.newaxis] + 1e-9)
    steps = slopes / damped
    short = np.einsum("ij,ij->i", steps, steps) <= reach * reach
    step = steps[np.argmax(short)] if short.any() else steps[-1] * (reach / norm(steps[-1]))
    return np.asarray(-directions @ step)
