"""Check points x = P_X(A y): against exact numbers, and whether equal p used the same matrix.

The first check is for the part of a program that makes points of X. The kit has matrices A and
vectors y in ``projection.jsonl``; the program computes x for each.

The second check is for a trace of a run with policy ``indexed`` whose `evaluate` events have `x`.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from embedded_hunter.node import Node, base_point
from embedded_hunter.run.jsonlines import Fields, FormatError, parse, short
from embedded_hunter.settings import Settings
from embedded_hunter.traces import events

VECTORS = Path(__file__).parent / "kit" / "projection.jsonl"
"""The vectors of the kit: A, y, x and the tolerance of x."""

ROUNDING = Fraction(1, 2**53)
"""u, the unit roundoff of 64-bit floats."""

LEAST = Fraction(1, 2**1074)
"""The least positive float."""

SLACK = 64
"""Factor of the tolerance of `check_matrices`, for the rounding of its own least squares."""


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

    Returns
    -------
    str
        What is wrong first, "" if all points are within the tolerance.

    Raises
    ------
    FormatError
        If a line has no list of numbers `x`, or if there are not as many lines as vectors.
    """
    vectors = [parse(line, k) for k, line in enumerate(VECTORS.read_bytes().splitlines(), 1)]
    found = list(events.read(lines))
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


def check_matrices(lines: Iterable[str | bytes]) -> str:
    """Check that evaluations with equal p used the same matrix.

    Each row a of A_p is fitted by least squares to the coordinates a.y that were not clipped. The
    points of one matrix leave no residual but rounding errors. The check sees nothing in a row
    that has no more such points than the rank of their y, at most d; nothing in clipped
    coordinates; and nothing of the law of the matrices.

    Parameters
    ----------
    lines
        A conforming trace. Events without `x` are passed over.

    Returns
    -------
    str
        What is wrong first, "" if the points are consistent or the policy is not ``indexed``.

    Raises
    ------
    FormatError
        If `x` is not a list of numbers, or its length changes.
    """
    settings, first, following = events.open_trace(lines)
    if settings.policy != "indexed":
        return ""
    points: dict[int, list[tuple[tuple[float, ...], list[float]]]] = {}
    n = None
    for number, fields in events.read(following, first):
        if fields.get("event") != "evaluate" or "x" not in fields:
            continue
        x = _point(fields, number)
        n = len(x) if n is None else n
        if len(x) != n:
            raise FormatError(f"line {number}: x must have {n} coordinates, got {len(x)}")
        points.setdefault(int(fields["p"]), []).append((_base_point(fields, settings), x))
    for p, made in sorted(points.items()):
        y, x_of_p = np.array([y for y, _ in made]), np.array([x for _, x in made])
        for i in range(x_of_p.shape[1]):
            if not _consistent(y, x_of_p[:, i]):
                return (
                    f"The evaluations p = {p} did not use the same matrix: no row gives the "
                    f"coordinates x[{i}] that are not clipped."
                )
    return ""


def _base_point(fields: Fields, settings: Settings) -> tuple[float, ...]:
    node = Node(int(fields["h"]), int(fields["i"]), tuple(map(int, fields["c"])), 0)
    return base_point(node, settings)


def _consistent(y: npt.NDArray[np.float64], x: npt.NDArray[np.float64]) -> bool:
    """Tell whether x = y a for some a, shapes (m, d) and (m,), but for rounding errors."""
    free = np.abs(x) < 1
    y, x = y[free], x[free]
    if not len(x):
        return True
    a = np.linalg.lstsq(y, x)[0]
    size = np.linalg.norm(y) * np.linalg.norm(a) + np.linalg.norm(x)
    rounding = float(ROUNDING) * sum(y.shape)
    return bool(np.linalg.norm(y @ a - x) <= SLACK * rounding * size)
