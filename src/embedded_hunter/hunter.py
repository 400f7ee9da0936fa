"""Algorithm 1 of "Embedded Bandits for Large-Scale Black-Box Optimization" (EmbeddedHunter).

Read `hunt` beside the paper's listing: a comment marks each of its lines. `hunt` is a generator. At
each depth it yields a `Visit`, which lists the evaluations that lines 4-14 need there, in the
paper's order, and it receives their values. No decision of a visit depends on the children made in
it, so all its evaluations can be requested at once (claim ``batch-equivalence``). Two tasks lie
elsewhere: `projection` maps base points to points of X, and the package `run` calls the objective.

The listing leaves some questions open. We decide them as follows:

- The classes of a depth are fixed when the loop over them starts, and the bound of the loop over
  depths when that loop starts (claims ``frozen-classes``, ``loop-bound-static``).
- nu_min = None stands for infinity, so a first value of +inf is still expanded (``nan-and-inf``).
- Line 9 evaluates a child iff the past evaluations of its base point are at most M ||y||
  (``evaluation-cap``). A new base point has none; a center child has those of its parent.
- A run makes exactly v evaluations, unless the tree is full before (``budget-exact``). If the
  budget ends within an expansion, the values count for the answer, but the children do not enter
  the tree: the run ends before line 10.
- A sweep without an expansion ends the run (``termination``): the printed loop would never end.
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

    In Algorithm 1 p counts the evaluations of the base point: this is the p-th one. In RESOO each
    tree has one matrix, and p is the number of the tree's matrix, from 1 on.
    """

    node: Node
    p: int


class Expansion(NamedTuple):
    """Lines 7-8: the leaf whose f* became nu_min, and its children."""

    leaf: Node
    children: list[Node]


@dataclass(slots=True)
class Visit:
    """Iteration t of the run, the visit of depth l; t = 0 is the evaluation of the root."""

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
        Answer it with `send`: the values of `visit.evaluations`, in their order, as floats. +inf
        is allowed, nan is not.

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
            visit = Visit(tree, sweep, t, l)
            # A shortcut: if line 6 does not pass the least f* of the depth, it passes no leaf.
            classes = tree.norm_classes(l) if is_below(tree.least[l], nu_min) else []
            for L_j in classes:  # Alg. 1, line 4
                leaf = L_j[0]  # Alg. 1, line 5
                if is_below(leaf.f_star, nu_min):  # Alg. 1, line 6
                    nu_min = leaf.f_star  # Alg. 1, line 7
                    expansion = Expansion(leaf, children(leaf, K))  # Alg. 1, line 8
                    visit.expansions.append(expansion)
                    visit.evaluations += _evaluations(expansion, settings)  # Alg. 1, line 9
                    if len(visit.evaluations) >= left:
                        break
            complete = visit.expansions
            if len(visit.evaluations) > left:  # the budget ends within the last expansion
                complete = visit.expansions[:-1]
                del visit.evaluations[left:]
            values = yield visit
            if visit.expansions:
                best = record(visit, values, best)
                left, expanded = left - len(visit.evaluations), True
            for expansion in complete:  # Alg. 1, line 10
                # After the loop of line 4, because the children need their values.
                tree.replace(*expansion)
            t += 1  # Alg. 1, lines 13-14
            if left == 0:
                break
    return best  # Alg. 1, line 17


def is_below(f_star: float, nu_min: float | None) -> bool:
    """Line 6: tell whether f* < nu_min, strictly; everything is below None, the first nu_min."""
    return nu_min is None or f_star < nu_min


def _evaluations(expansion: Expansion, settings: Settings) -> list[Evaluation]:
    """Line 9: request the children whose base points may be evaluated (again)."""
    return [
        Evaluation(child, child.evaluations + 1)
        for child in expansion.children
        if may_be_evaluated(child, settings)
    ]


def record(visit: Visit, values: Sequence[float], best: float) -> float:
    """Update f* and the counts by the values of a visit; return the least value so far."""
    for (node, _), value in zip(visit.evaluations, values, strict=True):
        node.f_star = min(node.f_star, value)
        node.evaluations += 1
        best = min(best, value)
    return best
