"""The steps of a run of Algorithm 1, one for each line that it passes, from its trace.

They have the order of the printed listing: the children of a leaf enter the tree (line 10) before
the next class is looked at. `hunter.hunt` adds them after the loop over the classes; no decision
depends on that (claim ``batch-equivalence``).
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from embedded_hunter.hunter import Expansion
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, base_point, may_be_evaluated, norm, splits
from embedded_hunter.plots.steps import (
    SeenEvaluation,
    SeenNode,
    SeenVisit,
    Step,
    Steps,
    counted,
    shown,
)
from embedded_hunter.policy import AnyVisit, Parameters
from embedded_hunter.run.drive import drive
from embedded_hunter.run.jsonlines import FormatError, dump
from embedded_hunter.run.policies import policy_of, search_of
from embedded_hunter.settings import Settings
from embedded_hunter.traces.events import EndsEarly, open_trace, replay
from embedded_hunter.traces.recorded import trace_of

INITIALIZATION = (0,)
"""The lines of the first step: Algorithm 1 gives its initialization no number."""


def record(
    settings: Parameters, objective: Callable[[Floats], Any], rng: object, rows: int | None = None
) -> list[str]:
    """Run Algorithm 1 and return its trace; each evaluation has its point `x`.

    Parameters
    ----------
    settings
        The settings of the run.
    objective
        Function of one point, shape (rows,).
    rng, rows
        As for `EmbeddedHunter`.
    """
    points: list[list[float]] = []
    values: list[float] = []

    def evaluate(x: Floats) -> list[float]:
        points.extend(x.tolist())
        found = [float(objective(point)) for point in x]
        values.extend(found)
        return found

    for _ in drive(search_of(settings, rng, rows), evaluate):
        pass
    of_evaluations = ({"x": x} for x in points)
    return [
        dump(event | next(of_evaluations) if event.get("event") == "evaluate" else event)
        for event in trace_of(settings, values)
    ]


def steps_of(lines: Iterable[str | bytes], most: int | None = None) -> Steps:
    """Return the steps of the run that a trace of Algorithm 1 records, as far as it goes.

    Parameters
    ----------
    lines
        The lines of a trace that conforms (`traces.check`); only its values are used, and the
        points `x` of its evaluations if they have two coordinates each.
    most
        Stop at the first visit that begins after this number of steps.

    Raises
    ------
    FormatError
        If the lines are not a trace, have no value, or are the trace of a run with the policy
        ``forest``, which is not Algorithm 1.
    """
    lines = list(lines)
    settings, events = open_trace(lines)
    if not policy_of(settings).is_algorithm_1:
        raise FormatError("it records a run with the policy forest, which is not Algorithm 1")
    given = deque(
        (float(event["value"]), event.get("x"))
        for _, event in events
        if event["event"] == "evaluate"
    )
    writer = _Writer(cast(Settings, settings), given)
    try:
        for visit in replay(lines):
            if most is not None and len(writer.out.steps) > most:
                return writer.out
            writer.visit(visit)
    except EndsEarly:
        if not writer.out.steps:
            raise
        return writer.out
    writer.end()
    return writer.out


class _Writer:
    """Writes the steps of one visit after the other."""

    def __init__(self, settings: Settings, given: "deque[tuple[float, Any]]") -> None:
        self.settings, self.given = settings, given
        self.out = Steps(settings, [(settings.d, float(settings.radius))])
        self.at: dict[tuple[int, int], int] = {}
        self.now = Step(INITIALIZATION, "", 0)  # the next step, without its lines and sentence

    def step(self, lines: int | tuple[int, ...], says: str) -> int:
        """Add a step; return its position."""
        lines = (lines,) if isinstance(lines, int) else lines
        self.out.steps.append(replace(self.now, lines=lines, says=says))
        return len(self.out.steps) - 1

    def visit(self, visit: AnyVisit) -> None:
        """Add the steps of a visit; its values have not been sent to the run."""
        if visit.t == 0:
            self.initialization(visit)
            return
        if visit.sweep > self.now.sweep:
            self.sweep(visit)
        classes = visit.tree.norm_classes(visit.l)
        self.out.visits.append(
            SeenVisit(visit.t, visit.l, [[self.at[n.h, n.i] for n in L_j] for L_j in classes])
        )
        self.now.visit = len(self.out.visits) - 1
        leaves = sum(map(len, classes))
        self.step(
            3,
            f"Visit depth {visit.l}. "
            + (
                f"It has {counted(leaves, 'leaf', 'leaves')} in "
                f"{counted(len(classes), 'class', 'classes')} of equal norm."
                if leaves
                else "It has no leaf."
            ),
        )
        expansions = iter(visit.expansions)
        wanted = {(node.h, node.i): p for node, p in visit.evaluations}
        for j, L_j in enumerate(classes, 1):
            if not self.norm_class(j, L_j, expansions, wanted):
                return
            if self.left == 0:
                break
        self.now.j = self.now.leaf = self.now.child = None
        self.step(
            (13, 14), f"The visit of depth {visit.l} ends. The iteration t becomes {visit.t + 1}."
        )

    @property
    def left(self) -> int:
        """Return how much of the budget is left."""
        return self.settings.v - len(self.out.evaluations)

    def initialization(self, visit: AnyVisit) -> None:
        """Add the step that evaluates the root."""
        node = visit.evaluations[0].node
        self.add(node, None)
        value = self.evaluate(node, 1)
        seen = self.out.nodes[0]
        seen.born = 0
        self.step(
            INITIALIZATION,
            "The tree has one node, the root (0, 0). Its cell is Y, its base point the zero "
            f"vector. The first value is {shown(value)}.",
        )

    def sweep(self, visit: AnyVisit) -> None:
        """Add the steps that begin a sweep."""
        self.now = Step((), "", visit.sweep)
        self.step(
            1,
            f"Sweep {visit.sweep} begins: {self.left} of {self.settings.v} evaluations "
            f"{'is' if self.left == 1 else 'are'} left.",
        )
        self.step(2, "ν_min is infinite: this sweep has expanded nothing yet.")

    def norm_class(
        self,
        j: int,
        L_j: Sequence[Node],
        expansions: Iterator[Expansion],
        wanted: dict[tuple[int, int], int],
    ) -> bool:
        """Add the steps of a class, lines 4-10; return False if the budget ends before line 10."""
        now, out = self.now, self.out
        now.j, now.leaf, now.child = j, None, None
        leaf = L_j[0]
        at = self.at[leaf.h, leaf.i]
        seen = out.nodes[at]
        f_star, nu = shown(leaf.f_star), shown(now.nu_min)
        self.step(
            4,
            f"Class {j} of {len(out.visits[-1].classes)}: "
            f"{counted(len(L_j), 'leaf', 'leaves')} of norm {shown(seen.norm)}.",
        )
        now.leaf = at
        self.step(5, f"The best leaf of the class is {seen.name}, with f* = {f_star}.")
        if now.nu_min is not None and leaf.f_star >= now.nu_min:
            self.step(6, f"{f_star} is not below ν_min = {nu}: this leaf is not expanded.")
            return True
        self.step(
            6,
            f"{f_star} is below ν_min = {nu}: the leaf is expanded."
            if now.nu_min is not None
            else "ν_min is infinite: the leaf is expanded.",
        )
        now.nu_min = leaf.f_star
        self.step(7, f"ν_min becomes {f_star}.")
        children = next(expansions).children
        K, d = self.settings.K, self.settings.d
        for child in children:
            self.add(child, at)
        self.step(8, f"Cut the cell of {seen.name} into {K} along coordinate {leaf.h % d + 1}.")
        for child in children:
            if not self.child(child, leaf, wanted):
                return False
        now.child = None
        step = self.step(10, f"The {K} children become leaves instead of {seen.name}.")
        seen.split = step
        for child in children:
            out.nodes[self.at[child.h, child.i]].born = step
        return True

    def child(self, child: Node, leaf: Node, wanted: dict[tuple[int, int], int]) -> bool:
        """Add the step of a child, line 9; return False if the budget ended before it."""
        self.now.child = self.at[child.h, child.i]
        seen = self.out.nodes[self.now.child]
        p = wanted.get((child.h, child.i))
        is_center = child.i % self.settings.K == self.settings.K // 2
        if is_center:
            seen.f_star.append((len(self.out.steps), leaf.f_star))
        if p is not None:
            value = self.evaluate(child, p)
            self.step(
                9,
                f"Evaluate child {seen.name}, whose base point is that of its parent, again "
                f"(p = {p}): the value is {shown(value)}, f* = {shown(seen.f_star[-1][1])}."
                if is_center
                else f"Evaluate child {seen.name}: the value is {shown(value)}.",
            )
            return True
        if may_be_evaluated(child, self.settings):
            return False
        times = counted(child.evaluations, "time", "times")
        self.step(
            9,
            f"Child {seen.name} keeps f* = {shown(leaf.f_star)}: its base point was evaluated "
            f"{times}, and M ‖y‖ = {shown(float(self.settings.M) * seen.norm)}.",
        )
        return True

    def end(self) -> None:
        """Add the last steps."""
        self.now.visit = self.now.j = self.now.leaf = self.now.child = None
        least = shown(min(e.value for e in self.out.evaluations))
        if self.out.steps[-1].lines != (9,):
            why = "The budget is used up." if self.left == 0 else "The last sweep expanded nothing."
            self.step(1, why)
            why = ""
        else:
            why = "The budget ends within an expansion, whose children do not enter the tree. "
        self.step(17, f"{why}Return the least of the {len(self.out.evaluations)} values, {least}.")
        self.out.complete = True

    def add(self, node: Node, parent: int | None) -> None:
        """Add a node."""
        settings = self.settings
        self.at[node.h, node.i] = len(self.out.nodes)
        self.out.nodes.append(
            SeenNode(
                node.h,
                node.i,
                parent,
                base_point(node, settings),
                tuple(settings.side_as_float / settings.K**s for s in splits(node.h, settings.d)),
                norm(node, settings),
                len(self.out.steps),
            )
        )

    def evaluate(self, node: Node, p: int) -> float:
        """Take the next value of the trace; the next step evaluates this node."""
        value, x = self.given.popleft()
        step, at = len(self.out.steps), self.at[node.h, node.i]
        x = x if isinstance(x, list) and len(x) == 2 else None
        self.out.evaluations.append(SeenEvaluation(step, at, p, value, x))
        f_star = self.out.nodes[at].f_star
        before = f_star.pop()[1] if f_star else math.inf
        f_star.append((step, min(before, value)))
        return value
