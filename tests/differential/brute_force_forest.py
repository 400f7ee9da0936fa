"""The policy forest once more, straight from its rules F1-F8: slow, exact, and nothing shared.

Cells are products of intervals of Fractions, as in `brute_force`; the leaves are a dictionary
{(h, i): f*}; classes are sets made anew for every visit. Not one line of the package is used. At
which points another member than the trees evaluates is not known here, only how many there are. So
the oracle gets `local_point` for them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any

from paper.definitions import cell, center

Name = tuple[int, int]
"""(h, i)."""
Point = tuple[Fraction, ...]
Oracle = Callable[[int, Point, int], float]
"""Value of the k-th evaluation of the run, made at y with matrix p, Y = [-1, 1]^d."""
Event = tuple[object, ...]


def local_point(k: int, d: int) -> Point:
    """Return what stands for the point of evaluation k, one of a local search."""
    return tuple(Fraction((37 * k + j) % 101 - 50, 50) for j in range(d))


def base_point(node: Name, d: int, K: int) -> Point:
    """Return the center of the cell of (h, i), i taken within its tree."""
    return center(cell(node, d, K, Fraction(1)))


class Forest:
    """A run; `events` is all that happens, in order."""

    def __init__(
        self, g: Oracle, *, d: Sequence[int], K: int, h_max: int, v: int,
        refine: bool, evolve: bool, sample: bool,
    ) -> None:  # fmt: skip
        self.g, self.d, self.P, self.K, self.h_max, self.v = g, d, len(d), K, h_max, v
        self.start = 100 * self.P if h_max**2 <= 100 * self.P else 50 * self.P
        self.takes_part = {"refine": refine, "evolve": evolve, "sample": sample}
        self.events: list[Event] = []
        self.evolved: list[list[float]] = []  # the generations of the evolution strategy
        self.values: list[float] = []
        self.members: list[str] = []  # who made each evaluation: a tree's is "trees"
        self.by_tree: dict[int, list[tuple[float, int, Name]]] = {}  # (value, number, node)
        self.t = self.sweeps = 0
        self.grows = True

        zero = self.evaluate((0, 0))
        self.forest = {(0, q): zero for q in range(self.P)}
        self.searches = LocalSearches(d)
        while len(self.values) < v and (member := self.next()):
            match member:
                case "trees":
                    self.sweeps += 1
                    self.events.append(("sweep", self.sweeps, self.limit(self.forest)))
                    trees = self.swept()
                    self.grows = self.sweep(self.forest, trees) or len(trees) < self.P
                case "refine":
                    self.refine(zero)
                case "evolve":
                    age = sum(map(len, self.evolved))
                    self.evolved.append(self.generation(0, (0, 0), member, age, self.size()))
                case "sample":
                    self.generation(0, (0, 0), member, self.made("sample"), 1)
        depth = max(h for h, _ in self.forest)
        reason = "maxfun" if len(self.values) == v else "h_max"
        self.events.append(
            ("end", min(self.values), len(self.values), self.t, self.sweeps, depth,
             len(self.forest), reason)
        )  # fmt: skip

    def made(self, *members: str) -> int:
        return sum(member in members for member in self.members)

    def next(self) -> str:
        """Return whose turn it is, by rule F6; "" if the run is over."""
        part = self.takes_part
        if part["sample"] and self.made("sample") < Fraction(len(self.values), 32):
            return "sample"
        if part["evolve"] and not (self.grows and self.forest_is_next()):
            return "evolve"
        fewer = self.made("trees", "refine") < 4 * self.made("trees")
        if (
            self.grows
            and part["refine"]
            and all(q in self.by_tree for q in range(self.P))
            and fewer
        ):
            return "refine"
        return "trees" if self.grows else ""

    def forest_is_next(self) -> bool:
        """Whether the forest is next, of it and the strategy. Both made the first evaluation."""
        of = {
            member: [
                value for k, value in enumerate(self.values) if k == 0 or self.members[k] in of
            ]
            for member, of in {"forest": ("trees", "refine"), "strategy": ("evolve",)}.items()
        }
        a, b = len(of["forest"]), len(of["strategy"])
        N = a + b
        share = max(Fraction(N, 32), min(Fraction(N, 4), Fraction(N - self.start)))
        if a < share:
            return True
        if self.start >= N or b < Fraction(N, 4):
            return False
        return min(of["forest"][: min(a, b)]) <= min(of["strategy"][: min(a, b)])

    def generation(self, q: int, center: Any, mode: str, age: int, size: int) -> list[float]:
        """Evaluate points that belong to no tree, as many as the budget allows."""
        self.t += 1
        self.events += [("refine", q, center, mode, age), ("visit", self.t, 0)]
        values: list[float] = []
        while len(values) < size and len(self.values) < self.v:
            k = len(self.values) + 1
            values.append(self.g(k, local_point(k, 3), q + 1))
            self.values.append(values[-1])
            self.members.append("refine" if q else mode)
            self.events.append(("evaluate", 0, q, (), q + 1, values[-1]))
        return values

    def size(self) -> int:
        """Return the size of the next generation: twice as much after each restart."""
        size, least, failed = 12, math.inf, 0
        for generation in self.evolved:
            failed = 0 if min(generation) < least else failed + 1
            least = min(least, *generation)
            if failed == 30:
                size, least, failed = 2 * size, math.inf, 0
        return size

    def swept(self) -> list[int]:
        """Return the trees of the sweep: all, or in even sweeps those of one dimension, in turn."""
        turns = sorted(set(self.d)) * self.sweeps
        mine = turns[self.sweeps // 2 - 1]
        return [q for q in range(self.P) if self.sweeps % 2 == 1 or self.d[q] == mine]

    def limit(self, leaves: dict[Name, float]) -> int:
        return min(max(h for h, _ in leaves), self.h_max)

    def evaluate(self, node: Name) -> float:
        h, i = node
        q = i // self.K**h
        y = base_point(node, self.d[q], self.K)
        value = self.g(len(self.values) + 1, y, q + 1)
        self.values.append(value)
        self.members.append("trees")
        self.events.append(("evaluate", h, i, y, q + 1, value))
        if len(self.values) > 1:
            self.by_tree.setdefault(q, []).append((value, len(self.values), node))
        return value

    def classes(self, at: set[Name]) -> list[tuple[str, set[Name]]]:
        """Classes in their order, each with the name of its queue."""
        zero = {
            (h, i) for h, i in at if not any(base_point((h, i), self.d[i // self.K**h], self.K))
        }  # fmt: skip
        named = (("rest", at - zero), ("zero", zero))
        return [(queue, members) for queue, members in named if members]

    def sweep(self, leaves: dict[Name, float], trees: list[int]) -> bool:
        nu_min: dict[str, float] = {}
        expanded = False
        for l in range(self.limit(leaves) + 1):
            self.t += 1
            self.events.append(("visit", self.t, l))
            at = {(h, i) for h, i in leaves if h == l and i // self.K**h in trees}
            for queue, members in self.classes(at):
                least = min(leaves[node] for node in members)
                h, i = min(node for node in members if leaves[node] == least)
                if queue in nu_min and not least < nu_min[queue]:
                    continue
                nu_min[queue], expanded = least, True
                self.events.append(("expand", h, i, least))
                kept: dict[Name, float] = {}
                for digit in range(self.K):
                    child = (h + 1, self.K * i + digit)
                    if digit == self.K // 2:
                        kept[child] = least
                    elif len(self.values) < self.v:
                        kept[child] = self.evaluate(child)
                if len(kept) == self.K:
                    del leaves[h, i]
                    leaves.update(kept)
                if len(self.values) == self.v:
                    return expanded
        return expanded

    def refine(self, zero: float) -> None:
        """Evaluate the next generation of a local search."""
        starts: dict[int, Start] = {-1: (zero, (0, 0))}
        for q in range(self.P):
            value, _, node = min(self.by_tree[q])
            starts[q] = (value, node)
        q, center, mode, age = self.searches.next(starts)
        self.searches.made(self.generation(q, center, mode, age, 8))


Start = tuple[float, Any]
"""A point that was evaluated: its value, and a name for it."""


@dataclass(eq=False)
class LocalSearch:
    """A local search: number, name and value of its center, and its generations."""

    q: int
    d: int
    value_of_center: float
    center: Any
    generations: list[list[float]] = field(default_factory=list)

    def value(self, generations: int | None = None) -> float:
        """Return the least value of the center and the first generations."""
        return min([self.value_of_center, *chain(*self.generations[:generations])])

    def age(self, generations: int | None = None) -> int:
        return sum(map(len, self.generations[:generations]))

    def is_live(self) -> bool:
        """Whether the last 10 d evaluations, all after a generation that improved, are too few."""
        improved = [
            n for n in range(len(self.generations)) if self.value(n + 1) < self.value(n)
        ]  # fmt: skip
        return self.age() - self.age(improved[-1] + 1 if improved else 0) < 10 * self.d


class LocalSearches:
    """Rule F7 but for the points: which search is next, and what its values lead to."""

    def __init__(self, d: Sequence[int]) -> None:
        self.P, self.d = len(d), d
        self.asks: list[tuple[str, LocalSearch, int]] = []  # mode, search, evaluations
        self.begun: list[int] = []  # where local searches began: a tree of the forest, or -1
        self.round = 0  # how many had begun when diversify began its round of the starts
        self.searches: dict[int, LocalSearch] = {}  # by q, without those that are given up
        self.milestones: list[tuple[int, LocalSearch, float]] = []  # age, search, value, in order
        self.mode = ""

    def next(self, starts: dict[int, Start]) -> tuple[int, Any, str, int]:
        """Return number, center, mode and age; `starts` is for a new search."""
        spent = {"intensify": 0, "diversify": 0}
        for mode, _, evaluations in self.asks:
            spent[mode] += evaluations
        live = [search for search in self.ranked() if search.is_live()]
        if live and spent["intensify"] <= spent["diversify"]:
            self.mode, self.grows = "intensify", self.to_intensify(live, starts)
        else:
            self.mode, self.grows = "diversify", self.to_diversify(starts)
        return self.grows.q, self.grows.center, self.mode, self.grows.age()

    def ranked(self) -> list[LocalSearch]:
        ages = sorted((search.value(), q) for q, search in self.searches.items())
        return [self.searches[q] for _, q in ages]

    def to_intensify(self, live: list[LocalSearch], starts: dict[int, Start]) -> LocalSearch:
        value, tree = min((value, tree) for tree, (value, _) in starts.items() if tree >= 0)
        if all(value < search.value() for search in self.searches.values()):
            return self.new_search(tree, starts)
        return live[0]

    def to_diversify(self, starts: dict[int, Start]) -> LocalSearch:
        if self.begun:
            youngest = self.searches[self.P + len(self.begun) - 1]
            if youngest.is_live() and self.has_kept_up(youngest):
                return youngest
        left = set(starts).difference(self.begun[self.round :])
        if not left:
            left, self.round = set(starts), len(self.begun)
        _, tree = min((starts[tree][0], tree) for tree in left)
        return self.new_search(tree, starts)

    def has_kept_up(self, search: LocalSearch) -> bool:
        """Whether at each milestone fewer than half of those before were better."""
        for n, (age, who, value) in enumerate(self.milestones):
            before = [other for at, _, other in self.milestones[:n] if at == age]
            better = [other for other in before if other < value]
            if who is search and before and not len(better) < len(before) / 2:
                return False
        return True

    def new_search(self, tree: int, starts: dict[int, Start]) -> LocalSearch:
        """Begin a local search; of those there are, the P best stay."""
        best = self.ranked()[: self.P]
        self.searches = {q: search for q, search in self.searches.items() if search in best}
        q = self.P + len(self.begun)
        self.searches[q] = LocalSearch(q, self.d[max(0, tree)], *starts[tree])
        self.begun.append(tree)
        return self.searches[q]

    def made(self, values: list[float]) -> None:
        """Take the values of the generation."""
        search = self.grows
        before = search.age()
        search.generations.append(values)
        self.asks.append((self.mode, search, len(values)))
        milestone = 10 * search.d
        while milestone <= search.age():
            if before < milestone:
                self.milestones.append((milestone, search, search.value()))
            milestone *= 2
