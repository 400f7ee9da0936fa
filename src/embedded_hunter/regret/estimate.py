"""Monte Carlo estimates that carry their confidence interval with them.

Nothing here belongs to the paper; every function of this package that samples returns an
:class:`Estimate`, so that no Monte Carlo number travels without its error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

FloatArray = npt.NDArray[np.float64]
# A function of many points at once, shape (k, d_e), which returns k values.
Vectorized = Callable[[FloatArray], npt.ArrayLike]


@dataclass(frozen=True)
class Estimate:
    """A number estimated from samples, with a two-sided confidence interval.

    Attributes
    ----------
    value : float
        The point estimate.
    low, high : float
        Ends of the interval.
    confidence : float
        Its level, in (0, 1).
    samples : int
        How many independent samples it rests on.
    """

    value: float
    low: float
    high: float
    confidence: float
    samples: int


def positive(name: str, number: float) -> float:
    """Return `number` as a float when it is finite and greater than 0.

    Raises
    ------
    ValueError
        If it is not.
    """
    number = float(number)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name} must be finite and greater than 0, got {number}")
    return number


def not_negative(name: str, number: float) -> float:
    """Return `number` as a float when it is finite and at least 0.

    Raises
    ------
    ValueError
        If it is not.
    """
    number = float(number)
    if not (math.isfinite(number) and number >= 0):
        raise ValueError(f"{name} must be finite and not negative, got {number}")
    return number


def whole(name: str, number: int, least: int = 1) -> int:
    """Return `number` when it is an integer of at least `least`.

    Raises
    ------
    ValueError
        If it is not.
    """
    if isinstance(number, bool) or not math.isfinite(number) or int(number) != number:
        raise ValueError(f"{name} must be an integer of at least {least}, got {number}")
    if number < least:
        raise ValueError(f"{name} must be an integer of at least {least}, got {number}")
    return int(number)


def fraction_of_one(name: str, number: float) -> float:
    """Return `number` as a float when it lies strictly between 0 and 1.

    Raises
    ------
    ValueError
        If it does not.
    """
    number = float(number)
    if not 0 < number < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {number}")
    return number


def estimate_probability(successes: int, trials: int, confidence: float = 0.95) -> Estimate:
    """Estimate a probability from a number of successes, with the exact binomial interval.

    Raises
    ------
    ValueError
        If `successes` is not between 0 and `trials`.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"successes must lie between 0 and {trials}, got {successes}")
    confidence = fraction_of_one("confidence", confidence)
    limits = stats.binomtest(successes, whole("trials", trials)).proportion_ci(confidence, "exact")
    return Estimate(successes / trials, limits.low, limits.high, confidence, trials)


def estimate_mean(sample: npt.ArrayLike, confidence: float = 0.95) -> Estimate:
    """Estimate a mean, with Student's interval (asymptotically valid, by the CLT).

    Raises
    ------
    ValueError
        If there are fewer than two samples.
    """
    x = np.asarray(sample, dtype=float).ravel()
    if x.size < 2:
        raise ValueError("a mean with an interval needs at least two samples")
    confidence = fraction_of_one("confidence", confidence)
    mean = float(x.mean())
    half = float(stats.t.ppf((1 + confidence) / 2, x.size - 1) * stats.sem(x))
    return Estimate(mean, mean - half, mean + half, confidence, int(x.size))
