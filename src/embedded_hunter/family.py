"""The policy ``family``, beyond the paper: one forest over a family of embeddings, and refinement.

Fresh matrices leave a search nothing to learn, and one fixed matrix may miss the optimum. Here P
fixed matrices have a tree each, and the sweeps of Algorithm 1 range over all trees: one that is
worse at every depth gets no evaluation, where separate runs would get their share each.
`hunt_family` is read beside `hunter.hunt`. Its rules:

:F1: Node (h, i), 0 <= i < P K^h, belongs to tree p = i div K^h, whose root is (0, p); numerators
    and children are those of `node`. Tree p is evaluated with matrix p + 1: the request is
    (node, p + 1), and A_1, A_2, ... are those of the policy ``indexed``.
:F2: The P roots share one evaluation of the zero vector, the first one, made through (0, 0).
:F3: A function of a fixed matrix is deterministic: a center child inherits f* and is never
    evaluated; every other child is evaluated once.
:F4: Sweeps, frozen classes, ties, the strict test against nu_min, the budget and the end are those
    of Algorithm 1, over the leaves of all trees. The forest is swept to min(depth, h_max).
:F5: The leaves of the zero vector are a class of their own at each depth, the last one, with a
    nu_min of their own; where f(0) is lower than nearly all values, their chains would eat the
    budget. The other leaves of a depth are one class. (`zero_apart`, `class_rule`)
:F6: After a sweep of the forest that expanded a node, refinement sweeps follow one another while
    refinement has made fewer evaluations than the forest. (`refine`)
:F7: A refinement sweep is a sweep of one tree, number q = P, P + 1, ..., root (0, q), with one
    class for each depth. Its points are x = P_X(x_q + A y) about a center x_q evaluated before,
    whose value its root has; A is a matrix of scale s_q, see `planted`. The tree ends with the
    sweep in which its evaluations reach (3/2) d, or nothing is expanded. If it has found better,
    the next one has its first best evaluation as the center and 3/2 of its scale, at most 6/5; else
    the same center and half the scale. When that falls below 1/2500, or below 1/25 while the center
    is worse than the best value of the run, a new chain begins with scale 2/5, at the best of the
    zero vector and the best other points of each tree of the forest that have not begun one; when
    all have, all may again.
:F8: t counts all visits, the sweeps are those of the forest, depth and leaves are the forest's; the
    answer is the least of all values.

Refinement spends evaluations and may lower the answer; it never touches the forest. So what is
proved of the forest in numbers of sweeps holds with it, and the evaluations about double.
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from embedded_hunter.hunter import Evaluation, Expansion, Hunt, Visit, record
from embedded_hunter.node import Node, children
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree

START, LARGEST = Fraction(2, 5), Fraction(6, 5)
"""The scales of a chain of refinement trees, in units of the forest's sigma: first, greatest."""
LEAST, COARSE = Fraction(1, 2500), Fraction(1, 25)
"""The least scale, of a chain that has the best value of the run and of any other."""
GROW, SHRINK = Fraction(3, 2), Fraction(1, 2)
"""The next scale over this one, if a tree has improved its center, and if it has not."""
LIFE = Fraction(3, 2)
"""A refinement tree ends with the sweep in which its evaluations reach LIFE d."""


class Plant(NamedTuple):
    """Refinement tree q >= P: its points are x = P_X(x_q + A y), A of this scale, see `planted`."""

    q: int
    center: Node
    """The node whose evaluation was made at x_q, of tree q - 1 or of the forest."""
    scale: Fraction


@dataclass(slots=True)
class FamilyVisit(Visit):
    """A visit of the forest, or of a refinement tree; `tree` is the forest in both cases."""

    visited: Tree = field(default_factory=Tree)
    plant: Plant | None = None
    limit: int = 0
    """The greatest depth of this sweep."""


class Forest(Tree):
    """The leaves of all P trees. A class is named by the norm, or by whether it is zero."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._by_norm = settings.class_rule == "norm"
        self._zero_apart = settings.zero_apart

    def _class(self, node: Node) -> int:
        if self._by_norm:
            return node.nrm
        return 0 if self._zero_apart and node.nrm == 0 else 1

    def queue(self, leaf: Node) -> int:
        """Return 0 for the queue of the zero vector, 1 for that of the others."""
        return 0 if self._zero_apart and leaf.nrm == 0 else 1


def tree_of(node: Node, K: int) -> int:
    """Return the number of the tree that a node belongs to."""
    return int(node.i // K**node.h)


def hunt_family(settings: Settings, plants: list[Plant] | None = None) -> Hunt:
    """Run the policy ``family``: yield visits, receive their values, return the least one.

    Parameters
    ----------
    settings
        With policy ``family``; K, d, h_max, v and what only this policy has are used here.
    plants
        Takes the refinement trees as they are planted; `planted.Planted` needs them.

    Yields
    ------
    FamilyVisit
        To be answered as those of `hunter.hunt`. `t` counts all visits, `sweep` the sweeps of the
        forest.

    Returns
    -------
    float
        The least of all values received.
    """
    run = _Run(settings, [] if plants is None else plants)
    yield from run.begin()
    expanded = True
    while run.left > 0 and expanded:
        run.sweep += 1
        expanded = yield from run.sweep_of(run.forest)
        while settings.refine and expanded and run.left > 0 and run.refined < run.searched:
            yield from run.refinement()
    return run.best


class _Run:
    """The state of a run: the forest, what is left of the budget, and the chain of refinement."""

    def __init__(self, settings: Settings, plants: list[Plant]) -> None:
        self.settings, self.plants = settings, plants
        self.forest = Forest(settings)
        self.t, self.sweep, self.left, self.best = 0, 0, settings.v, math.inf
        self.searched = self.refined = 0  # evaluations of the forest and of refinement
        P = settings.n_embeddings or 1
        self.roots = [Node(0, p, (0,) * settings.d, 0) for p in range(P)]
        self.found: list[Node | None] = [None] * P  # the best evaluation of each tree
        self.tried: set[int] = set()  # places of `found` and the zero vector that began a chain
        self.planted: Tree | None = None  # the refinement tree that is alive
        self.made = 0  # evaluations in it
        self.improved: Node | None = None  # its best evaluation, if better than its center

    def begin(self) -> Generator[Visit, Sequence[float], None]:
        """Evaluate the zero vector, once for all roots."""
        zero = self.roots[0]
        first = FamilyVisit(self.forest, 0, 0, 0, [], [Evaluation(zero, 1)], self.forest)
        self.best = record(first, (yield first), self.best)
        for root in self.roots:
            root.f_star, root.evaluations = zero.f_star, 1
            self.forest.add(root)
        self.left, self.searched, self.t = self.left - 1, 1, 1

    def sweep_of(
        self, tree: Tree, plant: Plant | None = None
    ) -> Generator[Visit, Sequence[float], bool]:
        """Sweep the forest or a refinement tree; return whether a leaf was expanded."""
        nu_min: dict[int, float] = {}  # of each queue, once it is set
        queues = 2 if plant is None and self.settings.zero_apart else 1
        limit, expanded = min(tree.depth, self.settings.h_max), False
        for l in range(limit + 1):
            wanted: list[Evaluation] = []
            visit = FamilyVisit(self.forest, self.sweep, self.t, l, [], wanted, tree, plant, limit)
            below = max(nu_min.values()) if len(nu_min) == queues else None
            for members in tree.norm_classes(l, below):
                leaf = members[0]
                queue = self.forest.queue(leaf) if plant is None else 1
                if queue not in nu_min or leaf.f_star < nu_min[queue]:
                    nu_min[queue] = leaf.f_star
                    expansion = Expansion(leaf, children(leaf, self.settings.K))
                    wanted += self._evaluations(expansion)
                    visit.expansions.append(expansion)
                    if len(wanted) >= self.left:
                        break
            cut = len(wanted) > self.left  # the budget ends within the last expansion
            del wanted[self.left :]
            values = yield visit
            if wanted:
                self.best = record(visit, values, self.best)
                for expansion in visit.expansions[: len(visit.expansions) - cut]:
                    tree.replace(*expansion)
                self._take(visit)
                expanded = True
            self.t += 1
            if self.left == 0:
                break
        return expanded

    def _evaluations(self, expansion: Expansion) -> list[Evaluation]:
        """Every child but the center, with the matrix of the tree."""
        p = tree_of(expansion.leaf, self.settings.K) + 1
        center = expansion.children[self.settings.K // 2]
        return [Evaluation(child, p) for child in expansion.children if child is not center]

    def _take(self, visit: FamilyVisit) -> None:
        """Count a visit's evaluations, and keep the best of each tree."""
        made = len(visit.evaluations)
        self.left -= made
        if visit.plant is None:
            self.searched += made
            for node, p in visit.evaluations:
                best = self.found[p - 1]
                if best is None or node.f_star < best.f_star:
                    self.found[p - 1] = node
            return
        self.refined += made
        self.made += made
        least = visit.plant.center if self.improved is None else self.improved
        for node, _ in visit.evaluations:
            if node.f_star < least.f_star:
                self.improved = least = node

    def refinement(self) -> Generator[Visit, Sequence[float], None]:
        """Sweep the refinement tree that is alive, planted now if there is none."""
        if self.planted is None:
            self._plant()
        plant, tree = self.plants[-1], self.planted
        assert tree is not None
        expanded = yield from self.sweep_of(tree, plant)
        if not expanded or self.made >= LIFE * self.settings.d:
            self.planted = None

    def _plant(self) -> None:
        """Plant the next tree of the chain, or begin a new chain if its scale has become least."""
        plant = self._next_of_the_chain() or Plant(self._q, self._begin_chain(), START)
        self.plants.append(plant)
        self.planted, self.made, self.improved = Tree(by_norm=False), 0, None
        zero = (0,) * self.settings.d
        self.planted.add(Node(0, plant.q, zero, 0, plant.center.f_star, evaluations=1))

    @property
    def _q(self) -> int:
        return len(self.roots) + len(self.plants)

    def _next_of_the_chain(self) -> Plant | None:
        if not self.plants:
            return None
        _, center, scale = self.plants[-1]
        if self.improved is not None:
            return Plant(self._q, self.improved, min(LARGEST, scale * GROW))
        scale *= SHRINK
        least = LEAST if center.f_star <= self.best else COARSE
        return Plant(self._q, center, scale) if scale >= least else None

    def _begin_chain(self) -> Node:
        """Return the best center that began no chain: the zero vector, or the best of a tree."""
        centers: dict[int, Node] = {0: self.roots[0]}
        centers |= {p: node for p, node in enumerate(self.found, 1) if node is not None}
        if self.tried >= set(centers):
            self.tried.clear()
        p = min(set(centers) - self.tried, key=lambda p: (centers[p].f_star, p))
        self.tried.add(p)
        return centers[p]
