"""Deliberate faults in the forest of the policy forest: each is one small change of search.py."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple


class Fault(NamedTuple):
    """Replace the only occurrence of `old` in a module by `new`."""

    name: str
    module: str
    old: str
    new: str


MODULES = (
    *("settings", "node", "tree", "hunter"),
    *(
        "forest.settings",
        "forest.constants",
        "forest.model",
        "forest.local_search",
        "forest.refinement",
        "forest.evolution",
    ),
    "forest.search",
)

SEARCH = "forest.search"

FAULTS = [
    Fault("expand ties", SEARCH, "leaf.f_star < nu_min[queue]", "leaf.f_star <= nu_min[queue]"),
    Fault(
        "one nu_min for both queues", SEARCH, "queue = tree.queue_of(leaf)", "queue = 0"
    ),
    Fault(
        "the zero vector in the class of the rest", SEARCH, "return int(node.nrm > 0)", "return 1"
    ),
    Fault(
        "the zero vector first", SEARCH, "return int(node.nrm > 0)", "return int(node.nrm == 0)"
    ),
    Fault("classes by norm", SEARCH, "return int(node.nrm > 0)", "return node.nrm"),
    Fault(
        "set nu_min once",
        SEARCH,
        "nu_min[queue] = leaf.f_star\n",
        "nu_min.setdefault(queue, leaf.f_star)\n",
    ),
    Fault("pass over a queue that is not open", SEARCH, "len(nu_min) == 2", "len(nu_min) == 1"),
    Fault(
        "skip by the least nu_min", SEARCH, "max(nu_min.values()) if", "min(nu_min.values()) if"
    ),
    Fault(
        "stop a depth early", SEARCH, "for l in range(limit + 1):", "for l in range(limit or 1):"
    ),
    Fault(
        "expand below h_max",
        SEARCH,
        "min(tree.depth, self.settings.h_max), False",
        "min(tree.depth, self.settings.h_max + 1), False",
    ),
    Fault(
        "begin an expansion without budget",
        SEARCH,
        "if len(wanted) >= self.left:",
        "if len(wanted) > self.left:",
    ),
    Fault(
        "add the children of a cut expansion", SEARCH, "[: len(visit.expansions) - cut]", ""
    ),
    Fault(
        "drop an expansion that just fits",
        SEARCH,
        "cut = len(wanted) > self.left",
        "cut = len(wanted) >= self.left",
    ),
    Fault(
        "evaluate the center", SEARCH, "for child in expansion.children if child is not center",
        "for child in expansion.children",
    ),
    Fault(
        "the matrix of the first tree for all",
        SEARCH,
        "p = tree_of(expansion.leaf, self.settings.K) + 1",
        "p = 1",
    ),
    Fault(
        "name a tree by its place", SEARCH, "node.i // K**node.h", "node.i // K ** (node.h + 1)"
    ),
    Fault("one tree", SEARCH, "for q in range(len(trees))", "for q in range(1)"),
    Fault("all trees in the first dimension", SEARCH, "trees[q].d", "trees[0].d"),
    Fault(
        "roots that do not know f(0)",
        SEARCH,
        "root.f_star, root.evaluations = zero.f_star, 1",
        "root.f_star, root.evaluations = zero.f_star + root.i, 1",
    ),
    Fault(
        "forget the evaluation of the zero vector",
        SEARCH,
        "self._count(first, values)\n",
        "self._count(first, values)\n        self.left += 1\n",
    ),
    Fault("sweep a full forest forever", SEARCH, "self.left == 0", "self.left < 0"),
    Fault("count only visits that expand", SEARCH, "self.t + 1\n", "self.t + bool(values)\n"),
]  # fmt: skip


def faulty(fault: Fault) -> tuple[Any, Any]:
    """Return `hunt_forest` and `ForestSettings` of a copy of the core with this fault."""
    copies = broken(fault, MODULES)

    def hunt(settings: Any) -> Any:
        return stopped(copies["forest.search"].hunt_forest(settings), 20_000)

    return hunt, copies["forest.settings"].ForestSettings


class Runaway(Exception):
    """A faulty run that does not end."""


def broken(fault: Fault, modules: Sequence[str]) -> dict[str, ModuleType]:
    """Return copies of some modules, each using the others' copies, one of them with the fault."""
    saved: dict[str, ModuleType] = {}
    copies: dict[str, ModuleType] = {}
    try:
        for module in modules:
            name = f"embedded_hunter.{module}"
            spec = find_spec(name)
            assert spec is not None
            assert spec.origin is not None
            source = Path(spec.origin).read_text(encoding="utf-8")
            if module == fault.module:
                assert source.count(fault.old) == 1, f"{fault.name}: {fault.old!r} is not unique"
                source = source.replace(fault.old, fault.new)
            saved[name] = sys.modules[name]
            copy = module_from_spec(spec)
            copies[module] = sys.modules[name] = copy
            exec(compile(source, spec.origin, "exec"), copy.__dict__)
    finally:
        sys.modules.update(saved)
    return copies


def stopped(run: Any, visits: int) -> Any:
    """Pass a run on, raising `Runaway` after so many visits."""
    visit = next(run)
    for _ in range(visits):
        values = yield visit
        try:
            visit = run.send(values)
        except StopIteration as end:
            return end.value
    raise Runaway
