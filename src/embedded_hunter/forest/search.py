"""The policy ``forest``, beyond the paper: one search over the trees of several embeddings.

With fresh matrices a search learns nothing but radii, and one fixed matrix may miss the optimum.
Here each of P fixed matrices has a tree, and every second sweep of Algorithm 1 ranges over all
trees. A tree that is worse than others at every depth gets no evaluations in it, whereas separate
runs would each get their share of the budget. The trees have several dimensions, so that nobody
needs to know which one is right. The other sweeps range over the trees of one dimension, in turns,
so that each dimension has a guarantee of its own (claim ``dimension-guarantee``). Local searches
refine what the forest finds. An evolution strategy in all coordinates takes part in the run; it
does well where embeddings do not. Read `hunt_forest` beside `hunter.hunt`. Its rules are:

:F1: Node (h, i), 0 <= i < P K^h, belongs to tree q = i div K^h, whose root is (0, q); numerators
    and children are those of `node`. The trees have the given dimensions in turns. Tree q is
    evaluated with the matrix A_{q+1}: the request is (node, q). A_1, A_2, ... are those of
    the policy ``indexed``; if the dimension is n, there is one tree, and A_1 is I / R.
:F2: The P roots share one evaluation of the zero vector, the first one, made through (0, 0).
:F3: With a fixed matrix the values are deterministic. So a center child inherits f* and is never
    evaluated; every other child is evaluated once.
:F4: Frozen classes, ties, the strict test against nu_min and the budget are those of Algorithm 1.
    Sweep s = 1, 3, 5, ... ranges over the leaves of all trees, sweep s = 2, 4, 6, ... over those of
    the trees of one dimension: the dimensions of the trees have these sweeps in turns, in
    increasing order. If all trees have one dimension, all sweeps range over all leaves. Each sweep
    goes to min(depth, h_max), with the depth of the forest. A sweep over all leaves that expands
    nothing is the last one: all leaves are deeper than h_max. After a sweep over one dimension that
    expands nothing the next sweep follows.
:F5: Of the leaves that a sweep ranges over, those of the zero vector are a class of their own at
    each depth, the last one, with a nu_min of their own. Otherwise, where f(0) is lower than nearly
    all values, their chains of center children would take the budget. The other leaves of a depth
    are one class.
:F6: Refinement starts when every tree of the forest has had an evaluation besides the zero vector.
    After each sweep of the forest but the last one, generations of local searches follow one
    another while they have made fewer evaluations than the forest. A generation has at most 8
    evaluations. With `refine` False there is none.
:F7: `refinement` says which local search is next and where one begins, `local_search` at which
    points it evaluates.
:F8: t counts all visits; a generation is one. The number of sweeps, the depth and the leaves are
    those of the forest. The answer is the least of all values.
:F9: Before each sweep and each generation it is decided whether the evolution strategy has a
    generation first. (The forest and its local searches are one *member* of the run, the evolution
    strategy is the other one.) A member that has made less than a quarter (1/`share`) of the
    evaluations is next. Otherwise the best values of the two members are compared when each had
    made as many evaluations as the one that has made fewer now. The member with the less value is
    next, the forest if they are equal. The zero vector counts as the first evaluation of both; if
    `first_step` is given, its value counts for neither, since it may be less than all others for
    long. After the last sweep the evolution strategy has the rest of the budget. With `evolve`
    False there is none. `evolution` says at which points it evaluates, `covariance` if n <= 40.

The rules F6, F7 and F9 compare values and nothing else. So the objectives f and a f + b, a > 0,
lead to the same points, up to rounding errors of the values.

Refinement spends evaluations and may lower the answer, but it never changes the forest. So what is
proved of the forest in numbers of sweeps holds with refinement too; the evaluations about double.
In the same way neither member changes what the other one does. So the run is at most about four
times as long as that of each member alone to the same value (claim ``constant-share``).
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import numpy as np

from embedded_hunter.forest.constants import (
    CONSTANTS,
    EVOLUTION,
    Constants,
    EvolutionConstants,
)
from embedded_hunter.forest.covariance import CovarianceEvolution
from embedded_hunter.forest.evolution import Evolution
from embedded_hunter.forest.refinement import Refinement
from embedded_hunter.forest.requests import EvolutionPoint, LocalAsk, Request, TreePoint
from embedded_hunter.forest.settings import DIMENSIONS, ForestSettings
from embedded_hunter.hunter import Expansion, is_below
from embedded_hunter.matrices import stream
from embedded_hunter.node import Node, children
from embedded_hunter.tree import Tree

NO_KEY = [0] * 8
"""The key of a run whose points do not matter: the rules depend on the values alone."""


@dataclass(slots=True)
class ForestVisit:
    """A visit of the forest, or a generation of another search; see `hunter.Visit`."""

    tree: "Forest"
    """The leaves of all trees."""
    sweep: int
    t: int
    l: int
    expansions: list[Expansion] = field(default_factory=list)
    evaluations: list[Request] = field(default_factory=list)
    local: LocalAsk | None = None
    """The generation that this visit is, if it is one."""
    d: int | None = None
    """The dimension of the trees that its sweep ranges over; None: of all trees."""


ForestHunt = Generator[ForestVisit, Sequence[float], float]


class Forest(Tree):
    """The leaves of all P trees. Each class has one list for each dimension.

    The study of the defaults has other classes and queues than rule F5.
    """

    def class_of(self, node: Node) -> tuple[int, int]:
        """Return the name of a leaf's list: its class, and the dimension of its tree."""
        return self.rank_of(node), len(node.c)

    def rank_of(self, node: Node) -> int:
        """Return the rank of a leaf's class: 0 for a leaf of the zero vector, 1 for another one."""
        return int(node.nrm > 0)

    def queue_of(self, leaf: Node) -> int:
        """Return the queue of a leaf, 0 or 1. A queue is one class of each depth."""
        return self.rank_of(leaf)

    def classes(self, h: int, d: int | None) -> list[list[list[Node]]]:
        """Return the classes of depth h in their order, each as its lists of leaves.

        Of the trees of dimension d alone, unless d is None.
        """
        classes: dict[int, list[list[Node]]] = {}
        for leaves in self.norm_classes(h):
            if d is None or len(leaves[0].c) == d:
                classes.setdefault(self.rank_of(leaves[0]), []).append(leaves)
        return list(classes.values())


def tree_of(node: Node, K: int) -> int:
    """Return the number of the tree that a node belongs to."""
    return int(node.i // K**node.h)


def swept_dimension(sweep: int, settings: ForestSettings) -> int | None:
    """Return the dimension of the trees that a sweep ranges over, None for all trees (rule F4)."""
    dimensions = settings.dimensions[: len(settings.trees)]  # the others have no tree
    turn, is_odd = divmod(sweep, 2)
    if is_odd or len(dimensions) == 1:
        return None
    return dimensions[(turn - 1) % len(dimensions)]


def hunt_forest(
    settings: ForestSettings,
    key: list[int] = NO_KEY,
    constants: Constants = CONSTANTS,
    forest: type[Forest] = Forest,
    rows: int = 0,
    evolution: EvolutionConstants = EVOLUTION,
) -> ForestHunt:
    """Run the policy ``forest``: yield visits, receive their values, return the least one.

    Parameters
    ----------
    settings
        Its trees, K, h_max, v, `refine` and `evolve` are used here.
    key
        The key of the run's streams: see `points.ForestPoints`.
    constants
        Those of the local searches. A study changes them.
    forest
        The leaves, with their classes and queues. A study changes them.
    rows
        Number of coordinates of the points that the evolution strategy makes. The rules depend on
        the values alone: 0 is enough if the points do not matter.
    evolution
        The constants of the evolution strategy and its share. A study changes them.

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
    if settings.evolve:
        strategy: type[Evolution] = CovarianceEvolution
        if settings.n > DIMENSIONS[-1]:
            strategy, evolution = Evolution, evolution.planned(settings.h_max)
        step = None if settings.first_step is None else 2 * settings.first_step  # the range is 2
        run.evolution = strategy(settings.n, rows, stream(key, 0, 0), evolution, step)
        run.share = evolution.share
    yield from run.begin()
    while run.left > 0 and (run.grows or settings.evolve):
        if run.evolution_is_next:
            yield from run.evolve()
        elif run.refinement_is_due:
            yield from run.refine()
        else:
            yield from run.sweep_forest()
    return run.best


class _Run:
    """The state of a run: the forest, what was found in it, and what is left of the budget."""

    def __init__(self, settings: ForestSettings, refinement: Refinement, forest: Forest) -> None:
        self.settings, self.refinement, self.forest = settings, refinement, forest
        self.evolution: Evolution | None = None
        self.share = EVOLUTION.share  # each member has at least 1/share of the evaluations
        self.t, self.sweep, self.left, self.best = 0, 0, settings.v, math.inf
        self.searched = 0  # evaluations of the forest
        self.grows = True  # whether the last sweep is still to come
        trees = settings.trees
        self.roots = [Node(0, q, (0,) * trees[q].d, 0) for q in range(len(trees))]
        self.found: dict[int, Node] = {}  # the best evaluation of each tree
        # The least value after 1, 2, ... evaluations: of the forest and its local searches, and of
        # the evolution strategy. The zero vector counts for both.
        self.bests: tuple[list[float], list[float]] = [], []

    def begin(self) -> Generator[ForestVisit, Sequence[float], None]:
        """Evaluate the zero vector, once for all roots."""
        zero = self.roots[0]
        first = ForestVisit(self.forest, 0, 0, 0, evaluations=[TreePoint(zero, 0)])
        values = yield first
        for member in self.bests:
            member += values if self.settings.first_step is None else [math.inf]
        self._count(first, values)
        for root in self.roots:
            root.f_star, root.evaluations = zero.f_star, 1
            self.forest.add(root)
        self.searched = 1

    def sweep_forest(self) -> Generator[ForestVisit, Sequence[float], None]:
        """Sweep the forest."""
        self.sweep += 1
        tree, d = self.forest, swept_dimension(self.sweep, self.settings)
        nu_min: dict[int, float] = {}  # of each queue, once it is set
        limit, expanded = min(tree.depth, self.settings.h_max), False
        for l in range(limit + 1):
            wanted: list[Request] = []
            visit = ForestVisit(tree, self.sweep, self.t, l, [], wanted, d=d)
            for norm_class in tree.classes(l, d):
                leaf = min([leaves[0] for leaves in norm_class])
                queue = tree.queue_of(leaf)
                if is_below(leaf.f_star, nu_min.get(queue)):
                    nu_min[queue] = leaf.f_star
                    expansion = Expansion(leaf, children(leaf, self.settings.K))
                    wanted += self._evaluations(expansion)
                    visit.expansions.append(expansion)
                    if len(wanted) >= self.left:
                        break
            cut = len(wanted) > self.left  # the budget ends within the last expansion
            del wanted[self.left :]
            values = yield visit
            self._count(visit, values, 0)
            for expansion in visit.expansions[: len(visit.expansions) - cut]:
                tree.replace(*expansion)
            self._take(visit)
            expanded = expanded or bool(wanted)
            if self.left == 0:
                break
        self.grows = expanded or d is not None

    def _evaluations(self, expansion: Expansion) -> list[TreePoint]:
        """Return every child but the center."""
        tree = tree_of(expansion.leaf, self.settings.K)
        center = expansion.children[self.settings.K // 2]
        return [TreePoint(child, tree) for child in expansion.children if child is not center]

    def _count(self, visit: ForestVisit, values: Sequence[float], *members: int) -> None:
        """Count a visit and its evaluations, and keep the best values of the run and a member."""
        for request, value in zip(visit.evaluations, values, strict=True):
            if isinstance(request, TreePoint):
                request.node.f_star, request.node.evaluations = value, 1
            self.best = min(self.best, value)
        self.left, self.t = self.left - len(values), self.t + 1
        for member in members:
            bests = self.bests[member]
            for value in values:
                bests.append(min(bests[-1], value))

    def _take(self, visit: ForestVisit) -> None:
        """Count a visit's evaluations of the forest, and keep the best one of each tree."""
        self.searched += len(visit.evaluations)
        for request in visit.evaluations:
            assert isinstance(request, TreePoint)
            node, q = request
            best = self.found.get(q)
            if best is None or node.f_star < best.f_star:
                self.found[q] = node

    @property
    def refinement_is_due(self) -> bool:
        """Whether a generation of a local search is next in the forest (rule F6)."""
        all_begun = len(self.found) == len(self.roots)
        return (
            self.settings.refine
            and all_begun
            and self.grows
            and self.refinement.made < self.searched
        )

    def refine(self) -> Generator[ForestVisit, Sequence[float], None]:
        """Evaluate the next generation of a local search, as much of it as the budget allows."""
        local, wanted = self.refinement.ask(self.roots[0], self.found)
        visit = ForestVisit(self.forest, self.sweep, self.t, 0, [], [*wanted[: self.left]], local)
        values = yield visit
        self._count(visit, values, 0)
        self.refinement.tell(values)

    @property
    def evolution_is_next(self) -> bool:
        """Whether a generation of the evolution strategy is next (rule F9)."""
        if self.evolution is None:
            return False
        forest, evolution = self.bests
        fewer = min(len(forest), len(evolution))
        if self.share * fewer < len(forest) + len(evolution):
            return len(evolution) < len(forest) or not self.grows
        return evolution[fewer - 1] < forest[fewer - 1] or not self.grows

    def evolve(self) -> Generator[ForestVisit, Sequence[float], None]:
        """Evaluate the next generation of the evolution strategy, as far as the budget allows."""
        assert self.evolution is not None, "asked only if it takes part"
        local = LocalAsk(0, TreePoint(self.roots[0], 0), "evolve", self.evolution.made)
        wanted: list[Request] = [EvolutionPoint(x) for x in self.evolution.ask()[: self.left]]
        visit = ForestVisit(self.forest, self.sweep, self.t, 0, [], wanted, local)
        values = yield visit
        self._count(visit, values, 1)
        self.evolution.tell(np.array(values))
