"""A quadratic function that fits values at scattered points, and where it is least.

With fewer values than a quadratic function g u + u H u / 2 has coefficients, many fit. This one
has the least sum of misfits and of ::

    |g|^2 + |H - c H0|^2 / 2 + c^2 / LIKE    (|.|^2 a sum of squares, c any number),

H0 being the H of an earlier model over its norm: what the values do not show is as it was before.
(It is kernel ridge regression, k(u, v) = u v + (u v)^2 / 2 + LIKE q(u) q(v), q(u) = u H0 u / 2.)

Not the rises r are fitted but r + b r^2. At the tip of a cone ``a + r = |u - u*|`` no quadratic
function is like r, but one is like (a + r)^2 - a^2, for which b = 1 / (2 a). So b is the likeliest
of a few if r + b r^2 is a Gaussian process with that kernel, its variance unknown; 0 is among them.
"""

from typing import NamedTuple

import numpy as np
from numpy.linalg import norm
from scipy.linalg.blas import dsyr
from scipy.linalg.lapack import dposv, dsyevd

from embedded_hunter.projection import Floats

FURTHEST = 100.0
"""Rises are cut at so many times their median."""
BENDS: Floats = np.array([0.0, 0.05, 0.15, 0.5, 1.5, 5.0, 15.0])
"""What b may be, where the median of the rises is 1."""
LIKE = 100.0
"""How readily H is a multiple of the earlier one."""
FINEST = 1e-6
"""The least ridge: with less, rounding would decide."""
SHIFTS: Floats = 1e-9 + np.concatenate([[0.0], np.geomspace(1e-6, 1e4, 41)])
"""What is added to the diagonal, the least first, in units of the greatest curvature."""
NONE = 1e-150
"""So small a curvature is none."""


class QuadraticModel(NamedTuple):
    """The function g u + u H u / 2."""

    g: Floats
    """Shape (d,)."""
    H: Floats
    """Shape (d, d), symmetric."""

    def trust_region_step(self, reach: float) -> Floats:
        """Return about where, within `reach` > 0 of the origin, the function is least.

        Returns
        -------
        array of shape (d,)
            The minimiser with so much added to the diagonal of H that there is one and it lies
            within reach; where the slope is too steep for that, straight down to where reach ends.
            0 where there is no curvature.
        """
        curvatures, directions, failed = dsyevd(self.H)
        least, largest = curvatures[0], max(-curvatures[0], curvatures[-1])
        if failed or not largest > NONE:
            return np.zeros(len(self.g))
        damped = curvatures + max(0.0, -least) + largest * SHIFTS[:, np.newaxis]
        steps = (self.g @ directions) / damped
        short = np.einsum("ij,ij->i", steps, steps) <= reach * reach
        first = short.argmax()  # of all if none is short
        step = steps[first] if short[first] else steps[-1] * (reach / norm(steps[-1]))
        return np.asarray(directions @ -step)


def fit(
    u: Floats, rises: Floats, ridge: float, before: QuadraticModel | None = None
) -> QuadraticModel | None:
    """Return the quadratic function, with the value 0 at the origin, that fits some rises.

    Parameters
    ----------
    u
        The points, shape (m, d), m >= 1, entries at most 10^3 or so.
    rises
        How much greater the values are there than at the origin, shape (m,), finite and >= 0.
    ridge
        How much less than exactly the rises are met, > 0: rough functions are smoothed by it. In
        units of the median, a misfit e of the rise r counts e^2 / (ridge (1 + r)^2): the higher,
        the less exactly.
    before
        An earlier model, at any scale, ``|H|`` below 10^150.

    Returns
    -------
    QuadraticModel or None
        None if most of the rises are 0.
    """
    m = len(rises)
    usual = float(np.partition(rises, m // 2)[m // 2])
    if not usual > 0:
        return None
    r = np.minimum(rises, FURTHEST * usual) / usual
    products = u @ u.T
    kernel = 0.5 * products
    kernel += 1.0
    kernel *= products
    size = 0.0 if before is None else float(norm(before.H))
    if before is not None and size > NONE:
        like = before.H / size
        q = np.einsum("ij,ij->i", u @ (0.5 * like), u)
        kernel = dsyr(LIKE, q, a=kernel.T, overwrite_a=True).T  # the half that is used below
    kernel.ravel()[:: m + 1] += max(ridge, FINEST) * (1 + r) ** 2
    powers = np.array([r, r * r])
    _, solved, failed = dposv(kernel.T, powers.T, overwrite_a=True)
    if failed:
        return None
    (a, b), (_, c) = powers @ solved
    misfit = np.log(a + 2 * b * BENDS + c * BENDS * BENDS)
    spread = np.log1p(2 * BENDS[:, np.newaxis] * r).sum(axis=1) / m
    bend = BENDS[np.argmin(0.5 * misfit - spread)]
    weights = solved[:, 0] + bend * solved[:, 1]
    H = (u.T * weights) @ u
    if before is not None and size > NONE:
        H += (LIKE * (weights @ q)) * like
    return QuadraticModel(u.T @ weights, H)
