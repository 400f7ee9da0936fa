r"""Samples for the law of the coverage: least absolute deviations of Gaussian data.

``D = min_mu ||b - W mu||_1`` with ``b ~ N(0, I_d)`` and W of shape ``(d, d_e - 1)``, standard
normal, is the largest ``b . y`` over the y of the cube ``[-1, 1]^d`` with ``W^T y = 0`` (`coverage`
says why this matters). The part of b in the null space V of ``W^T`` is ``rho theta``: rho has the
chi distribution with ``m = d - d_e + 1`` degrees of freedom, and theta is a unit vector that is
independent of it. So

    ``D = rho H``,  ``H = max { theta . y : y in V, ||y||_inf <= 1 }``,  ``1 <= H <= sqrt(d)``,

with rho and H independent, and ``P(D >= c) = E[P(chi_m >= c / H)]``. Only H is sampled; the tail of
chi is exact, so that probabilities below one in the number of samples can be estimated too. The
relative error grows as they fall: for ``d = 13``, ``d_e = 12`` and ``c = 30`` the law exceeds
1e-29, and the estimate is 7e-30.
"""

from functools import lru_cache

import numpy as np

from embedded_hunter.matrices import Floats

LARGEST_DIMENSION = 400
"""Largest d for which linear programs are solved, about two seconds; ``d = d_e`` needs none."""
SAMPLES = 4000
"""Number of samples of H where that is quick."""
_WORK = 2.5e8  # d d_e^2 times the number of samples
_GAP = 1e-9
_CENTERING = 0.05  # target of the product of slacks, a share of its mean


@lru_cache(maxsize=64)
def sample_reach(d: int, d_e: int) -> Floats:
    """Sample H for ``d >= d_e``, with a seed that d and d_e determine (claim coverage-law).

    4,000 independent samples if ``d d_e^2 <= 62,500`` or ``d = d_e`` or ``d_e = 1``; else fewer,
    at least 64.
    ValueError if ``d > 400`` and ``d > d_e``.
    """
    rng = np.random.default_rng([d, d_e])
    if d == d_e:  # V is a line, of uniform direction
        u = np.abs(rng.standard_normal((SAMPLES, d)))
        return np.asarray(np.linalg.norm(u, axis=1) / u.max(axis=1))
    if d_e == 1:  # V is the whole space
        z = rng.standard_normal((SAMPLES, d))
        return np.asarray(np.abs(z).sum(axis=1) / np.linalg.norm(z, axis=1))
    if d > LARGEST_DIMENSION:
        raise ValueError(f"the law is sampled for d <= {LARGEST_DIMENSION}, got d = {d}")
    count = int(min(SAMPLES, max(64, _WORK / (d * d_e**2))))
    b, W = rng.standard_normal((count, d)), rng.standard_normal((count, d, d_e - 1))
    rho = np.linalg.norm(b - _fit(W, b), axis=1)
    return np.asarray(least_deviations(b, W) / rho)


def least_deviations(b: Floats, W: Floats) -> Floats:
    """``min_mu ||b - W mu||_1`` for many problems at once, by a primal-dual interior-point method.

    The shapes are (N, d) of b, (N, d, k) of W, whose matrices have full rank, ``k < d``. The method
    keeps a feasible y and a mu; the gap between ``b . y`` and ``||b - W mu||_1`` bounds the
    relative error, by 1e-9 at the end. RuntimeError if it does not end within 100 steps.
    """
    y, r = np.zeros_like(b), b - _fit(W, b)
    start = np.abs(r).mean(axis=1, keepdims=True)
    up, down = np.maximum(r, 0) + start, np.maximum(-r, 0) + start  # r = up - down throughout
    for _ in range(100):
        top, bottom = 1 - y, 1 + y
        gap = (up * top + down * bottom).sum(axis=1, keepdims=True)
        least = np.abs(r).sum(axis=1)
        left = gap > _GAP * least[:, None]
        if not left.any():
            return np.asarray(least)
        target = _CENTERING * gap / (2 * b.shape[1])
        q = up / top + down / bottom
        pull = target / top - target / bottom - r
        scaled = (W / q[..., None]).transpose(0, 2, 1)
        dr = (W @ np.linalg.solve(scaled @ W, scaled @ pull[..., None]))[..., 0]
        dy = (dr - pull) / q
        d_up = target / top - up + up / top * dy
        d_down = target / bottom - down - down / bottom * dy
        y += left * _length(dy / top, -dy / bottom) * dy
        dual = left * _length(-d_up / up, -d_down / down)
        up, down, r = up + dual * d_up, down + dual * d_down, r + dual * dr
    raise RuntimeError("the fit of least absolute deviations did not converge")


def _fit(W: Floats, b: Floats) -> Floats:
    """Return ``W mu`` of the least-squares fit."""
    Q = np.linalg.qr(W)[0]
    return np.asarray((Q @ (Q.transpose(0, 2, 1) @ b[..., None]))[..., 0])


def _length(first: Floats, second: Floats) -> Floats:
    """Share of a step after which at least 1 percent of each slack is left, at most 1."""
    return np.asarray(0.99 / np.maximum(0.99, np.maximum(first, second).max(axis=1, keepdims=True)))
