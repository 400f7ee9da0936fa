"""The steps of a run: the lines of Algorithm 1 that it passes, one after another, for the player.

They are the `events` of the run in words, and have the order of the printed listing: the children
of a leaf enter the tree (line 10) before the next class is looked at. `hunter.hunt` adds them after
the loop over the classes; no decision depends on that (claim ``batch-equivalence``). A run of the
policy ``forest`` has the same steps, over the leaves of all its trees, and one step, `TURN`, for
each generation of another search.
"""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from embedded_hunter.node import Node, base_point, norm, splits
from embedded_hunter.plots.evaluations import COLORS, OTHER
from embedded_hunter.plots.listing import TURN
from embedded_hunter.run.events import (
    Add,
    Class,
    Evaluate,
    Event,
    Expand,
    Generation,
    Iteration,
    Keep,
    Sweep,
)
from embedded_hunter.run.jsonlines import Fields, FormatError, value_to_json
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.policy import Parameters
from embedded_hunter.run.run import Run


@dataclass
class Step:
    """One line of Algorithm 1, or lines that belong together, or `TURN`, at one moment of the run.

    Nodes are named by their position in `Steps.nodes`, visits by theirs in `Steps.visits`.
    """

    lines: tuple[int, ...]
    says: str
    """A sentence that tells what happens."""
    sweep: int
    visit: int | None = None
    j: int | None = None
    """The number of the class, from 1."""
    nu_min: float | None = None
    """None before line 7 has been passed in the sweep: nu_min is infinite."""
    leaf: int | None = None
    """The leaf that line 5 selected."""
    child: int | None = None
    """The child that line 9 evaluates, or whose f* it keeps."""


@dataclass
class SeenNode:
    """A node of the tree, with the steps that change what is known of it.

    Lengths and positions are those of Y. A step is named by its position in `Steps.steps`.
    """

    h: int
    i: int
    parent: int | None
    y: tuple[float, ...]
    """The base point, shape (d,)."""
    widths: tuple[float, ...]
    """The sides of the cell, shape (d,)."""
    norm: float
    made: int
    """The step of line 8 that made it as a child."""
    born: float = math.inf
    """The step of line 10 that made it a leaf; infinity if the budget ended before."""
    split: float = math.inf
    """The step of line 10 that replaced it by its children; infinity while it is a leaf."""
    f_star: list[tuple[int, float]] = field(default_factory=list)
    """Each step at which f* changed, with f* after it."""
    tree: int = 0
    """The number of its tree, from 0."""

    @property
    def name(self) -> str:
        """Return (h, i) as the paper writes it."""
        return f"({self.h}, {self.i})"


@dataclass
class SeenVisit:
    """The visit of a depth: its iteration t, the depth l and the classes of its leaves."""

    t: int
    l: int
    classes: list[list[int]]
    """The leaves of each class, in the order in which the visit looks at the classes."""


@dataclass
class SeenEvaluation:
    """An evaluation: the step, the node, the value, and the point of X if the trace has it."""

    step: int
    node: int | None
    """None for a point that no node stands for."""
    p: int
    value: float
    x: list[float] | None
    kind: str
    """The member that made it: see `Origin.kind`."""


@dataclass
class Steps:
    """The steps of a run, and what they refer to."""

    settings: Parameters
    trees: list[tuple[int, float]]
    """d and R of each tree."""
    steps: list[Step] = field(default_factory=list)
    nodes: list[SeenNode] = field(default_factory=list)
    visits: list[SeenVisit] = field(default_factory=list)
    evaluations: list[SeenEvaluation] = field(default_factory=list)
    complete: bool = False
    """Whether the last step is the end of the run."""

    @property
    def kinds(self) -> list[str]:
        """The kinds of the evaluations that occur, in the order of `COLORS`."""
        found = {e.kind: None for e in self.evaluations}
        return sorted(found, key=[*COLORS, *found].index)

    def leaves_after(self, step: int) -> Iterator[SeenNode]:
        """Iterate over the leaves of the tree after a step."""
        return (node for node in self.nodes if node.born <= step < node.split)

    def sweep_of(self, node: SeenNode) -> int:
        """Return the number of the sweep that made a node a leaf, 0 for a root."""
        return self.steps[int(node.born)].sweep

    def last_of_sweep(self, sweep: int) -> int:
        """Return the last step of a sweep; of a sweep after the last one, the last step."""
        return max(k for k, step in enumerate(self.steps) if step.sweep <= sweep)

    def as_json(self) -> Fields:
        """Return all of it as an object of JSON, with short names and rounded numbers.

        `player.js` draws it.
        """
        return {
            "trees": [[d, rounded(R)] for d, R in self.trees],
            "v": self.settings.v,
            "complete": self.complete,
            "kinds": [[kind, COLORS.get(kind, OTHER)] for kind in self.kinds],
            "steps": [
                [list(s.lines), s.says, s.sweep, s.visit, s.j, rounded(s.nu_min), s.leaf, s.child]
                for s in self.steps
            ],
            "nodes": [
                {
                    "h": node.h,
                    "tree": node.tree,
                    "name": node.name,
                    "parent": node.parent,
                    "y": [rounded(c) for c in node.y[:2]],
                    "widths": [rounded(c) for c in node.widths[:2]],
                    "norm": rounded(node.norm),
                    "made": node.made,
                    "born": None if math.isinf(node.born) else node.born,
                    "split": None if math.isinf(node.split) else node.split,
                    "f": [[step, rounded(value)] for step, value in node.f_star],
                }
                for node in self.nodes
            ],
            "visits": [[visit.t, visit.l, visit.classes] for visit in self.visits],
            "evaluations": [
                [
                    e.step,
                    e.node,
                    e.p,
                    rounded(e.value),
                    e.x and [rounded(c) for c in e.x],
                    self.kinds.index(e.kind),
                ]
                for e in self.evaluations
            ],
        }


def steps_of(run: Run, points: Sequence[Any] = (), most: int | None = None) -> Steps:
    """Return the steps of the complete visits of a run.

    Parameters
    ----------
    run
        The run.
    points
        The points of its evaluations, if they are known. Lists of two numbers are shown.
    most
        Stop at the first visit that begins after this number of steps.

    Raises
    ------
    FormatError
        If there is no value.
    """
    if not run.known.size:
        raise FormatError("the run has no value")
    writer = _Writer(run.settings, points)
    for visit, told in run.visits():
        is_whole = len(told) == len(visit.evaluations)
        if not is_whole or (most is not None and len(writer.out.steps) > most):
            return writer.out
        writer.visit(list(writer.policy.narrate(run.settings, visit)), told)
    writer.end()
    return writer.out


class _Writer:
    """Writes the steps of one visit after the other, before the run has the values of the visit."""

    def __init__(self, settings: Parameters, points: Sequence[Any]) -> None:
        self.settings, self.points, self.policy = settings, points, policy_of(settings)
        self.spaces = self.policy.trees(settings)
        self.out = Steps(settings, [(s.d, s.side_as_float / 2) for s in self.spaces])
        self.at: dict[tuple[int, int], int] = {}
        self.now = Step((), "", 0)  # the next step, without its lines and sentence
        self.nu_min: dict[int, float] = {}  # of each queue in this sweep, once it is set
        self.queue = 0  # of the class
        self.is_cut = False  # whether the last expansion is not complete
        self.told: deque[float] = deque()  # the values of the visit

    @property
    def left(self) -> int:
        """The budget that is left."""
        return self.settings.v - len(self.out.evaluations)

    def step(self, lines: tuple[int, ...], says: str) -> int:
        """Add a step; return its position."""
        self.out.steps.append(replace(self.now, lines=lines, says=says))
        return len(self.out.steps) - 1

    def visit(self, story: Sequence[Event], values: Sequence[float]) -> None:
        """Add the steps of a visit, given its events and its values.

        A visit for a batch has several parts: depths and generations.
        """
        self.told, parts = deque(values), [[story[0]]]
        for before, event in pairwise(story):
            begins = isinstance(event, Generation | Sweep | Iteration)
            if begins and not isinstance(before, Generation | Sweep):
                parts.append([])
            parts[-1].append(event)
        for part in parts:
            self.part(part)

    def part(self, story: Sequence[Event]) -> None:
        """Add the steps of a depth, of a generation, or of the initialization."""
        evaluations = [event for event in story if isinstance(event, Evaluate)]
        if evaluations and evaluations[0].node is None:
            self.generation(evaluations)
            return
        for event, following in zip(story, [*story[1:], None], strict=True):
            match event:
                case Sweep():
                    self.sweep(event)
                case Iteration():
                    self.iteration(event)
                case Class() if self.left > 0:
                    self.norm_class(event, is_expanded=isinstance(following, Expand))
                case Expand():
                    self.expand(event)
                case Evaluate(node=Node() as node) if node.h > 0:
                    self.child(event, node)
                case Evaluate():
                    self.initialization(event)
                case Keep():
                    self.keep(event)
                case Add():
                    self.add_children(event)
        if isinstance(story[0], Evaluate) or self.is_cut:
            return
        self.now.j = self.now.leaf = self.now.child = None
        t, l = self.out.visits[-1].t, self.out.visits[-1].l
        self.step((13, 14), f"The visit of depth {l} ends. The iteration t becomes {t + 1}.")

    def initialization(self, event: Evaluate) -> None:
        """Add the step that evaluates the zero vector, for the roots of all trees."""
        for q, space in enumerate(self.spaces):
            self.add(Node(0, q, (0,) * space.d, 0), None)
        value = self.evaluate(event, 0)
        for root in self.out.nodes:
            root.born, root.f_star = 0, [(0, value)]
        trees = (
            "The tree has one node, the root (0, 0). Its cell is Y, its base point the zero vector."
            if len(self.spaces) == 1
            else f"There are {len(self.spaces)} trees, whose roots share the zero vector."
        )
        self.step((0,), f"{trees} The first value is {shown(value)}.")

    def generation(self, evaluations: Sequence[Evaluate]) -> None:
        """Add the step of a generation of a search that has no tree."""
        origin = self.policy.origin(self.settings, evaluations[0].request)
        values = [self.evaluate(event, None) for event in evaluations]
        self.now = Step((), "", self.now.sweep)
        self.step(
            (TURN,),
            f"{origin.phrase[0].upper()}{origin.phrase[1:]}: "
            f"{counted(len(values), 'evaluation', 'evaluations')}; "
            f"{'the least' if values[1:] else 'the'} value is {shown(min(values))}.",
        )

    def sweep(self, event: Sweep) -> None:
        """Add the steps that begin a sweep."""
        self.now, self.nu_min = Step((), "", event.number), {}
        over = "" if event.d is None else f", over the trees of dimension {event.d},"
        self.step(
            (1,),
            f"Sweep {event.number}{over} begins: {self.left} of {self.settings.v} evaluations "
            f"{'is' if self.left == 1 else 'are'} left.",
        )
        self.step((2,), "ν_min is infinite: this sweep has expanded nothing yet.")

    def iteration(self, event: Iteration) -> None:
        """Add the step that visits a depth."""
        classes = [[self.at[n.h, n.i] for n in each.leaves] for each in event.classes]
        self.out.visits.append(SeenVisit(event.t, event.l, classes))
        self.now.visit, self.now.j = len(self.out.visits) - 1, None
        leaves = sum(map(len, classes))
        has = f"{counted(leaves, 'leaf', 'leaves')} in {counted(len(classes), 'class', 'classes')}"
        self.step((3,), f"Visit depth {event.l}. It has {has if leaves else 'no leaf'}.")

    def norm_class(self, event: Class, *, is_expanded: bool) -> None:
        """Add the steps of a class, lines 4-6."""
        now, seen_visit, leaf = self.now, self.out.visits[-1], event.leaf
        now.j = 1 if now.j is None else now.j + 1
        now.leaf, now.child, now.nu_min = None, None, self.nu_min.get(event.queue)
        self.queue = event.queue
        members = seen_visit.classes[now.j - 1]
        norms = {self.out.nodes[at].norm for at in members}
        of_norm = f" of norm {shown(min(norms))}" if len(norms) == 1 else ""
        self.step(
            (4,),
            f"Class {now.j} of {len(seen_visit.classes)}: "
            f"{counted(len(members), 'leaf', 'leaves')}{of_norm}.",
        )
        now.leaf = self.at[leaf.h, leaf.i]
        name, f_star, nu = self.out.nodes[now.leaf].name, shown(leaf.f_star), shown(now.nu_min)
        self.step((5,), f"The best leaf of the class is {name}, with f* = {f_star}.")
        if not is_expanded:
            self.step((6,), f"{f_star} is not below ν_min = {nu}: this leaf is not expanded.")
            return
        below = "ν_min is infinite" if now.nu_min is None else f"{f_star} is below ν_min = {nu}"
        self.step((6,), f"{below}: the leaf is expanded.")

    def expand(self, event: Expand) -> None:
        """Add the steps that begin an expansion, lines 7-8."""
        leaf, at = event.leaf, self.now.leaf
        self.nu_min[self.queue] = self.now.nu_min = leaf.f_star
        self.step((7,), f"ν_min becomes {shown(leaf.f_star)}.")
        for child in event.children:
            self.add(child, at)
        name, j = f"({leaf.h}, {leaf.i})", leaf.h % len(leaf.c) + 1
        self.step((8,), f"Cut the cell of {name} into {self.settings.K} along coordinate {j}.")
        self.is_cut = True

    def child(self, event: Evaluate, child: Node) -> None:
        """Add the step that evaluates a child, line 9."""
        self.now.child = at = self.at[child.h, child.i]
        seen, value = self.out.nodes[at], self.evaluate(event, at)
        self.step(
            (9,),
            f"Evaluate child {seen.name}, whose base point is that of its parent, again: "
            f"the value is {shown(value)}, f* = {shown(seen.f_star[-1][1])}."
            if event.why
            else f"Evaluate child {seen.name}: the value is {shown(value)}.",
        )

    def keep(self, event: Keep) -> None:
        """Add the step of a center child that is not evaluated, line 9."""
        child = event.child
        self.now.child = self.at[child.h, child.i]
        self.step(
            (9,), f"Child ({child.h}, {child.i}) keeps f* = {shown(child.f_star)}: {event.why}."
        )

    def add_children(self, event: Add) -> None:
        """Add the step in which the children become leaves, line 10."""
        self.now.child, self.is_cut = None, False
        split = self.out.nodes[self.at[event.leaf.h, event.leaf.i]]
        step = self.step(
            (10,), f"The {len(event.children)} children become leaves instead of {split.name}."
        )
        split.split = step
        for child in event.children:
            self.out.nodes[self.at[child.h, child.i]].born = step

    def end(self) -> None:
        """Add the last steps."""
        self.now = Step((), "", self.now.sweep, nu_min=self.now.nu_min)
        least = shown(min(e.value for e in self.out.evaluations))
        why = "The budget ends within an expansion, whose children do not enter the tree. "
        if not self.is_cut:
            why = "The budget is used up." if self.left == 0 else "The last sweep expanded nothing."
            self.step((1,), why)
            why = ""
        self.step(
            (17,), f"{why}Return the least of the {len(self.out.evaluations)} values, {least}."
        )
        self.out.complete = True

    def add(self, node: Node, parent: int | None) -> None:
        """Add a node."""
        tree = node.i // self.settings.K**node.h
        space, step = self.spaces[tree], len(self.out.steps)
        self.at[node.h, node.i] = len(self.out.nodes)
        self.out.nodes.append(
            SeenNode(
                node.h,
                node.i,
                parent,
                base_point(node, space),
                tuple(space.side_as_float / space.K**s for s in splits(node.h, space.d)),
                norm(node, space),
                step,
                f_star=[(step, node.f_star)] if node.evaluations > 0 else [],
                tree=tree,
            )
        )

    def evaluate(self, event: Evaluate, node: int | None) -> float:
        """Note an evaluation, which the next step makes; return its value."""
        value, step, made = self.told.popleft(), len(self.out.steps), self.out.evaluations
        x = self.points[len(made)] if len(made) < len(self.points) else None
        x = x if isinstance(x, list) and len(x) == 2 else None
        kind = self.policy.origin(self.settings, event.request).kind
        made.append(SeenEvaluation(step, node, event.p, value, x, kind))
        if node is not None:
            f_star = self.out.nodes[node].f_star
            f_star.append((step, min([value, *(before for _, before in f_star[-1:])])))
        return value


def rounded(value: float | None) -> float | str | None:
    """Return a number with six digits, infinite ones as the strings of the trace format."""
    return None if value is None else value_to_json(float(f"{value:.6g}"))


def counted(number: int, one: str, more: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else more}"


def shown(value: float | None) -> str:
    """Return a number as the sentences show it, nu_min = None as infinity."""
    return "∞" if value is None else f"{value:.4g}".replace("inf", "∞").replace("-", "−")
