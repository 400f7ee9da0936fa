r"""The ceiling of the fresh policy: what no adaptive rule can beat.

Claims radial-collapse and fresh-ceiling.

With a new Gaussian matrix for each evaluation, ``A y`` is distributed like
``sigma ||y|| z``, z standard normal: the law of ``g_P(y)`` depends on y through the scale
``s = sigma ||y||`` alone. Let ``p_s(eps) = P(f(clip(s z)) <= f* + eps)`` and
``pbar = sup_{s <= s_max} p_s``. Whatever the past, an evaluation succeeds with probability at most
``pbar(eps)``, so for every adaptive rule, EmbeddedHunter included,

    ``P(regret after v evaluations <= eps) <= 1 - (1 - pbar(eps))^v``  and
    ``E[regret after v] >= int_0^inf (1 - pbar(eps))^v d eps``.

*Honest Monte Carlo.* ``pbar`` must be estimated, and plugging estimates in has two errors of
opposite signs: the maximum over scales of estimated probabilities overshoots (which lowers the
bound: conservative), but ``(1 - p)^v`` is convex, so that sampling error at each scale raises the
bound on average (not conservative). :func:`plug_in_lower_bound` is therefore only an estimate.
:func:`certified_lower_bound` replaces each probability by an exact binomial upper limit, all of
them valid together with the stated confidence, and covers the scales between the grid points by
the density ratio ``p_s <= (s'/s)^{d_e} p_{s'}`` for ``s <= s'``, and those below the grid by the
Lipschitz constant: it is below the true bound with that confidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from embedded_hunter.regret.estimate import (
    FloatArray,
    clopper_pearson,
    fraction_of_one,
    not_negative,
    positive,
    whole,
)

Objective = Callable[[FloatArray], npt.ArrayLike]


def sample_radial_values(
    f: Objective, d_e: int, scales: npt.ArrayLike, samples: int, rng: np.random.Generator
) -> FloatArray:
    """Sorted samples of ``f(clip(s z))``, one row for each scale s (claim radial-collapse).

    Parameters
    ----------
    f : callable
        Vectorised objective of the effective coordinates: (samples, d_e) -> (samples,).
    d_e : int
        Number of effective coordinates.
    scales : array_like of float, shape (m,)
        Scales ``s = sigma ||y||``.
    samples : int
        Samples per scale; the rows share no randomness.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of float, shape (m, samples)
        Values, each row in increasing order.

    Raises
    ------
    ValueError
        If f returns nan or the wrong shape.
    """
    grid = np.asarray(scales, dtype=float).ravel()
    d_e, samples = whole("d_e", d_e), whole("samples", samples)
    out = np.empty((grid.size, samples))
    for row, s in zip(out, grid, strict=True):
        values = np.asarray(f(np.clip(s * rng.standard_normal((samples, d_e)), -1, 1)), dtype=float)
        if values.shape != (samples,) or np.isnan(values).any():
            raise ValueError("f must return one value for each row, and never nan")
        row[:] = np.sort(values)
    return out


def scale_grid(s_min: float, s_max: float, ratio: float) -> FloatArray:
    """Geometric grid of scales from at most `s_min` up to exactly `s_max`.

    Consecutive scales differ by a factor of at most `ratio`, greater than 1.
    """
    s_min, s_max = positive("s_min", s_min), positive("s_max", s_max)
    if not (ratio > 1 and s_min <= s_max):
        raise ValueError("a grid needs ratio > 1 and s_min <= s_max")
    steps = math.ceil(math.log(s_max / s_min) / math.log(ratio) - 1e-12)
    return np.asarray(s_max * ratio ** -np.arange(steps, -1, -1.0), dtype=float)


def success_probabilities(values: FloatArray, thresholds: npt.ArrayLike) -> FloatArray:
    """Share of the samples at or below each threshold, for each scale: the estimated ``p_s``.

    Parameters
    ----------
    values : ndarray, shape (m, samples)
        Sorted samples from :func:`sample_radial_values`.
    thresholds : array_like of float, shape (k,)
        Values ``f* + eps``.

    Returns
    -------
    ndarray of float, shape (m, k)
    """
    shares = _counts(values, np.asarray(thresholds, dtype=float).ravel()) / values.shape[1]
    return np.asarray(shares, dtype=float)


def ceiling(pbar: npt.ArrayLike, v: int) -> FloatArray:
    """Largest probability of a success in v evaluations (claim fresh-ceiling).

    ``1 - (1 - pbar)^v``, attained by always using the best scale.

    Parameters
    ----------
    pbar : array_like of float
        Supremum over the scales of the success probability of one evaluation.
    v : int
        Evaluation budget.
    """
    p = np.asarray(pbar, dtype=float)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("pbar must lie in [0, 1]")
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(whole("v", v) * np.log1p(-p)))


def plug_in_lower_bound(values: FloatArray, v: int) -> float:
    """Estimate of the bound on ``E[best of v]`` for every adaptive rule (claim fresh-ceiling).

    ``f_min + int (1 - max_s p_s)^v`` with empirical ``p_s``. Not a bound by itself, and not
    biased in a known direction (module docstring).

    Parameters
    ----------
    values : ndarray, shape (m, samples)
        Sorted samples from :func:`sample_radial_values`.
    v : int
        Evaluation budget.

    Returns
    -------
    float
        Estimated lower bound on the expected best value (not regret: add nothing, subtract f*).
    """
    levels = np.unique(values)
    pbar = np.zeros(levels.size)
    for row in values:
        pbar = np.maximum(pbar, np.searchsorted(row, levels, side="right") / row.size)
    failure = 1 - ceiling(pbar, v)
    return float(levels[0] + failure[:-1] @ np.diff(levels))


def best_of(values: FloatArray, v: int) -> FloatArray:
    """Unbiased estimate of ``E[best of v]`` when every evaluation uses one and the same scale.

    The expected minimum of v of the samples drawn without replacement.

    Parameters
    ----------
    values : ndarray, shape (m, samples)
        Sorted samples; ``samples >= v``.
    v : int
        Evaluation budget.

    Returns
    -------
    ndarray of float, shape (m,)
    """
    total = values.shape[1]
    if whole("v", v) > total:
        raise ValueError(f"{total} samples cannot estimate the best of {v}")
    rank = np.arange(total - v + 1)
    log_weight = (
        special.gammaln(total - rank)
        - special.gammaln(total - rank - v + 1)
        - special.gammaln(total + 1)
        + special.gammaln(total - v + 1)
        + math.log(v)
    )
    return np.asarray(values[:, : rank.size] @ np.exp(log_weight))


def pbar_upper_limit(
    values: FloatArray,
    thresholds: npt.ArrayLike,
    scales: npt.ArrayLike,
    d_e: int,
    *,
    f_zero: float,
    lipschitz: float | None,
    confidence: float = 0.99,
) -> FloatArray:
    """Upper confidence limits of ``pbar`` at several thresholds, valid together.

    Parameters
    ----------
    values : ndarray, shape (m, samples)
        Sorted samples at `scales`.
    thresholds : array_like of float, shape (k,)
        Values ``f* + eps``, fixed before the samples were seen.
    scales : array_like of float, shape (m,)
        Increasing scales; the last is the greatest that the rule can use.
    d_e : int
        Number of effective coordinates.
    f_zero : float
        ``f(0)``, the value at scale 0.
    lipschitz : float or None
        Lipschitz constant of f in its effective coordinates, for the scales in (0, scales[0]);
        None when the rule uses none of these.
    confidence : float
        Probability that all limits hold.

    Returns
    -------
    ndarray of float, shape (k,)
    """
    grid = np.asarray(scales, dtype=float).ravel()
    levels = np.asarray(thresholds, dtype=float).ravel()
    alpha = 1 - fraction_of_one("confidence", confidence)
    counts = _counts(values, levels)
    _, high = clopper_pearson(counts, values.shape[1], 0.5, alpha / counts.size)
    # Scales in (grid[i-1], grid[i]] are dominated by grid[i] up to the density ratio.
    stretch = np.ones(grid.size)
    stretch[1:] = (grid[1:] / grid[:-1]) ** whole("d_e", d_e)
    limit = np.minimum(1.0, (stretch[:, None] * high).max(axis=0))
    if lipschitz is not None:
        reach = np.maximum(0.0, f_zero - levels) / (positive("lipschitz", lipschitz) * grid[0])
        limit = np.maximum(limit, stats.chi2.sf(reach**2, d_e))
    return np.asarray(np.where(levels >= f_zero, 1.0, limit))


def certified_lower_bound(
    values: FloatArray,
    scales: npt.ArrayLike,
    d_e: int,
    v: int,
    *,
    f_star: float,
    f_zero: float,
    lipschitz: float | None = None,
    thresholds: npt.ArrayLike | None = None,
    confidence: float = 0.99,
) -> float:
    """Lower confidence bound on ``E[best of v]`` for every adaptive rule (claim fresh-ceiling).

    The integral is replaced by its lower sum over a grid of thresholds, and each ``pbar`` by the
    limit of :func:`pbar_upper_limit`; both only lower it. The chance that the result exceeds the
    true infimum over all rules of ``E[best of v]`` is at most ``1 - confidence``.

    Parameters
    ----------
    values, scales, d_e, f_zero, lipschitz, confidence
        As in :func:`pbar_upper_limit`.
    v : int
        Evaluation budget.
    f_star : float
        Minimum of f (or any lower bound on it).
    thresholds : array_like of float, optional
        Increasing thresholds between `f_star` and `f_zero`; by default 200 equal steps.

    Returns
    -------
    float
        The bound, between `f_star` and `f_zero`.
    """
    not_negative("f_zero - f_star", f_zero - f_star)
    levels = (
        np.linspace(f_star, f_zero, 201)
        if thresholds is None
        else np.asarray(thresholds, dtype=float).ravel()
    )
    levels = np.unique(np.clip(np.concatenate([[f_star], levels]), f_star, f_zero))
    if levels.size == 1:
        return float(f_star)
    pbar = pbar_upper_limit(
        values,
        levels[1:],
        scales,
        d_e,
        f_zero=f_zero,
        lipschitz=lipschitz,
        confidence=confidence,
    )
    return float(f_star + (1 - ceiling(pbar, v)) @ np.diff(levels))


def distance_success_probability(eps: float, norm: float, d_e: int, s: float) -> float:
    """``p_s(eps)`` of ``f(x) = ||x_eff - x*||``, exactly, by the noncentral chi-square law.

    Valid while the ball of radius `eps` about ``x*`` lies inside the cube, so that clipping does
    not touch it.

    Parameters
    ----------
    eps : float
        Regret, not negative.
    norm : float
        ``||x*||``.
    d_e : int
        Number of effective coordinates.
    s : float
        Scale ``sigma ||y||``, greater than 0.
    """
    s = positive("s", s)
    return float(
        stats.ncx2.cdf((not_negative("eps", eps) / s) ** 2, whole("d_e", d_e), (norm / s) ** 2)
    )


def distance_pbar_bound(eps: float, norm: float, d_e: int) -> float:
    """Bound on ``pbar(eps)`` for ``f(x) = ||x_eff - x*||``, all scales (claim fresh-ceiling).

    With ``u = eps/||x*|| < 1`` and the ball of radius eps about ``x*`` inside the cube: the ball
    lies in a cone of half-angle ``arcsin u``, and its Gaussian measure is at most its volume times
    the greatest density at its distance from 0. Hence
    ``min { I_{u^2}((d_e-1)/2, 1/2) / 2, (u/(1-u))^{d_e} / sqrt(pi d_e) }``.

    Parameters
    ----------
    eps : float
        Regret, less than ``||x*||``.
    norm : float
        ``||x*||``, greater than 0.
    d_e : int
        Number of effective coordinates.
    """
    u, d_e = not_negative("eps", eps) / positive("norm", norm), whole("d_e", d_e)
    if u >= 1:
        return 1.0
    cone = 0.5 * float(special.betainc((d_e - 1) / 2, 0.5, u * u)) if d_e > 1 else 0.5
    return min(cone, (u / (1 - u)) ** d_e / math.sqrt(math.pi * d_e))


def distance_regret_floor(norm: float, d_e: int, v: int) -> float:
    """Regret that every adaptive fresh rule exceeds with probability at least 1/2.

    ``||x*|| v^{-1/(d_e-1)}`` for ``f(x) = ||x_eff - x*||``, provided that this is less than
    ``1 - ||x*||_inf`` (claim fresh-ceiling): exponentially many evaluations in d_e.
    """
    if whole("d_e", d_e) < 2:
        raise ValueError("the cone bound needs at least two effective coordinates")
    return positive("norm", norm) * math.pow(whole("v", v), -1 / (d_e - 1))


def _counts(values: FloatArray, levels: FloatArray) -> FloatArray:
    return np.array([np.searchsorted(row, levels, side="right") for row in values], dtype=float)
