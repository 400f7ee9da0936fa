"""SOO: simultaneous optimistic optimization (Munos, 2011), on the lattice of Algorithm 1.

Read it beside `hunter.hunt`. Algorithm 1 continues SOO. SOO has three other rules:

- Each depth has one class instead of the norm classes.
- A leaf whose value equals nu_min is still expanded (the listing has >= for a maximum).
- A base point is evaluated once, because the function is deterministic. The center child keeps the
  value of its parent.

From the last two it follows that a sweep that has expanded a leaf expands a leaf at every further
depth that it visits, unless the budget ends: the center child of that leaf has the value nu_min.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from embedded_hunter.hunter import Evaluation, Expansion, Hunt, Visit, record
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, base_point, children, root
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree


def hunt_soo(settings: Settings, p: int = 1) -> Hunt:
    """Run SOO: yield visits, receive the values of their evaluations, return the least value.

    Of the settings K, d, h_max and v are used; p is the number of the embedding, which every
    evaluation carries.
    """
    K, h_max, v = settings.K, settings.h_max, settings.v

    tree, t, sweep, best = Tree(by_norm=False), 1, 0, math.inf
    first = Visit(tree, sweep, 0, 0, evaluations=[Evaluation(root(settings.d), p)])
    best = record(first, (yield first), best)
    tree.add(first.evaluations[0].node)
    left, expanded = v - 1, True

    while left > 0 and expanded:
        nu_min, sweep, expanded = None, sweep + 1, False
        for l in range(min(tree.depth, h_max) + 1):
            visit = Visit(tree, sweep, t, l)
            for L in tree.norm_classes(l):
                leaf = L[0]
                if nu_min is None or leaf.f_star <= nu_min:
                    nu_min = leaf.f_star
                    expansion = Expansion(leaf, children(leaf, K))
                    new = [child for child in expansion.children if child.evaluations == 0]
                    visit.evaluations += [Evaluation(child, p) for child in new]
                    visit.expansions.append(expansion)
            whole = visit.expansions if len(visit.evaluations) <= left else []
            del visit.evaluations[left:]
            best = record(visit, (yield visit), best)
            for expansion in whole:
                tree.replace(*expansion)
            left -= len(visit.evaluations)
            expanded = expanded or bool(visit.expansions)
            t += 1
            if left == 0:
                break
    return best


def consecutive(runs: Sequence[Hunt]) -> Hunt:
    """Make several runs one after another. Number their visits and sweeps consecutively."""
    best, t, sweep = math.inf, 0, 0
    for run in runs:
        visit = next(run)
        try:
            while True:
                numbered = replace(visit, t=visit.t + t, sweep=visit.sweep + sweep)
                visit = run.send((yield numbered))
        except StopIteration as end:
            best = min(best, end.value)
        t, sweep = numbered.t + 1, numbered.sweep
    return best


class Identity:
    """The projection of SOO on X itself: a base point is evaluated at its own place."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._radius = settings, float(settings.radius)

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> Floats:
        """Return the base points, shape (len(evaluations), d), scaled to [-1, 1]^d."""
        points = [base_point(node, self._settings) for node, _ in evaluations]
        return np.array(points) / self._radius
