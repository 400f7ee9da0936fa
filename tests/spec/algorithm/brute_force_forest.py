"""The policy forest once more, straight from its rules F1-F8: slow, exact, and nothing shared.

Cells are products of intervals of Fractions; the leaves are a dictionary {(h, i): f*} for the
forest and one for the refinement tree; classes are sets made anew for every visit. Not one line of
the package is used.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Name = tuple[int, int]
"""(h, i)."""
Point = tuple[Fraction, ...]
Oracle = Callable[[int, int, Point], float]
"""Value of the k-th evaluation of the run, made with matrix p at y, Y = [-1, 1]^d."""
Event = tuple[object, ...]


def base_point(node: Name, d: int, K: int) -> Point:
    """Return the center of the cell of (h, i), i taken within its tree."""
    h, i = node
    digits = [i // K ** (h - 1 - level) % K for level in range(h)]
    box = [(Fraction(-1), Fraction(1))] * d
    for level, digit in enumerate(digits):
        low, high = box[level % d]
        width = (high - low) / K
        box[level % d] = (low + digit * width, low + (digit + 1) * width)
    return tuple((low + high) / 2 for low, high in box)


class Forest:
    """A run; `events` is all that happens, in order."""

    def __init__(
        self, g: Oracle, *, P: int, d: int, K: int, h_max: int, v: int,
        class_rule: str, separate_origin: bool, refine: bool,
    ) -> None:  # fmt: skip
        self.g, self.P, self.d, self.K, self.h_max, self.v = g, P, d, K, h_max, v
        self.class_rule, self.separate_origin, self.refine = class_rule, separate_origin, refine
        self.events: list[Event] = []
        self.values: list[float] = []
        self.by_tree: dict[int, list[tuple[float, int, Name]]] = {}  # (value, number, node)
        self.t = self.sweeps = 0

        zero = self.evaluate((0, 0))
        self.forest = {(0, q): zero for q in range(P)}
        refinement = self.refinement(zero)
        went_on = True
        while went_on and len(self.values) < v:
            self.sweeps += 1
            self.events.append(("sweep", self.sweeps, self.limit(self.forest)))
            went_on = self.sweep(self.forest, of_forest=True)
            while refine and went_on and len(self.values) < v:
                in_forest = 1 + sum(len(made) for q, made in self.by_tree.items() if q < P)
                if len(self.values) - in_forest >= in_forest or not self.all_begun():
                    break
                next(refinement)
        depth = max(h for h, _ in self.forest)
        reason = "maxfun" if len(self.values) == v else "h_max"
        self.events.append(
            ("end", min(self.values), len(self.values), self.t, self.sweeps, depth,
             len(self.forest), reason)
        )  # fmt: skip

    def all_begun(self) -> bool:
        return all(q in self.by_tree for q in range(self.P))

    def limit(self, leaves: dict[Name, float]) -> int:
        return min(max(h for h, _ in leaves), self.h_max)

    def evaluate(self, node: Name) -> float:
        h, i = node
        q, y = i // self.K**h, base_point(node, self.d, self.K)
        value = self.g(len(self.values) + 1, q + 1, y)
        self.values.append(value)
        self.events.append(("evaluate", h, i, y, q + 1, value))
        if len(self.values) > 1:
            self.by_tree.setdefault(q, []).append((value, len(self.values), node))
        return value

    def classes(self, at: set[Name], of_forest: bool) -> list[tuple[str, set[Name]]]:
        """Classes in their order, each with the name of its queue."""
        if not of_forest:
            return [("rest", at)] if at else []
        norms = {node: sum(c * c for c in base_point(node, self.d, self.K)) for node in at}
        if self.class_rule == "depth":
            apart = self.separate_origin
            norms = {node: Fraction(1 if norm or not apart else 0) for node, norm in norms.items()}
        queues = {
            norm: "zero" if self.separate_origin and norm == 0 else "rest"
            for norm in norms.values()
        }
        return [
            (queues[norm], {node for node in at if norms[node] == norm})
            for norm in sorted(queues, reverse=True)
        ]

    def sweep(self, leaves: dict[Name, float], *, of_forest: bool) -> bool:
        nu_min: dict[str, float] = {}
        expanded = False
        for l in range(self.limit(leaves) + 1):
            self.t += 1
            self.events.append(("visit", self.t, l))
            for queue, members in self.classes({x for x in leaves if x[0] == l}, of_forest):
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

    def refinement(self, zero: float) -> Iterator[None]:
        """Tree after tree, one sweep at a time."""
        searches = LocalSearches(self.P)
        while True:
            starts = {-1: (zero, (0, 0))}
            for q in range(self.P):
                value, _, node = min(self.by_tree[q])
                starts[q] = (value, node)
            q, value, center, radius = searches.next_tree(starts)
            leaves = {(0, q): value}
            made = self.by_tree.setdefault(q, [])
            alive = True
            while alive:
                self.events.append(("refine", q, center, radius, self.limit(leaves)))
                expanded = self.sweep(leaves, of_forest=False)
                alive = expanded and len(made) < 2 * (self.K - 1)
                yield
            searches.made([(value, node) for value, _, node in made])


Start = tuple[float, Any]
"""A point that was evaluated: its value, and a name for it."""


@dataclass(eq=False)
class LocalSearch:
    """A local search: its center with its value, and the radius of its next tree."""

    value: float
    center: Any
    radius: float = 0.4
    tree: tuple[float, ...] = ()
    """All values of its last tree, the center's first."""

    def stagnated(self) -> bool:
        if not self.tree:
            return False
        least, greatest = min(self.tree), max(self.tree)
        return greatest - least <= 0.01 * abs(least)


class LocalSearches:
    """Rule F7 but for the sweeps: which tree is next, and what a tree's values lead to."""

    def __init__(self, P: int) -> None:
        self.P = P
        self.trees: list[tuple[str, int]] = []  # the mode, and how many evaluations
        self.begun: list[int] = []  # where local searches began: a tree of the forest, or -1
        self.round = 0  # how many had begun when diversify began its round of the starts
        self.searches: dict[int, LocalSearch] = {}  # by age, without those that are given up
        self.shared = 0  # trees of intensify while the best local search had stagnated
        self.grows = LocalSearch(0.0, None)  # the one whose tree is alive
        self.mode = ""

    def next_tree(self, starts: dict[int, Start]) -> tuple[int, float, Any, float]:
        """Return number, value of the center, center and radius; `starts` is for a new search."""
        spent = {"intensify": 0, "diversify": 0}
        for mode, evaluations in self.trees:
            spent[mode] += evaluations
        live = [search for search in self.ranked() if search.radius >= 1e-14]
        if live and spent["intensify"] <= spent["diversify"]:
            self.mode, self.grows = "intensify", self.to_intensify(live, starts)
        else:
            self.mode, self.grows = "diversify", self.to_diversify(starts)
        q = self.P + len(self.trees)
        return q, self.grows.value, self.grows.center, self.grows.radius

    def ranked(self) -> list[LocalSearch]:
        ages = sorted((search.value, age) for age, search in self.searches.items())
        return [self.searches[age] for _, age in ages]

    def to_intensify(self, live: list[LocalSearch], starts: dict[int, Start]) -> LocalSearch:
        value, q = min((value, q) for q, (value, _) in starts.items() if q >= 0)
        if all(value < search.value for search in self.searches.values()):
            return self.new_search(q, starts)
        if live[0].stagnated():
            self.shared += 1
            moving = [search for search in live if not search.stagnated()]
            if self.shared % 2 == 1 and moving:
                return moving[0]
        return live[0]

    def to_diversify(self, starts: dict[int, Start]) -> LocalSearch:
        if self.begun and self.searches[len(self.begun) - 1].radius >= 0.01:
            return self.searches[len(self.begun) - 1]
        left = set(starts).difference(self.begun[self.round :])
        if not left:
            left, self.round = set(starts), len(self.begun)
        _, q = min((starts[q][0], q) for q in left)
        return self.new_search(q, starts)

    def new_search(self, q: int, starts: dict[int, Start]) -> LocalSearch:
        """Begin a local search; of those there are, the P best stay."""
        best = self.ranked()[: self.P]
        self.searches = {age: search for age, search in self.searches.items() if search in best}
        search = self.searches[len(self.begun)] = LocalSearch(*starts[q])
        self.begun.append(q)
        return search

    def made(self, evaluations: list[Start]) -> None:
        """Take all evaluations of the tree that was alive, in their order."""
        self.trees.append((self.mode, len(evaluations)))
        least = min(value for value, _ in evaluations)
        search = self.grows
        search.tree = (search.value, *(value for value, _ in evaluations))
        if least < search.value:
            search.center = next(name for value, name in evaluations if value == least)
            search.value, search.radius = least, min(search.radius * 1.25, 1.2)
        else:
            search.radius *= 0.6
