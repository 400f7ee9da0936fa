"""The policy ``family``, beyond the paper: one forest over a family of embeddings, and refinement.

Fresh matrices leave a search nothing to learn, and one fixed matrix may miss the optimum. Here P
fixed matrices A_1, ..., A_P have a tree each, and the sweeps of Algorithm 1 range over all of
them: a tree that is worse at every depth gets no evaluation, where separate runs would get their
share each. `hunt_family` reads like `hunter.hunt` and differs from it in this:

- Node (h, i), 0 <= i < P K^h, belongs to tree i div K^h; the roots (0, 0), ..., (0, P-1) share one
  evaluation of the zero vector. Tree p is evaluated with A_{p+1}: the request is (node, p + 1).
- A function of a fixed matrix is deterministic: a center child is not evaluated again.
- The leaves of a depth are one class, as in SOO (or classes by norm, `class_rule`).
- The leaves whose base point is the zero vector form a queue of their own, with their own nu_min
  (`zero_apart`): where f(0) is lower than nearly all values their chains would eat the budget.
- After each sweep, refinement makes as many evaluations as the forest has (`refine`): trees that
  are re-embedded about the best point of another tree, x = P_X(x_q + A y), smaller and smaller.

Refinement spends evaluations and may lower the answer; it never touches the forest. So whatever is
proved of the forest in numbers of sweeps holds with it, and the evaluations at most double.
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

START, LARGEST, LEAST = Fraction(2, 5), Fraction(6, 5), Fraction(1, 2500)
"""The scales of a chain of refinement trees, in units of the forest's sigma."""
GROW, SHRINK = Fraction(3, 2), Fraction(1, 2)
"""The next scale over this one, if a tree has improved its center, and if it has not."""
LIFE = Fraction(3, 2)
"""A refinement tree ends with the sweep in which its evaluations reach LIFE d."""


class Plant(NamedTuple):
    """Refinement tree q >= P: its points are x = P_X(x_q + scale A_{q+1} y), see `planted`."""

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
        return Plant(self._q, center, scale) if scale >= LEAST else None

    def _begin_chain(self) -> Node:
        """Return the best center that began no chain: the zero vector, or the best of a tree."""
        centers: dict[int, Node] = {0: self.roots[0]}
        centers |= {p: node for p, node in enumerate(self.found, 1) if node is not None}
        if self.tried >= set(centers):
            self.tried.clear()
        p = min(set(centers) - self.tried, key=lambda p: (centers[p].f_star, p))
        self.tried.add(p)
        return centers[p]
