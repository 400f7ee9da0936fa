r"""The rule of SequOOL in numbers: how deep it finds the optimum, and at what cost.

Claim sequool.

The rule expands, at each depth h = 1, ..., H, the floor(H/h) nodes with the least values. The
argument is that of Bartlett, Gabillon and Valko (2019), whose full text we have not seen, for
values without noise. Let ``eps_h`` bound what the value of the optimal node of depth h has above
f*, and let ``N_h`` be the number of nodes of depth h with a value of at most ``f* + eps_h``. If the
optimal node of depth h is a leaf, it is among the ``N_h`` least leaves of that depth. So it is
expanded if ``N_h <= floor(H/h)``. If this holds for h = 1, ..., l, the optimal node of depth l + 1
is evaluated, and the regret is at most ``eps_{l+1}``.

If ``N_h <= C`` at every depth, then l = floor(H/C), and a run with this H makes at most
1 + H (1 + ln H) expansions of one tree. With P trees and a queue for the zero vector, there are at
most P + 2 H (1 + ln H), and N_h counts the nodes of all trees in one queue. So the depth that is
found grows like v / (C ln v) with the number v of evaluations. For sweeps our bound grows like the
square root of v (claim end-to-end).
"""

from __future__ import annotations

from collections.abc import Sequence

from embedded_hunter.regret.estimate import whole


def sequool_depth_found(near_optimal: Sequence[int], H: int) -> int:
    """Depth of the deepest optimal node that is certainly evaluated (claim sequool).

    Parameters
    ----------
    near_optimal : sequence of int
        ``N_1, N_2, ...``, each at least 1: the number of near-optimal nodes of the depths 1, 2, ...
        In a forest these are the nodes of all trees (of the queue of the optimal node).
    H : int
        Greatest depth that is visited; ``baselines.sequool.greatest_depth`` computes it.

    Returns
    -------
    int
        The greatest l + 1 with ``N_h <= floor(H/h)`` for h = 1, ..., l; at most ``H + 1``, and at
        most one more than the number of the depths given.

    Raises
    ------
    ValueError
        If a number is not an integer of at least 1, or H not one of at least 0.
    """
    H = whole("H", H, 0)
    depth = 1
    for h, count in enumerate(near_optimal, 1):
        if whole("near_optimal", count) * h > H:
            break
        depth = h + 1
    return depth


def sequool_depth_needed(near_optimal: Sequence[int]) -> int:
    """Return the least H for which the optimal node below all depths given is evaluated.

    ``max_h h N_h``, the inverse of :func:`sequool_depth_found`.
    """
    return max((h * whole("near_optimal", n) for h, n in enumerate(near_optimal, 1)), default=0)
