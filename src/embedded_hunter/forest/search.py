"""The policy ``forest``, beyond the paper: four members share one search.

With fresh matrices a search learns nothing but radii, and one fixed matrix may miss the optimum.
Here each of P fixed matrices has a tree, and every second sweep of Algorithm 1 ranges over all
trees. A tree that is worse than others at every depth gets no evaluations in it, whereas separate
runs would each get their share of the budget. The trees have several dimensions, so that nobody
needs to know which one is right. The other sweeps range over the trees of one dimension, in turns,
so that each dimension has a guarantee of its own (claim ``dimension-guarantee``). Local searches
refine what the trees find. An evolution strategy in all coordinates does well where embeddings do
not. Uniform points guarantee something for every function. The rules are:

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
:F6: Trees and local searches are the *forest*. Whose turn is next? The first of these that applies:

    - The uniform points, if they are less than 1/32 of the evaluations. A turn is one point.
    - The forest, if it has made less than its share of the N evaluations that it and the strategy
      have made: 1/32 at the start, and then all that follow until it has 1/4. The start is the
      first 50 P, or the first 100 P if h_max**2 is no more. By default h_max**2 is about v.
    - The strategy, at the start, or if it has made less than 1/4 of the N.
    - Forest or strategy: the one whose best value was less when each had made as many evaluations
      as the one that has made fewer now. The forest, if the values are equal.

    A turn of the strategy is a generation.
    A turn of the forest is a generation of a local search, if the trees have made more than 1/4 of
    its evaluations, and each tree has had one besides the zero vector. Otherwise it is a sweep.
    When the last sweep is over, the forest has no turn. The zero vector counts as an evaluation of
    the trees and of the strategy. If `first_step` is given, its value does not count, since it may
    be less than all others for long. `sample`, `refine` and `evolve` say who takes
    part besides the trees. With `batch` B > 1 further visits follow by the same rule, without
    waiting for values, as long as they fit into B points or a quarter of these is free: at most one
    of the trees, one of the strategy, and two of local searches. Then all of them are evaluated at
    once.
:F7: `refinement` says which local search is next and where one begins, `local_search` at which
    points it evaluates; `evolution`, or `covariance` if n <= 40, says it of the strategy, and
    `uniform` of the uniform points. Random numbers of each are from a stream of its own.
:F8: t counts all visits; a generation is one. The number of sweeps, the depth and the leaves are
    those of the forest. The answer is the least of all values.

The rules F6 and F7 compare values and nothing else. So the objectives f and a f + b, a > 0, lead to
the same points, up to rounding errors of the values.

No member changes what another one does, and local searches change nothing in the trees. So what is
proved of the trees in numbers of sweeps holds in every run, and a run is as good as each member
alone with its share of the evaluations (claim ``constant-share``).
"""

import math
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from embedded_hunter.forest.constants import EVOLUTION, SHARES
from embedded_hunter.forest.covariance import CovarianceEvolution
from embedded_hunter.forest.evolution import Evolution
from embedded_hunter.forest.refinement import Refinement
from embedded_hunter.forest.requests import Ask, FreePoint, Mode
from embedded_hunter.forest.settings import DIMENSIONS, ForestSettings
from embedded_hunter.forest.trees import Forest, ForestVisit, Trees
from embedded_hunter.forest.uniform import UniformPoints, sure_points
from embedded_hunter.matrices import stream

NO_KEY = [0] * 8
"""The key of a run whose points do not matter: the rules depend on the values alone."""

ForestHunt = Generator[ForestVisit, Sequence[float], float]


def hunt_forest(
    settings: ForestSettings,
    key: list[int] = NO_KEY,
    forest: type[Forest] = Forest,
    rows: int = 0,
) -> ForestHunt:
    """Run the policy ``forest``: yield visits, receive their values, return the least one.

    Parameters
    ----------
    settings
        The parameters of the search.
    key
        The key of the run's streams: see `points.ForestPoints`.
    forest
        The leaves, with their classes and queues. Tests change them.
    rows
        Number of coordinates of the points of X that the strategy and the uniform sample make. The
        rules depend on the values alone: 0 is enough if the points do not matter.

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
    trees = Trees(settings, forest())
    local = Refinement(settings, key, trees)
    strategy: type[Evolution] = CovarianceEvolution
    evolution = replace(EVOLUTION, population=EVOLUTION.size_of(0, settings.batch))
    if settings.n > DIMENSIONS[-1]:
        strategy, evolution = Evolution, EVOLUTION.planned(settings.h_max, settings.batch)
    step = None if settings.first_step is None else 2 * settings.first_step  # the range is 2
    points = strategy(settings.n, rows, stream(key, 0, 0), evolution, step)
    uniform = UniformPoints(rows, stream(key, 0, 0, 1))
    free = FreeMember("evolve", points, trees), FreeMember("sample", uniform, trees)
    run = _Run(settings, trees, local, *free)
    yield from run.begin()
    while run.left > 0 and (asked := run.ask()):
        values = yield joined([visit for _, visit in asked])
        run.tell(asked, values)
    return run.best


class Member(Protocol):
    """What takes turns in a run: it is asked for a visit, and told the values."""

    @property
    def most(self) -> int:
        """The greatest number of evaluations of its next visit; 0 if it cannot be asked now."""

    def ask(self) -> ForestVisit:
        """Return the next visit."""

    def tell(self, values: Sequence[float]) -> None:
        """Take the values of the visit; fewer than it has end the run."""


class FreeMember:
    """A member whose points are points of X: the evolution strategy, or the uniform sample."""

    def __init__(self, mode: Mode, points: Evolution | UniformPoints, trees: Trees) -> None:
        self._mode, self._points, self._trees = mode, points, trees
        self._waits = False

    @property
    def most(self) -> int:
        """The size of the next generation; 0 if the strategy waits for values."""
        return 0 if self._waits else self._points.size

    def ask(self) -> ForestVisit:
        """Return the next generation."""
        ask = Ask(0, self._trees.zero, self._mode, self._points.made)
        points = [FreePoint(self._mode, make) for make in self._points.ask()]
        self._waits = self._mode == "evolve"
        return ForestVisit(self._trees.forest, evaluations=[*points], local=ask)

    def tell(self, values: Sequence[float]) -> None:
        """Take the values of the generation."""
        self._waits = False
        self._points.tell(np.array(values))


class _Run:
    """Whose turn it is (rule F6), and what is left of the budget."""

    def __init__(
        self,
        settings: ForestSettings,
        trees: Trees,
        local: Refinement,
        strategy: Member,
        sample: Member,
    ) -> None:
        self._settings = settings
        self._start = SHARES.start(len(settings.trees), settings.h_max)
        self._sure = sure_points(settings)
        self._trees, self._local, self._strategy, self._sample = trees, local, strategy, sample
        self._t, self.left, self.best = 0, settings.v, math.inf
        self._made = Counter[Member]({trees: 1})  # the zero vector
        # The best values of the forest and of the strategy, after each of their evaluations.
        self._of_forest, self._of_strategy = list[float](), list[float]()

    def begin(self) -> Generator[ForestVisit, Sequence[float], None]:
        """Evaluate the zero vector, and plant the trees (rule F2)."""
        (self.best,) = yield ForestVisit(self._trees.forest, evaluations=[self._trees.zero])
        self.left -= 1
        self._trees.begin(self.best)
        for bests in (self._of_forest, self._of_strategy):
            bests.append(self.best if self._settings.first_step is None else math.inf)

    def ask(self) -> list[tuple[Member, ForestVisit]]:
        """Return the next visits, as much of them as the budget allows; none if the run is over.

        It is one visit, or as many as fit into a batch (rule F6).
        """
        asked: list[tuple[Member, ForestVisit]] = []
        slots = batch = self._settings.batch
        while slots > 0 and self.left > 0:
            turns = list(self._turns())
            if asked:
                free = [member for member in turns if member.most > 0]
                fit = [member for member in free if member.most <= slots]
                turns = fit if fit or 4 * slots <= batch else free
            if not turns:
                break
            member = turns[0]
            asked.append((member, self._visit(member)))
            slots -= max(1, len(asked[-1][1].evaluations))
        return asked

    def _turns(self) -> Iterator[Member]:
        """Yield the members in the order in which they may have the next turn."""
        settings, made = self._settings, self._made
        if self._trees.in_sweep:
            yield self._trees
        if settings.sample and SHARES.least * made[self._sample] < settings.v - self.left:
            yield self._sample
        forest: list[Member] = [self._trees] * self._trees.grow
        if self._trees.grow and settings.refine and self._trees.all_begun:
            trees, both = made[self._trees], made[self._trees] + made[self._local]
            forest.insert(SHARES.each * trees <= both, self._local)
        strategy = [self._strategy] * settings.evolve
        yield from forest + strategy if self._forest_is_next() else strategy + forest

    def _forest_is_next(self) -> bool:
        """Tell whether the forest is next, of the forest and the strategy."""
        made, start = self._made, self._start
        forest, strategy = made[self._trees] + made[self._local], 1 + made[self._strategy]
        N = forest + strategy
        if forest < SHARES.of_forest(N, start):
            return True
        if start >= N or SHARES.each * strategy < N:
            return False
        fewer = min(len(self._of_forest), len(self._of_strategy))
        return self._of_forest[fewer - 1] <= self._of_strategy[fewer - 1]

    def _visit(self, member: Member) -> ForestVisit:
        """Return the next visit of a member, as much of it as the budget allows."""
        visit = member.ask()
        visit.cut(self.left)
        self._t += 1
        visit.t, visit.sweep = self._t, self._trees.sweep
        self.left -= len(visit.evaluations)
        self._made[member] += len(visit.evaluations)
        visit.uniform, visit.sure = self._made[self._sample], self._sure
        return visit

    def tell(self, asked: Sequence[tuple[Member, ForestVisit]], values: Sequence[float]) -> None:
        """Take the values of some visits."""
        self.best = min([self.best, *values])
        first = 0
        for member, visit in asked:
            of_visit = values[first : first + len(visit.evaluations)]
            first += len(of_visit)
            if member is not self._sample:
                bests = self._of_strategy if member is self._strategy else self._of_forest
                for value in of_visit:
                    bests.append(min(bests[-1], value))
            member.tell(of_visit)


def joined(visits: Sequence[ForestVisit]) -> ForestVisit:
    """Return the visits of a batch as one, which has their evaluations."""
    if len(visits) == 1:
        return visits[0]
    last = visits[-1]
    evaluations = [request for visit in visits for request in visit.evaluations]
    return replace(last, expansions=[], evaluations=evaluations, local=None, parts=[*visits])
