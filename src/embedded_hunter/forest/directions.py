"""The directions in which a refinement tree searches: the matrix D_q of `points`.

The d columns of D_q are directions, in units of Y:

- The first column leads to the minimiser of a quadratic model of the local search's last
  evaluations: the point y = (2R/K) e_0 of the tree is that minimiser. There is a model as soon as
  d // 2 of these evaluations, and at least one, have finite values and lie in the neighborhood of
  the center. In the mode diversify only every third tree of a local search has such a column: more
  of them make no difference that would show, and fitting is the slowest part of refinement.
- The other columns are unit vectors times the radius of the tree, those that have waited longest
  first. A tree advances the order by two, or by one if it has a column of the model. So every
  coordinate has its turn.
"""

from collections.abc import Iterable

import numpy as np

from embedded_hunter.forest.local_search import EXPANSIONS, FIRST_RADIUS, LocalTree
from embedded_hunter.forest.model import QuadraticModel, fit
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node, base_point
from embedded_hunter.projection import Floats

HISTORY = 80
"""Number of most recent evaluations of the local search that the model is fitted to."""
NEIGHBORHOOD = 20.0
"""Evaluations further from the center than this are left out of the fit, in steps: see `points`."""
TRUST_RADIUS = 1.0
"""Greatest distance of the model's minimiser from the center, in steps along another column."""
RIDGE = 0.3
"""Ridge of the fit at the first radius of a local search; smaller in proportion to the radius."""
STEP_BITS = 10
"""The way to the model's minimiser is rounded to so many bits of its greatest entry. LAPACK's
rounding errors, which depend on the processor, are much less, so they are hardly ever seen."""
MODEL_EVERY = 3
"""In the mode diversify every so many trees of a local search there is a model."""


class SearchDirections:
    """The evaluations of a local search, and the columns of its last tree.

    Parameters
    ----------
    p
        Number of the matrix A_p of the local search.
    center
        The first center: a node that was evaluated.
    x
        The point of X of the center, shape (rows,).

    Attributes
    ----------
    p
        As given.
    center, x, radius
        Those of the last tree. If `take` returns another center, the caller sets its x.
    points, values
        The last evaluations, in a ring: D_q y less that of the center, shape (HISTORY, d), and the
        values, shape (HISTORY,), +inf where there was none yet.
    first
        First column of the last tree divided by its radius, shape (d,); None if that is a unit
        vector.
    """

    def __init__(self, p: int, center: Node, x: Floats, settings: ForestSettings) -> None:
        self.p, self.center, self.x = p, center, x
        self.radius = 0.0
        self.first: Floats | None = None
        self._settings = settings
        self._trees = 0
        self._turned = 0  # the coordinate that was first in the last tree
        self._turn = 0  # the one that has waited longest
        self.points, self.values = np.zeros((HISTORY, settings.d)), np.full(HISTORY, np.inf)
        self._next = 0  # row of the ring
        self._model: QuadraticModel | None = None

    def place(self, j: int) -> int:
        """Return the coordinate of column j of the last tree; for j = 0 only if `first` is None."""
        return (self._turned + j) % self._settings.d

    def take(self, seen: Iterable[tuple[Node, Floats]]) -> Node | None:
        """Take all evaluations of the last tree, each node and its `away`.

        Returns
        -------
        Node or None
            The next center, if it is one of them.
        """
        best = None
        for node, w in seen:
            self.points[self._next], self.values[self._next] = w, node.f_star
            self._next = (self._next + 1) % HISTORY
            if node.f_star < self.center.f_star:  # rule F7's next center
                self.center, best = node, w
        if best is None:
            return None
        self.points -= best
        return self.center

    def away(self, node: Node) -> Floats:
        """Return D_q y of a node of the last tree, shape (d,): its way from the center."""
        y = np.array(base_point(node, self._settings))
        w = np.roll(self.radius * y, self._turned)
        if self.first is not None:
            w[self._turned % len(w)] = 0.0
            w += (self.radius * y[0]) * self.first
        return w

    def turn(self, local_tree: LocalTree) -> None:
        """Choose the columns of the next tree."""
        self._trees += 1
        self.radius = local_tree.radius
        self.first = (
            self._to_minimiser() if local_tree.intensify or self._trees % MODEL_EVERY == 0 else None
        )
        others_from = 0 if self.first is None else 1
        self._turned = self._turn - others_from
        self._turn = (self._turn + EXPANSIONS - others_from) % self._settings.d

    def _to_minimiser(self) -> Floats | None:
        """Return the step from the center to the model's minimiser; None without a model."""
        u = self.points / (self.radius * self._settings.side_as_float / self._settings.K)
        with np.errstate(invalid="ignore", over="ignore"):
            rises = self.values - self.center.f_star
        near = (np.einsum("ij,ij->i", u, u) < NEIGHBORHOOD * NEIGHBORHOOD) & np.isfinite(rises)
        count = np.count_nonzero(near)
        if count < max(1, self._settings.d // 2):
            return None
        if count < HISTORY:
            u, rises = u[near], rises[near]
        model = fit(u, rises, RIDGE * min(1.0, self.radius / FIRST_RADIUS), self._model)
        if model is None:
            return None
        self._model = model
        step = rounded(model.trust_region_step(TRUST_RADIUS))
        return step if step.any() else None


def rounded(step: Floats) -> Floats:
    """Round all entries to STEP_BITS bits of the greatest one."""
    _, exponent = np.frexp(np.abs(step).max())
    return np.asarray(np.ldexp(np.rint(np.ldexp(step, STEP_BITS - exponent)), exponent - STEP_BITS))
