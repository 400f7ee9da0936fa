"""The statistical tests on which the verdicts rest.

Quality is compared on a logarithmic scale, as a reader compares curves on logarithmic axes. A
*gap* is a difference of means of log best values: the logarithm of a ratio of geometric means.
"""

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats

CsvRow: TypeAlias = Mapping[str, str | int | float]
Sample: TypeAlias = NDArray[np.float64]


class Contrast(NamedTuple):
    """A signed sum of means of logarithms, and its one-sided p-values."""

    value: float
    positive: float
    """p-value for "the sum is positive"."""
    negative: float
    """p-value for "the sum is negative"."""


def contrast(plus: Sequence[Sample], minus: Sequence[Sample], against: float = 0.0) -> Contrast:
    """Test the sign of a sum of means of logarithms: `plus` minus `minus` minus `against`.

    This is Welch's test for any number of independent samples, with Satterthwaite's degrees of
    freedom. A value of 0 counts as the smallest positive normal float.

    Raises
    ------
    ValueError
        If a value is negative, or a sample has fewer than two values.
    """
    variances, freedoms, value = [], [], -against
    for sign, samples in ((1.0, plus), (-1.0, minus)):
        for sample in samples:
            if len(sample) < 2 or np.any(sample < 0.0):
                raise ValueError("a contrast needs samples of two values or more, none below 0")
            logs = _logarithms(sample)
            value += sign * float(logs.mean())
            variances.append(float(logs.var(ddof=1)) / len(logs))
            freedoms.append(len(logs) - 1)
    total = sum(variances)
    if total == 0.0:
        return Contrast(value, float(value <= 0.0), float(value >= 0.0))
    freedom = total**2 / sum(v**2 / k for v, k in zip(variances, freedoms, strict=True))
    t = value / math.sqrt(total)
    return Contrast(value, float(stats.t.sf(t, freedom)), float(stats.t.cdf(t, freedom)))


def smaller(a: Sample, b: Sample) -> float:
    """Return the p-value for "a is smaller than b" (Mann-Whitney test, one-sided).

    The error rate is that of the test if a has the same law as b, or tends to be larger. If the
    laws have equal medians and very different spreads, the rate can be greater: 0.014 in place of
    0.005 for two normal samples of 20 values, one with 20 times the standard deviation of the
    other.
    """
    return float(stats.mannwhitneyu(a, b, alternative="less").pvalue)


CONFIDENCE = 0.9


class Interval(NamedTuple):
    """A 90 % confidence interval of a ratio."""

    low: float
    high: float

    def within(self, factor: float) -> bool:
        """Whether it lies in [1/factor, factor].

        These are two one-sided tests at 5 %: they show that the ratio is between 1/factor and
        factor.
        """
        return 1 / factor <= self.low and self.high <= factor


UNKNOWN = Interval(0.0, math.inf)


def ratio_of_geometric_means(a: Sample, b: Sample) -> Interval:
    """Return Welch's 90 % confidence interval of the ratio of geometric means, a to b.

    A value of 0 counts as the smallest positive normal float. Samples of less than two values tell
    nothing.
    """
    if min(len(a), len(b)) < 2:
        return UNKNOWN
    x, y = _logarithms(a), _logarithms(b)
    with warnings.catch_warnings():
        # SciPy warns that a spread of rounding errors alone, or none, is not precise.
        warnings.simplefilter("ignore", RuntimeWarning)
        found = stats.ttest_ind(x, y, equal_var=False).confidence_interval(CONFIDENCE)
    return _exponentials(found.low, found.high)


def ratio_of_medians(a: Sample, b: Sample) -> Interval:
    """Return the Hodges-Lehmann 90 % confidence interval of the median ratio of an a to a b.

    It has the ratios by which one sample can be multiplied so that the two-sided Mann-Whitney test
    does not tell it from the other (normal approximation). If the two laws differ by a factor, this
    factor is the ratio of their medians.
    """
    m, n = len(a), len(b)
    spread = math.sqrt(m * n * (m + n + 1) / 12)
    first = math.floor(m * n / 2 + 0.5 - float(stats.norm.isf((1 - CONFIDENCE) / 2)) * spread)
    if first < 1:
        return UNKNOWN
    ratios = np.sort(np.subtract.outer(_logarithms(a), _logarithms(b)), axis=None)
    return _exponentials(ratios[first - 1], ratios[m * n - first])


def _logarithms(sample: Sample) -> Sample:
    return np.log(np.maximum(sample, np.finfo(np.float64).tiny))


def _exponentials(low: float, high: float) -> Interval:
    with np.errstate(over="ignore"):  # logarithms of floats may differ by 1,400
        return Interval(float(np.exp(low)), float(np.exp(high)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given.

    The i-th smallest of m p-values is multiplied by m - i + 1. An adjusted value is at most 1, and
    at least the adjusted values of all smaller p-values.
    """
    order = np.argsort(p_values)
    adjusted = np.sort(p_values) * np.arange(len(order), 0, -1)
    adjusted = np.minimum(1.0, np.maximum.accumulate(adjusted))
    return [float(value) for value in adjusted[np.argsort(order)]]
