"""Algorithm 1 and its variants as rule sets: `run` makes the run that a `Rules` describes.

`ALGORITHM_1` is a rule set; others are made from it with `dataclasses.replace`. A trace is checked
against a rule set; see `check_hunter`. The runs have the protocol of `hunter.hunt`, so that
whatever drives or writes a run of the package does it for these, too. This is a second statement of
Algorithm 1: one rule of it can be changed, as for a trace with another reading of the paper.
"""

import math
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, Literal

from embedded_hunter.hunter import Evaluation, Expansion, Visit
from embedded_hunter.node import Node, children, may_be_evaluated, root
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree

Comparable = Any
"""A value that can be compared with others of its kind, such as a number or a tuple of numbers."""


Group = list[tuple[Comparable, int, Node]]
"""Leaves as a heap; the first one is that which `Rules.choice` chooses."""

NO_DEPTH = -1
"""The depth of the step that stands for a sweep without visits."""

Look = Literal["whole", "evaluation", "expansion", "visit", "sweep"]
"""After what a run looks whether the budget is used up; "whole": it begins no expansion that the
budget would cut."""


@dataclass
class Progress:
    """What a search knows when it decides whether a leaf is expanded."""

    nu_min: float | None = None
    """What the rule `threshold` gave last; at the start of a sweep that of `start`."""
    best: float = math.inf
    """The least value of the visits that are complete."""
    in_sweep: int = 0
    """Number of expansions so far in this sweep."""


@dataclass(frozen=True)
class Rules:
    """A tree search over the cells of Y. Each rule is a plain function."""

    split: Callable[[Node, Settings], list[Node]]
    """Return the children of a leaf, with what they inherit, in the order of their evaluation."""
    evaluates: Callable[[Node, Settings], bool]
    """Tell whether a new child is evaluated."""
    take: Callable[[Node, float], float]
    """Return the f* of a node after a value, before its count of evaluations goes up."""
    group: Callable[[Node, Settings], Comparable]
    """Return the key of a leaf: leaves of one depth with equal keys are a group."""
    order: Callable[[Comparable, Group, Settings], Comparable]
    """Groups come in the ascending order of this function of the key and the group."""
    choice: Callable[[Node], Comparable]
    """The leaf of a group for which this is least is chosen; ties go to the least index."""
    start: Callable[[Progress], float | None]
    """Return nu_min at the start of a sweep."""
    accepts: Callable[[Node, Progress], bool]
    """Tell whether the chosen leaf is expanded."""
    threshold: Callable[[Node, Progress], float]
    """Return nu_min after a leaf has been accepted."""
    depths: Callable[["Leaves", Settings], Iterator[int]]
    """Yield the depths of a sweep. The tree grows while the iterator is used."""
    ends: Callable[[Progress, "Leaves", Settings], bool]
    """Tell whether the run ends after a sweep, although the budget is not used up."""
    answer: Callable[[Progress, "Leaves"], float] = lambda progress, leaves: progress.best
    """Return what the run returns."""
    counts: Callable[["Step"], bool] = lambda step: True
    """Tell whether a visit after that of the root increases t."""
    frozen: bool = True
    """Whether the groups of a depth are fixed when its visit begins."""
    skips_empty: bool = False
    """Whether a depth without leaves is not visited."""
    look: Look = "evaluation"
    """After what the run looks whether the budget is used up."""
    root_is_free: bool = False
    """Whether the evaluation of the root does not count for the budget."""
    cut_enters: bool = False
    """Whether the children of an expansion that the budget cuts enter the tree."""


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
        self._depths: list[dict[Comparable, Group]] = []
        self._sorted: list[list[Group] | None] = []

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

    def chosen(self, h: int) -> list[Group]:
        """Return the groups of depth h in their order. The chosen leaf of each comes first."""
        groups = self._sorted[h]
        if groups is None:
            order, settings = self._rules.order, self._settings
            pairs = sorted(self._depths[h].items(), key=lambda x: order(x[0], x[1], settings))
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
    """Run a tree search: yield visits, receive the values of their evaluations, return the answer.

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
    step = Step(leaves, 0, 0, 0, evaluations=[Evaluation(first, 1)])
    _record(rules, step, (yield step), progress)
    leaves.add(first)
    left, over = settings.v - (not rules.root_is_free), False
    while left > 0 and not over:
        progress.nu_min, progress.in_sweep, sweep = rules.start(progress), 0, sweep + 1
        for l in _depths(rules, leaves, settings):
            step = Step(leaves, sweep, t + 1, l, before=progress.nu_min)
            enough = sys.maxsize if rules.look in ("visit", "sweep") else left
            _expand(rules, step, progress, leaves, enough, settings)
            complete, room = step.expansions, sys.maxsize if rules.look == "expansion" else enough
            if len(step.evaluations) > room:  # the budget ends within the last expansion
                complete = step.expansions if rules.cut_enters else step.expansions[:-1]
                del step.evaluations[room:]
            values = yield step
            _record(rules, step, values, progress)
            for leaf, family in complete:
                leaves.replace(leaf, sorted(family, key=lambda node: node.i))
            left -= len(values)
            t += l != NO_DEPTH and rules.counts(step)
            if left <= 0 and rules.look != "sweep":
                break
        over = rules.ends(progress, leaves, settings)
    return rules.answer(progress, leaves)


def _depths(rules: Rules, leaves: Leaves, settings: Settings) -> Iterator[int]:
    """Yield the depths that a sweep visits, `NO_DEPTH` if there are none."""
    visits = False
    for l in rules.depths(leaves, settings):
        if leaves.chosen(l) or not rules.skips_empty:
            visits = True
            yield l
    if not visits:
        yield NO_DEPTH


def _expand(
    rules: Rules,
    step: Step,
    progress: Progress,
    leaves: Leaves,
    enough: int,
    settings: Settings,
) -> None:
    """Choose the leaves that a visit expands, until there are `enough` evaluations."""
    groups = [] if step.l == NO_DEPTH else leaves.chosen(step.l)
    j = 0
    while j < len(groups) and len(step.evaluations) < enough:
        leaf = groups[j][0][2]
        j += 1
        if not rules.accepts(leaf, progress):
            continue
        family = rules.split(leaf, settings)
        wanted = [child for child in family if rules.evaluates(child, settings)]
        if rules.look == "whole" and len(step.evaluations) + len(wanted) > enough:
            continue
        progress.nu_min = rules.threshold(leaf, progress)
        progress.in_sweep += 1
        step.expansions.append(Expansion(leaf, family))
        step.nu_mins.append(progress.nu_min)
        step.evaluations += [Evaluation(child, child.evaluations + 1) for child in wanted]
        if not rules.frozen and len(groups[j - 1]) == 1:
            groups = groups[: j - 1] + groups[j:]


def _record(rules: Rules, step: Step, values: Sequence[float], progress: Progress) -> None:
    for (node, _), value in zip(step.evaluations, values, strict=True):
        node.f_star = rules.take(node, value)
        node.evaluations += 1
        progress.best = min(progress.best, value)


def depths_read_once(tree: Leaves, settings: Settings) -> Iterator[int]:
    """Yield the depths up to min(depth(T), h_max), read when the sweep begins."""
    yield from range(min(tree.depth, settings.h_max) + 1)


ALGORITHM_1 = Rules(
    split=lambda leaf, settings: children(leaf, settings.K),
    evaluates=may_be_evaluated,
    take=lambda node, value: min(node.f_star, value),
    group=lambda node, settings: node.nrm,
    order=lambda key, group, settings: -key,
    choice=lambda node: node.f_star,
    start=lambda progress: None,
    accepts=lambda leaf, now: now.nu_min is None or leaf.f_star < now.nu_min,
    threshold=lambda leaf, now: leaf.f_star,
    depths=depths_read_once,
    ends=lambda progress, leaves, settings: progress.in_sweep == 0,
)
"""Algorithm 1 of the paper, as `hunter.hunt` runs it."""
