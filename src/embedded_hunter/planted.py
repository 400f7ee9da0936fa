"""From nodes to points of X for the policy ``family``: see `family`.

A node of tree p < P stands for x = P_X(A_{p+1} y). A node of refinement tree q >= P stands for

    x = P_X(x_q + s_q A y),

where x_q is a point that was evaluated before and A is A_{q+1}, but for its first two columns (at
most d - 1): they are twice the last two steps (over R) that led the chain of trees from center to
center, as far as there were any. A search that has just moved looks first along these lines: two
of them follow a valley that bends.

The children of a node differ from it in one coordinate, so one product A y, made for the parent,
serves them all: each adds a multiple of one column. The product is made from the parent's base
point whoever asks for it, so that the same bits come out however the evaluations are grouped.
"""

from collections.abc import Sequence

import numpy as np

from embedded_hunter.family import Plant, tree_of
from embedded_hunter.node import Node, base_point, splits
from embedded_hunter.projection import CACHE_BYTES, Floats, Indexed, clip
from embedded_hunter.settings import Settings

REACH, STEPS = 2, 2
"""How many steps ahead the first columns of a refinement tree reach, and how many there are."""


class Planted(Indexed):
    """Policy ``family``: A_p as in `Indexed`, kept while they fit into `cache_bytes`.

    Besides those, the matrix of the refinement tree that is alive is kept, and a few vectors.

    Parameters
    ----------
    plants
        The list that `family.hunt_family` fills.
    """

    def __init__(
        self,
        settings: Settings,
        rng: np.random.Generator,
        rows: int,
        plants: Sequence[Plant],
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        super().__init__(settings, rng, rows, cache_bytes)
        self._plants, self._P = plants, settings.n_embeddings or 1
        self._q = -1  # the refinement tree that is alive
        self._A = np.empty((0, 0))  # its matrix
        self._x: Floats | None = None  # its center
        self._steps: list[Floats] = []  # that led to it, the last one first
        self._parent: tuple[int, int, int] | None = None  # (tree, h, i) of the product at hand
        self._product = np.empty(0)  # x_q + A y of the parent

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        x = np.empty((len(evaluations), self._rows))
        for k, (node, p) in enumerate(evaluations):
            if p > self._P and p - 1 != self._q:
                self._plant(p - 1)
            self._point(node, p - 1, x[k])
        return x

    def _point(self, node: Node, q: int, x: Floats) -> None:
        """Write the point of a node of tree q into x."""
        settings, K, h = self._settings, self._settings.K, node.h
        if h == 0:  # the zero vector; other roots are never evaluated
            x.fill(0.0)
            return
        j = (h - 1) % settings.d
        digit = node.i % K - K // 2
        self._multiply(node, q, j, digit)
        side, denominator = settings.side, K ** splits(h, settings.d)[j]
        away = side.numerator * digit / (side.denominator * denominator)
        A = self.matrix(q + 1) if q < self._P else self._A
        np.multiply(A[:, j], away, out=x)
        x += self._product
        clip(x)

    def _multiply(self, node: Node, q: int, j: int, digit: int) -> None:
        """Make x_q + A y at hand for the parent of a node."""
        K = self._settings.K
        h, i = node.h - 1, node.i // K
        if self._parent == (q, h, i):
            return
        c = (*node.c[:j], (node.c[j] - digit) // K, *node.c[j + 1 :])
        y = np.array(base_point(Node(h, i, c, 0), self._settings))
        A = self.matrix(q + 1) if q < self._P else self._A
        self._product = A @ y
        if q >= self._P:
            self._product += self._x if self._x is not None else 0.0
        self._parent = (q, h, i)

    def _plant(self, q: int) -> None:
        """Make the center and the matrix of refinement tree q."""
        center, scale = self._plants[q - self._P][1:]
        of = tree_of(center, self._settings.K)
        before = self._plants[q - 1 - self._P].center if q > self._P else None
        if center is not before:
            x = np.empty(self._rows)
            self._point(center, of, x)
            if of < self._P or self._x is None:  # a new chain
                self._steps = []
            else:
                self._steps = [x - self._x, *self._steps][: min(STEPS, self._settings.d - 1)]
            self._x = x
        self._q = q
        A = self._draw(q + 1)
        A *= float(scale)
        for j, step in enumerate(self._steps):
            np.multiply(step, REACH / float(self._settings.radius), out=A[:, j])
        self._A = A
