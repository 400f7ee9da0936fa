"""What a compared method sees: a function on [-1, 1]^rows, and a budget that ends exactly."""

from collections.abc import Callable, Sequence

import numpy as np

from embedded_hunter.projection import Floats

SLACK = 1e-9
"""By so much rounding in other libraries may leave the cube."""
FEW = 4
"""So many points are cheaper evaluated one by one than together."""


class Exhausted(Exception):
    """The budget is used; the evaluation that was asked for has not been made."""


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
        Budgets up to v at which the best value so far is written down.

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
        self, f: Callable[[Floats], object], rows: int, v: int, read_at: Sequence[int] = ()
    ) -> None:
        self._f, self.rows, self.v = f, rows, v
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
        value = float(self._f(x))  # type: ignore[arg-type]
        self._record(value)
        return value

    def many(self, points: Floats) -> list[float]:
        """Return the values at some points, shape (S, rows).

        Raises
        ------
        Exhausted
            If they are more than the budget allows; those that it allows have been made.
        ValueError
            As for one point.
        """
        self._check(points, (len(points), self.rows))
        allowed = points[: self.left]
        if len(allowed) <= FEW:
            values = [float(self._f(x)) for x in allowed]  # type: ignore[arg-type]
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
