"""The user's bounds, and the affine map of X = [-1, 1]^n onto them."""

from collections.abc import Sequence
from decimal import Decimal
from numbers import Real
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds

from embedded_hunter.projection import Floats

BoundsLike: TypeAlias = Bounds | Sequence[tuple[float, float]] | npt.NDArray[np.float64]


class Box:
    """The box of the user's n variables.

    Parameters
    ----------
    bounds
        `scipy.optimize.Bounds`, or n >= 1 pairs (low, high). All bounds are finite, low <= high.

    Attributes
    ----------
    n
        Number of variables.
    low, high
        The bounds, shape (n,).
    is_a_point
        Whether low = high for every variable.

    Raises
    ------
    TypeError
        If `bounds` contains anything but real numbers. The message names the type.
    ValueError
        If `bounds` has the wrong shape, or if a bound is infinite or NaN, or if low > high for a
        variable. The message names the variable.
    """

    def __init__(self, bounds: BoundsLike) -> None:
        if isinstance(bounds, Bounds):
            low, high = np.broadcast_arrays(
                np.atleast_1d(_floats(bounds.lb)), np.atleast_1d(_floats(bounds.ub))
            )
        else:
            pairs = _floats(bounds)
            if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
                raise ValueError(
                    "bounds must be Bounds or n >= 1 pairs (low, high), "
                    f"got an array of shape {pairs.shape}"
                )
            low, high = pairs[:, 0], pairs[:, 1]
        self.low, self.high = low.copy(), high.copy()
        if self.low.ndim != 1 or self.low.size == 0:
            raise ValueError(f"bounds must have one dimension, got shape {self.low.shape}")
        for wrong, required in (
            (~(np.isfinite(self.low) & np.isfinite(self.high)), "be finite"),
            (self.low > self.high, "have low <= high"),
        ):
            if wrong.any():
                j = int(np.flatnonzero(wrong)[0])
                raise ValueError(
                    f"bounds must {required}, got ({self.low[j]}, {self.high[j]}) for variable {j}"
                )
        self.n = self.low.size
        middle, half = self.low / 2 + self.high / 2, self.high / 2 - self.low / 2
        # Rounding is monotone: if the corners are mapped exactly, no point leaves the box.
        self._corners_are_exact = bool(
            np.array_equal(middle + half, self.high) and np.array_equal(middle - half, self.low)
        )
        self._middle, self._half = _scalar_if_uniform(middle), _scalar_if_uniform(half)
        self._scales = not np.all(half == 1.0)
        self.is_a_point = np.array_equal(self.low, self.high)

    def from_cube(self, x: Floats) -> Floats:
        """Map points of [-1, 1]^n, shape (n,) or (S, n), into the box; return a new array."""
        mapped: Floats = x * self._half if self._scales else x + self._middle
        if self._scales:
            mapped += self._middle
        if self._corners_are_exact:
            return mapped
        return np.clip(mapped, self.low, self.high, out=mapped)


def _floats(numbers: object) -> Floats:
    """Return `numbers` as an array of floats.

    Raises
    ------
    TypeError
        If `numbers` contains anything but real numbers. Masked arrays, strings, bytes, bools,
        dates and complex numbers are refused.
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
        raise TypeError(f"bounds must be Bounds or n pairs (low, high): {error}") from None


def _scalar_if_uniform(values: Floats) -> Floats | float:
    return float(values[0]) if np.all(values == values[0]) else values
