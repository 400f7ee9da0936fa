"""Node (h, i) of the tree: its cell and base point on an exact integer lattice, f*, its count.

A node at depth h has split coordinate j exactly s_j(h) times, and its base point is

    y_j = 2 R c_j / K^s_j,        R = d/eta,

with integer numerators c_j (docs/paper/tree.md). Its cell is the box of half-width R / K^s_j
about it. Two base points of one depth have equal norms iff they have equal

    Nrm = sum_j (c_j K^(m - s_j))^2,        m = max_j s_j = ceil(h/d),

an integer: classes of equal norm are exact, floats appear only when a point is projected.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

from embedded_hunter.settings import Settings, Space


@dataclass(slots=True, eq=False)
class Node:
    """Node (h, i), 0 <= i < K^h, with the best value and the evaluations of its base point.

    Nodes are ordered as line 5 of Algorithm 1 chooses among them: by f*, ties by the least i.
    """

    h: int
    i: int
    c: tuple[int, ...]  # numerators of the base point, one for each of the d coordinates
    nrm: int  # Nrm, the squared norm of the base point in units of (2R)^2 / K^(2m)
    f_star: float = math.inf  # best value of the evaluations of the base point
    evaluations: int = 0  # of the base point, those in its ancestors included

    def __lt__(self, other: "Node") -> bool:
        if self.f_star != other.f_star:
            return self.f_star < other.f_star
        return self.i < other.i


def root(d: int) -> Node:
    """Return node (0, 0), whose cell is Y and whose base point is the zero vector."""
    return Node(h=0, i=0, c=(0,) * d, nrm=0)


def children(parent: Node, K: int) -> list[Node]:
    """Split a cell into K along coordinate h mod d (claim ``center-child``).

    The center child keeps the parent's base point, and with it f* and the count of evaluations.

    Returns
    -------
    list of the K nodes (h + 1, K i), ..., (h + 1, K i + K - 1), in the order of that coordinate.
    """
    h, c, center = parent.h, parent.c, K // 2
    j = h % len(c)
    before, at, after = c[:j], K * c[j], c[j + 1 :]
    # The first coordinate of a new round makes the common denominator K times finer.
    others = (parent.nrm * K * K if j == 0 else parent.nrm) - at * at
    nodes = []
    for digit in range(K):
        numerator = at + digit - center
        nrm = others + numerator * numerator
        nodes.append(Node(h + 1, K * parent.i + digit, (*before, numerator, *after), nrm))
    nodes[center].f_star = parent.f_star
    nodes[center].evaluations = parent.evaluations
    return nodes


def splits(h: int, d: int) -> tuple[int, ...]:
    """Return s_j(h) for j = 0, ..., d-1: how often each coordinate was split above depth h."""
    rounds, extra = divmod(h, d)
    return (rounds + 1,) * extra + (rounds,) * (d - extra)


def base_point(node: Node, settings: Space) -> tuple[float, ...]:
    """Return y_{h,i}, shape (d,), each coordinate the float nearest to its exact value."""
    side = settings.side
    denominators = _denominators(node.h, settings.d, settings.K)
    numerator, denominator = side.numerator, side.denominator
    return tuple(
        [numerator * c / (denominator * k) for c, k in zip(node.c, denominators, strict=True)]
    )


@lru_cache(maxsize=1024)
def _denominators(h: int, d: int, K: int) -> tuple[int, ...]:
    """Return K^s_j(h) for j = 0, ..., d-1."""
    return tuple(K**s for s in splits(h, d))


def norm(node: Node, settings: Space) -> float:
    """Return ||y_{h,i}||, the Euclidean norm of the base point."""
    m = -(-node.h // settings.d)
    return settings.side_as_float * math.sqrt(node.nrm / settings.K ** (2 * m))


def may_be_evaluated(node: Node, settings: Settings) -> bool:
    """Tell whether the past evaluations of the base point are <= M ||y|| (``evaluation-cap``).

    Decided in integers. A base point never evaluated always passes, the zero vector never a second
    time.
    """
    if node.evaluations == 0:
        return True
    m = -(-node.h // settings.d)
    cap = settings.cap
    past: int = node.evaluations**2 * settings.K ** (2 * m)
    return past * cap.denominator <= cap.numerator * node.nrm
