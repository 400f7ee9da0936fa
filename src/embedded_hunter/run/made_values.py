"""Which variables mattered, by the values of a run alone: its generations of samples.

The evolution strategy of the forest draws the coordinates of a generation independently of one
another, if n > 40. So the values of a generation are independent of a variable that the function
does not depend on, whatever was evaluated before. Within each generation the ranks of the values
are correlated with each variable, and with the square of its distance from the mean. If a variable
does not matter, a correlation c has the mean 0 and the variance 1/(size - 1), and its law is
symmetric. There are two tests for each variable:

- *Slope.* The squares of the first correlations are added up, because the sign changes where the
  samples pass the optimum.
- *Curvature.* The second correlations are added up: near a minimum they are positive.

Fisher's method combines the two p-values. The laws are those for many generations.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
import scipy

from embedded_hunter.matrices import Floats
from embedded_hunter.run import events
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.run import Run

RESAMPLES = 1000
"""Draws of the generations, with replacement, for the intervals."""
LEAST = 4
"""Points of a generation that counts."""

Numbers = npt.NDArray[np.intp]


def correlations(ranks: Floats, x: Floats) -> Floats:
    """Return sqrt(size - 1) c for the correlation c with each column of x.

    It is 0 for a column with one value. `ranks` have the mean 0.
    """
    x = x - x.mean(axis=0)
    squares = (x * x).sum(axis=0)
    lengths = np.sqrt(squares * (ranks @ ranks))
    lengths[lengths == 0] = np.inf
    return np.asarray(np.sqrt(len(ranks) - 1) * (ranks @ x) / lengths)


Generation = tuple[Sequence[float], Floats]
"""The values of a generation, and its points, shape (size, n)."""


def generations_of(run: Run) -> Iterator[Generation]:
    """Yield the generations of a run. ValueError if the run has no key."""
    policy = policy_of(run.settings)
    for (visit, values), points in run.evaluated():
        first = next(policy.narrate(run.settings, visit), None)
        if isinstance(first, events.Generation) and first.is_sample:
            yield values, points


class Correlations:
    """The correlations of the values of generations with each of n variables."""

    def __init__(self, generations: Iterable[Generation], n: int) -> None:
        slopes, curvatures, sizes = [], [], []
        for values, points in generations:
            ranks = scipy.stats.rankdata(values) - (len(values) + 1) / 2
            if len(ranks) >= LEAST and ranks.any():
                _, exponents = np.frexp(np.abs(points).max(axis=0))
                x = np.ldexp(points, -exponents)  # no overflow
                x -= x.mean(axis=0)
                x /= np.maximum(np.abs(x).max(axis=0), np.finfo(float).tiny)  # no underflow
                slopes.append(correlations(ranks, x))
                curvatures.append(correlations(ranks, x * x))
                sizes.append(len(ranks))
        self.slopes, self.curvatures = (np.reshape(c, (-1, n)) for c in (slopes, curvatures))
        self.sizes = np.array(sizes, dtype=float)
        self.free = np.flatnonzero(self.slopes.any(axis=0))

    def named(self, false_alarm: float) -> Numbers:
        """Return the variables that matter, by Holm's test for all of them."""
        count = len(self.sizes)
        slope = scipy.stats.chi2.logsf((self.slopes**2).sum(axis=0), count)
        curvature = scipy.stats.norm.logsf(self.curvatures.sum(axis=0) / np.sqrt(count))
        p = scipy.stats.chi2.sf(-2 * (slope + curvature), 4)[self.free]
        order = np.argsort(p, kind="stable")
        fails = p[order] * (len(order) - np.arange(len(order))) > false_alarm
        return self.free[order[: int(np.argmax(fails)) if fails.any() else len(order)]]

    def others_matter(self, named: Numbers, false_alarm: float) -> bool:
        """Tell whether the other variables explain together more than chance does."""
        others, count = np.setdiff1d(self.free, named), len(self.sizes)
        variance = (2 * (self.sizes - 2) / (self.sizes + 1)).sum()  # of a sum of squares
        slope = ((self.slopes[:, others] ** 2).sum() - len(others) * count) / np.sqrt(variance)
        curvature = self.curvatures[:, others].sum() / np.sqrt(count)
        limit = scipy.stats.norm.isf(false_alarm) * np.sqrt(2 * len(others))
        return bool(slope + curvature > limit)

    def effects(self, named: Numbers, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return the effects of variables, and their 95 % intervals from resampled generations.

        An effect is the mean over the generations of the parts of the variance of the ranks that
        the variable and its square explain, less what chance explains.
        """
        count, most = len(self.sizes), self.sizes - 2
        excess = self.slopes[:, named] ** 2 + self.curvatures[:, named] ** 2 - 2
        drawn = rng.multinomial(count, np.full(count, 1 / count), RESAMPLES)
        resampled = (drawn @ excess) / (drawn @ most)[:, np.newaxis]
        interval = np.quantile(resampled, [0.025, 0.975], axis=0).T
        return excess.sum(axis=0) / most.sum(), interval
