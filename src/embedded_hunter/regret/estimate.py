"""Monte Carlo estimates with confidence intervals.

The paper has none of this. A function ``estimate_...`` of this package returns an
:class:`Estimate`: the number together with its confidence interval.
"""

from __future__ import annotations

from dataclasses import dataclass

from scipy import stats

from embedded_hunter.regret.arguments import fraction_of_one, whole


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
        Confidence level of the interval, in (0, 1).
    samples : int
        Number of independent samples.
    """

    value: float
    low: float
    high: float
    confidence: float
    samples: int


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
