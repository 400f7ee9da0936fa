r"""Bounds in numbers of evaluations: the price of norm classes, and sweeps of the forest.

The pages ``docs/paper/evaluations.md`` and ``docs/paper/forest.md`` contain the statements and
their proofs (claims price-of-norm-classes, end-to-end and forest-sweeps).
"""

import math
from fractions import Fraction

from embedded_hunter.forest.constants import SHARES
from embedded_hunter.node import splits
from reproduction.theory.finite_time import iterations_of_sweeps, iterations_to_expand


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


def forest_evaluations_of_sweeps(
    sweeps: int, K: int, h_max: int, *, P: int = 1, local_search: int = 0
) -> int:
    """Evaluations after which `sweeps` sweeps of the forest are complete, or the forest is full.

    S sweeps of a forest with one class for each depth and queue make at most ``E(S) = 1 + (K - 1)
    sum_{s <= S} min(s, h_max + 1)`` evaluations. Before sweep S ends, a local search that makes at
    most B evaluations each time it is asked has made at most ``3 E(S - 1) + B - 1`` under rule F6,
    and none if ``S <= P``. The result is one more than their sum (claim forest-sweeps).
    With P = 1 it is valid for any number of trees.
    """
    most = 1 + (K - 1) * iterations_of_sweeps(sweeps, h_max)
    if local_search > 0 and sweeps > P:
        before = 1 + (K - 1) * iterations_of_sweeps(sweeps - 1, h_max)
        most += (SHARES.each - 1) * before + local_search - 1
    return 1 + most


def forest_sweeps_within(v: int, K: int, h_max: int, *, P: int = 1, local_search: int = 0) -> int:
    """Return the greatest S whose `forest_evaluations_of_sweeps` is at most v, or 0.

    This many sweeps are complete after v evaluations, unless the forest is full.
    """

    def needed(sweeps: int) -> int:
        return forest_evaluations_of_sweeps(sweeps, K, h_max, P=P, local_search=local_search)

    low, high = 0, v  # `high` sweeps need more than v
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if needed(middle) <= v else (low, middle)
    return low
