"""SequOOL (Bartlett, Gabillon and Valko, 2019), on the lattice of Algorithm 1.

Read it beside `reproduction.baselines.soo.hunt_soo`. SequOOL does not sweep. It visits each
depth once, from the root on, and at depth h >= 1 it expands the floor(H/h) leaves with the least
values. The greatest depth H follows from the budget, so there is no parameter.

We decide the following:

- H is the greatest number for which all expansions are within the budget. The paper has
  H = floor(n / (1 + 1/2 + ... + 1/n)) for n expansions. That is less, and leaves more of them over.
- A center child keeps the value of its parent and is not evaluated: K - 1 evaluations per
  expansion.
- Of leaves with equal values, the one with the least i comes first.
- If a depth has fewer leaves than its share, all are expanded. The evaluations that are left at the
  end are not made.

Two extensions are ours. `hunt_sequool_in_embeddings` is RESOO with SequOOL instead of SOO.
`hunt_sequool` with several trees is a forest with this rule instead of sweeps: the leaves of a
depth are ranked across all trees.
"""

import math
from bisect import bisect_right
from heapq import nsmallest

from embedded_hunter.forest.search import Forest
from embedded_hunter.hunter import Evaluation, Expansion, Hunt, Visit, record
from embedded_hunter.node import Node, children
from embedded_hunter.run.policy import Parameters
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree
from reproduction.baselines.resoo import shares
from reproduction.baselines.soo import consecutive


def expansions(H: int, P: int = 1, *, separate_origin: bool = False) -> int:
    """Return the greatest number of expansions of a run with the greatest depth H and P trees.

    All P roots are expanded, then floor(H/h) leaves of each depth h = 1, ..., H. If the leaves of
    the zero vector are a queue of their own, up to P of them are expanded in addition.
    """
    shares_of_depths = [H // h for h in range(1, H + 1)]
    of_the_origin = [min(P, share) for share in shares_of_depths if separate_origin]
    return P + sum(shares_of_depths) + sum(of_the_origin)


def greatest_depth(limit: int, P: int = 1, *, separate_origin: bool = False) -> int:
    """Return the greatest H with at most `limit` expansions; 0 if even H = 1 has more."""
    return bisect_right(
        range(1, limit), limit, key=lambda H: expansions(H, P, separate_origin=separate_origin)
    )


def hunt_sequool(
    settings: Parameters, p: int = 1, P: int = 1, *, separate_origin: bool = False
) -> Hunt:
    """Run SequOOL: yield visits, receive the values of their evaluations, return the least value.

    Parameters
    ----------
    settings
        The settings; K, d and v are used.
    p
        The number of the embedding of the first tree.
    P
        Number of trees. Tree q = 0, 1, ... is evaluated in the embedding p + q. The roots share one
        evaluation of the zero vector.
    separate_origin
        Whether the leaves of the zero vector are a queue of their own, with the same share of
        expansions at each depth, as they are in the policy ``forest``.
    """
    K, left = settings.K, settings.v - 1
    H = greatest_depth(left // (K - 1), P, separate_origin=separate_origin)

    tree = Forest() if separate_origin else Tree(by_norm=False)
    roots = [Node(0, q, (0,) * settings.d, 0) for q in range(P)]
    first = Visit(tree, 0, 0, 0, evaluations=[Evaluation(roots[0], p)])
    best = record(first, (yield first), math.inf)
    for root in roots:
        root.f_star, root.evaluations = roots[0].f_star, 1
        tree.add(root)

    for h in range(H + 1):
        if left == 0:
            break
        share = H // h if h else P
        visit = Visit(tree, 1, h + 1, h)
        for leaves in tree.norm_classes(h):
            for leaf in nsmallest(share, leaves):
                expansion = Expansion(leaf, children(leaf, K))
                new = [child for child in expansion.children if child.evaluations == 0]
                visit.evaluations += [Evaluation(child, p + leaf.i // K**h) for child in new]
                visit.expansions.append(expansion)
        whole = visit.expansions if len(visit.evaluations) <= left else []
        del visit.evaluations[left:]
        best = record(visit, (yield visit), best)
        for expansion in whole:
            tree.replace(*expansion)
        left -= len(visit.evaluations)
    return best


def hunt_sequool_in_embeddings(settings: Settings, P: int) -> Hunt:
    """Run SequOOL in P embeddings, one after another, with v/P evaluations in each."""
    trees = [Settings(settings.n, settings.d, v, K=settings.K) for v in shares(settings.v, P)]
    return consecutive([hunt_sequool(tree, p) for p, tree in enumerate(trees, 1)])
