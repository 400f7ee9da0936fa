r"""The rule of SequOOL in numbers: how deep it finds the optimum, and at what cost.

Claims sequool and sequool-end-to-end.

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
square root of v (claim end-to-end). `sequool_regret_bound` is the regret that follows if f grows
linearly away from its minimiser.
"""

import sys
from collections.abc import Iterable, Sequence

from embedded_hunter.common.arguments import integer
from embedded_hunter.regret.geometry import circumscribed_radius
from reproduction.theory.evaluations import near_optimal_nodes_of_depth


def sequool_depth_found(near_optimal: Iterable[int], H: int) -> int:
    """Depth of the deepest optimal node that is certainly evaluated (claim sequool).

    The greatest l + 1 with ``N_h <= floor(H/h)`` for h = 1, ..., l; at most ``H + 1``, and at most
    one more than the number of the depths given. `near_optimal` has ``N_1, N_2, ...``, each at
    least 1; in a forest these are the nodes of all trees (of the queue of the optimal node). H is
    the greatest depth that is visited (`sequool_search.greatest_depth`).

    Raises
    ------
    ValueError
        If a number is not an integer of at least 1, or H not one of at least 0.
    """
    H = integer("H", H, 0)
    depth = 1
    for h, count in enumerate(near_optimal, 1):
        if integer("near_optimal", count, 1) * h > H:
            break
        depth = h + 1
    return depth


def sequool_depth_needed(near_optimal: Sequence[int]) -> int:
    """Return the least H for which the optimal node below all depths given is evaluated.

    ``max_h h N_h``, the inverse of :func:`sequool_depth_found`.
    """
    return max(
        (h * integer("near_optimal", n, 1) for h, n in enumerate(near_optimal, 1)), default=0
    )


def sequool_regret_bound(
    H: int,
    *,
    P: int,
    d: int,
    K: int,
    R: float,
    stretch: float,
    least_stretch: float,
    lipschitz: float,
    growth: float,
    room: float,
) -> float:
    """Bound the regret of a forest with SequOOL's rule (claim sequool-end-to-end).

    Let f be L-Lipschitz on the cube with ``c ||x - x*|| <= f(x) - f*``. Let each of P matrices map
    some point to x*, one of them a point of Y. A depth h has at most ``P N_h`` near-optimal nodes,
    ``N_h`` by `near_optimal_nodes_of_depth`. So if ``h P N_h <= H`` for h = 1, ..., l, the regret
    is at most ``L Lambda r_{l+1}``.

    `~reproduction.theory.evaluations.end_to_end_event` gives Lambda and the probability for
    Gaussian matrices, with m = ``a sigma``.
    The other parameters are those of `near_optimal_nodes_of_depth`. The result is the bound for the
    greatest l, as long as cells of depth l + 1 are not too small for normal floats. It holds with
    one queue and with a queue for the zero vector.
    """
    P, d, K = integer("P", P, 1), integer("d", d, 1), integer("K", K, 3)

    def counts() -> Iterable[int]:
        for h in range(1, integer("H", H, 0) + 1):
            if circumscribed_radius(h + 1, d, K, R) < sys.float_info.min:
                return
            yield P * near_optimal_nodes_of_depth(
                h, d=d, K=K, R=R, stretch=stretch, least_stretch=least_stretch,
                lipschitz=lipschitz, growth=growth, room=room,
            )  # fmt: skip

    depth = sequool_depth_found(counts(), H)
    return lipschitz * stretch * circumscribed_radius(depth, d, K, R)
