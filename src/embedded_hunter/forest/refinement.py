"""Rule F7: which local search refines the forest next, and where one begins.

- The local searches of a run are numbered q = P, P + 1, ... in the order in which they begin. Each
  begins at a node of the forest whose value is known, its *center*, and evaluates a generation of
  points each time: `local_search` says which ones.
- A local search is *live* until 10 d evaluations in a row (`age` d) have not improved on its value,
  the least one so far, its center's included.
- The youngest live local search goes on. If none is live, a new one begins. In a batch those that
  wait for values are left out, at most two.
- A new local search begins at the best of these points: the zero vector, and the best other point
  of each tree of the forest. A tree in which a local search has begun is left out until one has
  begun in each; the zero vector counts as a tree here, with the matrix of tree 0. Of equal values
  the zero vector is first, then the tree with the least number.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.local_search import LocalSearch
from embedded_hunter.forest.requests import Ask, LocalPoint, TreePoint
from embedded_hunter.forest.settings import ForestSettings, TreeSpace
from embedded_hunter.forest.threads import one_thread
from embedded_hunter.forest.trees import ForestVisit, Trees
from embedded_hunter.matrices import stream

LEAST_SIDE = 2.0**-40
"""The least first step of a local search, over R."""


@dataclass(eq=False)
class _Begun:
    """A local search that has begun."""

    q: int
    center: TreePoint
    space: TreeSpace
    search: LocalSearch

    @property
    def is_live(self) -> bool:
        return self.search.unimproved < CONSTANTS.age * self.space.d


class Refinement:
    """The local searches of a run. Number q draws from the stream (0, q) of the key."""

    def __init__(self, settings: ForestSettings, key: list[int], trees: Trees) -> None:
        self._settings, self._key, self._trees = settings, key, trees
        self._live: list[_Begun] = []  # by age
        self._begun = 0
        self._tried: set[int] = set()  # trees where local searches began (-1: zero)
        self._asked: list[_Begun] = []  # that wait for their values

    @property
    def most(self) -> int:
        """The number of evaluations of a generation; 0 if two local searches wait for values."""
        return 0 if len(self._asked) == 2 else CONSTANTS.generation

    def ask(self) -> ForestVisit:
        """Return the next generation; begin a local search if none goes on."""
        self._live = [begun for begun in self._live if begun.is_live]
        free = [begun for begun in self._live if begun not in self._asked]
        begun = free[-1] if free else self._begin()
        self._asked.append(begun)
        ask = Ask(begun.q, begun.center, "refine", begun.search.made)
        with one_thread():
            ways = (float(begun.space.radius) * begun.search.ask()).tolist()
        points = [LocalPoint(ask, tuple(w)) for w in ways]
        return ForestVisit(self._trees.forest, evaluations=[*points], local=ask)

    def tell(self, values: Sequence[float]) -> None:
        """Take the values of the generation; fewer than it has end the run."""
        with one_thread():
            self._asked.pop(0).search.tell(np.array(values))

    def _begin(self) -> _Begun:
        """Begin a local search at the best node where none has begun."""
        centers = {-1: self._trees.zero.node, **self._trees.found}
        if self._tried >= set(centers):
            self._tried.clear()
        tree = min(centers.keys() - self._tried, key=lambda tree: (centers[tree].f_star, tree))
        self._tried.add(tree)
        center, tree = centers[tree], max(tree, 0)
        trees = self._settings.trees
        q, space = len(trees) + self._begun, trees[tree]
        # In the cube X itself the first step is about the side of the center's cell, over R.
        side = max(LEAST_SIDE, 1 / space.K ** (center.h // space.d)) if space.identity else 1.0
        search = LocalSearch(center.f_star, space.d, stream(self._key, 0, q), side)
        begun = _Begun(q, TreePoint(center, tree), space, search)
        self._live.append(begun)
        self._begun += 1
        return begun
