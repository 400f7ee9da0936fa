"""The package's tree against the program of the proofs: equal heaps before every visit.

`test_differential` compares what happens in a run. Here what the search holds is compared: the
heaps of each depth as arrays, the least f*, and whether the list of heaps is kept.
"""

# ruff: noqa: SLF001 -- what a tree holds is private
import inspect
from collections.abc import Iterator
from functools import cache
from types import ModuleType

import instances
import package
import program_oracle
import pytest
from program_oracle import Course, Leaf, Level, Look, least_of

from embedded_hunter import hunter, tree
from embedded_hunter.node import Node

COUNT = 100


@cache
def by_the_program(seed: int) -> Course:
    instance, _, _, g = instances.instance(seed)
    return program_oracle.run(instance, g)


def by_the_package(seed: int, module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Course:
    """Run the package on the tree of a module."""
    instance, eta, M, g = instances.instance(seed)
    looks: list[Look] = []
    ends: list[list[Level]] = []

    class Watched(module.Tree):  # type: ignore[misc, name-defined]
        def least(self, h: int) -> float:
            looks.append(Look(h, levels_of(self), self.leaf_count))
            found: float = super().least(h)
            return found

        def leaves(self) -> Iterator[Node]:
            ends.append(levels_of(self))
            found: Iterator[Node] = super().leaves()
            return found

    monkeypatch.setattr(hunter, "Tree", Watched)
    trace = package.run(package.settings_of(instance, eta, M), g)
    return Course(looks, ends[0], trace.answer, trace.evaluations, trace.t + 1, trace.sweeps)


def levels_of(leaves: tree.Tree) -> list[Level]:
    """What a tree holds."""
    levels = []
    for level in leaves._levels:
        norms = sorted(level._heaps, reverse=True)
        assert norms == level._norms[::-1]
        heaps = [(nrm, [leaf_of(node) for node in level._heaps[nrm]]) for nrm in norms]
        least = least_of(heaps) if level._least is None else level._least
        levels.append(Level(heaps, least, level._snapshot is not None))
    return levels


def leaf_of(node: Node) -> Leaf:
    return node.h, node.i, node.c, node.nrm, node.f_star, node.evaluations


@pytest.mark.claim("heaps-change-nothing", "nan-and-inf", "ties-least-index", "batch-equivalence")
def test_the_tree_holds_what_the_program_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(COUNT):
        assert by_the_package(seed, tree, monkeypatch) == by_the_program(seed), f"seed {seed}"


def test_the_instances_reach_what_a_tree_keeps() -> None:
    levels = [
        level
        for seed in range(COUNT)
        for look in by_the_program(seed).looks
        for level in look.levels
    ]
    infinite = sum(level.least == float("inf") and level.heaps != [] for level in levels)
    deep = sum(len(heap) > 3 for level in levels for _, heap in level.heaps)
    several = sum(len(level.heaps) > 2 for level in levels)
    kept = sum(level.is_listed for level in levels)
    assert min(infinite, deep, several, kept) >= 100


FAULTS = {
    "the least f* is kept when its leaf goes": (
        "heappop(heap).f_star == self._least",
        "not heappop(heap)",
    ),
    "a new least f* is not noticed": ("node.f_star < self._least", "node.f_star > self._least"),
    "sorted lists in the place of heaps": ("heappush(heap, node)", "insort(heap, node)"),
    "the list of heaps is never kept": ("self._snapshot = [self._heaps", "return [self._heaps"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_tree_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = inspect.getsource(tree)
    old, new = FAULTS[fault]
    assert source.count(old) == 1
    module = ModuleType("faulty_tree")
    exec(compile(source.replace(old, new), "faulty_tree", "exec"), module.__dict__)
    for seed in range(COUNT):
        try:
            if by_the_package(seed, module, monkeypatch) != by_the_program(seed):
                return
        except (AttributeError, IndexError):  # a crash is a difference, too
            return
    pytest.fail(f"{COUNT} instances do not tell: {fault}")
