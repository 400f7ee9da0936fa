"""From nodes to points of X for the policy ``family``: see `family`.

A node of tree p < P stands for x = P_X(A_{p+1} y). A node of refinement tree q >= P stands for

    x = P_X(x_q + A y),

where x_q is a point that was evaluated before. The columns of A are made of the matrices of two
trees of the forest, those that a generator keyed by q + 1 chooses: s_q / sqrt(2) times a column of
one, plus or minus, plus a column of the other, plus or minus. Their entries have the law of
s_q times those of A_1, new directions for every tree, at a twentieth of the cost of drawing them.
The first two columns (at most d - 1) are twice the last two steps (over R) that led the chain of
trees from center to center, as far as there were any. A search that has just moved looks first
along these lines: two of them follow a valley that bends.

The children of a node differ from it in one coordinate, so one product A y, made for the parent,
serves them all: each adds a multiple of one column. The product is made from the parent's base
point whoever asks for it, so that the same bits come out however the evaluations are grouped.
"""

import math
from collections.abc import Sequence

import numpy as np

from embedded_hunter.family import Plant, tree_of
from embedded_hunter.node import Node, base_point
from embedded_hunter.projection import CACHE_BYTES, Floats, Indexed, clip
from embedded_hunter.settings import Settings

REACH, STEPS = 2, 2
"""How many steps ahead the first columns of a refinement tree reach, and how many there are."""


class Planted(Indexed):
    """Policy ``family``: A_p as in `Indexed`, kept while they fit into `cache_bytes`.

    Besides those the matrix that was used last is kept, that of the refinement tree that is alive,
    and a few vectors.

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
        self._last: tuple[int, Floats] = (0, np.empty((0, 0)))  # p and A_p
        self._q = -1  # the refinement tree that is alive
        self._A = np.empty((rows, settings.d), order="F")  # its matrix
        self._x = np.empty(0)  # its center
        self._columns: list[Floats] = []  # its first columns, the last step first
        self._parent: tuple[int, int, int] | None = None  # (tree, h, i) of the product at hand
        self._product = np.empty(0)  # A y of the parent, or x_q + A y

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        x = np.empty((len(evaluations), self._rows))
        for k, (node, p) in enumerate(evaluations):
            if p > self._P and p - 1 != self._q:
                self._plant(p - 1)
            self._point(node, p - 1, x[k])
        return x

    def matrix(self, p: int) -> Floats:
        """Return A_p, shape (rows, d), p >= 1."""
        if self._last[0] != p:
            self._last = (p, super().matrix(p))
        return self._last[1]

    def _point(self, node: Node, q: int, x: Floats) -> None:
        """Write the point of a node of tree q into x."""
        settings, h = self._settings, node.h
        if h == 0:  # the zero vector; other roots are never evaluated
            x.fill(0.0)
            return
        j = (h - 1) % settings.d
        digit = node.i % settings.K - settings.K // 2
        self._multiply(node, q, j, digit)
        side, denominator = settings.side, settings.K ** ((h - 1) // settings.d + 1)  # K^s_j
        away = side.numerator * digit / (side.denominator * denominator)
        A = self.matrix(q + 1) if q < self._P else self._A
        np.multiply(A[:, j], away, out=x)
        x += self._product
        clip(x)

    def _multiply(self, node: Node, q: int, j: int, digit: int) -> None:
        """Make A y, or x_q + A y, at hand for the parent of a node."""
        h, i = node.h - 1, node.i // self._settings.K
        if self._parent == (q, h, i):
            return
        c = (*node.c[:j], (node.c[j] - digit) // self._settings.K, *node.c[j + 1 :])
        y = np.array(base_point(Node(h, i, c, 0), self._settings))
        self._product = (self.matrix(q + 1) if q < self._P else self._A) @ y
        if q >= self._P:
            self._product += self._x
        self._parent = (q, h, i)

    def _plant(self, q: int) -> None:
        """Make the center and the matrix of refinement tree q."""
        center, scale = self._plants[q - self._P][1:]
        before = self._plants[q - 1 - self._P].center if q > self._P else None
        if center is not before:
            of, x = tree_of(center, self._settings.K), np.empty(self._rows)
            self._point(center, of, x)
            if of < self._P:  # a new chain
                self._columns = []
            else:
                column = (x - self._x) * (REACH / float(self._settings.radius))
                self._columns = [column, *self._columns][: min(STEPS, self._settings.d - 1)]
            self._x = x
        self._q = q
        self._mix(float(scale))
        for j, column in enumerate(self._columns):
            self._A[:, j] = column

    def _mix(self, scale: float) -> None:
        """Make the columns out of those of two trees; of one, if there is one only."""
        d, rng = self._settings.d, self._generator(self._q + 1)
        first, second = (rng.permutation(self._P)[:2] if self._P > 1 else np.zeros(2, int)).tolist()
        places = rng.permutation(d)
        factors = scale * math.sqrt(0.5) * rng.choice([-1.0, 1.0], size=(2, d))
        A, B = self.matrix(first + 1), super().matrix(second + 1)
        for j in range(d):
            np.multiply(A[:, places[j]], factors[0, j], out=self._A[:, j])
            self._A[:, j] += factors[1, j] * B[:, places[j - 1]]
