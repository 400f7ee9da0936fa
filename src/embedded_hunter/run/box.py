"""The user's bounds, and the map of X = [-1, 1]^n onto them.

The map is affine, unless `x0` is given: then it takes the zero vector to `x0`, and is affine on
each side of 0 in each coordinate. It is a bijection onto the box all the same, so every point of
the box remains within reach. A search evaluates the zero vector first.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from numbers import Real
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds

from embedded_hunter.matrices import Floats

BoundsLike: TypeAlias = Bounds | Sequence[tuple[float, float]] | npt.NDArray[np.float64]
PAIRS = "bounds must be Bounds or n pairs (low, high)"


class Box:
    """The box of the user's n variables.

    Parameters
    ----------
    bounds, x0
        As in `minimize`.

    Attributes
    ----------
    n
        Number of variables.
    low, high
        The bounds, shape (n,).
    x0
        The given start, shape (n,), or None.

    Raises
    ------
    TypeError
        If an argument contains anything but numbers of its kind.
    ValueError
        If an argument has the wrong shape, or, naming a variable, if a bound is infinite or NaN, if
        low > high, or if `x0` is outside.
    """

    def __init__(self, bounds: BoundsLike, x0: npt.ArrayLike | None = None) -> None:
        if isinstance(bounds, Bounds):
            low, high = np.broadcast_arrays(
                np.atleast_1d(floats(bounds.lb, PAIRS)), np.atleast_1d(floats(bounds.ub, PAIRS))
            )
        else:
            pairs = floats(list(bounds) if isinstance(bounds, Iterator) else bounds, PAIRS)
            if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
                raise ValueError(
                    "bounds must be Bounds or n >= 1 pairs (low, high), "
                    f"got an array of shape {pairs.shape}"
                )
            low, high = pairs[:, 0], pairs[:, 1]
        self.low, self.high = low.copy(), high.copy()
        if self.low.ndim != 1 or self.low.size == 0:
            raise ValueError(f"bounds must have one dimension, got shape {self.low.shape}")
        self.n = self.low.size
        finite = np.isfinite(self.low) & np.isfinite(self.high)
        self._refuse(~finite, "bounds must be finite")
        self._refuse(self.low > self.high, "bounds must have low <= high")
        self.x0 = None if x0 is None else self._start(x0)
        low, high = self.low, self.high
        middle, half = low / 2 + high / 2, high / 2 - low / 2
        # Rounding is monotone: if the corners are mapped exactly, no point leaves the box.
        self._corners_are_exact = bool(
            np.array_equal(middle + half, high) and np.array_equal(middle - half, low)
        )
        self._middle, self._half = _scalar_if_uniform(middle), _scalar_if_uniform(half)
        self._scales, self._shifts = not np.all(half == 1.0), bool(middle.any())

    def _start(self, x0: npt.ArrayLike) -> Floats:
        start = floats(x0, f"x0 must be {self.n} numbers within the bounds")
        if start.shape != (self.n,):
            raise ValueError(f"x0 must have shape ({self.n},), got {start.shape}")
        outside = ~((self.low <= start) & (start <= self.high))
        self._refuse(outside, "x0 must lie within the bounds", start)
        return start

    def _refuse(self, wrong: npt.NDArray[np.bool_], why: str, x: Floats | None = None) -> None:
        """Raise ValueError for the first variable at which `wrong` is true."""
        if wrong.any():
            j = int(np.flatnonzero(wrong)[0])
            got = f"({self.low[j]}, {self.high[j]})" if x is None else f"{x[j]}"
            raise ValueError(f"{why}, got {got} for variable {j}")

    def from_cube(self, x: Floats) -> Floats:
        """Map points of [-1, 1]^n, shape (n,) or (S, n), into the box.

        The array is a new one unless the box is [-1, 1]^n.
        """
        mapped: Floats
        if self.x0 is not None:
            far = np.abs(x)
            mapped = self.x0 * (1 - far) + np.where(x < 0, self.low, self.high) * far
        else:
            mapped = x * self._half if self._scales else x
            if self._shifts:
                mapped = np.add(mapped, self._middle, out=mapped if self._scales else None)
            if self._corners_are_exact:
                return mapped
        return np.clip(mapped, self.low, self.high, out=None if mapped is x else mapped)


def box_of(bounds: BoundsLike | Box, n: int, rows: int | None = None) -> Box:
    """Return the box of n variables; ValueError if there are others, or `rows` is not None."""
    box = bounds if isinstance(bounds, Box) else Box(bounds)
    if box.n != n or rows is not None:
        raise ValueError(
            f"bounds must be those of n = {n} variables, and rows must be None, got {box.n} pairs "
            f"and rows={rows!r}"
        )
    return box


def from_cube(box: Box | None, x: Floats) -> Floats:
    """Map points of [-1, 1]^n into a box; None is the cube itself."""
    return x if box is None else box.from_cube(x)


def floats(numbers: object, required: str) -> Floats:
    """Return `numbers` as an array of floats.

    TypeError, with a message that begins with `required`, if it contains anything but real numbers:
    masked arrays, strings, bytes, bools, dates and complex numbers are refused.
    """
    try:
        rows = numbers if isinstance(numbers, Sequence) else ()
        if any(map(np.ma.isMaskedArray, (numbers, *rows))):
            raise TypeError("masked arrays are not allowed")
        if isinstance(numbers, np.ndarray) and numbers.dtype != object:
            kinds = {numbers.dtype.type}
        else:  # as objects: numpy would take True for 1 among numbers
            kinds = set(map(type, np.asarray(numbers, dtype=object).flat))
        for kind in kinds:
            if issubclass(kind, complex | np.complexfloating):
                raise TypeError("complex numbers are not ordered")
            if issubclass(kind, bool | np.timedelta64) or not issubclass(kind, Real | Decimal):
                raise TypeError(f"{kind.__name__} is not a type of real numbers")
        return np.asarray(numbers).astype(float)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{required}: {error}") from None


def _scalar_if_uniform(values: Floats) -> Floats | float:
    return float(values[0]) if np.all(values == values[0]) else values
