"""A local search in d coordinates: an evolution strategy with the metric of a quadratic model.

`LocalSearch` minimises a function of w in R^d. It is asked for the steps of a generation, and told
the values at the center plus these steps. It knows neither points of X nor trees.

- *Samples.* A step is ``sigma * root @ u`` with u from N(0, I). The metric C = root @ root is
  adapted as in CMA-ES (rank one and rank mu; weights, path constants and the rule for sigma are
  those of Hansen, "The CMA Evolution Strategy: A Tutorial", arXiv:1604.00772).
- *Model.* A quadratic function g v + v H v / 2 is fitted to the last evaluations in the coordinates
  v = root^-1 (w - w_best) / (sigma sqrt(d)), in which samples have a length near 1. The first step
  of a generation leads to its minimiser within the trust region ``|v| <= 1``. If this step has the
  least value of its generation, the center moves to it, and otherwise to the weighted mean.
- *Metric of the model.* Where an eigenvalue of H exceeds twice their mean, C contracts along the
  eigenvector. So directions that are stiff in the coordinates v become less so. There is no
  expansion: directions in which the function does not change would grow without limit.
- *Ties.* If half of a generation has the least value, sigma grows. So a plateau is left.

Every rule uses the order of values or ratios of differences: f and a f + b, a > 0, lead to the same
steps, up to rounding errors.
"""

import math

import numpy as np
from scipy.linalg import LinAlgError, solve

from embedded_hunter.projection import Floats

GENERATION = 8
"""Number of steps of a generation; the center moves to the mean of the better half."""
FIRST_STEP, MAX_STEP = 0.1, 0.5
"""sigma sqrt(d) at the start, and the most it may be times the median axis of the metric."""
HISTORY = 6
"""The model is fitted to the last HISTORY * d evaluations."""
RIDGE = 1e-4
"""Ridge of the fit: a misfit e of a rise r, in medians, counts e^2 / (RIDGE (1 + r)^2)."""
DAMPING = 0.03
"""At least this part of the greatest curvature is added to the curvatures of the model."""
CONTRACTION = 0.3
"""The metric contracts by the excess of an eigenvalue over twice the mean, to this power."""
PRIOR_WEIGHT = 100.0
"""Weight of the earlier H in the fit: the greater, the more of H may be a multiple of it."""

_WARPS: Floats = np.array([0.0, 0.05, 0.15, 0.5, 1.5, 5.0, 15.0])
_TINY = 1e-150


class LocalSearch:
    """Minimise a function of d coordinates from a point of known value.

    Parameters
    ----------
    value
        The value at the first center.
    d
        Number of coordinates, >= 2.
    rng
        Source of the samples.

    Attributes
    ----------
    value
        The least value so far.
    since
        Number of evaluations since it was found.
    """

    def __init__(self, value: float, d: int, rng: np.random.Generator) -> None:
        self.value, self.since = value, 0
        self._d, self._rng = d, rng
        self._sigma = FIRST_STEP / math.sqrt(d)
        self._path, self._sigma_path = np.zeros(d), np.zeros(d)
        self._best = np.zeros(d)  # the best point, less the center
        self._points, self._values = np.zeros((0, d)), np.zeros(0)  # likewise
        self._H: Floats | None = None
        self._length: float | None = None  # of the model's step in the generation asked for
        self._u = np.zeros((GENERATION, d))
        self._set_metric(np.eye(d))
        mu = GENERATION // 2
        weights = math.log(mu + 0.5) - np.log(np.arange(1, mu + 1))
        self._weights = weights / weights.sum()
        self._mass = m = float(1 / (self._weights @ self._weights))
        self._rate_path = (4 + m / d) / (d + 4 + 2 * m / d)
        self._rate_sigma = (m + 2) / (d + m + 5)
        self._rate_one = 2 / ((d + 1.3) ** 2 + m)
        self._rate_mu = min(1 - self._rate_one, 2 * (m - 2 + 1 / m) / ((d + 2) ** 2 + m))
        self._damping = 1 + self._rate_sigma + 2 * max(0.0, math.sqrt((m - 1) / (d + 1)) - 1)

    def ask(self) -> Floats:
        """Return the steps of the next generation from the center, shape (GENERATION, d)."""
        self._u = self._rng.standard_normal((GENERATION, self._d))
        step, self._length = self._to_minimiser(), None
        if step is not None:
            self._length = float(np.linalg.norm(step))
            self._u[0] = self._whiten(self._best) + math.sqrt(self._d) * step
        return self._steps()

    def tell(self, values: Floats) -> Floats:
        """Take the values of the generation asked for; return the move of the center, shape (d,).

        If the budget ends within a generation, fewer values are told, and the center stays.
        """
        steps, order = self._steps(), np.argsort(values, kind="stable")
        first = int(order[0])
        improved = bool(values[first] < self.value)
        self.since = 0 if improved else self.since + len(values)
        kept = HISTORY * self._d
        self._points = np.concatenate([self._points, steps[: len(values)]])[-kept:]
        self._values = np.concatenate([self._values, values])[-kept:]
        if improved:
            self.value, self._best = float(values[first]), steps[first]
        if len(values) < GENERATION:
            return np.zeros(self._d)
        u = self._u.copy()
        if self._length is not None:  # a model's step counts as one of the greatest usual length
            longest = math.sqrt(self._d) + 2 * self._d / (self._d + 2)
            u[0] *= min(1.0, longest / max(float(np.linalg.norm(u[0])), _TINY))
        better = u[order[: GENERATION // 2]]
        mean = self._weights @ better
        jumped = self._length is not None and first == 0
        move = steps[0] if jumped else self._sigma * (self._root @ mean)
        scale = self._adapt(better, mean)
        if jumped and improved and self._length is not None and self._length < 0.9:
            scale *= min(1.0, max(0.3, 2 * self._length))  # the minimiser is near
        if values[order[GENERATION // 2 - 1]] == values[first]:
            scale *= 1.2
        widest = MAX_STEP / math.sqrt(self._d * float(np.median(np.linalg.eigvalsh(self._C))))
        self._sigma = min(self._sigma * scale, widest)
        self._points, self._best = self._points - move, self._best - move
        return np.asarray(move)

    def _steps(self) -> Floats:
        return np.asarray(self._sigma * (self._u @ self._root))

    def _whiten(self, w: Floats) -> Floats:
        return np.asarray(w @ self._inverse_root / self._sigma)

    def _set_metric(self, C: Floats) -> None:
        """Set C, its symmetric root and the inverse of that; an axis is at most 100 medians."""
        axes, V = np.linalg.eigh(C)
        axes = np.clip(axes, 1e-14 * axes[-1], 1e4 * np.median(axes))
        self._C, self._root = (V * axes) @ V.T, (V * np.sqrt(axes)) @ V.T
        self._inverse_root = (V / np.sqrt(axes)) @ V.T

    def _adapt(self, better: Floats, mean: Floats) -> float:
        """Adapt paths and metric to the better half of a generation; return the factor of sigma."""
        d, c = self._d, self._rate_sigma
        self._sigma_path = (1 - c) * self._sigma_path + math.sqrt(c * (2 - c) * self._mass) * mean
        usual = math.sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d * d))
        length = float(np.linalg.norm(self._sigma_path)) / usual
        c = self._rate_path
        self._path = (1 - c) * self._path
        if length < 1.4 + 2 / (d + 1):
            self._path += math.sqrt(c * (2 - c) * self._mass) * (self._root @ mean)
        y = better @ self._root
        C = (1 - self._rate_one - self._rate_mu) * self._C
        C += self._rate_one * np.outer(self._path, self._path)
        C += self._rate_mu * (y.T * self._weights) @ y
        if self._length is not None and self._H is not None:
            axes, V = np.linalg.eigh(C)
            h, U = np.linalg.eigh(self._H)
            excess = np.clip(np.abs(h) / (2 * np.abs(h).mean()), 1.0, 10.0)
            L = (V * np.sqrt(np.maximum(axes, 0.0))) @ V.T @ U * excess ** (-CONTRACTION / 2)
            C = L @ L.T
        self._set_metric(C)
        return math.exp(min(1.0, self._rate_sigma / self._damping * (length - 1)))

    def _to_minimiser(self) -> Floats | None:
        """Return the model's step, from the best point and in the coordinates v, if any."""
        v = self._whiten(self._points - self._best) / math.sqrt(self._d)
        near = (np.einsum("ij,ij->i", v, v) < 25.0) & np.isfinite(self._values)
        if np.count_nonzero(near) < self._d // 2 or not math.isfinite(self.value):
            return None
        model = fit(v[near], self._values[near] - self.value, self._H)
        if model is None:
            return None
        g, self._H = model
        return trust_region_step(g, self._H)


def trust_region_step(g: Floats, H: Floats) -> Floats:
    """Return about the minimiser of g v + v H v / 2 within ``|v| <= 1``, H damped, H not 0."""
    h, U = np.linalg.eigh(H)
    shifts = np.abs(h).max() * np.geomspace(DAMPING, 1e4, 30)[:, np.newaxis] + max(0.0, -h[0])
    steps = (g @ U) / (h + shifts)
    lengths = np.linalg.norm(steps, axis=1)
    k = int(np.argmax(lengths <= 1.0)) if lengths[-1] <= 1.0 else -1
    return np.asarray(-U @ (steps[k] / max(1.0, lengths[k])))


def fit(v: Floats, rises: Floats, H0: Floats | None) -> tuple[Floats, Floats] | None:
    """Return g and H of a quadratic function, 0 at the origin, that fits some rises.

    Of all that fit, it has about the least ``|g|^2 + |H - c H0|^2 / 2 + c^2 / PRIOR_WEIGHT`` for
    some c. It is fitted to r + b r^2 for the likeliest b of a few, with r the rise in medians: near
    the tip of a cone one of these is quadratic.

    Parameters
    ----------
    v
        The points, shape (m, d).
    rises
        Their values less the least one, shape (m,), >= 0.
    H0
        The earlier H, if any; a multiple of it gives the same result.

    Returns
    -------
    tuple or None
        Shapes (d,) and (d, d). None if half of the rises are 0, or there is no curvature.
    """
    m, median = len(rises), float(np.median(rises))
    if not 0 < median < math.inf:
        return None
    r = np.minimum(rises / median, 100.0)
    products = v @ v.T
    kernel = products + 0.5 * products * products
    q, unit = np.zeros(m), None
    if H0 is not None:
        unit = H0 / np.linalg.norm(H0)
        q = 0.5 * np.einsum("ij,ij->i", v @ unit, v)
        kernel += PRIOR_WEIGHT * np.outer(q, q)
    kernel[np.diag_indices(m)] += RIDGE * (1 + r) ** 2
    powers = np.array([r, r * r])
    try:
        solved = solve(kernel, powers.T, assume_a="pos")
    except LinAlgError:
        return None
    (a, b), (_, c) = powers @ solved
    misfit = np.log(np.maximum(a + 2 * b * _WARPS + c * _WARPS * _WARPS, _TINY))
    warp = _WARPS[np.argmin(0.5 * misfit - np.log1p(2 * np.outer(_WARPS, r)).mean(axis=1))]
    weights = solved[:, 0] + warp * solved[:, 1]
    H = (v.T * weights) @ v
    if unit is not None:
        H += PRIOR_WEIGHT * (weights @ q) * unit
    if not np.abs(H).max() > _TINY:
        return None
    return v.T @ weights, H
