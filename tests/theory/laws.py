"""How the statistical tests of `projection` judge samples of points of X; see there."""

import math
from collections.abc import Callable

import numpy as np
from scipy.special import ndtr
from scipy.stats import chi2, ks_2samp, kstest

from embedded_hunter.matrices import Floats
from embedded_hunter.settings import MatrixPolicy, Sampler, Settings

ALPHA = 5e-9
ROWS, COUNT = 20, 2000


def settings_of(
    d: int, sigma: float, policy: MatrixPolicy = "fresh", sampler: Sampler = "norm"
) -> Settings:
    return Settings(ROWS, d, 10, eta=0.5, sigma=sigma, policy=policy, sampler=sampler)


def objective(x: Floats) -> Floats:
    """A function of x that is neither even nor symmetric in the coordinates; shape (count,)."""
    shifted: Floats = np.sqrt(((x - np.linspace(0, 0.5, ROWS)) ** 2).sum(axis=1))
    return shifted


STATISTICS: dict[str, Callable[[Floats], Floats]] = {
    "objective": objective,
    "squared length": lambda x: (x**2).sum(axis=1),
    "sum": lambda x: x.sum(axis=1),
    "greatest": lambda x: x.max(axis=1),
    "first": lambda x: x[:, 0],
    "neighbours": lambda x: (x[:, 1:] * x[:, :-1]).sum(axis=1),
}


def disagreements(one: Floats, other: Floats) -> set[str]:
    """Return the statistics whose laws differ in two samples: Kolmogorov-Smirnov at ALPHA."""
    return {
        name
        for name, statistic in STATISTICS.items()
        if ks_2samp(statistic(one), statistic(other), method="asymp").pvalue < ALPHA
    }


def departures(x: Floats, scale: float) -> set[str]:
    """Return what contradicts that the rows of x, unclipped, are independent N(0, scale^2 I).

    Tests at ALPHA: the sum of all squares is scale^2 chi^2; the entries are normal; the
    scalar product of each evaluation with the next, given the one, is normal (they are
    independent if and only if evaluations do not share their matrix).
    """
    faults = set()
    freedom = chi2(x.size)
    square = float((x**2).sum()) / scale**2
    if min(freedom.cdf(square), freedom.sf(square)) < ALPHA / 2:
        faults.add("variance")
    if kstest(x.ravel() / scale, ndtr).pvalue < ALPHA:
        faults.add("law of the entries")
    one, other = x[0::2], x[1::2]
    products = (one * other).sum(axis=1) / (scale * np.linalg.norm(one, axis=1))
    if kstest(products, ndtr).pvalue < ALPHA:
        faults.add("independence of evaluations")
    rows = x[:, 1:] * x[:, :-1]
    if abs(rows.sum()) / scale**2 > 6 * math.sqrt(rows.size):  # 6 standard deviations: 2e-9
        faults.add("independence of coordinates")
    return faults
