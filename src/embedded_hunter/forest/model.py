"""A quadratic function fitted to values at scattered points, and its minimiser.

If there are fewer values than coefficients, many quadratic functions g u + u H u / 2 fit. `fit`
returns the one that minimises the sum of the squared misfits, weighted, and of ::

    |g|^2 + |H - c H0|^2 / 2 + c^2 / prior_weight    (|.|^2 a sum of squares, c any number),

where H0 is the H of an earlier model divided by its norm. So the fit keeps the earlier shape where
the values say nothing. (This is kernel ridge regression with the kernel
k(u, v) = u v + (u v)^2 / 2 + prior_weight q(u) q(v), q(u) = u H0 u / 2.)

The function is fitted to r + b r^2, where r is the rise of a value above that at the origin. Near
the tip of a cone ``a + r = |u - u*|`` no quadratic function approximates r, but one is equal to
(a + r)^2 - a^2, which is r + b r^2 times 2 a for b = 1 / (2 a). Of a few candidates for b, 0 among
them, `fit` takes the likeliest if r + b r^2 is a Gaussian process with this kernel and unknown
variance.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.linalg import norm
from scipy.linalg.lapack import dposv, dsyevd

from embedded_hunter.forest.constants import CONSTANTS, Constants
from embedded_hunter.matrices import Floats

CLIP_AT = 1e60
"""Rises are clipped at this multiple of their median, so that their squares do not overflow. Any
value from 10^20 to 10^70 leads to the same runs of the benchmark's functions."""
MIN_CURVATURE = 1e-150
"""Curvature up to this is treated as zero, so that nothing is divided by less. Any value from
10^-250 to 10^-50 leads to the same runs of the benchmark's functions."""


@dataclass(frozen=True, eq=False)
class QuadraticModel:
    """The function g u + u H u / 2."""

    g: Floats
    """Shape (d,)."""
    H: Floats
    """Shape (d, d), symmetric."""

    @cached_property
    def axes(self) -> tuple[Floats, Floats]:
        """The eigenvalues of H, ascending, all 0 if LAPACK fails, and the eigenvectors, (d, d)."""
        curvatures, directions, failed = dsyevd(self.H)
        return (0 * curvatures if failed else curvatures), directions

    def trust_region_step(self, radius: float, constants: Constants = CONSTANTS) -> Floats:
        """Return approximately the minimiser of the function within `radius` > 0 of the origin.

        It is the minimiser, shape (d,), after the damping, times the greatest curvature, is added
        to the diagonal of H; if it lies farther away, it is shortened to the radius. Zero if there
        is no curvature.
        """
        curvatures, directions = self.axes
        least, largest = curvatures[0], max(-curvatures[0], curvatures[-1])
        if not largest > MIN_CURVATURE:
            return np.zeros(len(self.g))
        damped = curvatures + max(0.0, -least) + largest * constants.damping
        step = (self.g @ directions) / damped
        longer = max(1.0, float(norm(step)) / radius)
        return np.asarray(directions @ (-step / longer))


def fit(
    u: Floats,
    rises: Floats,
    prior: QuadraticModel | None = None,
    constants: Constants = CONSTANTS,
) -> QuadraticModel | None:
    """Return the quadratic function, 0 at the origin, that fits some rises.

    Parameters
    ----------
    u
        The points, shape (m, d), m >= 1, entries below 10^20 or so.
    rises
        The values at the points minus the value at the origin, shape (m,), finite and >= 0. If most
        of them are 0, None is returned.
    prior
        An earlier model, ``|H|`` below 10^150. A multiple of it gives the same result.
    """
    m = len(rises)
    median = float(np.partition(rises, m // 2)[m // 2])
    if not median > 0:
        return None
    r = np.minimum(rises, CLIP_AT * median) / median
    products = u @ u.T
    kernel = 0.5 * products
    kernel += 1.0
    kernel *= products
    size = 0.0 if prior is None else float(norm(prior.H))
    if prior is not None and size > MIN_CURVATURE:
        H0 = prior.H / size
        q = np.einsum("ij,ij->i", u @ (0.5 * H0), u)
        kernel += (constants.prior_weight * q)[:, np.newaxis] * q
    kernel.ravel()[:: m + 1] += constants.ridge * (1 + r) ** 2
    powers = np.array([r, r * r])
    _, solved, failed = dposv(kernel.T, powers.T, overwrite_a=True)
    if failed:
        return None
    (a, b), (_, c) = powers @ solved
    warps = np.array(constants.warps)
    misfit = np.log(a + 2 * b * warps + c * warps * warps)
    spread = np.log1p(2 * warps[:, np.newaxis] * r).sum(axis=1) / m
    warp = warps[np.argmin(0.5 * misfit - spread)]
    weights = solved[:, 0] + warp * solved[:, 1]
    H = (u.T * weights) @ u
    if prior is not None and size > MIN_CURVATURE:
        H += (constants.prior_weight * (weights @ q)) * H0
    return QuadraticModel(u.T @ weights, H)
