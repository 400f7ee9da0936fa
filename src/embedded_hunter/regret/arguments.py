"""The arguments of the functions of this package: their types, and the checks of their values.

Each check returns the number, or raises ValueError with the name of the argument.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
# A function of many points at once, shape (k, d_e), which returns k values.
Vectorized = Callable[[FloatArray], npt.ArrayLike]


def positive(name: str, number: float) -> float:
    """Require a finite number greater than 0."""
    number = float(number)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name} must be finite and greater than 0, got {number}")
    return number


def not_negative(name: str, number: float) -> float:
    """Require a finite number that is at least 0."""
    number = float(number)
    if not (math.isfinite(number) and number >= 0):
        raise ValueError(f"{name} must be finite and not negative, got {number}")
    return number


def whole(name: str, number: int, least: int = 1) -> int:
    """Require an integer of at least `least`."""
    is_whole = not isinstance(number, bool) and math.isfinite(number) and int(number) == number
    if not is_whole or number < least:
        raise ValueError(f"{name} must be an integer of at least {least}, got {number}")
    return int(number)


def fraction_of_one(name: str, number: float) -> float:
    """Require a number strictly between 0 and 1."""
    number = float(number)
    if not 0 < number < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {number}")
    return number
