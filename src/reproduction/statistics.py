"""The statistical tests, ranks and intervals behind all verdicts.

Every function takes values after the floor: a value below `FLOOR` counts as `FLOOR`, so that two
runs that both have reached the optimum to COCO's final precision are equal. Quality is compared on
a logarithmic scale, as a reader compares curves on logarithmic axes. A *gap* is a difference of
means of log best values: the logarithm of a ratio of geometric means.

Two independent samples are compared by the tests of Welch and of Mann and Whitney. Runs on the same
instance are *blocks*: Wilcoxon's signed-rank test compares two methods on them, by the ratios of
their values, and Friedman's test several methods, by their ranks. "Not shown" is no proof of
equality: an interval for the ratio says how large a difference can still be.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Sample: TypeAlias = NDArray[np.float64]

FLOOR = 1e-8
"""The least value that tests, ranks and ratios tell from smaller ones: COCO's final precision."""
RATE = 0.05
"""Of the verdicts on paired runs: that a family of tests has a false one."""


def floored(sample: ArrayLike) -> Sample:
    """Return the values after the floor."""
    return np.maximum(np.asarray(sample, dtype=np.float64), FLOOR)


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
    freedom.

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
    return float(stats.mannwhitneyu(floored(a), floored(b), alternative="less").pvalue)


class Interval(NamedTuple):
    """A 95 % confidence interval of a factor."""

    low: float
    high: float


def _logarithms(sample: ArrayLike) -> Sample:
    return np.log(floored(sample))


def _exponentials(low: float, high: float) -> Interval:
    with np.errstate(over="ignore"):  # logarithms of floats may differ by 700
        return Interval(float(np.exp(low)), float(np.exp(high)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values of a family of tests, in the order given."""
    from statsmodels.stats.multitest import multipletests  # two seconds, so only when it is used

    return [*map(float, multipletests(p_values, method="holm")[1])] if len(p_values) else []


# Runs on the same instances

Verdict = Literal["better", "worse", "not shown"]


class Ranking(NamedTuple):
    """Mean ranks of methods over blocks, 1 for the least values; ties share their ranks."""

    mean_rank: dict[str, float]
    blocks: int
    p: float
    """Friedman's p-value."""
    difference: float
    """Nemenyi's critical difference: of two methods whose mean ranks differ by at least this, one
    is shown to be better. With probability 1 - `RATE` no such verdict on any pair is wrong."""

    def leading(self) -> list[str]:
        """Return the methods that no other is shown to be better than, least mean rank first."""
        placed = sorted(self.mean_rank, key=lambda name: self.mean_rank[name])
        limit = self.mean_rank[placed[0]] + self.difference
        return [name for name in placed if self.mean_rank[name] < limit]


def ranking(values: Mapping[str, Sequence[float]]) -> Ranking:
    """Rank methods within blocks.

    Parameters
    ----------
    values
        For each method its values, one for each block, in the same order.

    Raises
    ------
    ValueError
        For fewer than three methods, or lists of different lengths.
    """
    table = floored(list(values.values()))
    ranks = stats.rankdata(table, axis=0).mean(axis=1)
    p = 1.0
    if not np.all(table == table[0]):  # else the statistic is 0/0
        p = float(stats.friedmanchisquare(*table).pvalue)
    k, blocks = table.shape
    quantile = float(stats.studentized_range.isf(RATE, k, np.inf)) / math.sqrt(2)
    difference = quantile * math.sqrt(k * (k + 1) / (6 * blocks))
    return Ranking(dict(zip(values, map(float, ranks), strict=True)), blocks, p, difference)


class PairedTest(NamedTuple):
    """A method against another one."""

    other: str
    runs: int
    wins: int
    losses: int
    p: float
    adjusted: float
    verdict: Verdict
    factor: Interval | None
    """An interval for the method's values divided by the other's (`factor_interval`), for this
    comparison alone."""


def paired_tests(
    values: Sequence[float], others: Mapping[str, Sequence[float]]
) -> list[PairedTest]:
    """Compare the values of a method with those of others, run by run, at the rate `RATE`.

    The comparisons are one family: the p-values are adjusted by Holm.

    Parameters
    ----------
    values
        One for each run, from run 0 on.
    others
        The same of each other method; a shorter list is compared with the first runs.
    """
    ratios = {
        name: log_ratios(values[: len(other)], other[: len(values)])
        for name, other in others.items()
    }
    p_values = [signed_rank(ratio) for ratio in ratios.values()]
    found = []
    for (name, ratio), p, adjusted in zip(ratios.items(), p_values, holm(p_values), strict=True):
        verdict: Verdict = "not shown"
        if adjusted <= RATE:
            verdict = "better" if balance(ratio) < 0 else "worse"
        wins, losses = int((ratio < 0).sum()), int((ratio > 0).sum())
        found.append(
            PairedTest(name, len(ratio), wins, losses, p, adjusted, verdict, factor_interval(ratio))
        )
    return found


def log_ratios(a: Sequence[float], b: Sequence[float]) -> Sample:
    """Return the logarithms of the ratios of paired values, a to b."""
    return _logarithms(a) - _logarithms(b)


def factor_interval(ratio: Sample) -> Interval | None:
    """Return a 95 % interval for the factor of paired runs, None if there are too few.

    The factor is the exponential of the centre of the law of the logarithms, which is assumed to be
    symmetric. Wilcoxon's test, inverted, has the interval of the Walsh averages from the (c + 1)-th
    least to the (c + 1)-th greatest, with c the greatest number for which P(W+ <= c) is at most
    half of `RATE`; it covers the factor with probability at least 1 - `RATE`.
    """
    law = np.ones(1)  # of W+: the sum of the ranks 1 .. n, each with probability 1/2
    for rank in range(1, len(ratio) + 1):
        law = (np.pad(law, (0, rank)) + np.pad(law, (rank, 0))) / 2
    c = int((np.cumsum(law) <= RATE / 2).sum()) - 1
    if c < 0:
        return None
    walsh = np.add.outer(ratio, ratio)[np.tril_indices(len(ratio))] / 2
    walsh.sort()
    return _exponentials(walsh[c], walsh[-1 - c])


def signed_rank(ratio: Sample) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test; 1 if there is no difference.

    Exact without ties and zeros (up to 50 runs), the normal approximation otherwise.
    """
    return float(stats.wilcoxon(ratio).pvalue) if np.any(ratio) else 1.0


def balance(ratio: Sample) -> float:
    """Return the sum of the signed ranks: below 0 if the first values tend to be less."""
    differing = ratio[ratio != 0]
    return float(np.sign(differing) @ stats.rankdata(np.abs(differing)))


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the quartiles of some values; of one value that value, three times."""
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
    return low, middle, high
