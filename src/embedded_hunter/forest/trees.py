"""The trees of the policy ``forest``, a member of `search`: rules F1 to F5."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from embedded_hunter.forest.requests import Ask, Request, TreePoint
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.hunter import Expansion, is_below
from embedded_hunter.node import Node, children
from embedded_hunter.tree import Tree


class Forest(Tree):
    """The leaves of all P trees. Each class has one list for each dimension.

    The study of the defaults has other classes and queues than rule F5.
    """

    def class_of(self, node: Node) -> tuple[int, int]:
        """Return the name of a leaf's list: its class, and the dimension of its tree."""
        return self.rank_of(node), len(node.c)

    def rank_of(self, node: Node) -> int:
        """Return the rank of a leaf's class: 0 for a leaf of the zero vector, 1 for another one."""
        return int(node.nrm > 0)

    def queue_of(self, leaf: Node) -> int:
        """Return the queue of a leaf, 0 or 1. A queue is one class of each depth."""
        return self.rank_of(leaf)

    def classes(self, h: int, d: int | None) -> list[list[list[Node]]]:
        """Return the classes of depth h in their order, each as its lists of leaves.

        Of the trees of dimension d alone, unless d is None.
        """
        classes: dict[int, list[list[Node]]] = {}
        for leaves in self.norm_classes(h):
            if d is None or len(leaves[0].c) == d:
                classes.setdefault(self.rank_of(leaves[0]), []).append(leaves)
        return list(classes.values())


def tree_of(node: Node, K: int) -> int:
    """Return the number of the tree that a node belongs to."""
    return int(node.i // K**node.h)


def swept_dimension(sweep: int, settings: ForestSettings) -> int | None:
    """Return the dimension of the trees that a sweep ranges over, None for all trees (rule F4)."""
    dimensions = settings.dimensions[: len(settings.trees)]  # the others have no tree
    turn, is_odd = divmod(sweep, 2)
    if is_odd or len(dimensions) == 1:
        return None
    return dimensions[(turn - 1) % len(dimensions)]


@dataclass(slots=True)
class ForestVisit:
    """A visit of the forest, or a generation of another member; see `hunter.Visit`."""

    tree: Forest
    """The leaves of all trees."""
    sweep: int = 0
    t: int = 0
    l: int = 0
    expansions: list[Expansion] = field(default_factory=list)
    evaluations: list[Request] = field(default_factory=list)
    local: Ask | None = None
    """The generation that this visit is, if it is one."""
    d: int | None = None
    """The dimension of the trees that its sweep ranges over; None: of all trees."""
    uniform: int = 0
    """The number of uniform points up to this visit."""
    sure: int = 0
    """A number of uniform points that the run has at its end, whatever its values."""
    parts: list["ForestVisit"] = field(default_factory=list)
    """The visits of a batch, if this one stands for several."""

    def cut(self, left: int) -> None:
        """Keep the first evaluations, as many as are left of the budget, and their expansions."""
        if self.expansions and left < len(self.evaluations):
            of_each = len(self.evaluations) // len(self.expansions)
            del self.expansions[-(-left // of_each) :]
        del self.evaluations[left:]


class Trees:
    """Sweep the forest, visit by visit.

    Attributes
    ----------
    forest
        The leaves.
    zero
        The zero vector: the root of the first tree.
    found
        The best evaluation of each tree, once it has had one besides the zero vector.
    sweep, in_sweep
        The number of the sweep, and whether another visit of it follows.
    grow
        Whether there is a further visit: the last sweep is still to come.
    """

    def __init__(self, settings: ForestSettings, forest: Forest) -> None:
        self._settings, self.forest = settings, forest
        self._roots = [Node(0, q, (0,) * space.d, 0) for q, space in enumerate(settings.trees)]
        self.zero = TreePoint(self._roots[0], 0)
        self.found: dict[int, Node] = {}
        self.sweep, self.in_sweep, self.grow = 0, False, True
        self._sweeps = self._visits()
        self._visit, self._waits = ForestVisit(forest), False

    @property
    def most(self) -> int:
        """The greatest number of evaluations of a visit; 0 if one waits for its values."""
        return 0 if self._waits else 2 * (self._settings.K - 1)

    @property
    def all_begun(self) -> bool:
        """Whether each tree has had an evaluation besides the zero vector."""
        return len(self.found) == len(self._roots)

    def begin(self, value: float) -> None:
        """Plant the trees, given the value of the zero vector."""
        for root in self._roots:
            root.f_star, root.evaluations = value, 1
            self.forest.add(root)

    def ask(self) -> ForestVisit:
        """Return the next visit."""
        self._visit, self._waits = next(self._sweeps), True
        return self._visit

    def tell(self, values: Sequence[float]) -> None:
        """Take the values of the visit: grow its expansions, and keep the best of each tree."""
        self._waits = False
        for request, value in zip(self._visit.evaluations, values, strict=True):
            assert isinstance(request, TreePoint)
            node, q = request
            node.f_star, node.evaluations = value, 1
            best = self.found.get(q)
            if best is None or value < best.f_star:
                self.found[q] = node
        for expansion in self._visit.expansions[: len(values) // (self._settings.K - 1)]:
            self.forest.replace(*expansion)

    def _visits(self) -> Iterator[ForestVisit]:
        """Yield the visits of all sweeps; each one is told before the next (rules F4 and F5)."""
        forest, settings = self.forest, self._settings
        while self.grow:
            self.sweep += 1
            d, expanded = swept_dimension(self.sweep, settings), False
            nu_min: dict[int, float] = {}  # of each queue, once it is set
            limit = min(forest.depth, settings.h_max)
            for l in range(limit + 1):
                visit = self._visit_of(l, d, nu_min)
                expanded = expanded or bool(visit.expansions)
                self.in_sweep = l < limit
                self.grow = self.in_sweep or expanded or d is not None
                yield visit

    def _visit_of(self, l: int, d: int | None, nu_min: dict[int, float]) -> ForestVisit:
        """Return the visit of depth l, and lower nu_min."""
        forest, K = self.forest, self._settings.K
        visit = ForestVisit(forest, l=l, d=d)
        for norm_class in forest.classes(l, d):
            leaf = min([leaves[0] for leaves in norm_class])
            queue = forest.queue_of(leaf)
            if is_below(leaf.f_star, nu_min.get(queue)):
                nu_min[queue] = leaf.f_star
                expansion = Expansion(leaf, children(leaf, K))
                center, tree = expansion.children[K // 2], tree_of(leaf, K)
                new = [child for child in expansion.children if child is not center]
                visit.evaluations += [TreePoint(child, tree) for child in new]
                visit.expansions.append(expansion)
        return visit
