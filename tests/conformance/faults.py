"""Deliberate faults in the core: each is one small change of node, tree, hunter or settings."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

MODULES = ("settings", "node", "tree", "hunter")


class Fault(NamedTuple):
    """Replace the only occurrence of `old` in a module by `new`."""

    name: str
    module: str
    old: str
    new: str


FAULTS = [
    Fault("expand ties", "hunter", "leaf.f_star < nu_min:", "leaf.f_star <= nu_min:"),
    Fault("stop a depth early", "hunter", "min(tree.depth, h_max) + 1)", "min(tree.depth, h_max))"),
    Fault("expand below h_max", "hunter", "min(tree.depth, h_max)", "min(tree.depth, h_max + 1)"),
    Fault(
        "re-read the loop bound",
        "hunter",
        "in range(min(tree.depth, h_max) + 1):",
        "in (k for k in range(h_max + 1) if k <= tree.depth):",
    ),
    Fault("forget the root's evaluation", "hunter", "= v - 1, True", "= v, True"),
    Fault("begin an expansion without budget", "hunter", "ations) >= left", "ations) > left"),
    Fault(
        "add the children of a cut expansion",
        "hunter",
        " = visit.expansions[:-1]",
        " = visit.expansions",
    ),
    Fault(
        "drop an expansion that just fits",
        "hunter",
        "len(visit.evaluations) > left",
        "len(visit.evaluations) >= left",
    ),
    Fault(
        "keep nu_min from sweep to sweep",
        "hunter",
        "nu_min, sweep, expanded = None,",
        "nu_min, sweep, expanded = (None if sweep == 0 else nu_min),",
    ),
    Fault(
        "set nu_min once",
        "hunter",
        "nu_min = leaf.f_star ",
        "nu_min = leaf.f_star if nu_min is None else nu_min ",
    ),
    Fault("count only visits that expand", "hunter", "t += 1", "t += bool(visit.expansions)"),
    Fault("sweep a full tree forever", "hunter", "left > 0 and expanded:", "left > 0:"),
    Fault("stop after a sweep", "hunter", "ations), True", "ations), False"),
    Fault("call every visit the first", "hunter", "child.evaluations + 1)", "1)"),
    Fault("return the last value", "hunter", "best = min(best, value)", "best = value"),
    Fault("overwrite f*", "hunter", "= min(node.f_star, value)", "= value"),
    Fault("forget past evaluations", "hunter", "node.evaluations += 1", "node.evaluations = 1"),
    Fault("break ties by the greatest i", "node", "self.i < other.i", "self.i > other.i"),
    Fault(
        "take the worst leaf", "node", "self.f_star < other.f_star", "self.f_star > other.f_star"
    ),
    Fault("split the next coordinate", "node", "j = h % len(c)", "j = (h + 1) % len(c)"),
    Fault("cap strictly", "node", "past * cap.denominator <=", "past * cap.denominator <"),
    Fault("cap at the norm squared", "node", "node.evaluations**2 *", "node.evaluations *"),
    Fault("evaluate the center always", "node", "if node.evaluations == 0:", "if True:"),
    Fault("give the center no past", "node", "nodes[center].evaluations =", "_ ="),
    Fault("give the center no f*", "node", "nodes[center].f_star =", "_ ="),
    Fault("forget the finer denominator", "node", "parent.nrm * K * K if j == 0 else", "0 or"),
    Fault("refine at every depth", "node", "if j == 0 else parent.nrm)", ")"),
    Fault("mirror the cells", "node", "at + digit - center", "at + center - digit"),
    Fault("number children backwards", "node", "* parent.i + digit", "* parent.i + K - 1 - digit"),
    Fault("keep the old coordinate's norm", "node", " - at * at", ""),
    Fault("one class for all norms", "node", "nrm = others + numerator * numerator", "nrm = 0"),
    Fault("visit small norms first", "tree", "in reversed(self._norms)", "in self._norms"),
    Fault(
        "remember vanished leaves",
        "tree",
        "_norms, nrm)]\n        self._snapshot = None",
        "_norms, nrm)]",
    ),
    Fault(
        "skip too much",
        "tree",
        "level.least() < below else",
        "level.least() < below - 1 else",
    ),
    Fault(
        "keep the parent as a leaf",
        "tree",
        "self._levels[leaf.h].remove_least(self.class_of(leaf))",
        "pass",
    ),
    Fault("measure Y by its radius", "settings", "(self.side * exact", "(self.radius * exact"),
]


class Runaway(Exception):
    """A faulty run that does not end."""


def faulty(fault: Fault) -> tuple[Any, Any]:
    """Return `hunt` and `Settings` of a copy of the core with this fault."""
    copies = broken(fault, MODULES)

    def hunt(settings: Any) -> Any:
        return stopped(copies["hunter"].hunt(settings), 20_000)

    return hunt, copies["settings"].Settings


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
