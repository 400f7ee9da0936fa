r"""Cells of the K-ary tree over ``Y = [-R, R]^d``: sizes, norms, numbers of norm classes.

Depth h has split coordinate j ``s_j = h//d + (1 if j < h mod d else 0)`` times; a base point has
the coordinates ``y_j = 2 R c_j / K^{s_j}`` with integer numerators c_j.

The parameters are the depth h, the dimension d, the partition factor K (odd, at least 3), the
half-width R of Y, and M, the factor of the cap. A function of all nodes of a depth has their values
by index i.
"""

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from embedded_hunter.matrices import Floats
from embedded_hunter.node import splits

IntArray = npt.NDArray[np.int64]


def circumscribed_radius(h: int, d: int, K: int, R: float) -> float:
    """Distance ``r_h`` from a base point at depth h to the corners of its cell.

    ``R sqrt((d - r) K^{-2q} + r K^{-2(q+1)})`` for ``h = q d + r`` (claim indexed-regret-bound).
    """
    least = min(splits(h, d))
    longest = R * float(K) ** -least  # apart, since its square underflows
    return longest * math.sqrt(sum(float(K) ** (2 * (least - s)) for s in splits(h, d)))


def inscribed_radius(h: int, d: int, K: int, R: float) -> float:
    """Radius ``R K^{-ceil(h/d)}`` of the largest ball about a base point within its cell.

    It serves Assumption 3 (claim assumption-3).
    """
    return R * float(K) ** -max(splits(h, d))


def well_shaped_factor(d: int, K: int, operator_norm: float) -> float:
    """The m of Assumption 3 when ``delta(h) = L ||B||_op r_h`` (claim assumption-3).

    ``1 / (||B||_op sqrt((d - 1) K^2 + 1))``: then every cell at depth h contains the ball of radius
    ``m delta(h)`` in the metric ``L ||y - y'||``, and for some depths no larger m will do.
    """
    return 1 / (operator_norm * math.sqrt((d - 1) * K**2 + 1))


def largest_norm(h: int, d: int, K: int, R: float) -> float:
    """Greatest norm of a base point at depth h, ``R sqrt(sum_j (1 - K^{-s_j})^2)``.

    Not decreasing in h (claim norm-monotonicity).
    """
    return R * math.sqrt(sum((1 - float(K) ** -s) ** 2 for s in splits(h, d)))


def norm_class_bound(h: int, d: int, K: int) -> int:
    """Bound ``gamma_h`` on the number of norms at depth h (claim norm-classes).

    ``min(K^h, 1 + d ((K^m - 1)/2)^2)``, ``m = ceil(h/d)``: the squared norms at the common
    denominator are integers from 0 on.
    """
    half: int = (K ** max(splits(h, d)) - 1) // 2
    nodes: int = K**h
    return min(nodes, 1 + d * half * half)


def base_point_numerators(h: int, d: int, K: int) -> IntArray:
    """Numerators of all base points at depth h, shape (K^h, d), for at most 4 million nodes."""
    if K % 2 == 0:
        raise ValueError(f"K must be odd, got {K}")
    if K**h > 4_000_000:
        raise ValueError(f"depth {h} has {K}**{h} nodes, too many to enumerate")
    c = np.zeros((1, d), dtype=np.int64)
    digits = np.arange(K, dtype=np.int64) - (K - 1) // 2
    for level in range(h):
        c = np.repeat(c, K, axis=0)
        j = level % d
        c[:, j] = K * c[:, j] + np.tile(digits, c.shape[0] // K)
    return c


def base_points(h: int, d: int, K: int, R: float) -> Floats:
    """All base points at depth h, shape (K^h, d)."""
    denominators = np.array([float(K) ** s for s in splits(h, d)])
    points = 2 * R * base_point_numerators(h, d, K) / denominators
    return np.asarray(points, dtype=float)


def evaluations_of_nodes(h: int, d: int, K: int, R: Fraction, M: Fraction) -> IntArray:
    """Evaluations of the base point of each node at depth h when it is created, shape (K^h,).

    ``min(h - h_0 + 1, floor(M ||y||) + 1)``, where the base point first appears at depth ``h_0``:
    each center child evaluates its base point once more while the count is at most ``M ||y||``
    (claim evaluation-cap). The number does not depend on the run. Exact.
    """
    c = base_point_numerators(h, d, K)
    first = np.zeros(c.shape[0], dtype=np.int64)
    index = np.arange(c.shape[0])
    for level in range(h, 0, -1):
        moved = (index % K != (K - 1) // 2) & (first == 0)
        first[moved] = level
        index //= K
    m = max(splits(h, d))
    lift = np.array([K ** (m - s) for s in splits(h, d)], dtype=np.int64)
    norms, where = np.unique(((c * lift) ** 2).sum(axis=1), return_inverse=True)
    cap = (2 * Fraction(R) * Fraction(M)) ** 2 / Fraction(K) ** (2 * m)
    past = np.array(
        [math.isqrt((cap.numerator * int(nrm)) // cap.denominator) for nrm in norms],
        dtype=np.int64,
    )
    return np.asarray(np.minimum(h - first, past[where.ravel()]) + 1)
