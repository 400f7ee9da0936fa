"""Check points x = P_X(A y) of a program against exact numbers.

The kit has matrices A and vectors y in ``projection.jsonl``; the program computes x for each.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

from embedded_hunter.run.jsonlines import Fields, FormatError, parse, short
from embedded_hunter.traces.reading import read

VECTORS = Path(__file__).parent / "kit" / "projection.jsonl"
"""The vectors of the kit: A, y, x and the tolerance of x."""

ROUNDING = Fraction(1, 2**53)
"""u, the unit roundoff of 64-bit floats."""

LEAST = Fraction(1, 2**1074)
"""The least positive float."""


def projected(A: Sequence[Sequence[float]], y: Sequence[float]) -> list[Fraction]:
    """Return P_X(A y), exactly (eq. (3), claim ``eq-3``)."""
    products = [sum((Fraction(a) * Fraction(c) for a, c in zip(row, y, strict=True))) for row in A]
    return [max(Fraction(-1), min(Fraction(1), Fraction(product))) for product in products]


def tolerance(row: Sequence[float], y: Sequence[float]) -> Fraction:
    """Return the largest error of a dot product in 64-bit floats, in any order of the summands.

    It is `gamma_d |a| |y|` with gamma_d = d u / (1 - d u) (Higham, Accuracy and Stability of
    Numerical Algorithms, section 3.1), and d times the least float for products that underflow.
    The projection onto [-1, 1] does not enlarge it.
    """
    d = len(y)
    gamma = d * ROUNDING / (1 - d * ROUNDING)
    size = sum((abs(Fraction(a) * Fraction(c)) for a, c in zip(row, y, strict=True)), Fraction(0))
    return gamma * size + d * LEAST


def check_points(lines: Iterable[str | bytes]) -> str:
    """Check the points of a program: line k has `x` for the k-th vector of the kit.

    Return what is wrong first, "" if all points are within the tolerance. FormatError if a line has
    no list of numbers `x`, or if there are not as many lines as vectors.
    """
    vectors = [parse(line, k) for k, line in enumerate(VECTORS.read_bytes().splitlines(), 1)]
    found = list(read(lines))
    if len(found) != len(vectors):
        raise FormatError(f"there must be {len(vectors)} points, one a line, got {len(found)}")
    for vector, (number, fields) in zip(vectors, found, strict=True):
        x = _point(fields, number)
        exact = projected(vector["A"], vector["y"])
        if len(x) != len(exact):
            return f"Line {number}: x must have {len(exact)} coordinates, got {len(x)}."
        for i, (mine, right, row) in enumerate(zip(x, exact, vector["A"], strict=True)):
            allowed = tolerance(row, vector["y"])
            if abs(mine) > 1 or abs(Fraction(mine) - right) > allowed:
                return (
                    f"Line {number}: x[{i}] must be {float(right)!r} with an error of at most "
                    f"{float(allowed):.3g}, and in [-1, 1], got {mine!r}."
                )
    return ""


def _point(fields: Fields, number: int) -> list[float]:
    """Return the point of a line."""
    x = fields.get("x")
    if not isinstance(x, list) or not all(type(c) in (int, float) for c in x):
        raise FormatError(f"line {number}: x must be a list of numbers, got {short(x)}")
    return [float(c) for c in x]
