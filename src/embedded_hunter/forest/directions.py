"""Where a refinement tree of the policy ``forest`` looks: the matrix M of `points`.

Its columns are directions, d of them, in units of Y:

- The first one leads to where a quadratic model of the chain's last evaluations is least, so that
  y = (2R/K) e_0 is there. There is a model, and such a column, as soon as d // 2 of them, at least
  one, have finite values and are near. On the account wide only every third tree of a chain has
  one: more make no difference that would show, and nothing else in refinement takes so long.
- The others are s times unit vectors, s the scale of the tree: tree after tree, the two that have
  waited longest come next. So every direction is looked at in its turn.
"""

from collections.abc import Iterable

import numpy as np

from embedded_hunter.forest.local_search import LIFE, START, LocalTree
from embedded_hunter.forest.model import QuadraticModel, fit
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node
from embedded_hunter.projection import Floats

KEPT, NEAR = 80, 20.0
"""The model is of the last evaluations, so many, of the chain; but for those further away."""
REACH = 1.0
"""How far its minimiser may lie. Both distances in lengths of a step along another column."""
RIDGE = 0.3
"""How smooth the model is, for the first scale of a chain; less in proportion to a smaller one."""
WIDE = 3
"""On the account wide every so many trees of a chain there is a model."""


class SearchDirections:
    """What is known of a chain of refinement trees: of all its trees, and of the one alive.

    Parameters
    ----------
    p
        The number of its matrix A_p.
    center
        Where it begins: a node that was evaluated.
    x
        Its point of X and d zeros below it: its w, see `points`. Shape (rows + d,).

    Attributes
    ----------
    p
        As given.
    center, x
        Of the last tree.
    scale
        Of the last tree.
    first
        Its first column over its scale, shape (d,), if that is no unit vector.
    """

    def __init__(self, p: int, center: Node, x: Floats, settings: ForestSettings) -> None:
        self.p, self.center, self.x = p, center, x
        self.scale = 0.0
        self.first: Floats | None = None
        self._settings, self._rows = settings, len(x) - settings.d
        self._trees = 0
        self._turned = 0  # the coordinate that was first in the last tree
        self._turn = 0  # the one that has waited longest
        self._points = np.zeros((KEPT, settings.d))  # of the last evaluations, less the center,
        self._values = np.full(KEPT, np.inf)  # and their values; inf where there was none yet
        self._next = 0  # row of this ring
        self._model: QuadraticModel | None = None

    def place(self, j: int) -> int:
        """Return which unit vector column j of the last tree is; not for the first, see `first`."""
        return (self._turned + j) % self._settings.d

    def take(self, seen: Iterable[tuple[Node, Floats]]) -> None:
        """Take the evaluations of the last tree, all of them: nodes with their values, x and w."""
        best = None
        for node, x in seen:
            self._points[self._next], self._values[self._next] = x[self._rows :], node.f_star
            self._next = (self._next + 1) % KEPT
            if node.f_star < self.center.f_star:  # rule F7's next center
                self.center, best = node, x
        if best is not None:
            self._points -= best[self._rows :]
            self.x = best.copy()
            self.x[self._rows :] = 0.0

    def turn(self, local_tree: LocalTree) -> None:
        """Choose the columns of the next tree."""
        self._trees += 1
        self.scale = local_tree.scale
        self.first = self._to_minimiser() if local_tree.deep or self._trees % WIDE == 0 else None
        others_from = 0 if self.first is None else 1
        self._turned = self._turn - others_from
        self._turn = (self._turn + LIFE - others_from) % self._settings.d

    def _to_minimiser(self) -> Floats | None:
        """Return where the model is least, in lengths from the center; None without a model."""
        u = self._points / (self.scale * self._settings.side_as_float / self._settings.K)
        with np.errstate(invalid="ignore", over="ignore"):
            rises = self._values - self.center.f_star
        near = (np.einsum("ij,ij->i", u, u) < NEAR * NEAR) & np.isfinite(rises)
        count = np.count_nonzero(near)
        if count < max(1, self._settings.d // 2):
            return None
        if count < KEPT:
            u, rises = u[near], rises[near]
        model = fit(u, rises, RIDGE * min(1.0, self.scale / START), self._model)
        if model is None:
            return None
        self._model = model
        step = model.trust_region_step(REACH)
        return step if step.any() else None
