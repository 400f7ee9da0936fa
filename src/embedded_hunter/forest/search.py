"""The policy ``forest``, beyond the paper: one search over the trees of several embeddings.

With fresh matrices a search learns nothing but radii, and one fixed matrix may miss the optimum.
Here each of P fixed matrices has a tree, and the sweeps of Algorithm 1 range over all trees. A tree
that is worse than others at every depth gets no evaluations, whereas separate runs would each get
their share of the budget. Read `hunt_forest` beside `hunter.hunt`. Its rules are:

:F1: Node (h, i), 0 <= i < P K^h, belongs to tree q = i div K^h, whose root is (0, q); numerators
    and children are those of `node`. Tree q is evaluated with the matrix A_p, p = q + 1: the
    request is (node, p), and A_1, A_2, ... are those of the policy ``indexed``.
:F2: The P roots share one evaluation of the zero vector, the first one, made through (0, 0).
:F3: With a fixed matrix the values are deterministic. So a center child inherits f* and is never
    evaluated; every other child is evaluated once.
:F4: Sweeps, frozen classes, ties, the strict test against nu_min, the budget and the end are those
    of Algorithm 1, over the leaves of all trees. The forest is swept to min(depth, h_max).
:F5: The leaves of the zero vector are a class of their own at each depth, the last one, with a
    nu_min of their own. Otherwise, where f(0) is lower than nearly all values, their chains of
    center children would take the budget. The other leaves of a depth are one class.
:F6: Refinement starts when every tree of the forest has had an evaluation besides the zero vector.
    After each sweep of the forest that expanded a node, generations of local searches follow one
    another while they have made fewer evaluations than the forest. A generation has at most 8
    evaluations. With `refine` False there is none.
:F7: `refinement` says which local search is next and where one begins, `local_search` at which
    points it evaluates.
:F8: t counts all visits; a generation is one. The number of sweeps, the depth and the leaves are
    those of the forest. The answer is the least of all values.

The rules F6 and F7 compare values and nothing else. So the objectives f and a f + b, a > 0, lead to
the same points, up to rounding errors of the values.

Refinement spends evaluations and may lower the answer, but it never changes the forest. So what is
proved of the forest in numbers of sweeps holds with refinement too; the evaluations about double.
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from embedded_hunter.forest.constants import CONSTANTS, Constants
from embedded_hunter.forest.refinement import LocalAsk, Refinement
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Evaluation, Expansion, Hunt, Visit, record
from embedded_hunter.node import Node, children
from embedded_hunter.tree import Tree

NO_KEY = [0] * 8
"""The key of a run whose points do not matter: the rules depend on the values alone."""


@dataclass(slots=True)
class ForestVisit(Visit):
    """A visit of the forest, or one generation of a local search; `tree` is the forest."""

    local: LocalAsk | None = None


class Forest(Tree):
    """The leaves of all P trees (rule F5). The study of the defaults has others."""

    def class_of(self, node: Node) -> int:
        """Return 0 for a leaf of the zero vector, 1 for another one."""
        return int(node.nrm > 0)

    def queue_of(self, leaf: Node) -> int:
        """Return the queue of a leaf, 0 or 1. A queue is one class of each depth."""
        return self.class_of(leaf)


def tree_of(node: Node, K: int) -> int:
    """Return the number of the tree that a node belongs to."""
    return int(node.i // K**node.h)


def hunt_forest(
    settings: ForestSettings,
    key: list[int] = NO_KEY,
    constants: Constants = CONSTANTS,
    forest: type[Forest] = Forest,
) -> Hunt:
    """Run the policy ``forest``: yield visits, receive their values, return the least one.

    Parameters
    ----------
    settings
        K, d, h_max, v and the parameters that only a forest has are used here.
    key
        The key of the run's streams: see `points.ForestPoints`.
    constants
        Those of the local searches. A study changes them.
    forest
        The leaves, with their classes and queues. A study changes them.

    Yields
    ------
    ForestVisit
        Answer it as those of `hunter.hunt`. `t` counts all visits, `sweep` the sweeps of the
        forest.

    Returns
    -------
    float
        The least of all values received.
    """
    run = _Run(settings, Refinement(settings, key, constants), forest())
    yield from run.begin()
    expanded = True
    while run.left > 0 and expanded:
        run.sweep += 1
        expanded = yield from run.sweep_forest()
        while expanded and run.left > 0 and run.refinement_is_due:
            yield from run.refine()
    return run.best


class _Run:
    """The state of a run: the forest, what was found in it, and what is left of the budget."""

    def __init__(self, settings: ForestSettings, refinement: Refinement, forest: Forest) -> None:
        self.settings, self.refinement, self.forest = settings, refinement, forest
        self.t, self.sweep, self.left, self.best = 0, 0, settings.v, math.inf
        self.searched = 0  # evaluations of the forest
        P = settings.n_embeddings
        self.roots = [Node(0, q, (0,) * settings.d, 0) for q in range(P)]
        self.found: dict[int, Node] = {}  # the best evaluation of each tree

    def begin(self) -> Generator[Visit, Sequence[float], None]:
        """Evaluate the zero vector, once for all roots."""
        zero = self.roots[0]
        first = ForestVisit(self.forest, 0, 0, 0, [], [Evaluation(zero, 1)])
        self.best = record(first, (yield first), self.best)
        for root in self.roots:
            root.f_star, root.evaluations = zero.f_star, 1
            self.forest.add(root)
        self.left, self.searched, self.t = self.left - 1, 1, 1

    def sweep_forest(self) -> Generator[Visit, Sequence[float], bool]:
        """Sweep the forest; return whether a leaf was expanded."""
        tree = self.forest
        nu_min: dict[int, float] = {}  # of each queue, once it is set
        limit, expanded = min(tree.depth, self.settings.h_max), False
        for l in range(limit + 1):
            wanted: list[Evaluation] = []
            visit = ForestVisit(tree, self.sweep, self.t, l, [], wanted)
            below = max(nu_min.values()) if len(nu_min) == 2 else None  # a queue may be open
            for members in tree.norm_classes(l, below):
                leaf = members[0]
                queue = tree.queue_of(leaf)
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
        """Return every child but the center, with the number of the tree's matrix."""
        p = tree_of(expansion.leaf, self.settings.K) + 1
        center = expansion.children[self.settings.K // 2]
        return [Evaluation(child, p) for child in expansion.children if child is not center]

    def _take(self, visit: ForestVisit) -> None:
        """Count a visit's evaluations, and keep the best one of each tree."""
        self.left -= len(visit.evaluations)
        self.searched += len(visit.evaluations)
        for node, p in visit.evaluations:
            q = p - 1
            best = self.found.get(q)
            if best is None or node.f_star < best.f_star:
                self.found[q] = node

    @property
    def refinement_is_due(self) -> bool:
        """Whether a generation of a local search is next (rule F6)."""
        all_begun = len(self.found) == len(self.roots)
        return self.settings.refine and all_begun and self.refinement.made < self.searched

    def refine(self) -> Generator[Visit, Sequence[float], None]:
        """Evaluate the next generation of a local search, as much of it as the budget allows."""
        local, wanted = self.refinement.ask(self.roots[0], self.found)
        visit = ForestVisit(self.forest, self.sweep, self.t, 0, [], wanted[: self.left], local)
        values = yield visit
        self.best = record(visit, values, self.best)
        self.refinement.tell(values)
        self.left, self.t = self.left - len(visit.evaluations), self.t + 1
