"""Algorithm 1 (K = 3) and two variants that the paper's text suggests, for counterexamples.

`READ_AGAIN` reads the classes L^j of a depth again after each expansion. `text` expands a leaf iff
its f* is strictly smaller than that of every leaf of smaller depth and of every other leaf of its
depth whose norm is greater or equal. They differ from the rule set `ALGORITHM_1` in these rules.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from embedded_hunter.node import Node
from embedded_hunter.settings import Settings
from embedded_hunter.traces.rules import ALGORITHM_1, Leaves, Progress, Rules, depths_read_once, run
from spec.algorithm.instances import visits_of

READ_AGAIN = replace(ALGORITHM_1, frozen=False)


def text() -> Rules:
    """Return the rules of the text, for one run."""
    tree: Leaves

    def depths(leaves: Leaves, settings: Settings) -> Iterator[int]:
        nonlocal tree
        tree = leaves
        return depths_read_once(leaves, settings)

    def accepts(leaf: Node, now: Progress) -> bool:
        """The tree is as it was when the visit began."""
        return all(
            leaf.f_star < other.f_star
            for other in tree.leaves()
            if other is not leaf
            and (other.h < leaf.h or (other.h == leaf.h and other.nrm >= leaf.nrm))
        )

    return replace(
        ALGORITHM_1,
        group=lambda node, settings: (-node.nrm, node.i),
        order=lambda key, group, settings: key,
        depths=depths,
        accepts=accepts,
        ends=lambda progress, leaves, settings: False,
    )


def expansions(
    g: Callable[[Node], float], d: int, h_max: int, sweeps: int, rules: Rules
) -> list[list[tuple[int, int]]]:
    """Return the nodes (h, i) expanded in each sweep; a base point is evaluated once."""
    made = run(rules, Settings(d, d, 10**6, M=0, h_max=h_max))
    visits = visits_of(made, lambda visit: [g(node) for node, _ in visit.evaluations])
    found = [list[tuple[int, int]]() for _ in range(sweeps + 1)]
    for visit, _ in visits:
        if visit.sweep > sweeps:
            break
        found[visit.sweep] += [(leaf.h, leaf.i) for leaf, _ in visit.expansions]
    return found[1:]
