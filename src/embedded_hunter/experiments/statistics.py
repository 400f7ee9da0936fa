"""The tests that verdicts are made of.

Quality is compared on a logarithmic scale, as a reader compares curves on logarithmic axes: a
*gap* is a difference of means of log best values, the logarithm of a ratio of geometric means.
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
    """A sum of means of logarithms with given signs, and its one-sided p-values."""

    value: float
    positive: float
    """p-value of "it is positive"."""
    negative: float
    """p-value of "it is negative"."""


def contrast(plus: Sequence[Sample], minus: Sequence[Sample], against: float = 0.0) -> Contrast:
    """Compare sums of means of logarithms: those of `plus`, less those of `minus`, less `against`.

    Welch's test, for any number of independent samples (Satterthwaite's degrees of freedom). A
    value of 0 counts as the least positive number.

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
    positive = float(stats.t.sf(value / math.sqrt(total), freedom))
    return Contrast(value, positive, 1.0 - positive)


def smaller(a: Sample, b: Sample) -> float:
    """Return the p-value of "a is smaller than b" (Mann-Whitney, one-sided)."""
    return float(stats.mannwhitneyu(a, b, alternative="less").pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the order given.

    The i-th smallest of m is multiplied by m - i + 1 (at most 1); no adjusted value is less than
    one before it.
    """
    order = np.argsort(p_values, kind="stable")
    adjusted = np.sort(p_values) * np.arange(len(order), 0, -1)
    adjusted = np.minimum(1.0, np.maximum.accumulate(adjusted))
    return [float(value) for value in adjusted[np.argsort(order)]]
