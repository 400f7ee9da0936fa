"""The vectors of the kit for the projection; this program writes them."""

import math
import sys
from random import Random

from embedded_hunter.run.jsonlines import Fields, dump
from embedded_hunter.traces.check_projection import ROUNDING, VECTORS, projected, tolerance

Matrix = list[list[float]]


def cases() -> list[tuple[Matrix, list[float]]]:
    """Matrices and vectors: the zero vector, clipping, cancellation, many sizes, at random."""
    found: list[tuple[Matrix, list[float]]] = [
        ([[0.5], [-0.25], [2.0]], [0.0]),
        ([[0.5], [-0.25], [2.0], [-3.0]], [1.0]),  # clipped where |A y| > 1, not where |y| is
        ([[0.1, 0.2], [0.3, -0.1], [0.01, 0.02]], [5.0, -2.5]),
        ([[0.1, 0.1, 0.1], [1.0, 1e-16, -1.0], [1e8, 1.0, -1e8]], [1.0, 1.0, 1.0]),
        ([[1e-3, 2e-3], [-2e-3, 1e-3]], [20 / 3, -20 / 9]),  # n = d: A is not its transpose
    ]
    random = Random("projection")
    for n, d in [(1, 1), (4, 2), (3, 3), (5, 4), (6, 10), (2, 30)]:
        side = d / 0.3
        y = [random.uniform(-side, side) for _ in range(d)]
        found.append(([[random.gauss(0, 1) / math.sqrt(40 * d) for _ in y] for _ in range(n)], y))
    return found


def line_of(A: Matrix, y: list[float]) -> Fields:
    """The line of a case: x is exact, then rounded; the tolerance allows for that too."""
    exact = projected(A, y)
    allowed = [
        tolerance(row, y) + abs(right) * ROUNDING for row, right in zip(A, exact, strict=True)
    ]
    upward = [math.nextafter(float(most), math.inf) for most in allowed]
    return {"A": A, "y": y, "x": [float(right) for right in exact], "tolerance": upward}


def text() -> str:
    """The file."""
    return "".join(dump(line_of(A, y)) for A, y in cases())


if __name__ == "__main__":
    VECTORS.write_text(text(), encoding="utf-8")
    sys.exit(0)
