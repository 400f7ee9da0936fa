"""Ranks and tests over methods, on results that are paired by run.

All methods meet the same instance of a function in run r, so that (function, run) is a block.
Friedman's test asks whether the methods' ranks within blocks could come from one law; Wilcoxon's
signed-rank test (two-sided) asks the same of two methods. Its p-values are adjusted by Holm over
the comparisons of one cell (set, function, budget): whatever the truth is, the probability that a
cell has any false "better" or "worse" is at most the rate. "Not shown" is no proof of equality: an
interval for the factor between the values says how large a difference can still be.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from scipy import stats

from reproduction.statistics import holm

RATE = 0.05
LEAST = 1e-9
"""Intervals and figures do not tell apart values below."""
Verdict = Literal["better", "worse", "not shown"]


class Ranking(NamedTuple):
    """Mean ranks of methods over blocks, 1 for the least values; ties share their ranks."""

    mean_rank: dict[str, float]
    blocks: int
    p: float
    """Friedman's p-value."""


class PairedTest(NamedTuple):
    """A method against another one."""

    other: str
    runs: int
    wins: int
    losses: int
    p: float
    adjusted: float
    verdict: Verdict
    factor: tuple[float, float] | None
    """An interval for the method's values divided by the other's (`factor_interval`), for this
    comparison alone."""


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
    table = np.array(list(values.values()), dtype=float)
    ranks = stats.rankdata(table, axis=0).mean(axis=1)
    p = 1.0
    if not np.all(table == table[0]):  # else the statistic is 0/0
        p = float(stats.friedmanchisquare(*table).pvalue)
    return Ranking(dict(zip(values, map(float, ranks), strict=True)), table.shape[1], p)


def paired_tests(
    values: Sequence[float], others: Mapping[str, Sequence[float]]
) -> list[PairedTest]:
    """Compare the values of a method with those of others, run by run, at the rate `RATE`.

    Parameters
    ----------
    values
        One for each run, from run 0 on.
    others
        The same of each other method; a shorter list is compared with the first runs.
    """
    pairs = [(values[: len(other)], other[: len(values)]) for other in others.values()]
    p_values = [signed_rank(a, b) for a, b in pairs]
    found = []
    for name, (a, b), p, adjusted in zip(others, pairs, p_values, holm(p_values), strict=True):
        wins = sum(x < y for x, y in zip(a, b, strict=True))
        losses = sum(x > y for x, y in zip(a, b, strict=True))
        verdict: Verdict = "not shown"
        if adjusted <= RATE:
            verdict = "better" if balance(a, b) < 0 else "worse"
        factor = factor_interval(a, b)
        found.append(PairedTest(name, len(a), wins, losses, p, adjusted, verdict, factor))
    return found


def factor_interval(a: Sequence[float], b: Sequence[float]) -> tuple[float, float] | None:
    """Return an interval for the factor a/b of paired runs, None if there are too few.

    The factor is 10^m, with m the centre of the law of log10(a) - log10(b), which is assumed to be
    symmetric. Wilcoxon's test, inverted, has the interval of the Walsh averages from the (c + 1)-th
    least to the (c + 1)-th greatest, with c the greatest number for which P(W+ <= c) is at most
    half of `RATE`; it covers the factor with probability at least 1 - `RATE`. Values below `LEAST`
    count as `LEAST`.
    """
    difference = np.log10(np.maximum(a, LEAST)) - np.log10(np.maximum(b, LEAST))
    law = np.ones(1)  # of W+: the sum of the ranks 1 .. n, each with probability 1/2
    for rank in range(1, len(difference) + 1):
        law = (np.pad(law, (0, rank)) + np.pad(law, (rank, 0))) / 2
    c = int((np.cumsum(law) <= RATE / 2).sum()) - 1
    if c < 0:
        return None
    walsh = np.add.outer(difference, difference)[np.tril_indices(len(difference))] / 2
    walsh.sort()
    return float(10.0 ** walsh[c]), float(10.0 ** walsh[-1 - c])


def signed_rank(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test; 1 if there is no difference.

    Exact without ties and zeros (up to 50 runs), the normal approximation otherwise.
    """
    difference = np.subtract(a, b)
    if not np.any(difference):
        return 1.0
    return float(stats.wilcoxon(difference).pvalue)


def balance(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the sum of the signed ranks of a - b: below 0 if a tends to be less."""
    difference = np.subtract(a, b)
    difference = difference[difference != 0]
    return float(np.sign(difference) @ stats.rankdata(np.abs(difference)))
