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
        self, g: Oracle, *, d: Sequence[int], K: int, h_max: int, v: int, n: int,
        refine: bool, evolve: bool, sample: bool, batch: int,
    ) -> None:  # fmt: skip
        self.g, self.d, self.P, self.K, self.h_max, self.v = g, d, len(d), K, h_max, v
        self.n, self.B = n, batch
        self.start = 100 * self.P if h_max**2 <= 100 * self.P else 50 * self.P
        self.takes_part = {"refine": refine, "evolve": evolve, "sample": sample}
        self.events: list[Event] = []
        self.evolved: list[list[float]] = []  # the generations of the evolution strategy
        self.values: list[float] = []
        self.known = 1  # how many values are known: all before this batch
        self.members: list[str] = []  # who made each evaluation: a tree's is "trees"
        self.by_tree: dict[int, list[tuple[float, int, Name]]] = {}  # (value, number, node)
        self.t = self.sweeps = 0
        self.depths: list[int] = []  # still to be visited in this sweep
        self.grows = True

        self.zero = self.evaluate((0, 0))
        self.forest = {(0, q): self.zero for q in range(self.P)}
        self.searches = LocalSearches(d)
        while len(self.values) < v and self.visits_at_once():
            self.known = len(self.values)
            self.searches.tell()
        depth = max(h for h, _ in self.forest)
        reason = "maxfun" if len(self.values) == v else "h_max"
        self.events.append(
            ("end", min(self.values), len(self.values), self.t, self.sweeps, depth,
             len(self.forest), reason)
        )  # fmt: skip

    def visits_at_once(self) -> list[str]:
        """Make the visits of a batch, or one; return whose they are, none if the run is over."""
        done: list[str] = []
        free = self.B
        while free > 0 and len(self.values) < self.v:
            members = self.next()
            if done:
                members = [member for member in members if self.most(member, done) > 0]
                fit = [member for member in members if self.most(member, done) <= free]
                members = fit if fit or free <= self.B / 4 else members
            if not members:
                break
            before = len(self.values)
            self.visit(members[0])
            done.append(members[0])
            free -= max(1, len(self.values) - before)
        return done

    def most(self, member: str, done: list[str]) -> int:
        """Return how many points the next visit may have; 0 if it waits for values."""
        at_once = {"trees": 1, "evolve": 1, "refine": 2, "sample": self.B}
        sizes = {"trees": 2 * self.K - 2, "evolve": self.size(), "refine": 8, "sample": 1}
        return sizes[member] if done.count(member) < at_once[member] else 0

    def visit(self, member: str) -> None:
        self.t += 1
        match member:
            case "trees":
                self.sweep()
            case "refine":
                self.refine()
            case "evolve":
                age = sum(map(len, self.evolved))
                self.evolved.append(self.generation(0, (0, 0), member, age, self.size()))
            case "sample":
                self.generation(0, (0, 0), member, self.made("sample"), 1)

    def made(self, *members: str) -> int:
        return sum(member in members for member in self.members)

    def next(self) -> list[str]:
        """Return the members in the order in which they may have the next turn, by rule F6."""
        part = self.takes_part
        trees = ["trees"] * self.grows
        begun = {q for q, found in self.by_tree.items() if found[0][1] <= self.known}
        if self.grows and part["refine"] and len(begun) == self.P:
            local_is_next = self.made("trees", "refine") < 4 * self.made("trees")
            trees = ["refine", "trees"] if local_is_next else ["trees", "refine"]
        strategy = ["evolve"] * part["evolve"]
        members = trees + strategy if self.forest_is_next() else strategy + trees
        if part["sample"] and self.made("sample") < Fraction(len(self.values), 32):
            members = ["sample", *members]
        return ["trees", *members] if self.depths else members

    def forest_is_next(self) -> bool:
        """Whether the forest is next, of it and the strategy. Both made the first evaluation."""
        forest, strategy = self.made("trees", "refine"), 1 + self.made("evolve")
        N = forest + strategy
        share = max(Fraction(N, 32), min(Fraction(N, 4), Fraction(N - self.start)))
        if forest < share:
            return True
        if self.start >= N or strategy < Fraction(N, 4):
            return False
        of_forest, of_strategy = self.known_of("trees", "refine"), self.known_of("evolve")
        fewer = min(len(of_forest), len(of_strategy))
        return min(of_forest[:fewer]) <= min(of_strategy[:fewer])

    def known_of(self, *members: str) -> list[float]:
        """Return the known values of some members, and that of the zero vector."""
        known = zip(self.values[1 : self.known], self.members[1:], strict=False)
        return [self.zero, *(value for value, member in known if member in members)]

    def generation(self, q: int, center: Any, mode: str, age: int, size: int) -> list[float]:
        """Evaluate points that belong to no tree, as many as the budget allows."""
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
        planned = min(24, self.h_max // 4 // 2 * 2) if self.n > 40 else 0
        size, damping = max(12, planned, 3 * self.B // 8 * 2), 1
        last: list[float] = []
        least, failed, sigma, success = math.inf, 0, 1.0, 0.0  # the first sigma is the unit
        for generation in self.evolved:
            if last:
                old = sorted(last)[int(0.3 * size)]
                better = sum((y < old) + (y == old) / 2 for y in generation)
                success += 0.3 * (2 * better / size - 1 - success)
                sigma *= round(2**18 * math.exp(success / damping)) / 2**18
            failed = 0 if min(generation) < least else failed + 1
            last, least = generation, min(least, *generation)
            collapsed = self.n > 40 and sigma < 2**-24
            if collapsed or failed == 30:
                damping = 4 if collapsed else damping
                size, last, least, failed, sigma, success = 2 * size, [], math.inf, 0, 1.0, 0.0
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

    def sweep(self) -> None:
        """Make the next visit of the sweep, or the first one of a new sweep."""
        leaves = self.forest
        if not self.depths:
            self.sweeps += 1
            self.depths = list(range(self.limit(leaves) + 1))
            self.nu_min: dict[str, float] = {}
            self.expanded = False
            self.events.append(("sweep", self.sweeps, self.depths[-1]))
        trees, l = self.swept(), self.depths.pop(0)
        self.events.append(("visit", self.t, l))
        at = {(h, i) for h, i in leaves if h == l and i // self.K**h in trees}
        for queue, members in self.classes(at):
            least = min(leaves[node] for node in members)
            h, i = min(node for node in members if leaves[node] == least)
            if queue in self.nu_min and not least < self.nu_min[queue]:
                continue
            self.nu_min[queue], self.expanded = least, True
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
                return
        self.grows = bool(self.depths) or self.expanded or len(trees) < self.P

    def refine(self) -> None:
        """Evaluate the next generation of a local search."""
        starts: dict[int, Start] = {-1: (self.zero, (0, 0))}
        for q in range(self.P):
            known = [found for found in self.by_tree[q] if found[1] <= self.known]
            value, _, node = min(known)
            starts[q] = (value, node)
        search = self.searches.next(starts)
        values = self.generation(search.q, search.center, "refine", search.age(), 8)
        self.searches.told.append((search, values))


Start = tuple[float, Any]
"""A point that was evaluated: its value, and a name for it."""


@dataclass(eq=False)
class LocalSearch:
    """A local search: number, tree, dimension, value and name of its center, and its values."""

    q: int
    tree: int
    d: int
    value_of_center: float
    center: Any
    generations: list[list[float]] = field(default_factory=list)

    def age(self) -> int:
        return sum(map(len, self.generations))

    def is_live(self) -> bool:
        """Whether the last 10 d evaluations, all after a generation that improved, are too few."""
        least, unimproved = self.value_of_center, 0
        for values in self.generations:
            unimproved = 0 if min(values) < least else unimproved + len(values)
            least = min(least, *values)
        return unimproved < 10 * self.d


class LocalSearches:
    """Rule F7 but for the points: which search is next, and where one begins."""

    def __init__(self, d: Sequence[int]) -> None:
        self.d = d
        self.begun: list[LocalSearch] = []
        self.round = 0  # how many had begun when this round of the starts began
        self.told: list[tuple[LocalSearch, list[float]]] = []  # values that are not known yet

    def next(self, starts: dict[int, Start]) -> LocalSearch:
        """Return the youngest live search that waits for no values; `starts` is for a new one."""
        waiting = [search for search, _ in self.told]
        live = [search for search in self.begun if search.is_live() and search not in waiting]
        return live[-1] if live else self.new_search(starts)

    def new_search(self, starts: dict[int, Start]) -> LocalSearch:
        left = set(starts).difference(search.tree for search in self.begun[self.round :])
        if not left:
            left, self.round = set(starts), len(self.begun)
        _, tree = min((starts[tree][0], tree) for tree in left)
        q = len(self.d) + len(self.begun)
        self.begun.append(LocalSearch(q, tree, self.d[max(0, tree)], *starts[tree]))
        return self.begun[-1]

    def tell(self) -> None:
        """Make the values known."""
        for search, values in self.told:
            search.generations.append(values)
        self.told.clear()
