"""Deliberate faults in the forest of the policy forest: each is one small change of forest.py."""

from typing import Any

from faults import Fault, broken, stopped

MODULES = ("settings", "node", "tree", "hunter", "forest")

FAULTS = [
    Fault("expand ties", "forest", "leaf.f_star < nu_min[queue]", "leaf.f_star <= nu_min[queue]"),
    Fault(
        "one nu_min for both queues",
        "forest",
        "queue = self.forest.queue(leaf) if plant is None else 1",
        "queue = 0",
    ),
    Fault(
        "the zero vector in the queue of the rest",
        "forest",
        "return 0 if self._zero_apart and leaf.nrm == 0 else 1",
        "return 1",
    ),
    Fault(
        "the zero vector in the class of the rest",
        "forest",
        "return 0 if self._zero_apart and node.nrm == 0 else 1",
        "return 1",
    ),
    Fault(
        "the zero vector first",
        "forest",
        "return 0 if self._zero_apart and node.nrm == 0 else 1",
        "return 2 if self._zero_apart and node.nrm == 0 else 1",
    ),
    Fault(
        "set nu_min once",
        "forest",
        "nu_min[queue] = leaf.f_star\n",
        "nu_min.setdefault(queue, leaf.f_star)\n",
    ),
    Fault("pass over a queue that is not open", "forest", "queues = 2 if", "queues = 1 if"),
    Fault(
        "skip by the least nu_min", "forest", "max(nu_min.values()) if", "min(nu_min.values()) if"
    ),
    Fault(
        "stop a depth early", "forest", "for l in range(limit + 1):", "for l in range(limit or 1):"
    ),
    Fault(
        "expand below h_max",
        "forest",
        "min(tree.depth, self.settings.h_max), False",
        "min(tree.depth, self.settings.h_max + 1), False",
    ),
    Fault(
        "begin an expansion without budget",
        "forest",
        "if len(wanted) >= self.left:",
        "if len(wanted) > self.left:",
    ),
    Fault(
        "add the children of a cut expansion", "forest", "[: len(visit.expansions) - cut]", ""
    ),
    Fault(
        "drop an expansion that just fits",
        "forest",
        "cut = len(wanted) > self.left",
        "cut = len(wanted) >= self.left",
    ),
    Fault(
        "evaluate the center", "forest", "for child in expansion.children if child is not center",
        "for child in expansion.children",
    ),
    Fault(
        "the matrix of the first tree for all",
        "forest",
        "p = tree_of(expansion.leaf, self.settings.K) + 1",
        "p = 1",
    ),
    Fault(
        "name a tree by its place", "forest", "node.i // K**node.h", "node.i // K ** (node.h + 1)"
    ),
    Fault("one tree", "forest", "P = settings.n_embeddings or 1", "P = 1"),
    Fault(
        "roots that do not know f(0)",
        "forest",
        "root.f_star, root.evaluations = zero.f_star, 1",
        "root.f_star, root.evaluations = zero.f_star + root.i, 1",
    ),
    Fault(
        "forget the evaluation of the zero vector",
        "forest",
        "self.left - 1, 1, 1",
        "self.left, 1, 1",
    ),
    Fault("norm classes always", "forest", "if self._by_norm:", "if True:"),
    Fault("norm classes never", "forest", "if self._by_norm:", "if False:"),
    Fault("sweep a full forest forever", "forest", "self.left == 0", "self.left < 0"),
    Fault("count only visits that expand", "forest", "self.t += 1\n", "self.t += bool(wanted)\n"),
]  # fmt: skip


def faulty(fault: Fault) -> tuple[Any, Any]:
    """Return `hunt_forest` and `Settings` of a copy of the core with this fault."""
    copies = broken(fault, MODULES)

    def hunt(settings: Any) -> Any:
        return stopped(copies["forest"].hunt_forest(settings), 20_000)

    return hunt, copies["settings"].Settings
