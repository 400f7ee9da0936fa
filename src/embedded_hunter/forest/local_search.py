"""Rule F7: which local search refines the forest next, and how a local search proceeds.

Local searches from the best points of several trees of the forest find more than one long local
search from the best point. So there are several, and two modes decide which one goes on.

A *local search* is a sequence of small trees:

- It begins at a point of the forest, its first center, with *radius* 0.4 (in units of the forest's
  sigma).
- The refinement trees of a run are numbered q = P, P + 1, ... in the order in which they begin.
  Tree q has the root (0, q), with the value of its center, a point that was evaluated before.
- A tree ends with the sweep in which its evaluations reach 2 (K - 1), or which expands nothing.
- If a tree has found a value less than that of its center, its first best evaluation is the next
  center and the radius is multiplied by 1.25, up to 1.2. Otherwise the center stays and the radius
  is multiplied by 0.6. Each product is rounded to a float.
- A local search has *stagnated* if the values of its last tree and of that tree's center differ by
  at most 1 % of the absolute value of the least one, computed with floats.

Each tree belongs to the mode that had made fewer evaluations when the tree began, to *intensify* if
they were equal. If no local search has a radius of at least 10^-14, as at the start, the tree
belongs to *diversify*.

- *Intensify* continues the best local search: the one whose center has the least value (of equals
  the oldest) among those with a radius of at least 10^-14. There are two exceptions. If the best
  point of the forest's trees is better than the centers of all local searches that are kept, a new
  one begins there (of equal trees, in the one with the least number). If the best local search has
  stagnated, then the first, third, ... tree of the run for which this is so goes to the best of
  those that have not stagnated, if there is one.
- *Diversify* continues the youngest local search. If there is none, or its radius is below 0.01, a
  new one begins. It begins at the best of these points: the zero vector, and the best other point
  of each tree of the forest. A tree in which a local search has begun, in either mode, is left out
  until one has begun in each; the zero vector counts as a tree here. Of equal values the zero
  vector is first, then the tree with the least number.

A local search ends in one of two ways: neither mode continues it, because its radius has become too
small; or it is given up when another one begins. The P best local searches are kept (of equals the
oldest), and the youngest.
"""

from collections.abc import Iterable, Mapping, MutableSequence
from typing import NamedTuple

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Evaluation
from embedded_hunter.node import Node
from embedded_hunter.tree import Tree

FIRST_RADIUS, MAX_RADIUS = 0.4, 1.2
"""The radius of a local search, in units of the forest's sigma: the first and the greatest."""
MIN_RADIUS, MIN_RADIUS_DIVERSIFY = 1e-14, 0.01
"""The least radius of a tree of the mode intensify, and of the mode diversify."""
GROW, SHRINK = 1.25, 0.6
"""Factors of the radius: after a tree that has improved on its center, and after another."""
MAX_SPREAD = 0.01
"""Greatest spread of the values of a tree after which its local search has stagnated, relative."""
EXPANSIONS = 2
"""A tree ends with the sweep in which its evaluations reach those of so many expansions."""


class LocalSearch:
    """A sequence of refinement trees: the center and the radius of the next one."""

    def __init__(self, center: Node) -> None:
        self.center, self.radius = center, FIRST_RADIUS
        self.stagnated = False


class LocalTree(NamedTuple):
    """Refinement tree q >= P of a local search, about a center: see `points` for its points."""

    q: int
    center: Node
    """A node that was evaluated, in an earlier tree of the local search or in the forest."""
    radius: float
    search: LocalSearch
    intensify: bool
    """Whether it belongs to the mode intensify."""


class Refinement:
    """The local searches of a run, and the tree that is alive."""

    def __init__(self, settings: ForestSettings, local_trees: MutableSequence[LocalTree]) -> None:
        self.settings, self.local_trees = settings, local_trees
        self.made = 0  # evaluations
        self.searches: list[LocalSearch] = []  # by age
        self._P = settings.n_embeddings
        self._q = self._P  # the next tree's number
        self.intensified = self.diversified = 0  # evaluations in the two modes
        self.turns = 0  # trees of intensify begun while the best local search had stagnated
        self._tried: set[int] = set()  # where local searches began (-1: zero)
        self._tree: Tree | None = None  # the tree that is alive, its evaluations, the best one
        self._made = 0
        self._least: Node | None = None
        self._most = 0.0  # the greatest value
        self._intensifies = True

    def alive(self, zero: Node, found: Mapping[int, Node]) -> tuple[LocalTree, Tree]:
        """Return the tree that is alive; begin one if there is none.

        Parameters
        ----------
        zero
            The root of the zero vector.
        found
            The best evaluation of each tree of the forest.
        """
        if self._tree is None:
            search = self._next_search(zero, found)
            local_tree = LocalTree(self._q, search.center, search.radius, search, self._intensifies)
            self.local_trees.append(local_tree)
            self._q += 1
            self._tree, self._made, self._least = Tree(by_norm=False), 0, search.center
            self._most = search.center.f_star
            c = (0,) * self.settings.d
            self._tree.add(Node(0, local_tree.q, c, 0, search.center.f_star, evaluations=1))
        return self.local_trees[-1], self._tree

    def _next_search(self, zero: Node, found: Mapping[int, Node]) -> LocalSearch:
        """Return the local search whose tree is next; begin it if it is a new one."""
        live = self._live()
        self._intensifies = live is not None and self.intensified <= self.diversified
        if live is not None and self._intensifies:
            q = _best(found)
            if found[q].f_star >= min(map(_value, self.searches)):
                return self._not_stagnated(live) if live.stagnated else live
            self._begin(q, found[q])
        elif not self.searches or self.searches[-1].radius < MIN_RADIUS_DIVERSIFY:
            centers = {-1: zero, **found}
            if self._tried >= set(centers):
                self._tried.clear()
            q = _best({q: node for q, node in centers.items() if q not in self._tried})
            self._begin(q, centers[q])
        return self.searches[-1]

    def _live(self, *, stagnated: bool = True) -> LocalSearch | None:
        """Return the best local search with a radius of at least MIN_RADIUS, if there is one.

        `stagnated` says whether it may be one that has stagnated.
        """
        best = sorted(self.searches, key=_value)  # stable: the older one of equals is first
        wanted = (search for search in best if stagnated or not search.stagnated)
        return next((search for search in wanted if search.radius >= MIN_RADIUS), None)

    def _not_stagnated(self, best: LocalSearch) -> LocalSearch:
        """Return in turns the best local search that has not stagnated, if any, and the best."""
        self.turns += 1
        return (self.turns % 2 and self._live(stagnated=False)) or best

    def _begin(self, q: int, center: Node) -> None:
        """Begin a local search at the best point of tree q, and give up the worst one."""
        self._tried.add(q)
        if len(self.searches) > self._P:
            self.searches.remove(max(reversed(self.searches), key=_value))
        self.searches.append(LocalSearch(center))

    def take(self, evaluations: Iterable[Evaluation]) -> None:
        """Take some evaluations of the tree that is alive."""
        for node, _ in evaluations:
            self.made += 1
            self._made += 1
            self._most = max(self._most, node.f_star)
            if self._least is None or node.f_star < self._least.f_star:
                self._least = node

    def swept(self, expanded: bool) -> None:
        """End the tree that is alive if this sweep was its last one."""
        if expanded and self._made < EXPANSIONS * (self.settings.K - 1):
            return
        search, least = self.local_trees[-1].search, self._least or self.local_trees[-1].center
        if least is not search.center:
            search.center, search.radius = least, min(MAX_RADIUS, search.radius * GROW)
        else:
            search.radius *= SHRINK
        search.stagnated = self._most - least.f_star <= MAX_SPREAD * abs(least.f_star)
        if self._intensifies:
            self.intensified += self._made
        else:
            self.diversified += self._made
        self._tree = None


def _value(search: LocalSearch) -> float:
    return search.center.f_star


def _best(centers: Mapping[int, Node]) -> int:
    return min(centers, key=lambda q: (centers[q].f_star, q))
