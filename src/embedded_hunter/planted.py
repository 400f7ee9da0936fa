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
serves them all: each adds a multiple of one column. Where few coordinates of y are not 0, the
product is a sum of so many columns; and a column of a refinement tree is made when it is needed.
All of this depends on the node alone, so that the same bits come out however the evaluations are
grouped.
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
FEW = 6
"""Up to so many coordinates that are not 0, a sum of columns is faster than a product."""


Mix = tuple[list[int], Floats, Floats]
"""A permutation of the columns, and the factors of those of the first and the second matrix."""


class Planted(Indexed):
    """Policy ``family``: A_p as in `Indexed`, kept while they fit into `cache_bytes`.

    Besides those the matrix that was used last is kept, the two that the refinement tree that is
    alive is mixed from, its columns, and a few vectors.

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
        self._x = np.empty(0)  # its center
        self._steps: list[Floats] = []  # its first columns, the last step first
        self._columns: dict[int, Floats] = {}  # its columns, as far as they were needed
        self._pair = (np.empty((0, 0)),) * 2  # the matrices that they are made of,
        self._mix: Mix = ([], np.empty(0), np.empty(0))  # and how
        self._parent: tuple[int, int, int] | None = None  # (tree, h, i) of the product at hand
        self._product = np.empty(rows)  # A y of the parent, or x_q + A y
        self._term = np.empty(rows)

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
        np.multiply(self._column(q, j), away, out=x)
        x += self._product
        clip(x)

    def _multiply(self, node: Node, q: int, j: int, digit: int) -> None:
        """Make A y, or x_q + A y, at hand for the parent of a node."""
        h, i = node.h - 1, node.i // self._settings.K
        if self._parent == (q, h, i):
            return
        c = (*node.c[:j], (node.c[j] - digit) // self._settings.K, *node.c[j + 1 :])
        y = np.array(base_point(Node(h, i, c, 0), self._settings))
        product, places = self._product, np.flatnonzero(y).tolist()
        if q < self._P and len(places) > FEW:
            np.matmul(self.matrix(q + 1), y, out=product)
        else:
            product[:] = 0.0 if q < self._P else self._x
            for place in places:
                np.multiply(self._column(q, place), y[place], out=self._term)
                product += self._term
        self._parent = (q, h, i)

    def _plant(self, q: int) -> None:
        """Make the center and the first columns of refinement tree q, choose the others."""
        center, scale = self._plants[q - self._P][1:]
        before = self._plants[q - 1 - self._P].center if q > self._P else None
        if center is not before:
            of, x = tree_of(center, self._settings.K), np.empty(self._rows)
            self._point(center, of, x)
            if of < self._P:  # a new chain
                self._steps = []
            else:
                step = (x - self._x) * (REACH / float(self._settings.radius))
                self._steps = [step, *self._steps][: min(STEPS, self._settings.d - 1)]
            self._x = x
        self._q = q
        self._columns = dict(enumerate(self._steps))
        rng, d = self._generator(q + 1), self._settings.d
        # Two trees of the forest; the same one twice, if there is one only.
        pair = rng.permutation(self._P)[:2].tolist() if self._P > 1 else [0, 0]
        places = rng.permutation(d).tolist()
        factors = float(scale) * math.sqrt(0.5) * rng.choice([-1.0, 1.0], size=(2, d))
        self._pair = (self.matrix(pair[0] + 1), self.matrix(pair[1] + 1))
        self._mix = (places, factors[0], factors[1])

    def _column(self, q: int, j: int) -> Floats:
        """Return column j of the matrix of tree q, shape (rows,)."""
        if q < self._P:
            return self.matrix(q + 1)[:, j]
        column = self._columns.get(j)
        if column is None:
            (A, B), (places, first, second) = self._pair, self._mix
            column = A[:, places[j]] * first[j]
            np.multiply(B[:, places[j - 1]], second[j], out=self._term)
            column += self._term
            self._columns[j] = column
        return column
