"""The tree T: its leaves by depth and norm, in the sets that Algorithm 1 ranges over.

    L_{t,h}      the leaves at depth h
    Gamma_{h,t}  their norms
    L^j_{t,h}    the leaves at depth h with the j-th largest norm

Only leaves are kept: Algorithm 1 never looks at an expanded node again. A leaf is found through
its depth and the class of its norm, so that no operation ranges over the whole tree.
"""

import math
from bisect import insort
from collections.abc import Iterator
from typing import Any

from embedded_hunter.node import Node


class Tree:
    """The leaves of T; `depth` is the greatest depth of a node, `leaf_count` is ``|L_t|``.

    `least` lists, for each depth, the least f* of its leaves, +inf if it has none.

    With `by_norm` false all leaves of a depth are one class, as in SOO.
    """

    def __init__(self, *, by_norm: bool = True) -> None:
        self._by_norm = by_norm
        self.depth = 0
        self.leaf_count = 0
        self.least: list[float] = []
        self._levels: list[dict[Any, list[Node]]] = []  # of each depth, its classes by name

    def add(self, node: Node) -> None:
        """Add a node as a leaf."""
        if node.h == len(self._levels):
            self._levels.append({})
            self.least.append(math.inf)
            self.depth = node.h
        self.least[node.h] = min(self.least[node.h], node.f_star)
        insort(self._levels[node.h].setdefault(self.class_of(node), []), node)
        self.leaf_count += 1

    def replace(self, leaf: Node, children: list[Node]) -> None:
        """Make `children` leaves instead of `leaf`, the first one of its class."""
        level, name = self._levels[leaf.h], self.class_of(leaf)
        del level[name][0]
        if not level[name]:
            del level[name]
        if leaf.f_star == self.least[leaf.h]:
            firsts = [L_j[0].f_star for L_j in self.norm_classes(leaf.h)]
            self.least[leaf.h] = min(firsts, default=math.inf)
        self.leaf_count -= 1
        for child in children:
            self.add(child)

    def norm_classes(self, h: int) -> list[list[Node]]:
        """Return L^1_{t,h}, L^2_{t,h}, ...: the leaves of depth h by norm, largest norm first.

        Each class is in the order of line 5: its first element is the leaf of least f*, ties by the
        least i (claim ``ties-least-index``). The list stays as it is if the tree changes: a class
        that has lost its leaves is an empty list in its place (claim ``frozen-classes``).
        """
        level = self._levels[h]
        return [level[name] for name in sorted(level, reverse=True)]

    def class_of(self, node: Node) -> Any:
        """Return the name of a leaf's class in its depth; classes come from the greatest one on."""
        return node.nrm if self._by_norm else 0

    def leaves(self) -> Iterator[Node]:
        """Iterate over all leaves, by depth; for inspection, the search has no use for it."""
        for h in range(len(self._levels)):
            for norm_class in self.norm_classes(h):
                yield from norm_class
