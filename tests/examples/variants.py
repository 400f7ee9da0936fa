"""Algorithm 1 (K = 3) and two variants that the paper's text suggests, for counterexamples.

``read-again`` reads the classes L^j of a depth again after each expansion, ``text`` expands a leaf
iff its f* is strictly smaller than that of every leaf of smaller depth and of every other leaf of
its depth whose norm is greater or equal.
"""

import math
from collections.abc import Callable
from typing import Literal

from embedded_hunter.node import Node, children, root

Rule = Literal["algorithm 1", "read-again", "text"]


def expansions(
    g: Callable[[Node], float], d: int, h_max: int, sweeps: int, rule: Rule
) -> list[list[tuple[int, int]]]:
    """Return the nodes (h, i) expanded in each sweep; a base point keeps its first value."""
    first = root(d)
    first.f_star = g(first)
    leaves = [first]
    found = []
    for _ in range(sweeps):
        nu_min, expanded = math.inf, []
        for l in range(min(max(leaf.h for leaf in leaves), h_max) + 1):
            frozen = list(leaves)
            j = 0
            while True:
                level = [x for x in (leaves if rule == "read-again" else frozen) if x.h == l]
                norms = sorted({x.nrm for x in level}, reverse=True)
                if j >= len(norms):
                    break
                members = [x for x in level if x.nrm == norms[j]]
                chosen = [min(members)] if min(members).f_star < nu_min else []
                if rule == "text":
                    chosen = [x for x in members if _text_allows(x, frozen)]
                for leaf in chosen:
                    nu_min = leaf.f_star
                    expanded.append((leaf.h, leaf.i))
                    leaves.remove(leaf)
                    for digit, child in enumerate(children(leaf, 3)):
                        child.f_star = leaf.f_star if digit == 1 else g(child)
                        leaves.append(child)
                j += 1
        found.append(expanded)
    return found


def _text_allows(x: Node, leaves: list[Node]) -> bool:
    return all(
        x.f_star < y.f_star
        for y in leaves
        if y is not x and (y.h < x.h or (y.h == x.h and y.nrm >= x.nrm))
    )
