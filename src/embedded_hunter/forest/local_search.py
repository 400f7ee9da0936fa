"""One local search: an evolution strategy in R^d with steps and a metric from a quadratic model.

`LocalSearch` minimises a function of w in R^d, from w = 0. It is asked for a *generation* of points
and told their values. It knows neither points of X nor trees.

- *Samples.* The points are w = m + sigma M u, with a center m and with u from N(0, I). The center
  moves to the weighted mean of the better half of a generation, and the step sigma and the
  d x d matrix M adapt to them as in the MA-ES (Beyer and Sendhoff, "Simplify your covariance matrix
  adaptation evolution strategy", IEEE Transactions on Evolutionary Computation, 2017). Its weights,
  rates and damping are the functions of d and of the size of a generation that are usual for the
  CMA-ES (Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772).
- *Model.* A quadratic function g v + v H v / 2 is fitted to the last evaluations in the coordinates
  v = M^-1 (w - b) / (sigma sqrt(d)), where b is the best point. Samples are about one unit long in
  them. If there is a model, its minimiser within the trust region ``|v| <= 1`` replaces the first
  sample of the generation. If it has the least value of the generation, it is the next center. If
  it also is the best point so far, and less than half a unit from the one before, sigma shrinks by
  twice this distance: the minimum is near.
- *Metric of the model.* Where an eigenvalue of H has more than twice the mean size, M contracts in
  the direction of the eigenvector. So the function is less stiff in the next coordinates v. M never
  expands: a direction in which the function is constant would grow without limit.

All rules use the order of the values, or ratios of their differences. So f and a f + b, a > 0, lead
to the same points, up to rounding errors of the values.

The samples and M are made by sums in a fixed order. What LAPACK and the C library compute is
rounded before it is used: the steps and the metric of the model, the factors of sigma, the weights
and the vectors u. So the points depend on the processor only where another last bit changes a
rounded number, or a comparison inside `model` or in NumPy's generator of normal numbers.
"""

import math

import numpy as np
import numpy.typing as npt

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.model import QuadraticModel, fit
from embedded_hunter.matrices import Floats, normals, on_grid

FAR = 1e20
"""Points this far from the best one, in the coordinates v, are left out of the fit: no overflow.
Any value from 10^10 to 10^60 leads to the same runs of the benchmark's functions."""
LONGEST = 128
"""The model is fitted to at most this many evaluations: the time of a fit grows with their cube."""


class LocalSearch:
    """Minimise a function of w in R^d, from w = 0, where it has the first value that is given.

    `value` becomes the least value so far, `made` the number of values told, and `unimproved` how
    many were told since `value` last fell. The samples come from `rng`. The first ones are about as
    long as `step`, at most `first_step` of the constants.
    """

    def __init__(
        self,
        value: float,
        d: int,
        rng: np.random.Generator,
        step: float = 1.0,
    ) -> None:
        self.value, self.made, self.unimproved = value, 0, 0
        self._d, self._rng = d, rng
        self._rates = Rates(d, CONSTANTS.generation // 2)
        self._center, self._best = np.zeros(d), np.zeros(d)
        self._sigma, self._M = min(CONSTANTS.first_step, step) / math.sqrt(d), np.eye(d)
        self._path = np.zeros(d)
        self._points, self._values = np.zeros((1, d)), np.array([value])  # the last ones
        self._model: QuadraticModel | None = None
        self._step: Floats | None = None  # the model's in this generation, in the coordinates v
        self._u, self._asked = np.zeros((0, d)), np.zeros((0, d))

    def ask(self) -> Floats:
        """Return the next generation, shape (generation, d)."""
        d, sigma, M = self._d, self._sigma, self._M
        self._u = normals(self._rng, np.empty((CONSTANTS.generation, d)))
        self._asked = self._center + sigma * product(self._u, M.T)
        inverse = np.asarray(np.linalg.inv(M), dtype=np.float64)
        self._step = self._to_minimiser(inverse)
        if self._step is not None:
            step = math.sqrt(d) * self._step
            self._u[0] = self._rounded(inverse @ (self._best - self._center) / sigma) + step
            self._asked[0] = self._best + sigma * product(step[np.newaxis], M.T)[0]
        return self._asked

    def tell(self, values: Floats) -> None:
        """Take the values of the generation, shape (generation,), not nan; fewer end the search."""
        order = np.argsort(values, kind="stable")
        first, least = int(order[0]), float(values[order[0]])
        improved = least < self.value
        kept = min(CONSTANTS.history * self._d, LONGEST)
        half = CONSTANTS.generation // 2
        self._points = np.concatenate([self._points, self._asked[: len(values)]])[-kept:]
        self._values = np.concatenate([self._values, values])[-kept:]
        self.made += len(values)
        self.unimproved = 0 if improved else self.unimproved + len(values)
        if improved:
            self.value, self._best = least, self._asked[first]
        if len(values) < CONSTANTS.generation:
            return
        scale = self._adapt(order[:half], jumps=self._step is not None and first == 0)
        if self._step is not None and first == 0 and improved:
            scale *= min(1.0, 2 * _length(self._step))
        self._contract()
        self._sigma *= scale

    def _adapt(self, better: npt.NDArray[np.intp], *, jumps: bool) -> float:
        """Move the center, adapt path and M; return the factor of sigma."""
        d, rates = self._d, self._rates
        u = self._u.copy()
        if self._step is not None:  # it counts as a sample, which is hardly ever longer than this
            u[0] *= min(1.0, (math.sqrt(d) + 2 * d / (d + 2)) / max(1.0, _length(u[0])))
        u = u[better]
        mean = product(rates.weights[np.newaxis], u)[0]
        move = self._sigma * product(mean[np.newaxis], self._M.T)[0]
        self._center = self._asked[0] if jumps else self._center + move
        c = rates.path
        self._path = (1 - c) * self._path + math.sqrt(c * (2 - c) * rates.mass) * mean
        one = self._path[:, np.newaxis] * self._path - np.eye(d)
        many = product(u.T * rates.weights, u) - np.eye(d)
        self._M = product(self._M, np.eye(d) + (rates.one / 2) * one + (rates.many / 2) * many)
        longer = _length(self._path) / rates.usual - 1
        return on_grid(math.exp(min(1.0, c / rates.damping * longer)))

    def _contract(self) -> None:
        """Contract M in the directions in which the model is stiff."""
        if self._step is None or self._model is None:
            return
        sizes, directions = self._model.axes
        excess = np.maximum(1.0, np.abs(sizes) / (2 * np.abs(sizes).mean()))
        K = (directions * excess ** (-CONSTANTS.contraction / 2)) @ directions.T
        bits = CONSTANTS.bits
        K = np.ldexp(np.rint(np.ldexp(K, bits)), -bits)
        self._M = product(self._M, K)
        self._model = QuadraticModel(K @ self._model.g, K @ self._model.H @ K)

    def _to_minimiser(self, inverse: Floats) -> Floats | None:
        """Return the model's step from the best point, in the coordinates v; None without one."""
        v = (self._points - self._best) @ inverse.T / (self._sigma * math.sqrt(self._d))
        with np.errstate(invalid="ignore", over="ignore"):
            rises = self._values - self.value
        known = np.isfinite(rises) & (np.abs(v).max(axis=1) < FAR)
        if np.count_nonzero(known) < max(2, self._d // 2):
            return None
        model = fit(v[known], rises[known], self._model)
        if model is None:
            return None
        self._model = model
        step = self._rounded(model.trust_region_step(1.0))
        return step if step.any() else None

    def _rounded(self, step: Floats) -> Floats:
        return rounded(step, CONSTANTS.bits)


class Rates:
    """Weights and rates of the CMA-ES, usual for d coordinates and `half` better points."""

    def __init__(self, d: int, half: int) -> None:
        weights = on_grid(math.log(half + 0.5) - np.log(np.arange(1, half + 1)))
        self.weights: Floats = weights / weights.sum()
        self.mass = mass = 1 / float(_squares(self.weights))
        self.path = (mass + 2) / (d + mass + 5)
        self.damping = 1 + self.path + 2 * max(0.0, math.sqrt((mass - 1) / (d + 1)) - 1)
        self.one = 2 / ((d + 1.3) ** 2 + mass)
        self.many = min(1 - self.one, 2 * (mass - 2 + 1 / mass) / ((d + 2) ** 2 + mass))
        self.usual = math.sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d * d))


def product(A: Floats, B: Floats) -> Floats:
    """Return the matrix product of A and B, each entry a sum from the first term to the last."""
    return np.asarray((A.T[:, :, np.newaxis] * B[:, np.newaxis, :]).sum(axis=0))


def rounded(step: Floats, bits: int) -> Floats:
    """Round all entries to `bits` binary digits of the greatest one."""
    _, exponent = np.frexp(np.abs(step).max())
    return np.asarray(np.ldexp(np.rint(np.ldexp(step, bits - exponent)), exponent - bits))


def _squares(w: Floats) -> Floats:
    """Return the sum of squares over the last axis, in a fixed order."""
    return np.asarray(np.cumsum(w * w, axis=-1)[..., -1])


def _length(w: Floats) -> float:
    return math.sqrt(float(_squares(w)))
