"""The statistical tests on which the verdicts rest.

Quality is compared on a logarithmic scale, as a reader compares curves on logarithmic axes. A
*gap* is a difference of means of log best values: the logarithm of a ratio of geometric means.
"""

import math
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
            logs = np.log(np.maximum(sample, np.finfo(np.float64).tiny))
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


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given.

    The i-th smallest of m p-values is multiplied by m - i + 1. An adjusted value is at most 1, and
    at least the adjusted values of all smaller p-values.
    """
    order = np.argsort(p_values, kind="stable")
    adjusted = np.sort(p_values) * np.arange(len(order), 0, -1)
    adjusted = np.minimum(1.0, np.maximum.accumulate(adjusted))
    return [float(value) for value in adjusted[np.argsort(order)]]
