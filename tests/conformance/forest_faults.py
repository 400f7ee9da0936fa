"""Deliberate faults in the search of the policy forest: each is one small change of search.py."""

import inspect
from types import ModuleType
from typing import Any

from embedded_hunter.forest import search

FAULTS = {
    "expand ties": (
        "is_below(leaf.f_star, nu_min.get(queue))",
        "leaf.f_star <= nu_min.get(queue, math.inf)",
    ),
    "one nu_min for both queues": ("queue = tree.queue_of(leaf)", "queue = 0"),
    "the zero vector in the class of the rest": ("return int(node.nrm > 0)", "return 1"),
    "the zero vector first": ("return int(node.nrm > 0)", "return int(node.nrm == 0)"),
    "classes by norm": ("return int(node.nrm > 0)", "return node.nrm"),
    "all sweeps over all trees": ("if is_odd or len", "if True or len"),
    "even sweeps over all trees": ("if is_odd or len", "if not is_odd or len"),
    "the second dimension first": ("dimensions[(turn - 1) %", "dimensions[turn %"),
    "the first dimension only": ("dimensions[(turn - 1) %", "dimensions[0 * turn %"),
    "dimensions without a tree have sweeps": ("dimensions[: len(settings.trees)]", "dimensions[:]"),
    "the trees of the other dimensions": ("len(heap[0].c) == d", "len(heap[0].c) != d"),
    "of a class the trees of its first dimension": (
        "min([heap[0] for heap in heaps])",
        "heaps[0][0]",
    ),
    "end with a dimension": ("expanded or d is not None", "expanded"),
    "never end": ("expanded or d is not None", "True"),
    "set nu_min once": ("nu_min[queue] = leaf.f_star\n", "nu_min.setdefault(queue, leaf.f_star)\n"),
    "pass over a queue that is not open": ("len(nu_min) == 2", "len(nu_min) == 1"),
    "skip by the least nu_min": ("max(nu_min.values()) if", "min(nu_min.values()) if"),
    "stop a depth early": ("for l in range(limit + 1):", "for l in range(limit or 1):"),
    "expand below h_max": (
        "min(tree.depth, self.settings.h_max), False",
        "min(tree.depth, self.settings.h_max + 1), False",
    ),
    "begin an expansion without budget": (
        "if len(wanted) >= self.left:",
        "if len(wanted) > self.left:",
    ),
    "add the children of a cut expansion": ("[: len(visit.expansions) - cut]", ""),
    "drop an expansion that just fits": (
        "cut = len(wanted) > self.left",
        "cut = len(wanted) >= self.left",
    ),
    "evaluate the center": (
        "for child in expansion.children if child is not center",
        "for child in expansion.children",
    ),
    "the matrix of the first tree for all": (
        "tree = tree_of(expansion.leaf, self.settings.K)",
        "tree = 0",
    ),
    "name a tree by its place": ("node.i // K**node.h", "node.i // K ** (node.h + 1)"),
    "one tree": ("for q in range(len(trees))", "for q in range(1)"),
    "all trees in the first dimension": ("trees[q].d", "trees[0].d"),
    "roots that do not know f(0)": (
        "root.f_star, root.evaluations = zero.f_star, 1",
        "root.f_star, root.evaluations = zero.f_star + root.i, 1",
    ),
    "forget the evaluation of the zero vector": (
        "self._count(first, values)\n",
        "self._count(first, values)\n        self.left += 1\n",
    ),
    "sweep a full forest forever": ("self.left == 0", "self.left < 0"),
    "count only visits that expand": ("self.t + 1\n", "self.t + bool(values)\n"),
}
"""For each fault the only occurrence of a text in the module, and what takes its place."""


def faulty(fault: str) -> Any:
    """Return `hunt_forest` of a copy of the module with this fault."""
    source = inspect.getsource(search)
    old, new = FAULTS[fault]
    assert source.count(old) == 1, f"{fault}: {old!r} is not unique"
    module = ModuleType(search.__name__)
    exec(compile(source.replace(old, new), "faulty_search", "exec"), module.__dict__)
    return lambda settings: stopped(module.hunt_forest(settings), 20_000)


class Runaway(Exception):
    """A faulty run that does not end."""


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
