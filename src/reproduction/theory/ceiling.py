r"""The ceiling of the policy ``fresh``: bounds that hold for every adaptive rule.

Claims radial-collapse and fresh-ceiling.

If each evaluation uses a new Gaussian matrix, ``A y`` is distributed like ``sigma ||y|| z`` with z
standard normal. So the law of ``g_P(y)`` depends on y only through the scale ``s = sigma ||y||``.
Let ``p_s(eps) = P(f(clip(s z)) <= f* + eps)`` and ``pbar = sup_{s <= s_max} p_s``. Whatever the
past, an evaluation succeeds with probability at most ``pbar(eps)``. So for every adaptive rule,
including EmbeddedHunter,

    ``P(regret after v evaluations <= eps) <= 1 - (1 - pbar(eps))^v``  and
    ``E[regret after v] >= int_0^inf (1 - pbar(eps))^v d eps``.

For one eps, random search at the best scale attains the first bound. The second bound is a lower
bound on the mean. In general no rule attains it, because the best scale depends on eps. For the
same reason an adaptive rule can have a smaller mean than random search at any one scale (errata,
item 20).

*Monte Carlo errors.* ``pbar`` must be estimated. Using estimates in its place causes two errors of
opposite signs. The maximum over scales of estimated probabilities is too large on average, which
lowers the bound (conservative). But ``(1 - p)^v`` is convex, so the sampling error at each scale
raises the bound on average (not conservative), so that the result would not be a bound.
:func:`certified_lower_bound` replaces each probability by an exact binomial upper limit;
all limits hold together with the stated confidence. It covers all scales between and below the grid
points by density ratios: if the sublevel set keeps the distance rho from 0, then for ``s <= s'``,
``p_s <= p_{s'} max_{s<=t<=s'} (s'/t)^{d_e} exp(-(rho^2/2)(1/t^2 - 1/s'^2))``. Its result is below
the true bound with that confidence.

Parameters of all: `d_e` is the number of effective coordinates; `scales`, of shape (m,), are values
of ``s = sigma ||y||`` that increase; `samples` is the number of samples of each scale; `values`, of
shape (m, samples), are the sorted samples that :func:`sample_radial_values` draws; `v` is the
budget of evaluations.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import stats

from embedded_hunter.matrices import Floats
from reproduction.theory.indexed import Vectorized

SublevelDistance = Callable[[Floats], Floats]


def sample_radial_values(
    f: Vectorized, d_e: int, scales: npt.ArrayLike, samples: int, rng: np.random.Generator
) -> Floats:
    """Draw sorted samples of ``f(clip(s z))``, one row for each scale s (claim radial-collapse).

    Parameters
    ----------
    f : callable
        Vectorised objective of the effective coordinates: (samples, d_e) -> (samples,).

    Returns
    -------
    ndarray of float, shape (m, samples)
        Values, each row in increasing order. The rows are independent.

    Raises
    ------
    ValueError
        If f returns nan or the wrong shape.
    """
    grid = np.asarray(scales, dtype=float).ravel()
    out = np.empty((grid.size, samples))
    for row, s in zip(out, grid, strict=True):
        values = np.asarray(f(np.clip(s * rng.standard_normal((samples, d_e)), -1, 1)), dtype=float)
        if values.shape != (samples,) or np.isnan(values).any():
            raise ValueError("f must return one value for each row, and no NaN")
        row[:] = np.sort(values)
    return out


def scale_grid(s_min: float, s_max: float, ratio: float) -> Floats:
    """Geometric grid of scales from at most `s_min` up to exactly `s_max`.

    Consecutive scales differ by a factor of at most `ratio`, greater than 1.
    """
    if not (ratio > 1 and s_min <= s_max):
        raise ValueError(
            "a grid requires ratio > 1 and s_min <= s_max, "
            f"got ratio = {ratio}, s_min = {s_min} and s_max = {s_max}"
        )
    steps = math.ceil(math.log(s_max / s_min) / math.log(ratio) - 1e-12)
    return np.asarray(s_max * ratio ** -np.arange(steps, -1, -1.0), dtype=float)


def success_probabilities(values: Floats, thresholds: npt.ArrayLike) -> Floats:
    """Share of the samples at or below each threshold, for each scale: the estimated ``p_s``.

    The k thresholds are values ``f* + eps``; the result has the shape (m, k).
    """
    shares = _counts(values, np.asarray(thresholds, dtype=float).ravel()) / values.shape[1]
    return np.asarray(shares, dtype=float)


def ceiling(pbar: npt.ArrayLike, v: int) -> Floats:
    """Largest probability of a success in v evaluations (claim fresh-ceiling).

    ``1 - (1 - pbar)^v``, attained by always using a scale that is best for this success. For
    continuous f and scales in ``[0, s_max]`` there is one.

    Parameters
    ----------
    pbar : array_like of float
        Supremum over the scales of the success probability of one evaluation.
    """
    p = np.asarray(pbar, dtype=float)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("pbar must lie in [0, 1]")
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(v * np.log1p(-p)))


def upper_limits(
    counts: Floats,
    samples: int,
    scales: npt.ArrayLike,
    d_e: int,
    *,
    distances: npt.ArrayLike,
    confidence: float = 0.99,
) -> Floats:
    """Upper confidence limits of ``p_s``, valid together for all scales up to the last.

    Parameters
    ----------
    counts : ndarray, shape (m, k)
        Number of samples at each scale that are at or below each threshold. Different scales may
        share their samples.
    scales : array_like of float, shape (m,)
        The last is the greatest that the rule can use.
    distances : array_like of float, shape (k,)
        Lower bounds on ``||x||`` over ``{f <= threshold}``. Use 0 if no bound is known; then the
        limit is 1.
    confidence : float
        Probability that all limits hold, for all scales from 0 to the last. The thresholds must be
        fixed before the samples are seen.

    Returns
    -------
    ndarray of float, shape (m, k)
        Row i is an upper limit for each scale in ``(scales[i-1], scales[i]]``; row 0 for each
        scale in ``(0, scales[0]]``.
    """
    grid = np.asarray(scales, dtype=float).ravel()[:, None]
    rho = np.asarray(distances, dtype=float).ravel()
    alpha = 1 - confidence
    # Clopper and Pearson's upper limits; 1 where every sample is a hit.
    misses = samples - counts
    high = stats.beta.isf(alpha / counts.size, counts + 1, np.maximum(misses, 1))
    high[misses == 0] = 1.0
    # On {||x|| >= rho}, the density at scale t exceeds that at b = grid[i] by this factor at
    # most, for t in [grid[i-1], b], or in (0, b] for i = 0; its maximum is at t = rho/sqrt(d_e).
    below = np.vstack([[0.0], grid[:-1]])
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.clip(rho / math.sqrt(d_e), below, grid)
        log_ratio = d_e * np.log(grid / t) - 0.5 * (rho / t) ** 2 + 0.5 * (rho / grid) ** 2
        limits = np.where(t > 0, np.exp(log_ratio), np.inf) * high
    limits[0] = np.minimum(limits[0], stats.chi2.sf((rho / grid[0]) ** 2, d_e))
    return np.asarray(np.minimum(1.0, limits))


def certified_lower_bound(
    values: Floats,
    scales: npt.ArrayLike,
    d_e: int,
    v: int,
    *,
    f_star: float,
    f_zero: float,
    distance: SublevelDistance,
    thresholds: npt.ArrayLike | None = None,
    confidence: float = 0.99,
) -> float:
    """Lower confidence bound on ``E[best of v]`` for every adaptive rule (claim fresh-ceiling).

    The integral is replaced by its lower sum over a grid of thresholds, and each ``pbar`` by the
    greatest of its :func:`upper_limits`; both only lower it. The chance that the result exceeds the
    true infimum over all rules of ``E[best of v]`` is at most ``1 - confidence``.

    Parameters
    ----------
    f_star : float
        Minimum of f (or any lower bound on it).
    f_zero : float
        ``f(0)``, a value that every rule can attain.
    distance : callable
        Maps thresholds to lower bounds on ``||x||`` over ``{f <= threshold}``. With a Lipschitz
        constant L, ``max(0, f_zero - threshold) / L`` is one.
    thresholds : array_like of float, optional
        Thresholds between `f_star` and `f_zero`; by default 200 equal steps.
    confidence : float
        As in :func:`upper_limits`.
    """
    levels = (
        np.linspace(f_star, f_zero, 201)
        if thresholds is None
        else np.asarray(thresholds, dtype=float).ravel()
    )
    levels = np.unique(np.clip(np.concatenate([[f_star], levels]), f_star, f_zero))
    if levels.size == 1:
        return float(f_star)
    counts, distances = _counts(values, levels[1:]), distance(levels[1:])
    limits = upper_limits(
        counts, values.shape[1], scales, d_e, distances=distances, confidence=confidence
    )
    pbar = np.where(levels[1:] >= f_zero, 1.0, limits.max(axis=0))
    return float(f_star + (1 - ceiling(pbar, v)) @ np.diff(levels))


def _counts(values: Floats, levels: Floats) -> Floats:
    return np.array([np.searchsorted(row, levels, side="right") for row in values], dtype=float)
