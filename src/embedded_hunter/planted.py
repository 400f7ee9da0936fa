"""From nodes to points of X for the policy ``family``: see `family` and `refinement`.

A node of tree p < P stands for x = P_X(A_{p+1} y). A node of refinement tree q >= P stands for

    x = P_X(x_q + A M_q y),

where x_q is a point that was evaluated before, its center, A the matrix of the tree of the forest
in which its chain began (the first one, if at the zero vector), and M_q a d x d matrix:

- Its first column leads to where a quadratic model of the chain's last evaluations is least, so
  that y = (2R/K) e_0 is there. There is a model, and such a column, as soon as d // 2 of them, at
  least one, have finite values and are near.
- The others are s_q times unit vectors, s_q the scale of the tree: tree after tree, the two that
  have waited longest come next. So every direction is looked at in its turn.

The children of a node differ from it in one coordinate, so one product, made for the parent,
serves them all: each adds a multiple of one column. Where few coordinates of y are not 0, the
product is a sum of so many columns. The same bits come out however the evaluations are grouped.
"""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from embedded_hunter.family import tree_of
from embedded_hunter.node import Node, base_point
from embedded_hunter.projection import CACHE_BYTES, Floats, Indexed, clip
from embedded_hunter.quadratic import Quadratic, fitted
from embedded_hunter.refinement import LIFE, START, Chain, Plant
from embedded_hunter.settings import Settings

FEW = 6
"""Up to so many coordinates that are not 0, a sum of columns is faster than a product."""
KEPT, NEAR = 80, 20.0
"""The model is of the last evaluations, so many, of the chain; but for those further away."""
REACH = 1.0
"""How far its minimiser may lie. Both distances in lengths of a step along another column."""
RIDGE = 0.3
"""How smooth the model is, for the first scale of a chain; less in proportion to a smaller one."""


class Grown:
    """What is known of a chain of refinement trees: of its last tree, and of all."""

    def __init__(self, p: int, center: Node, x: Floats, d: int) -> None:
        self.p = p  # the number of its matrix
        self.center, self.x = center, x  # a node, its point of X,
        self.w = np.zeros(d)  # and the sum of M y that led there
        self.M = np.zeros((d, d))
        self.turn = 0  # the coordinate that has waited longest
        self.points = np.zeros((KEPT, d))  # w of the last evaluations, in a ring,
        self.values = np.full(KEPT, np.inf)  # and their values; inf where there was none yet
        self.next = 0  # row of the ring
        self.model: Quadratic | None = None


class Planted(Indexed):
    """Policy ``family``: A_p as in `Indexed`, kept while they fit into `cache_bytes`.

    Besides those the matrix that was used last is kept, and for each chain of trees that the search
    has not given up some points of X and the last evaluations in d dimensions.

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
        self._q = -1  # the refinement tree that is alive, its chain, and its evaluations: M y and x
        self._grown = Grown(1, Node(0, 0, (0,) * settings.d, 0), np.empty(0), settings.d)
        self._seen: list[tuple[Node, Floats, Floats]] = []
        self._chains: WeakKeyDictionary[Chain, Grown] = WeakKeyDictionary()
        self._columns: dict[int, tuple[Floats, float]] = {}  # of A M as far as needed, and factors
        self._parent: tuple[int, int, int] | None = None  # (tree, h, i) of the product at hand
        self._zero, self._sum, self._one = np.zeros(rows), np.empty(rows), np.empty(rows)
        self._product = self._sum  # A y of the parent, or x_q + A y

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the points of X for some evaluations (node, p), shape (len(evaluations), rows)."""
        x = np.empty((len(evaluations), self._rows))
        for k, (node, p) in enumerate(evaluations):
            if p - 1 >= self._P and p - 1 != self._q:
                self._plant(self._plants[-1])
            self._point(node, p - 1, x[k])
            if p - 1 >= self._P:
                y = np.array(base_point(node, self._settings))
                self._seen.append((node, self._grown.w + self._grown.M @ y, x[k]))
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
        self._term(q, j, away, x)
        x += self._product
        clip(x)

    def _multiply(self, node: Node, q: int, j: int, digit: int) -> None:
        """Make A y, or x_q + A y, at hand for the parent of a node."""
        h, i = node.h - 1, node.i // self._settings.K
        if self._parent == (q, h, i):
            return
        c = (*node.c[:j], (node.c[j] - digit) // self._settings.K, *node.c[j + 1 :])
        y = base_point(Node(h, i, c, 0), self._settings)
        places = [place for place, coordinate in enumerate(y) if coordinate]
        center = self._zero if q < self._P else self._grown.x
        if not places:
            self._product = center
        elif q < self._P and len(places) > FEW:
            self._product = np.matmul(self.matrix(q + 1), y, out=self._sum)
        else:
            self._product = self._sum
            for place in places:
                self._term(q, place, y[place], self._one)
                self._product = center = np.add(center, self._one, out=self._sum)
        self._parent = (q, h, i)

    def _plant(self, plant: Plant) -> None:
        """End the tree that was alive, and make the center and the matrix of the next one."""
        self._take()
        grown = self._chains.get(plant.chain)
        if grown is None:
            of, x = tree_of(plant.center, self._settings.K), np.empty(self._rows)
            self._point(plant.center, of, x)
            grown = Grown(of + 1, plant.center, x, self._settings.d)
            self._chains[plant.chain] = grown
        self._q, self._grown, self._columns = plant.q, grown, {}
        self._turn(grown, plant)

    def _take(self) -> None:
        """Take the evaluations of a tree, which all have their values by now; rule F7's center."""
        grown = self._grown
        for node, w, _ in self._seen:
            grown.points[grown.next], grown.values[grown.next] = w, node.f_star
            grown.next = (grown.next + 1) % KEPT
        best = min(self._seen, key=lambda seen: seen[0].f_star, default=None)
        if best is not None and best[0].f_star < grown.center.f_star:
            grown.center, grown.w, grown.x = best[0], best[1], best[2].copy()
        self._seen = []

    def _turn(self, grown: Grown, plant: Plant) -> None:
        """Make M."""
        d, scale = self._settings.d, plant.scale
        length = scale * self._settings.side_as_float / self._settings.K
        ridge = RIDGE * min(1.0, scale / START)
        step = self._step(grown, plant.center.f_star, length, ridge)
        first = 0 if step is None else 1
        M = grown.M = np.zeros((d, d))
        places = [(grown.turn + k) % d for k in range(d - first)]
        M[places, range(first, d)] = scale
        if step is not None:
            M[:, 0] = step * scale
        grown.turn = (grown.turn + LIFE - first) % d

    def _step(self, grown: Grown, least: float, length: float, ridge: float) -> Floats | None:
        """Where the model of a chain is least, in lengths from the center; None without a model."""
        with np.errstate(invalid="ignore", over="ignore"):
            rises = grown.values - least
        u = (grown.points - grown.w) / length
        near = np.isfinite(rises) & (np.einsum("ij,ij->i", u, u) < NEAR * NEAR)
        if np.count_nonzero(near) < max(1, self._settings.d // 2):
            return None
        if not near.all():
            u, rises = u[near], rises[near]
        model = fitted(u, rises, ridge, grown.model)
        if model is None:
            return None
        grown.model = model
        step = model.least_within(REACH)
        return step if step.any() else None

    def _term(self, q: int, j: int, y: float, out: Floats) -> None:
        """Write y times column j of the matrix of tree q into out, shape (rows,)."""
        if q < self._P:
            np.multiply(self.matrix(q + 1)[:, j], y, out=out)
            return
        found = self._columns.get(j)
        if found is None:
            A, m = self.matrix(self._grown.p), self._grown.M[:, j]
            (places,) = m.nonzero()
            k = places[0]
            found = (A @ m, 1.0) if len(places) > 1 else (A[:, k], float(m[k]))
            self._columns[j] = found
        column, factor = found
        np.multiply(column, factor * y, out=out)
