"""The Rocq program as an oracle: what the search holds in its heaps, visit by visit.

`extracted/program_model.txt` is the program of proofs/program/Program.v, in Python; see
`oracle` for how it computes. The program takes any priority queue; here it is Python's `heapq`. So
its heaps can be compared with those of the package element by element.
"""

import heapq
import math
import operator
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from unittest.mock import patch

from oracle import Instance, Name, Objective, copy_of, deep_recursion, listed, load

Leaf = tuple[int, int, tuple[int, ...], int, float, int]
"""h, i, the numerators, the norm, f* and the number of evaluations."""


@dataclass(frozen=True)
class Level:
    """The leaves of a depth as the search holds them."""

    heaps: list[tuple[int, list[Leaf]]]
    """The heaps as arrays, by falling norm."""
    least: float
    """The least f*: what the level has kept, or what it would compute."""
    is_listed: bool
    """Whether the level keeps the list of its heaps."""


@dataclass(frozen=True)
class Look:
    """What a search holds when it asks for the classes of depth l."""

    l: int
    levels: list[Level]
    leaves: int


@dataclass(frozen=True)
class Course:
    """All looks of a run, and its end."""

    looks: list[Look]
    levels: list[Level]
    answer: float
    evaluations: int
    t: int
    sweeps: int


class Ordered:
    """A leaf of the program, ordered as the program orders them."""

    def __init__(self, leaf: Any, model: ModuleType) -> None:
        self.leaf, self._model = leaf, model

    def __lt__(self, other: "Ordered") -> bool:
        before: bool = self._model.before(operator.lt, self.leaf, other.leaf)
        return before


def load_program() -> ModuleType:
    """Return a new copy of the program, which imports a copy of the model of Algorithm 1."""
    with patch.dict(sys.modules, {"model": load()}):
        return copy_of("program_model")


def run(instance: Instance, g: Objective) -> Course:
    """Run the program."""
    model = load_program()

    def push(leaf: Any, heap: tuple[Ordered, ...]) -> tuple[Ordered, ...]:
        grown = list(heap)
        heapq.heappush(grown, Ordered(leaf, model))
        return tuple(grown)

    def first(heap: tuple[Ordered, ...]) -> tuple[Any] | None:
        return (heap[0].leaf,) if heap else None

    def pop(heap: tuple[Ordered, ...]) -> tuple[Ordered, ...]:
        rest = list(heap)
        heapq.heappop(rest)
        return tuple(rest)

    def contents(heap: tuple[Ordered, ...]) -> Any:
        raise AssertionError("the program asks for the first leaf alone")

    looks: list[Look] = []
    visit_depth = model.visit_depth

    def watched(*arguments: Any) -> Any:
        *_, l, state = arguments
        tree = state[0]
        looks.append(Look(l, levels_of(tree), tree[1]))
        return visit_depth(*arguments)

    config = (
        *(instance.K // 2, instance.d, instance.h_max, instance.v),
        *instance.cap.as_integer_ratio(),
    )

    def value(path: Any, p: int) -> float:
        return g(name_of(path, model, instance.K), p)

    queues = ((), push, first, pop, contents)
    with deep_recursion(), patch.object(model, "visit_depth", watched):
        end = model.run(math.inf, operator.lt, value, config, queues)
    tree, _, answer, left, t, sweeps, *_ = end
    return Course(looks, levels_of(tree), answer, instance.v - left, t, sweeps)


def name_of(path: Any, model: ModuleType, K: int) -> Name:
    """Node (h, i) of a path of digits."""
    return len(listed(path)), model.index(K // 2, path)


def levels_of(tree: Any) -> list[Level]:
    """The levels of a tree of the program."""
    levels = []
    for heaps, snapshot, least in listed(tree[0]):
        arrays = [(norm, [leaf_of(one.leaf) for one in heap]) for norm, heap in listed(heaps)]
        kept = least_of(arrays) if least is None else least[0]
        levels.append(Level(arrays, kept, snapshot is not None))
    return levels


def least_of(heaps: list[tuple[int, list[Leaf]]]) -> float:
    """The least f* of the first leaves of heaps, +inf without heaps."""
    return min((heap[0][4] for _, heap in heaps), default=math.inf)


def leaf_of(entry: Any) -> Leaf:
    """A leaf of the program."""
    h, i, c, nrm, f_star, past = entry
    return h, i, tuple(listed(c)), nrm, f_star, past
