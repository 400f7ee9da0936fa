"""A method's view of an experiment: a function on [-1, 1]^rows, a budget, and some facts."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from embedded_hunter.matrices import Floats
from reproduction.problems.hidden import Problem

ETA = 0.3
"""Table 1: the half-width of the searched cube is R = d/eta."""

SLACK = 1e-9
"""Largest distance from the cube that rounding in other libraries may cause."""
FEW = 4
"""Up to this number, evaluating points one by one is faster than all together."""


@dataclass(frozen=True)
class ProblemInfo:
    """All that a method is told of the function, and the settings that the study prescribes.

    Attributes
    ----------
    n
        Coordinates of the cube.
    d_e
        Effective dimension of the function.
    d
        Dimension that an embedding searches; d_e unless given.
    M
        Factor of the cap of Algorithm 1; number of embeddings of RESOO and SRESOO.
    sigma_n
        The entries of a matrix have the standard deviation 1/sqrt(sigma_n). A rotated problem has
        fewer coordinates than Table 1 and keeps its sigma: sigma R alone matters, not n.
    box_scale
        R'/R for a search of the cube of half-width R' instead of R = d/eta. A run depends on
        sigma R' and M R' alone, so sigma and M are multiplied by it.
    d_sresoo
        Dimension of SRESOO's y; d unless given.
    function
        Name of the function, for a method that is allowed to know it.
    """

    n: int
    d_e: int
    d: int | None = None
    M: int = 5
    sigma_n: int = 10_000
    box_scale: float = 1.0
    d_sresoo: int | None = None
    function: str | None = None

    @property
    def searched(self) -> int:
        """Dimension that an embedding searches."""
        return self.d_e if self.d is None else self.d

    @property
    def sigma(self) -> float:
        """Standard deviation of the entries of a matrix."""
        return self.box_scale / math.sqrt(self.sigma_n)

    @property
    def reach(self) -> float:
        """Greatest scale of a point under fresh matrices, sigma R sqrt(d)."""
        return self.sigma * self.searched / ETA * math.sqrt(self.searched)


class Exhausted(Exception):
    """The budget is used up; the requested evaluation was not made."""


class BlackBox:
    """A function that counts its evaluations, ends a method at its budget and keeps the best value.

    Parameters
    ----------
    f
        The function: points as columns, shape (rows, S), to S values, or shape (rows,) to one.
    rows
        Number of coordinates that the method gives.
    v
        Budget, >= 1.
    read_at
        Budgets, at most v, at which the best value so far is recorded.
    vectorized
        Whether the function takes several points; otherwise it is called with one at a time.

    Attributes
    ----------
    evaluations
        Evaluations made; never more than v.
    best
        The least value so far, +inf at first.
    best_at
        The least of the first m values, for every mark m that was reached.
    """

    def __init__(
        self,
        f: Callable[[Floats], Any],
        rows: int,
        v: int,
        read_at: Sequence[int] = (),
        *,
        vectorized: bool = True,
    ) -> None:
        self._f, self.rows, self.v, self._vectorized = f, rows, v, vectorized
        self._read_at = sorted(set(read_at) | {v})
        if self._read_at[0] < 1 or self._read_at[-1] > v:
            raise ValueError(f"read_at must lie in 1 .. v = {v}, got {sorted(read_at)}")
        self.evaluations = 0
        self.best = float("inf")
        self.best_at: dict[int, float] = {}

    @property
    def left(self) -> int:
        """Evaluations that remain."""
        return self.v - self.evaluations

    def __call__(self, x: Floats) -> float:
        """Return the value at one point, shape (rows,).

        Raises
        ------
        Exhausted
            If the budget is used.
        ValueError
            If the point has another shape, is not in the cube, or its value is nan.
        """
        self._check(x, (self.rows,))
        if self.left < 1:
            raise Exhausted
        value = float(self._f(x))
        self._record(value)
        return value

    def many(self, points: Floats) -> list[float]:
        """Return the values at some points, shape (S, rows).

        Raises
        ------
        Exhausted
            If there are more points than the budget allows. The allowed evaluations were made.
        ValueError
            As for one point.
        """
        self._check(points, (len(points), self.rows))
        allowed = points[: self.left]
        if len(allowed) <= FEW or not self._vectorized:
            values = [float(self._f(x)) for x in allowed]
        else:
            values = np.asarray(self._f(allowed.T), dtype=float).tolist()
        for value in values:
            self._record(value)
        if len(values) < len(points):
            raise Exhausted
        return values

    def _record(self, value: float) -> None:
        if value != value:
            raise ValueError("the function returned nan")
        self.evaluations += 1
        self.best = min(self.best, value)
        if self.evaluations == self._read_at[len(self.best_at)]:
            self.best_at[self.evaluations] = self.best

    def _check(self, x: Floats, shape: tuple[int, ...]) -> None:
        if x.shape != shape:
            raise ValueError(f"a point has {self.rows} coordinates; got an array of {x.shape}")
        if x.size and not np.abs(x).max() <= 1.0 + SLACK:  # nan is not
            raise ValueError("a point lies outside [-1, 1]^n")


def black_box(problem: Problem, v: int, read_at: Sequence[int] = ()) -> BlackBox:
    """Return a problem as a black box; of d_e coordinates, if these are all that it has."""
    f = problem if problem.n > problem.d_e else problem.effective
    return BlackBox(f, problem.n, v, read_at)
