"""An evolution strategy in all n coordinates of X, a member of the policy ``forest``.

`Evolution` minimises a function on the cube [-1, 1]^n, from x = 0. It is asked for a generation of
points and told their values.

- *Samples.* The points are P_X(m + sigma sqrt(D) u), with a mean m, a step sigma, a diagonal matrix
  D and u from N(0, I_n). The mean moves to the weighted mean of the better half of a generation,
  before clipping, and is then put into [-b, b]^n, b = 1 + sigma sqrt(D). So it can pass a face of
  the cube by one standard deviation. Most samples then lie on the face. So an optimum on a face, or
  in a corner, is soon found if few variables matter.
- *Step.* sigma adapts by the median success rule (Ait Elhara, Auger and Hansen, "A median success
  rule for non-elitist evolution strategies", GECCO 2013), with the damping 1 instead of
  2 - 2/n. It grows if more than half of a generation are better than a fixed part of the generation
  before. The rule compares values, and nothing in it depends on n. Nobody needs to know d_e.
- *Metric.* D adapts as in the sep-CMA-ES (Ros and Hansen, "A simple modification in CMA-ES
  achieving linear time and space complexity", PPSN 2008), to the moves of m and of the samples
  after clipping. Weights and rates are those that are usual for the CMA-ES (Hansen,
  arXiv:1604.00772), times (n + 2) / 3 where Ros and Hansen say so, but for 40 coordinates
  (`coordinates`) if n is greater. The rates for more coordinates are slower, and few matter here.
- *Population.* A generation has 12 to 24 points: about h_max/4 within these limits, where h_max is
  sqrt(v) by default. With more points the rates are faster: with 24, those for 20 coordinates.
  Where 30 coordinates matter, this finds better minima, if the budget is large. For small budgets
  more points are too slow, and faster rates are worse.
- *Restarts.* If 30 generations (`patience`) in a row do not improve on the least value since the
  last restart, the strategy begins again at 0, with twice as many points in a generation (as in
  Auger and Hansen, "A restart CMA evolution strategy with increasing population size", CEC 2005).
  If n > 40, it also does so when sigma has fallen below 2^-24 (`collapse`) of its first value, and
  the damping of sigma is 4 (`damping`) from then on. Where all coordinates matter, sigma may fall
  fast far from a minimum.

All of this is done in each coordinate alone, apart from comparisons of values. So the run can be
made in some of the coordinates only, if the function depends on no others: its law is the same. The
law does not depend on n either, if n > 40.
"""

import math
from functools import partial
from typing import Any

import numpy as np

from embedded_hunter.forest.constants import EVOLUTION, EvolutionConstants
from embedded_hunter.forest.local_search import Rates
from embedded_hunter.forest.requests import MakePoint
from embedded_hunter.matrices import Floats, blocks, normals, on_grid
from embedded_hunter.projection import clip


class Evolution:
    """Minimise a function on [-1, 1]^n, from x = 0.

    Parameters
    ----------
    n
        Number of coordinates of X; the rates depend on it if it is less than 40.
    rows
        Number of coordinates of the points.
    rng
        Source of the samples.
    constants
        The numbers in the rules.
    first_step
        sigma at the start, but not after a restart; that of the constants unless given.

    Attributes
    ----------
    made, size
        Number of values told, and of points of the next generation.
    """

    _type: type[np.floating[Any]] = np.float32
    """The type of the samples u; binary32 loses nothing, since u has at most 22 bits."""

    def __init__(
        self,
        n: int,
        rows: int,
        rng: np.random.Generator,
        constants: EvolutionConstants = EVOLUTION,
        first_step: float | None = None,
    ) -> None:
        self._rows, self._rng, self._constants = rows, rng, constants
        self._coordinates = min(n, constants.coordinates)
        self.made, self._damping = 0, 1.0
        self._least, self._unimproved = math.inf, 0
        step = constants.first_step if first_step is None else first_step
        self._begin(constants.population, step)

    def ask(self) -> list[MakePoint]:
        """Draw the next generation; return functions that compute its points, until it is told."""
        for move in self._moves:
            for part in blocks(self._rows):
                move[part] = normals(self._rng, np.empty(part.stop - part.start))
        return self._points()

    def tell(self, values: Floats) -> None:
        """Take the values of the generation, not nan; fewer end the search."""
        self.made += len(values)
        if len(values) < self.size:
            return
        constants, order = self._constants, np.argsort(values, kind="stable")
        self._adapt(order[: self.size // 2].tolist())
        self._adapt_step(values[order])
        self._unimproved = 0 if values[order[0]] < self._least else self._unimproved + 1
        self._least = min(self._least, float(values[order[0]]))
        has_collapsed = self._sigma < constants.collapse * self._first_sigma
        if has_collapsed:
            self._damping = constants.damping
        if has_collapsed or self._unimproved >= constants.patience:
            self._begin(2 * self.size, constants.first_step)

    def _begin(self, size: int, step: float) -> None:
        self.size, self._rates = size, Rates(self._coordinates, size // 2)
        self._moves = np.empty((size, self._rows), self._type)
        self._mean = np.zeros(self._rows)
        self._sigma = self._first_sigma = step
        self._D, self._path = np.ones(self._rows), np.zeros(self._rows)
        self._deviations = np.ones(self._rows)  # the roots of D
        self._success, self._last = 0.0, np.zeros(0)  # the sorted values of the last generation
        self._least, self._unimproved = math.inf, 0

    def _points(self) -> list[MakePoint]:
        return [partial(self._point, k) for k in range(self.size)]

    def _point(self, k: int) -> Floats:
        """Return point k of the generation, shape (rows,), in the cube."""
        x = self._move(k, slice(None))
        x *= self._sigma
        x += self._mean
        return clip(x)

    def _move(self, k: int, part: slice) -> Floats:
        """Return some coordinates of the move from the mean to sample k, over sigma."""
        return np.asarray(self._moves[k, part] * self._deviations[part])

    def _adapt(self, better: list[int]) -> None:
        """Adapt path and D to the better samples; move the mean. A block of rows fits a cache."""
        rates, n = self._rates, self._coordinates
        one = min(1.0, rates.one * (n + 2) / 3)
        many = min(1 - one, rates.many * (n + 2) / 3)
        for part in blocks(self._rows):
            D = self._D[part]
            free, move, squares = np.zeros((3, len(D)))
            for weight, k in zip(rates.weights, better, strict=True):
                drawn = self._move(k, part)
                clipped = self._clipped(drawn, part)
                free += weight * drawn
                move += weight * clipped
                squares += weight * (clipped * clipped)
            self._follow(move, part)
            D[:] = (1 - one - many) * D + one * self._path[part] ** 2 + many * squares
            self._move_mean(free, np.sqrt(D), part)

    def _follow(self, move: Floats, part: slice) -> None:
        """Adapt some coordinates of the path to a move of the mean."""
        n, mass = self._coordinates, self._rates.mass
        c = (4 + mass / n) / (n + 4 + 2 * mass / n)
        self._path[part] = (1 - c) * self._path[part] + math.sqrt(c * (2 - c) * mass) * move

    def _move_mean(self, move: Floats, deviations: Floats, part: slice) -> None:
        """Move some coordinates of the mean, but not far out of the cube."""
        self._deviations[part] = deviations
        bound = 1 + self._sigma * deviations
        self._mean[part] = np.clip(self._mean[part] + self._sigma * move, -bound, bound)

    def _clipped(self, move: Floats, part: slice) -> Floats:
        """Return the move of a sample after clipping, from the mean after clipping."""
        mean = self._mean[part]
        x = mean + self._sigma * move
        at = np.flatnonzero((np.abs(x) > 1) | (np.abs(mean) > 1))
        clipped = move.copy()
        clipped[at] = (clip(x[at]) - clip(mean[at])) / self._sigma
        return clipped

    def _adapt_step(self, values: Floats) -> None:
        """Adapt sigma by the median success rule, given the sorted values."""
        constants = self._constants
        if len(self._last):
            old = self._last[int(constants.compared * self.size)]
            better = np.count_nonzero(values < old) + 0.5 * np.count_nonzero(values == old)
            measure = 2 * better / self.size - 1
            self._success += constants.smoothing * (measure - self._success)
            factor = on_grid(math.exp(self._success / self._damping))  # the same on all processors
            self._sigma = min(constants.greatest_step, self._sigma * factor)
        self._last = values
