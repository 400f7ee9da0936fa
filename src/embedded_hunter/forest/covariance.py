"""The evolution strategy of the policy ``forest`` with a full covariance matrix, for n <= 40.

The samples are P_X(m + sigma L u), where L is the Cholesky factor of a covariance matrix C. It
adapts as in the CMA-ES (Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772), by the
evolution path and by the moves of the better half of a generation, all after clipping, with the
usual rates for n coordinates. So the strategy learns which coordinates belong together.

A generation has 12 points. Step and restarts are those of `evolution`. As there, the law of the run
in some of the coordinates is that of the run in all of them, if the function depends on no others:
their part of C adapts by itself, and the step adapts to values. All sums are made in a fixed order
and without a BLAS, so the bits are the same on all processors.
"""

import math

import numpy as np

from embedded_hunter.forest.evolution import Evolution
from embedded_hunter.forest.local_search import product
from embedded_hunter.forest.requests import MakePoint
from embedded_hunter.matrices import Floats, normals

ALL = slice(None)


class CovarianceEvolution(Evolution):
    """Minimise a function on [-1, 1]^n, from x = 0; the parameters are those of `Evolution`."""

    _type = np.float64

    def ask(self) -> list[MakePoint]:
        """Draw the next generation; see `Evolution.ask`."""
        self._moves = product(normals(self._rng, self._moves), self._L.T)
        return self._points()

    def _move(self, k: int, part: slice) -> Floats:
        return self._moves[k, part].copy()

    def _begin(self, size: int, step: float) -> None:
        super()._begin(size, step)
        self._C, self._L = np.eye(self._rows), np.eye(self._rows)

    def _adapt(self, better: list[int]) -> None:
        """Adapt path and C; move the mean."""
        rates = self._rates
        free, move = np.zeros((2, self._rows))
        moves = np.zeros((self._rows, self._rows))
        for weight, k in zip(rates.weights, better, strict=True):
            drawn = self._moves[k]
            clipped = self._clipped(drawn, ALL)
            free += weight * drawn
            move += weight * clipped
            moves += weight * np.multiply.outer(clipped, clipped)
        self._follow(move, ALL)
        path = np.multiply.outer(self._path, self._path)
        one, many = rates.one, rates.many
        self._C = (1 - one - many) * self._C + one * path + many * moves
        self._move_mean(free, np.sqrt(np.diag(self._C)), ALL)
        self._L = cholesky(self._C)


def cholesky(C: Floats) -> Floats:
    """Return the Cholesky factor of C, shape (n, n), column by column in a fixed order.

    Where rounding errors have made a pivot zero or less, the column is zero: the samples then have
    no spread of their own in this coordinate, until C has changed.
    """
    rest, L = C.copy(), np.zeros_like(C)
    for j in range(len(C)):
        if rest[j, j] > 0:
            L[j:, j] = rest[j:, j] / math.sqrt(rest[j, j])
            rest[j + 1 :, j + 1 :] -= np.multiply.outer(L[j + 1 :, j], L[j + 1 :, j])
    return L
