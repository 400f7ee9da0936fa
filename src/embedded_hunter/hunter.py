"""Algorithm 1 of "Embedded Bandits for Large-Scale Black-Box Optimization" (EmbeddedHunter).

Read `hunt` beside the paper's listing: each of its lines is marked where it happens. `hunt` is a
generator. It yields a `Visit`, the evaluations that the paper's lines 4-14 need at one depth, in
the paper's order, and is sent their values. Nothing decided during the visit of a depth depends on
the children made in it, so asking for all its evaluations at once changes nothing (claim
``batch-equivalence``). How a base point becomes a point of X and who calls the objective is not
the algorithm's business: see `projection` and `asktell`.

What the listing leaves open is decided as follows.

- The classes of a depth are frozen, and the bound of the loop over depths is read, when the loop
  over them starts (claims ``frozen-classes``, ``loop-bound-static``).
- nu_min = None plays infinity, so that a first value of +inf is still expanded (``nan-and-inf``).
- Line 9 evaluates a child iff the past evaluations of its base point are at most M ||y||. That is
  one rule for all: a new base point has none, the center child has its parent's.
- Exactly v evaluations are made, unless the tree is full before (``budget-exact``). Children of an
  expansion that the budget cuts count for the answer, but do not enter the tree: line 10 is not
  reached.
- A sweep without an expansion ends the run (``termination``): the printed loop would spin.
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from embedded_hunter.node import Node, children, may_be_evaluated, root
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree


class Evaluation(NamedTuple):
    """A request: evaluate g_p at the base point of `node`.

    In Algorithm 1 this is the p-th evaluation of the base point. SOO and the policy `forest` use p
    as the number of a matrix.
    """

    node: Node
    p: int


class Expansion(NamedTuple):
    """Lines 6-8: the leaf whose f* became nu_min, and its children."""

    leaf: Node
    children: list[Node]


@dataclass(slots=True)
class Visit:
    """The visit of depth l that is iteration t of the run; t = 0 is the root's evaluation."""

    tree: Tree
    sweep: int
    t: int
    l: int
    expansions: list[Expansion] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)


Hunt = Generator[Visit, Sequence[float], float]


def hunt(settings: Settings) -> Hunt:
    """Run Algorithm 1: yield visits, receive the values of their evaluations, return f*_v.

    Parameters
    ----------
    settings
        The algorithm's input; of it, K, d, eta, M, h_max and v are used here.

    Yields
    ------
    Visit
        To be answered (`send`) by the values of `visit.evaluations`, in their order: floats, +inf
        allowed, nan not.

    Returns
    -------
    float
        f*_v, the least of all values received (line 17).
    """
    K, h_max, v = settings.K, settings.h_max, settings.v

    tree, t, sweep, best = Tree(), 1, 0, math.inf  # Alg. 1, initialization
    first = Visit(tree, sweep, 0, 0, evaluations=[Evaluation(root(settings.d), 1)])
    best = record(first, (yield first), best)
    tree.add(first.evaluations[0].node)
    left, expanded = v - 1, True

    while left > 0 and expanded:  # Alg. 1, line 1
        nu_min, sweep, expanded = None, sweep + 1, False  # Alg. 1, line 2
        for l in range(min(tree.depth, h_max) + 1):  # Alg. 1, line 3
            wanted: list[Evaluation] = []
            visit = Visit(tree, sweep, t, l, [], wanted)
            for L_j in tree.norm_classes(l, below=nu_min):  # Alg. 1, line 4
                leaf = L_j[0]  # Alg. 1, line 5
                if nu_min is None or leaf.f_star < nu_min:  # Alg. 1, line 6
                    nu_min = leaf.f_star  # Alg. 1, line 7
                    expansion = Expansion(leaf, children(leaf, K))  # Alg. 1, line 8
                    wanted += _evaluations(expansion, settings)  # Alg. 1, line 9
                    visit.expansions.append(expansion)
                    if len(wanted) >= left:
                        break
            cut = len(wanted) > left  # the budget ends within the last expansion
            del wanted[left:]
            values = yield visit
            if wanted:
                best = record(visit, values, best)
                for expansion in visit.expansions[: len(visit.expansions) - cut]:
                    tree.replace(*expansion)  # Alg. 1, line 10
                left, expanded = left - len(wanted), True
            t += 1  # Alg. 1, lines 13-14
            if left == 0:
                break
    return best  # Alg. 1, line 17


def _evaluations(expansion: Expansion, settings: Settings) -> list[Evaluation]:
    """Line 9: which children's base points are evaluated, and for the how-many-th time."""
    return [
        Evaluation(child, child.evaluations + 1)
        for child in expansion.children
        if may_be_evaluated(child, settings)
    ]


def record(visit: Visit, values: Sequence[float], best: float) -> float:
    """Take the values of a visit into f* and the counts; return the new least value."""
    for (node, _), value in zip(visit.evaluations, values, strict=True):
        node.f_star = min(node.f_star, value)
        node.evaluations += 1
        best = min(best, value)
    return best
