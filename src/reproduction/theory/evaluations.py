r"""Bounds in numbers of evaluations: the price of norm classes, and near-optimal nodes.

The page ``docs/paper/evaluations.md`` contains the statements and their proofs (claims
price-of-norm-classes and end-to-end).
"""

import math
from fractions import Fraction

from embedded_hunter.node import splits
from reproduction.theory.finite_time import iterations_to_expand


def soo_evaluations_to_expand(sweeps: int, h: int, K: int, h_max: int) -> int:
    """Bound the evaluations of SOO until it has expanded the optimal node of depth h.

    An iteration of SOO expands at most one leaf, which takes K - 1 evaluations. The root takes one
    more (claim price-of-norm-classes). The parameters are those of `iterations_to_expand`.
    """
    return 1 + (K - 1) * iterations_to_expand(sweeps, h, h_max)


def evaluations_before_the_cone(h: int, K: int) -> int:
    """Least number of evaluations of Algorithm 1 before it expands the optimal node of depth h.

    For ``d = 1``, ``A = (eta)``, ``f(x) = |x|`` and any ``h_max >= h``, where ``S_h = h + 1``:
    ``K^floor((h + 1)/2)`` (claim price-of-norm-classes).
    """
    return int(K ** ((h + 1) // 2))


def near_optimal_nodes_bound(k: int, d: int, K: int, R: float, reach: float) -> int:
    """Largest number of base points of depth k within the distance `reach` of any one point.

    ``min(K^k, prod_j (floor(reach K^{s_j} / R) + 1))``: in coordinate j the base points of depth k
    are ``2R/K^{s_j}`` apart (claim end-to-end).
    """
    near = 1
    cells = Fraction(reach) / Fraction(R) * (1 + Fraction(1, 10**12))
    for s in splits(k, d):
        near *= math.floor(cells * K**s) + 1
    return int(min(K**k, near))
