"""Tree searches as rule sets: `run` makes the run that a `Rules` describes.

`ALGORITHM_1` and `SOO` are two rule sets; others are made from them with `dataclasses.replace`. A
trace is checked against a rule set; see `check_hunter`. The runs have the protocol of
`hunter.hunt`, so that whatever drives or writes a run of the package does it for these, too.
"""

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from embedded_hunter.hunter import Evaluation, Expansion, Visit
from embedded_hunter.node import Node, children, may_be_evaluated, root
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree

Comparable = Any
"""A value that can be compared with others of its kind, such as a number or a tuple of numbers."""


@dataclass
class Progress:
    """What a search knows when it decides whether a leaf is expanded."""

    nu_min: float | None = None
    """The number that the rule `threshold` gave last; at the start of a sweep that of `start`."""
    best: float = math.inf
    """The least value of the visits that are complete."""
    in_sweep: int = 0
    """Number of expansions so far in this sweep."""
    in_visit: int = 0
    """Number of expansions so far in this visit."""


@dataclass(frozen=True)
class Rules:
    """A tree search over the cells of Y. Each rule is a plain function."""

    split: Callable[[Node, Settings], list[Node]]
    """Return the children of a leaf, with what they inherit, in the order of their evaluation."""
    evaluates: Callable[[Node, Settings], bool]
    """Tell whether a new child is evaluated."""
    number: Callable[[Node], int]
    """Return p, the number that the evaluation of a node carries."""
    take: Callable[[Node, float], float]
    """Return the f* of a node after a value, before its count of evaluations goes up."""
    group: Callable[[Node, Settings], Comparable]
    """Return the key of a leaf: leaves of one depth with equal keys are a group."""
    order: Callable[[Comparable, Node], Comparable]
    """Groups come in the ascending order of this function of the key and the chosen leaf."""
    choice: Callable[[Node], Comparable]
    """The leaf of a group for which this is least is chosen; ties go to the least index."""
    start: Callable[[Progress], float | None]
    """Return nu_min at the start of a sweep."""
    accepts: Callable[[Node, Progress], bool]
    """Tell whether the chosen leaf is expanded."""
    threshold: Callable[[Node, Progress], float]
    """Return nu_min after a leaf has been accepted."""
    depths: Callable[[Tree, Settings], Iterator[int]]
    """Yield the depths of a sweep. The tree grows while the iterator is used."""
    ends: Callable[[Progress], bool]
    """Tell whether the run ends after a sweep, although the budget is not used up."""
    frozen: bool = True
    """Whether the groups of a depth are fixed when its visit begins."""


@dataclass(slots=True)
class Step(Visit):
    """A visit, with the values of nu_min in it."""

    before: float | None = None
    """nu_min at the start of the visit."""
    nu_mins: list[float] = field(default_factory=list)
    """nu_min after each expansion."""


Run = Generator[Step, Sequence[float], float]


class Leaves(Tree):
    """The leaves of a search, by depth and group. Each group is a heap."""

    def __init__(self, rules: Rules, settings: Settings) -> None:
        super().__init__()
        self._rules, self._settings = rules, settings
        self._depths: list[dict[Comparable, list[tuple[Comparable, int, Node]]]] = []
        self._sorted: list[list[list[tuple[Comparable, int, Node]]] | None] = []

    def add(self, node: Node) -> None:
        """Add a node as a leaf."""
        if node.h == len(self._depths):
            self._depths.append({})
            self._sorted.append(None)
            self.depth = node.h
        heap = self._depths[node.h].setdefault(self._rules.group(node, self._settings), [])
        heappush(heap, (self._rules.choice(node), node.i, node))
        self._sorted[node.h] = None
        self.leaf_count += 1

    def replace(self, leaf: Node, children: list[Node]) -> None:
        """Make `children` leaves in the place of `leaf`, the chosen one of its group."""
        key = self._rules.group(leaf, self._settings)
        heap = self._depths[leaf.h][key]
        heappop(heap)
        if not heap:
            del self._depths[leaf.h][key]
        self._sorted[leaf.h] = None
        self.leaf_count -= 1
        for child in children:
            self.add(child)

    def chosen(self, h: int) -> list[list[tuple[Comparable, int, Node]]]:
        """Return the groups of depth h in their order. The chosen leaf of each comes first."""
        groups = self._sorted[h]
        if groups is None:
            order = self._rules.order
            pairs = sorted(self._depths[h].items(), key=lambda pair: order(pair[0], pair[1][0][2]))
            groups = self._sorted[h] = [heap for _, heap in pairs]
        return groups

    def norm_classes(self, h: int, below: float | None = None) -> list[list[Node]]:
        """Return the groups of depth h in their order; `below` has no effect."""
        return [[node for *_, node in heap] for heap in self.chosen(h)]

    def leaves(self) -> Iterator[Node]:
        """Iterate over all leaves, by depth."""
        for h in range(len(self._depths)):
            for group in self.norm_classes(h):
                yield from group


def run(rules: Rules, settings: Settings) -> Run:
    """Run a tree search: yield visits, receive the values of their evaluations, return the least.

    Parameters
    ----------
    rules
        What the search does.
    settings
        The settings; K, d, eta, M, h_max and v are used, as far as the rules use them.

    Yields
    ------
    Step
        Answer it with `send`: the values of `evaluations`, in their order.
    """
    leaves, progress, t, sweep = Leaves(rules, settings), Progress(), 0, 0
    first = root(settings.d)
    step = Step(leaves, 0, 0, 0, evaluations=[Evaluation(first, rules.number(first))])
    _record(rules, step, (yield step), progress)
    leaves.add(first)
    left, over = settings.v - 1, False
    while left > 0 and not over:
        progress.nu_min, progress.in_sweep, sweep = rules.start(progress), 0, sweep + 1
        for l in rules.depths(leaves, settings):
            t, progress.in_visit = t + 1, 0
            step = Step(leaves, sweep, t, l, before=progress.nu_min)
            _expand(rules, step, progress, leaves.chosen(l), left, settings)
            complete = step.expansions
            if len(step.evaluations) > left:  # the budget ends within the last expansion
                complete = step.expansions[:-1]
                del step.evaluations[left:]
            values = yield step
            _record(rules, step, values, progress)
            for leaf, family in complete:
                leaves.replace(leaf, sorted(family, key=lambda node: node.i))
            left -= len(step.evaluations)
            if left == 0:
                break
        over = rules.ends(progress)
    return progress.best


def _expand(
    rules: Rules,
    step: Step,
    progress: Progress,
    groups: list[list[tuple[Comparable, int, Node]]],
    left: int,
    settings: Settings,
) -> None:
    """Choose the leaves that a visit expands, and the evaluations of their children."""
    j = 0
    while j < len(groups) and len(step.evaluations) < left:
        leaf = groups[j][0][2]
        j += 1
        if not rules.accepts(leaf, progress):
            continue
        progress.nu_min = rules.threshold(leaf, progress)
        progress.in_sweep, progress.in_visit = progress.in_sweep + 1, progress.in_visit + 1
        family = rules.split(leaf, settings)
        step.expansions.append(Expansion(leaf, family))
        step.nu_mins.append(progress.nu_min)
        step.evaluations += [
            Evaluation(child, rules.number(child))
            for child in family
            if rules.evaluates(child, settings)
        ]
        if not rules.frozen and len(groups[j - 1]) == 1:
            groups = groups[: j - 1] + groups[j:]


def _record(rules: Rules, step: Step, values: Sequence[float], progress: Progress) -> None:
    for (node, _), value in zip(step.evaluations, values, strict=True):
        node.f_star = rules.take(node, value)
        node.evaluations += 1
        progress.best = min(progress.best, value)


def depths_read_once(tree: Tree, settings: Settings) -> Iterator[int]:
    """Yield the depths up to min(depth(T), h_max), read when the sweep begins."""
    yield from range(min(tree.depth, settings.h_max) + 1)


ALGORITHM_1 = Rules(
    split=lambda leaf, settings: children(leaf, settings.K),
    evaluates=may_be_evaluated,
    number=lambda node: node.evaluations + 1,
    take=lambda node, value: min(node.f_star, value),
    group=lambda node, settings: node.nrm,
    order=lambda key, leaf: -key,
    choice=lambda node: node.f_star,
    start=lambda progress: None,
    accepts=lambda leaf, now: now.nu_min is None or leaf.f_star < now.nu_min,
    threshold=lambda leaf, now: leaf.f_star,
    depths=depths_read_once,
    ends=lambda progress: progress.in_sweep == 0,
)
"""Algorithm 1 of the paper, as `hunter.hunt` runs it."""

SOO = Rules(
    split=ALGORITHM_1.split,
    evaluates=lambda node, settings: node.evaluations == 0,
    number=lambda node: 1,
    take=ALGORITHM_1.take,
    group=lambda node, settings: 0,
    order=lambda key, leaf: 0,
    choice=ALGORITHM_1.choice,
    start=ALGORITHM_1.start,
    accepts=lambda leaf, now: now.nu_min is None or leaf.f_star <= now.nu_min,
    threshold=ALGORITHM_1.threshold,
    depths=depths_read_once,
    ends=ALGORITHM_1.ends,
)
"""SOO (Munos, 2011), as `baselines.soo.hunt_soo` runs it."""
