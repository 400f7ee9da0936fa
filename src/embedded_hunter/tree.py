"""The tree T: its leaves by depth and norm, in the sets that Algorithm 1 ranges over.

    L_{t,h}      the leaves at depth h
    Gamma_{h,t}  their norms
    L^j_{t,h}    the leaves at depth h with the j-th largest norm

Only leaves are kept: Algorithm 1 never looks at an expanded node again. A leaf is found through
its depth and the class of its norm, so that no operation ranges over the whole tree.
"""

import math
from bisect import bisect_left, insort
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Any

from embedded_hunter.node import Node


class Tree:
    """The leaves of T; `depth` is the greatest depth of a node, `leaf_count` is ``|L_t|``.

    With `by_norm` false all leaves of a depth are one class, as in SOO.
    """

    def __init__(self, *, by_norm: bool = True) -> None:
        self._by_norm = by_norm
        self.depth = 0
        self.leaf_count = 0
        self._levels: list[_Level] = []

    def add(self, node: Node) -> None:
        """Add a node as a leaf."""
        if node.h == len(self._levels):
            self._levels.append(_Level())
            self.depth = node.h
        self._levels[node.h].add(self.class_of(node), node)
        self.leaf_count += 1

    def replace(self, leaf: Node, children: list[Node]) -> None:
        """Make `children` leaves instead of `leaf`, the least one of its class."""
        self._levels[leaf.h].remove_least(self.class_of(leaf))
        self.leaf_count -= 1
        for child in children:
            self.add(child)

    def norm_classes(self, h: int) -> list[list[Node]]:
        """Return L^1_{t,h}, L^2_{t,h}, ...: the leaves of depth h by norm, largest norm first.

        The list stays as it is if the tree changes: a class that has lost its leaves is an empty
        list in its place (claim ``frozen-classes``). Each class is a heap: its first element is the
        leaf of least f*, ties by the least i (claim ``ties-least-index``).
        """
        return self._levels[h].classes()

    def least(self, h: int) -> float:
        """Return the least f* of the leaves of depth h, +inf if it has none."""
        return self._levels[h].least()

    def class_of(self, node: Node) -> Any:
        """Return the name of a leaf's class in its depth; classes come from the greatest one on."""
        return node.nrm if self._by_norm else 0

    def leaves(self) -> Iterator[Node]:
        """Iterate over all leaves, by depth; for inspection, the search has no use for it."""
        for level in self._levels:
            for norm_class in level.classes():
                yield from norm_class


class _Level:
    """The leaves of one depth: a heap for each norm, and the norms in ascending order."""

    __slots__ = ("_heaps", "_least", "_norms", "_snapshot")

    def __init__(self) -> None:
        self._heaps: dict[Any, list[Node]] = {}
        self._norms: list[Any] = []
        self._snapshot: list[list[Node]] | None = None
        self._least: float | None = math.inf  # None: it is not known

    def add(self, nrm: Any, node: Node) -> None:
        heap = self._heaps.get(nrm)
        if heap is None:
            self._heaps[nrm] = [node]
            insort(self._norms, nrm)
        else:
            heappush(heap, node)
        self._snapshot = None
        if self._least is not None and node.f_star < self._least:
            self._least = node.f_star

    def remove_least(self, nrm: Any) -> None:
        heap = self._heaps[nrm]
        if heappop(heap).f_star == self._least:
            self._least = None
        if not heap:
            del self._heaps[nrm]
            del self._norms[bisect_left(self._norms, nrm)]
        self._snapshot = None

    def least(self) -> float:
        """Return the least f*, +inf without leaves."""
        if self._least is None:
            self._least = min([heap[0].f_star for heap in self._heaps.values()], default=math.inf)
        return self._least

    def classes(self) -> list[list[Node]]:
        if self._snapshot is None:
            self._snapshot = [self._heaps[nrm] for nrm in reversed(self._norms)]
        return self._snapshot
