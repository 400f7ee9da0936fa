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

*Monte Carlo errors.* ``pbar`` must be estimated. The maximum over scales of estimated probabilities
is too large on average, which lowers the second bound. But ``(1 - p)^v`` is convex, so the sampling
error at each scale raises it on average: the result is an estimate, not a bound. Version 1.1.0 has
``certified_lower_bound``, a lower confidence bound.

Parameters of all: `d_e` is the number of effective coordinates; `scales`, of shape (m,), are values
of ``s = sigma ||y||`` that increase; `samples` is the number of samples of each scale; `values`, of
shape (m, samples), are the sorted samples that :func:`sample_radial_values` draws; `v` is the
budget of evaluations.
"""

import math

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import Floats
from reproduction.theory.indexed import Vectorized


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
    levels = np.asarray(thresholds, dtype=float).ravel()
    counts = [np.searchsorted(row, levels, side="right") for row in values]
    return np.asarray(np.divide(counts, values.shape[1]))


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
