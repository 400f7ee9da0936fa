"""Rule F7: which local search refines the forest next, and where one begins.

Local searches from the best points of several trees of the forest find more than one long local
search from the best point. So there are several, and two modes decide which one goes on.

- The local searches of a run are numbered q = P, P + 1, ... in the order in which they begin. Each
  begins at a node of the forest whose value is known, its *center*, and evaluates a generation of
  points each time: `local_search` says which ones.
- A local search is *live* until 10 d evaluations in a row (`age` d) have not improved on its value,
  the least one so far, its center's included.
- Each generation belongs to the mode that has made fewer evaluations, to *intensify* if they are
  equal. If no local search is live, as at the start, it belongs to *diversify*.
- *Intensify* continues the live local search of least value, of equals the oldest. If the best
  point of the forest's trees is better than the values of all local searches that are kept, a new
  one begins there instead (of equal trees, in the one with the least number).
- *Diversify* continues the youngest local search, if it is live and has kept up. After 10 d, 20 d,
  40 d, ... evaluations its value is compared with the values that earlier local searches had after
  as many evaluations, if any. It has *kept up* if fewer than half of these were less. Otherwise a
  new local search begins. (This is successive halving, one local search after another.)
- A new local search begins at the best of these points: the zero vector, and the best other point
  of each tree of the forest. A tree in which a local search has begun is left out until one has
  begun in each; the zero vector counts as a tree here, with the matrix of tree 0. Of equal values
  the zero vector is first, then the tree with the least number.
- At most P + 1 local searches are kept: before a further one begins, the worst, of equals the
  youngest, is given up.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.local_search import LocalSearch
from embedded_hunter.forest.requests import Ask, LocalPoint, Mode, TreePoint
from embedded_hunter.forest.settings import ForestSettings, TreeSpace
from embedded_hunter.forest.threads import one_thread
from embedded_hunter.forest.trees import ForestVisit, Trees
from embedded_hunter.matrices import stream
from embedded_hunter.node import Node

LEAST_SIDE = 2.0**-40
"""The least first step of a local search, over R."""


@dataclass(eq=False)
class _Begun:
    """A local search that has begun."""

    q: int
    center: TreePoint
    space: TreeSpace
    search: LocalSearch
    compared_at: int
    kept_up: bool = True


class Refinement:
    """The local searches of a run. Number q draws from the stream (0, q) of the key."""

    def __init__(self, settings: ForestSettings, key: list[int], trees: Trees) -> None:
        self._settings, self._key, self._trees = settings, key, trees
        self._made = Counter[Mode]()  # evaluations in the two modes
        self._kept: list[_Begun] = []  # by age
        self._begun = 0
        self._tried: set[int] = set()  # trees where local searches began (-1: zero)
        self._values_at: dict[int, list[float]] = {}  # the values of searches of some age
        self._asked: list[tuple[_Begun, Mode]] = []  # that wait for their values

    @property
    def most(self) -> int:
        """The number of evaluations of a generation; 0 if both modes wait for values."""
        return 0 if len(self._asked) == 2 else CONSTANTS.generation

    def ask(self) -> ForestVisit:
        """Return the next generation; begin a local search if it is a new one's."""
        zero, found = self._trees.zero.node, self._trees.found
        waiting = [begun for begun, _ in self._asked]
        free = [begun for begun in self._kept if begun not in waiting and self._is_live(begun)]
        mode: Mode = "diversify"
        if free and self._made["intensify"] <= self._made["diversify"]:
            mode = "intensify"
        if [mode] == [other for _, other in self._asked]:
            mode = "diversify" if mode == "intensify" or not free else "intensify"
        best = min(found, key=lambda tree: (found[tree].f_star, tree))
        if mode == "intensify":
            begun = min(free, key=_value)
            if found[best].f_star < min(map(_value, self._kept)):
                begun = self._begin(best, found[best])
        elif self._kept and self._kept[-1] in free and self._kept[-1].kept_up:
            begun = self._kept[-1]
        else:
            begun = self._begin_next({-1: zero, **found})
        self._asked.append((begun, mode))
        ask = Ask(begun.q, begun.center, mode, begun.search.made)
        with one_thread():
            ways = (float(begun.space.radius) * begun.search.ask()).tolist()
        points = [LocalPoint(ask, tuple(w)) for w in ways]
        self._made[mode] += len(points)
        return ForestVisit(self._trees.forest, evaluations=[*points], local=ask)

    def tell(self, values: Sequence[float]) -> None:
        """Take the values of the generation; fewer than it has end the run."""
        begun, _ = self._asked.pop(0)
        with one_thread():
            begun.search.tell(np.array(values))
        while begun.search.made >= begun.compared_at:
            value, others = begun.search.value, self._values_at.setdefault(begun.compared_at, [])
            if others and 2 * sum(other < value for other in others) >= len(others):
                begun.kept_up = False
            others.append(value)
            begun.compared_at *= 2

    def _is_live(self, begun: _Begun) -> bool:
        return begun.search.unimproved < CONSTANTS.age * begun.space.d

    def _begin_next(self, centers: Mapping[int, Node]) -> _Begun:
        """Begin a local search at the best of these nodes where none has begun."""
        if self._tried >= set(centers):
            self._tried.clear()
        tree = min(centers.keys() - self._tried, key=lambda tree: (centers[tree].f_star, tree))
        return self._begin(tree, centers[tree])

    def _begin(self, tree: int, center: Node) -> _Begun:
        """Begin a local search at the best node of a tree, or at zero; give up the worst one."""
        self._tried.add(tree)
        trees, tree = self._settings.trees, max(tree, 0)
        if len(self._kept) > len(trees):
            self._kept.remove(max(reversed(self._kept), key=_value))
        q, space = len(trees) + self._begun, trees[tree]
        # In the cube X itself the first step is about the side of the center's cell, over R.
        side = max(LEAST_SIDE, 1 / space.K ** (center.h // space.d)) if space.identity else 1.0
        samples = stream(self._key, 0, q)
        search = LocalSearch(center.f_star, space.d, samples, side)
        begun = _Begun(q, TreePoint(center, tree), space, search, CONSTANTS.age * space.d)
        self._kept.append(begun)
        self._begun += 1
        return begun


def _value(begun: _Begun) -> float:
    return begun.search.value
