"""The instances of `strategies` in the words of the definitions, and the package's run in them.

Instances and oracles print as the code that makes them.
"""

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, TypeVar

import hypothesis.strategies as st

from differential import strategies
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.hunter import Visit as PackageVisit
from embedded_hunter.node import Node as PackageNode
from embedded_hunter.node import children, root
from embedded_hunter.settings import Settings
from paper.definitions import Evaluated, Oracle, Point, Run, Visit, literal, squared_norm

INF = math.inf
Number = float | Fraction


class Instance(NamedTuple):
    """The input of Algorithm 1."""

    d: int
    K: int
    eta: Number
    M: Number
    h_max: int
    v: int

    @property
    def settings(self) -> Settings:
        return Settings(self.d, self.d, self.v, eta=self.eta, K=self.K, M=self.M, h_max=self.h_max)

    @property
    def R(self) -> Fraction:
        return self.d / decimal(self.eta)

    def base_point(self, node: PackageNode) -> Point:
        return exact_base_point(node, self.d, self.K, self.R)

    def allows(self, node: PackageNode) -> bool:
        """Tell whether the base point of a node may be evaluated: line 9, exactly."""
        square = squared_norm(self.base_point(node))
        return node.evaluations == 0 or node.evaluations**2 <= decimal(self.M) ** 2 * square

    def literal(self, g: Oracle) -> Run:
        eta, M = decimal(self.eta), decimal(self.M)
        return literal(g, d=self.d, K=self.K, eta=eta, M=M, h_max=self.h_max, v=self.v)


def decimal(x: Number) -> Fraction:
    """Return the number that is written: 0.3 is 3/10."""
    return Fraction(str(x))


def instances(max_v: int = 120, max_h: int = 6) -> st.SearchStrategy[Instance]:
    """Return the inputs of `strategies.settings`."""
    return strategies.settings(max_v=max_v, max_h=max_h).map(
        lambda s: Instance(s.d, s.K, s.eta, s.M, s.h_max, s.v)
    )


@dataclass(frozen=True)
class Listed:
    """The oracle that returns values in the order of the evaluations, round and round."""

    values: Sequence[float]

    def __call__(self, k: int, y: Point, p: int) -> float:
        return self.values[(k - 1) % len(self.values)]


@dataclass(frozen=True)
class Of:
    """The oracle of a function of `strategies`, for points of [-3, 3]^d."""

    f: strategies.Function

    def __call__(self, k: int, y: Point, p: int) -> float:
        return self.f(y, Fraction(3), p)


def oracles() -> st.SearchStrategy[Oracle]:
    """Return values in any order, or the functions of `strategies`."""
    return st.one_of(
        st.builds(Listed, st.lists(st.sampled_from(strategies.VALUES), min_size=1, max_size=8)),
        st.builds(Listed, st.lists(st.floats(allow_nan=False), min_size=1, max_size=200)),
        st.builds(Of, strategies.functions()),
    )


def descend(digits: Sequence[int], d: int, K: int = 3) -> PackageNode:
    """Return the node that one reaches from the root by these digits."""
    node = root(d)
    for digit in digits:
        node = children(node, K)[digit]
    return node


def exact_base_point(node: PackageNode, d: int, K: int, R: Fraction) -> Point:
    """Return y_j = 2 R c_j / K^s_j, the splits s_j counted one by one."""
    splits = [sum(level % d == j for level in range(node.h)) for j in range(d)]
    return tuple(2 * R * c / K**s for c, s in zip(node.c, splits, strict=True))


def in_words_of_the_definitions(
    visit: PackageVisit, values: Sequence[float], instance: Instance
) -> Visit:
    """Translate a visit of the package."""
    return Visit(
        visit.sweep,
        visit.t,
        visit.l,
        tuple(((leaf.h, leaf.i), leaf.f_star) for leaf, _ in visit.expansions),
        tuple(
            Evaluated((node.h, node.i), instance.base_point(node), p, value)
            for (node, p), value in zip(visit.evaluations, values, strict=True)
        ),
    )


V = TypeVar("V")


def visits_of(
    run: Generator[V, Sequence[float], float], f: Callable[[V], list[float]]
) -> Iterator[tuple[V, list[float]]]:
    """Answer a run by f; yield each visit with its values, before the run has received them."""
    visit = next(run)
    while True:
        values = f(visit)
        yield visit, values
        try:
            visit = run.send(values)
        except StopIteration:
            return


class Recorder:
    """Drives a hunt with an oracle and writes down all that happens; `step` is one visit."""

    def __init__(self, instance: Instance, g: Oracle) -> None:
        self.instance, self.g = instance, g
        self.run: Hunt = hunt(instance.settings)
        self.visits: list[Visit] = []
        self.made = 0
        self.answer: float | None = None
        self.visit = next(self.run)

    def step(self) -> bool:
        """Answer the visit; return whether there is another one."""
        visit, instance = self.visit, self.instance
        values = []
        for node, p in visit.evaluations:
            self.made += 1
            values.append(self.g(self.made, instance.base_point(node), p))
        self.visits.append(in_words_of_the_definitions(visit, values, instance))
        assert self.made <= instance.v, "the budget is exceeded"
        assert len(self.visits) <= (instance.h_max + 1) * instance.v + 1, "the loop spins"
        try:
            self.visit = self.run.send(values)
        except StopIteration as end:
            self.answer = end.value
            return False
        return True

    def all(self) -> Run:
        """Run to the end."""
        while self.step():
            pass
        assert self.answer is not None
        tree = self.visit.tree
        leaves = {(leaf.h, leaf.i): leaf.f_star for leaf in tree.leaves()}
        assert len(leaves) == tree.leaf_count
        last = self.visits[-1]
        return Run(tuple(self.visits), self.answer, last.t, last.sweep, tree.depth, leaves)


def watch(instance: Instance, g: Oracle) -> Iterator[tuple[PackageVisit, list[PackageNode], int]]:
    """Yield each visit before it is answered, the leaves before it, and the evaluations left."""
    recorder, going = Recorder(instance, g), True
    while going:
        visit = recorder.visit
        yield visit, list(visit.tree.leaves()), instance.v - recorder.made
        going = recorder.step()


def name(node: PackageNode) -> tuple[int, int]:
    """Return (h, i)."""
    return node.h, node.i


def classes(leaves: Sequence[PackageNode], h: int) -> list[list[PackageNode]]:
    """Return the classes of equal norm at depth h, largest first, each by f* and then by i."""
    found: dict[int, list[PackageNode]] = {}
    for leaf in sorted(leaves, key=lambda leaf: (leaf.f_star, leaf.i)):
        if leaf.h == h:
            found.setdefault(leaf.nrm, []).append(leaf)
    return [found[norm] for norm in sorted(found, reverse=True)]


def package_run(instance: Instance, g: Oracle) -> Run:
    """Run the package on an instance."""
    return Recorder(instance, g).all()


def expansions_of_sweeps(run: Run) -> list[int]:
    """Return how many leaves each sweep expanded."""
    return [
        sum(len(visit.expansions) for visit in visits)
        for sweep, visits in groupby(run.visits, key=lambda visit: visit.sweep)
        if sweep
    ]
