"""What happens in a run, as typed events.

A policy tells the events of a visit, in the order of Algorithm 1, before the run receives the
values of the visit (`Policy.narrate`). Whoever writes a trace, checks one, or shows a run step by
step reads these events, and no one else tells the loop a second time.

The events refer to nodes and lists of the run itself, which change when the run receives the
values. Use them before.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from embedded_hunter.node import Node


class Sweep(NamedTuple):
    """Lines 1-3: a sweep over the depths 0, ..., `limit` begins, and nu_min is infinite."""

    number: int
    limit: int
    d: int | None
    """The dimension of the trees that it ranges over; None: all trees."""


class Generation(NamedTuple):
    """A generation of a search that has no tree begins."""

    q: int
    """The number of the search."""
    center: Node
    """The node at which it began."""
    mode: str
    age: int
    """The evaluations that it had made before."""
    is_sample: bool
    """Whether, given all earlier values, the points have one law, and all their coordinates are
    independent."""


class Class(NamedTuple):
    """Line 4: a class of leaves, of which `leaf` is the one that line 5 selects."""

    lists: Sequence[Sequence[Node]]
    """The leaves, in one list or several, each with its least leaf first."""
    queue: int
    """Within a sweep, the classes of a queue share nu_min."""

    @property
    def leaf(self) -> Node:
        """The least leaf."""
        return min([leaves[0] for leaves in self.lists])

    @property
    def leaves(self) -> list[Node]:
        """All leaves, the least one first."""
        return sorted([leaf for leaves in self.lists for leaf in leaves])


class Iteration(NamedTuple):
    """Line 3: iteration t visits depth l. A generation visits no depth, and has l = 0."""

    t: int
    l: int
    classes: Sequence[Class]
    """The classes of the depth, in the order of line 4."""


class Expand(NamedTuple):
    """Lines 6-8: the selected leaf is below nu_min, which becomes its f*; it gets children."""

    leaf: Node
    children: Sequence[Node]


class Evaluate(NamedTuple):
    """Line 9, or the initialization: an evaluation."""

    request: Any
    """The request of the policy."""
    node: Node | None
    """The node whose base point is evaluated; None if the point is that of no node."""
    h: int
    i: int
    c: Sequence[int]
    p: int
    why: str = ""
    """Why a center child is evaluated again."""


class Keep(NamedTuple):
    """Line 9: a center child is not evaluated again. It has the f* of its parent."""

    child: Node
    why: str


class Add(NamedTuple):
    """Line 10: the children become leaves instead of their parent.

    An expansion that the budget cuts has no such event, and is the last one of the run.
    """

    leaf: Node
    children: Sequence[Node]


class End(NamedTuple):
    """Line 17: the run returns its least value. Counts are those of the whole run."""

    answer: float
    evaluations: int
    t: int
    sweeps: int
    depth: int
    leaves: int
    reason: str
    """"maxfun" if the budget is used, "h_max" if a sweep has expanded nothing."""


Event = Sweep | Generation | Iteration | Class | Expand | Evaluate | Keep | Add | End


class Fate(NamedTuple):
    """What line 9 decides about a child."""

    is_evaluated: bool
    why: str = ""
    """The reason, for a center child."""


def events_of_a_depth(
    visit: Any,
    classes: Sequence[Class],
    fate: Callable[[Node], Fate],
    evaluation: Callable[[Any, str], Evaluate],
) -> Iterator[Event]:
    """Yield the events of a visit of a depth, which ends where the budget ends.

    `fate` decides about a child, `evaluation` makes the event of a request, with the reason.
    """
    yield Iteration(visit.t, visit.l, classes)
    requests, expansions = iter(visit.evaluations), iter(visit.expansions)
    expansion = next(expansions, None)
    for each in classes:
        yield each
        if expansion is None or expansion.leaf is not each.leaf:
            continue
        yield Expand(*expansion)
        for child in expansion.children:
            is_evaluated, why = fate(child)
            if not is_evaluated:
                yield Keep(child, why)
            elif (request := next(requests, None)) is not None:
                yield evaluation(request, why)
            else:  # the budget is used up
                return
        yield Add(*expansion)
        expansion = next(expansions, None)


def end_of(last: Any, values: Sequence[float], v: int) -> End:
    """Return the end of a run with the budget v, given its last visit and all its values."""
    reason, tree = "maxfun" if len(values) == v else "h_max", last.tree
    answer = float(min(values))
    return End(answer, len(values), last.t, last.sweep, tree.depth, tree.leaf_count, reason)
