"""From nodes to points of X for the policy ``forest``: see `search` and `local_search`.

A node of tree q < P stands for x = P_X(A_{q+1} y). A node of refinement tree q >= P stands for

    x = P_X(x_q + A D_q y),

where x_q is its center, a point that was evaluated before, A is the matrix of the tree of the
forest in which its local search began (of the first tree, if it began at the zero vector), and D_q
is a d x d matrix of directions, which `directions` chooses. One step along column j is D_q y for
y = (2R/K) e_j.

- y is a sum of steps along the path from the root to the node. Each node of the path that is not a
  center child adds a step in one coordinate. So A y is computed from the nearest ancestor whose
  product is kept: each later step adds a multiple of one column. The children of a node share its
  product, and two opposite children that follow one another share the multiple of the column too.
  The result is the same to the last bit whatever is kept and however the evaluations are grouped.
- The model of `directions` is a function of w = D_q y, summed from center to center. To compute w
  with x, all vectors here have d more entries: a matrix A is followed by the rows of the unit
  matrix, a center by d zeros, and the last d entries of the result are w.
"""

from collections import OrderedDict
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from scipy.linalg.blas import daxpy

from embedded_hunter.forest.directions import SearchDirections
from embedded_hunter.forest.local_search import LocalSearch, LocalTree
from embedded_hunter.forest.search import tree_of
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node
from embedded_hunter.projection import CACHE_BYTES, Floats, Indexed, clip

SUMS, SHARE = 400, 8
"""At most SUMS products A y are kept, in at most one part in SHARE of the cache."""


class ForestPoints(Indexed):
    """Policy ``forest``: A_p as in `Indexed`, kept while they fit into `cache_bytes`.

    It also keeps the matrix that was used last, some products A y (in at most an eighth of
    `cache_bytes`), and for each local search that has not been given up some points of X and the
    last evaluations in d dimensions.

    Parameters
    ----------
    local_trees
        The list that `search.hunt_forest` fills.
    """

    def __init__(
        self,
        settings: ForestSettings,
        rng: np.random.Generator,
        rows: int,
        local_trees: Sequence[LocalTree],
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        super().__init__(settings, rng, rows, cache_bytes)
        self._forest, self._local_trees, self._P = settings, local_trees, settings.n_embeddings
        self._side = settings.side.as_integer_ratio()
        self._zero, self._step = np.zeros(rows + settings.d), np.empty(rows + settings.d)
        self._last: tuple[int, Floats] = (0, np.empty((0, 0)))  # p and A_p
        self._searches: WeakKeyDictionary[LocalSearch, SearchDirections] = WeakKeyDictionary()
        self._q = -1  # the refinement tree that is alive, its local search, and its evaluations
        self.directions = SearchDirections(
            1, Node(0, 0, (0,) * settings.d, 0), self._zero, settings
        )
        self._seen: list[tuple[Node, Floats]] = []
        self._first = np.empty_like(self._zero)  # A times its first column, over its radius
        self._parent: tuple[int, int] | None = None  # the node
        self._sum = self._zero  # with this A y, or x_q + A D_q y; its children at
        self._digit = 0  # this distance (0: none yet) differ by `_step` from it
        self._sums: OrderedDict[tuple[int, int], Floats] = OrderedDict()  # of (h, i) in the forest
        self._most = min(SUMS, cache_bytes // SHARE // self._zero.nbytes)

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        x = np.empty((len(evaluations), len(self._zero)))
        for (node, p), row in zip(evaluations, x, strict=True):
            if p > self._P:
                if p - 1 != self._q:
                    self._begin_tree(self._local_trees[-1])
                self._seen.append((node, row))
            self._point(node, p - 1, row)
        return clip(x[:, : self._rows])

    def matrix(self, p: int) -> Floats:
        """Return A_p, shape (rows, d), p >= 1."""
        return self._with_unit(p)[: self._rows]

    def _with_unit(self, p: int) -> Floats:
        """Return A_p followed by the unit matrix, shape (rows + d, d)."""
        if self._last[0] != p:
            self._last = (p, super().matrix(p))
        return self._last[1]

    def _draw(self, p: int) -> Floats:
        A = np.empty((len(self._zero), self._settings.d), order="F")
        self._fill(p, A[: self._rows])
        A[self._rows :] = np.eye(self._settings.d)
        return A

    def _begin_tree(self, local_tree: LocalTree) -> None:
        """End the last tree, and compute the center and the directions of the next one."""
        self.directions.take(self._seen)
        self._seen = []
        directions = self._searches.get(local_tree.search)
        if directions is None:
            p, x = tree_of(local_tree.center, self._settings.K) + 1, np.empty_like(self._zero)
            self._point(local_tree.center, p - 1, x)
            clip(x[: self._rows])
            x[self._rows :] = 0.0
            directions = self._searches[local_tree.search] = SearchDirections(
                p, local_tree.center, x, self._forest
            )
        self._q, self.directions = local_tree.q, directions
        directions.turn(local_tree)
        if directions.first is not None:
            np.matmul(self._with_unit(directions.p), directions.first, out=self._first)

    def _point(self, node: Node, q: int, x: Floats) -> None:
        """Write the point of a node of tree q, not yet clipped, into x."""
        if node.h == 0:  # the zero vector; other roots are never evaluated
            x.fill(0.0)
            return
        h, (i, digit) = node.h - 1, divmod(node.i, self._settings.K)
        digit -= self._settings.K // 2
        if self._parent != (h, i):
            self._parent, self._sum, self._digit = (h, i), self._sum_of(q, h, i), 0
        if self._digit != abs(digit):
            self._digit = abs(digit)
            column, factor = self._step_of(q, h, self._digit)
            np.multiply(column, factor, out=self._step)
        (np.add if digit > 0 else np.subtract)(self._sum, self._step, out=x)

    def _sum_of(self, q: int, h: int, i: int) -> Floats:
        """Return A y, or x_q + A D_q y, of node (h, i) of tree q."""
        K, name, steps = self._settings.K, None, []
        made = self._zero if q < self._P else self.directions.x
        while h > 0:
            above, digit = divmod(i, K)
            if digit != K // 2:  # else its base point is its parent's
                if (h, i) in self._sums:
                    self._sums.move_to_end((h, i))
                    made = self._sums[h, i]
                    break
                name = name or (h, i)
                steps.append((h - 1, digit - K // 2))
            h, i = h - 1, above
        if name is None:
            return made
        made = made.copy()
        for step in reversed(steps):
            column, factor = self._step_of(q, *step)
            made = daxpy(column, made, a=factor)
        if q < self._P:  # products of refinement trees are hardly used again
            self._sums[name] = made
            if len(self._sums) > self._most:
                self._sums.popitem(last=False)
        return made

    def _step_of(self, q: int, h: int, digit: int) -> tuple[Floats, float]:
        """Return what a child at depth h + 1 adds to the sum: a column and its factor.

        y_j changes by 2R digit / K^s_j, where the digit of the center child is 0.
        """
        d, K = self._settings.d, self._settings.K
        j, (numerator, denominator) = h % d, self._side
        step = numerator * digit / (denominator * K ** (h // d + 1))
        if q < self._P:
            return self._with_unit(q + 1)[:, j], step
        directions = self.directions
        if j == 0 and directions.first is not None:
            return self._first, directions.radius * step
        return self._with_unit(directions.p)[:, directions.place(j)], directions.radius * step
