"""Checks of arguments, and exact numbers.

Each check returns the argument in the type that is used from then on. Otherwise it raises TypeError
or ValueError, with the name of the argument, what is allowed, and what was given.
"""

import math
import numbers
import operator
import re
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, SupportsIndex, TypeVar

import numpy as np

Real = float | Fraction
LEAST, GREATEST = math.ulp(0.0), sys.float_info.max  # of the positive floats
DIGITS = 1000
"""A number has at most this many digits: JSON has them, and Python reads and writes up to 4300."""
T = TypeVar("T", bound=str)


def integer(name: str, value: SupportsIndex, least: int) -> int:
    """Return an integer of at least `least`."""
    allowed = f"{name} must be an integer >= {least}"
    if isinstance(value, bool):
        raise TypeError(f"{allowed}, got {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{allowed}, got {value!r} of type {type(value).__name__}") from None
    require_few_digits(name, number)
    if number < least:
        raise ValueError(f"{allowed}, got {number}")
    return number


def real(name: str, value: object, allowed: str, valid: Callable[[Real], bool]) -> Real:
    """Return a number that is valid; a rational one stays exact."""
    if isinstance(value, numbers.Rational):
        require_few_digits(name, int(value.numerator), int(value.denominator))
    wrong = f"{name} must be {allowed}, got {value!r}"
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{wrong} of type {type(value).__name__}")
    if isinstance(value, numbers.Rational):
        number: Real = Fraction(int(value.numerator), int(value.denominator))
    else:
        number = float(value)
    if not valid(number):
        raise ValueError(wrong)
    return number


def positive(name: str, value: object) -> float:
    """Return a finite number greater than 0."""
    return float(real(name, value, "a finite number > 0", lambda x: LEAST <= x <= GREATEST))


def flag(name: str, value: object) -> bool:
    """Return True or False, which may be given as 1 or 0, or as those of NumPy."""
    if not isinstance(value, int | np.bool_) or value not in (0, 1):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def one_of(name: str, value: T, allowed: tuple[T, ...]) -> T:
    """Return one of the allowed strings."""
    given: object = value
    if not isinstance(given, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")
    return value


def with_names(names: set[str], written: Mapping[str, object]) -> dict[str, Any]:
    """Return a copy of a mapping that has these names and no others."""
    if set(written) != names:
        raise ValueError(f"the names must be {sorted(names)}, got {sorted(written)}")
    return dict(written)


def require_few_digits(name: str, *parts: int) -> None:
    """Raise ValueError if a part of a number has more than `DIGITS` digits."""
    if any(abs(part) >= 10**DIGITS for part in parts):
        raise ValueError(f"{name} must have at most {DIGITS} digits")


def decimal(name: str, value: object) -> Real:
    """Read an exact number: a number, or a string such as "3/10" or "0.3", at most 1000 digits."""
    if isinstance(value, float):
        return value
    text = value if isinstance(value, str) else repr(value)
    if not re.fullmatch(r"(?=.{1,1000}$)[0-9]+(/0*[1-9][0-9]*|\.[0-9]+)?", text):
        raise ValueError(f'{name} must be a number, or a string such as "3/10", got {value!r:.100}')
    return Fraction(text)


def exact(x: Real) -> Fraction:
    """Return the rational number that x stands for; a float stands for its shortest decimal."""
    return Fraction(repr(float(x))) if isinstance(x, float) else Fraction(x)
