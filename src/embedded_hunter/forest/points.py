"""From nodes to points of X for the policy ``forest``: see `search` and `local_search`.

A node of tree q < P stands for x = P_X(A_{q+1} y). A node of refinement tree q >= P stands for

    x = P_X(x_q + A D_q y),

where x_q is its center, a point that was evaluated before, A is the matrix of the tree of the
forest in which its local search began (of the first tree, if it began at the zero vector), and D_q
is a d x d matrix of directions, which `directions` chooses. One step along column j is D_q y for
y = (2R/K) e_j.

The points are sums of steps as in `projection.Indexed`. In refinement tree q the sum begins with
x_q, not with the zero vector, and the columns are those of A D_q.
"""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from embedded_hunter.forest.directions import SearchDirections
from embedded_hunter.forest.local_search import LocalSearch, LocalTree
from embedded_hunter.forest.search import tree_of
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node
from embedded_hunter.projection import MEMORY, Floats, Indexed


class ForestPoints(Indexed):
    """Policy ``forest``: products and columns as in `Indexed`.

    Besides, the center of each local search that has not been given up is kept, and its last
    evaluations in d dimensions.

    Parameters
    ----------
    local_trees
        The list that `search.hunt_forest` fills.

    Attributes
    ----------
    searches
        The directions of each local search that has begun and has not been given up.
    directions
        Those of the refinement tree that is alive.
    """

    def __init__(
        self,
        settings: ForestSettings,
        rng: np.random.Generator,
        rows: int,
        local_trees: Sequence[LocalTree],
        memory: int = MEMORY,
    ) -> None:
        super().__init__(settings, rng, rows, memory)
        self._forest, self._local_trees, self._P = settings, local_trees, settings.n_embeddings
        self.searches: WeakKeyDictionary[LocalSearch, SearchDirections] = WeakKeyDictionary()
        self._q = -1  # the refinement tree that is alive, its local search, and its evaluations
        self._seen: list[tuple[Node, Floats]] = []
        self.directions = SearchDirections(
            1, Node(0, 0, (0,) * settings.d, 0), np.zeros(rows), settings
        )
        self._first = np.empty(rows)  # A times its first column, over its radius

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        if evaluations and evaluations[0][1] > self._P:
            if evaluations[0][1] - 1 != self._q:
                self._begin_tree(self._local_trees[-1])
            self._seen += [(node, self.directions.away(node)) for node, _ in evaluations]
        return super().project(evaluations)

    def _begin_tree(self, local_tree: LocalTree) -> None:
        """End the last tree, and compute the center and the directions of the next one."""
        center = self.directions.take(self._seen)
        if center is not None:
            self.directions.x = self._at(center, self._q + 1)
        self._seen = []
        directions = self.searches.get(local_tree.search)
        if directions is None:
            p = tree_of(local_tree.center, self._settings.K) + 1
            directions = self.searches[local_tree.search] = SearchDirections(
                p, local_tree.center, self._at(local_tree.center, p), self._forest
            )
        self._q, self.directions = local_tree.q, directions
        directions.turn(local_tree)
        if directions.first is not None:
            self._first.fill(0.0)
            self.add(directions.p, directions.first, self._first)

    def _at(self, node: Node, p: int) -> Floats:
        """Return the point of X of one node."""
        x: Floats = super().project([(node, p)])[0]
        return x

    def root(self, p: int) -> Floats:
        """Return the product of a root, or the center of a refinement tree."""
        return super().root(p) if p <= self._P else self.directions.x

    def step(self, p: int, h: int, digit: int) -> Floats:
        """Return what child `digit` at depth h adds: a multiple of a column of A or A D_q."""
        if p <= self._P:
            return super().step(p, h, digit)
        directions, j = self.directions, (h - 1) % self._settings.d
        if j == 0 and directions.first is not None:
            column = self._first
        else:
            column = self.column(directions.p, directions.place(j))
        return column * (directions.radius * self.distance(h, digit))
