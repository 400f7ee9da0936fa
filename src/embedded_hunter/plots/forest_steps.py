"""The steps of a run of the policy ``forest`` for the player.

A step is what `forest.search` does at a time: a sweep begins, a depth is visited, a leaf of a tree
is expanded, or a local search or the evolution strategy evaluates a generation.
"""

import math
from collections.abc import Sequence
from typing import cast

from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import splits
from embedded_hunter.plots.steps import (
    SeenEvaluation,
    SeenNode,
    SeenVisit,
    Step,
    Steps,
    counted,
    shown,
)
from embedded_hunter.policy import Parameters
from embedded_hunter.run.jsonlines import Fields
from embedded_hunter.traces.recorded import trace_of

EXPANSION = (6, 7, 8, 9, 10)
"""The lines of Algorithm 1 that expand a leaf."""
MODES = {
    "intensify": "It is the best one",
    "diversify": "It is the youngest one",
}
"""Why a local search is next, see rule F7."""


def steps_of_forest(
    settings: Parameters, values: Sequence[float], most: int | None = None
) -> Steps:
    """Return the steps of the run of a forest, as far as its values go.

    Parameters
    ----------
    settings
        The settings of the run.
    values
        The values of evaluations 1, 2, ...
    most
        Stop at the first visit that begins after this number of steps.
    """
    writer = _Writer(cast(ForestSettings, settings))
    _, *events = trace_of(settings, values)
    for event in events:
        begins = event["event"] == "refine" or (event["event"] == "visit" and not writer.announced)
        if begins and most is not None and len(writer.out.steps) > most:
            return writer.out
        writer.take(event)
    writer.flush()
    return writer.out


class _Writer:
    """Writes a step when the events that belong to it are known."""

    def __init__(self, settings: ForestSettings) -> None:
        self.settings = settings
        self.out = Steps(
            settings, [(s.d, float(s.radius)) for s in settings.trees], of_a_forest=True
        )
        self.at: dict[tuple[int, int], int] = {}
        self.numerators: dict[int, tuple[int, ...]] = {}  # of the base points, by node
        self.sweep = 0
        self.local: Fields | None = None  # the event `refine` of the visit
        self.visit: Fields | None = None
        self.leaf: int | None = None  # the leaf that is being expanded
        self.values: list[float] = []  # of the evaluations of the step

    @property
    def announced(self) -> bool:
        """Whether the next visit is a generation of another search than the forest."""
        return self.local is not None and self.visit is None

    def take(self, event: Fields) -> None:
        """Take an event; write the steps that end before it."""
        kind = event["event"]
        if kind == "evaluate":
            self.evaluate(event)
            return
        self.flush()
        if kind == "sweep":
            self.sweep = event["sweep"]
            left = self.settings.v - len(self.out.evaluations)
            self.step(
                (1, 2),
                f"Sweep {self.sweep} of all trees begins, to depth {event['limit']}: {left} of "
                f"{self.settings.v} evaluations are left.",
            )
        elif kind == "refine":
            self.local, self.visit = event, None
        elif kind == "visit":
            self.visit = event
            if self.local is None:
                self.out.visits.append(SeenVisit(event["t"], event["l"], []))
                self.step((3,), f"Visit depth {event['l']} of all trees.")
        elif kind == "expand":
            self.leaf = self.at[event["h"], event["i"]]
            self.grow()
        elif kind == "end":
            self.step(
                (17,),
                f"Return the least of the {len(self.out.evaluations)} values, "
                f"{shown(float(event['answer']))}.",
            )
            self.out.complete = True

    def step(self, lines: tuple[int, ...], says: str, leaf: int | None = None) -> None:
        """Add a step."""
        of_a_depth = self.visit is not None and self.local is None
        visit = len(self.out.visits) - 1 if of_a_depth else None
        self.out.steps.append(Step(lines, says, self.sweep, visit, leaf=leaf))

    def evaluate(self, event: Fields) -> None:
        """Take an evaluation of the next step."""
        value, step = float(event["value"]), len(self.out.steps)
        node = None
        if not self.at:
            for q, space in enumerate(self.settings.trees):
                self.add(0, q, None, (0,) * space.d)
                self.out.nodes[q].f_star, self.out.nodes[q].born = [(step, value)], 0
            node = 0
        elif self.local is None:
            node = self.at[event["h"], event["i"]]
            self.out.nodes[node].f_star = [(step, value)]
        self.values.append(value)
        self.out.evaluations.append(SeenEvaluation(step, node, event["p"], value, None))

    def grow(self) -> None:
        """Add the children of the leaf; the center child has the value of the leaf."""
        assert self.leaf is not None
        seen, c, K = self.out.nodes[self.leaf], self.numerators[self.leaf], self.settings.K
        j = seen.h % len(c)
        for child in range(K):
            below = K * c[j] + child - K // 2
            at = self.add(seen.h + 1, K * seen.i + child, self.leaf, (*c[:j], below, *c[j + 1 :]))
            if child == K // 2:
                self.out.nodes[at].f_star = [(len(self.out.steps), seen.f_star[-1][1])]

    def flush(self) -> None:
        """Write the step of the evaluations that are waiting."""
        values, self.values = self.values, []
        if self.leaf is not None:
            self.expansion(self.leaf, values)
            self.leaf = None
        elif values and self.local is None:
            trees = counted(len(self.settings.trees), "tree", "trees")
            self.step(
                (0,),
                f"There {'is' if len(self.settings.trees) == 1 else 'are'} {trees}, whose roots "
                f"share the evaluation of the zero vector. Its value is {shown(values[0])}.",
            )
        elif values and self.local is not None:
            self.generation(self.local, values)
        if self.visit is not None:
            self.local = None

    def expansion(self, leaf: int, values: list[float]) -> None:
        """Write the step of an expansion."""
        seen, step, K = self.out.nodes[leaf], len(self.out.steps), self.settings.K
        below = self.out.nodes[-K:]  # the last ones that were made
        whole = len(values) == K - 1
        if whole:
            seen.split = step
            for child in below:
                child.born = step
        least = shown(min(values, default=math.inf))
        self.step(
            EXPANSION,
            f"The leaf {seen.name} of tree {seen.tree + 1}, with f* = {shown(seen.f_star[-1][1])}, "
            f"is expanded. Its center child keeps this value; the least of the other "
            f"{counted(len(values), 'child', 'children')} is {least}."
            + ("" if whole else " The run ends within this expansion."),
            leaf,
        )

    def generation(self, local: Fields, values: list[float]) -> None:
        """Write the step of a generation of a local search or of the evolution strategy."""
        points = counted(len(values), "point", "points")
        least = f"The least of their values is {shown(min(values))}."
        if local["mode"] == "evolve":
            self.step((), f"The evolution strategy (rule F9) evaluates {points}. {least}")
            return
        h, i = local["center"]
        began = f"node ({h}, {i})" if h else "the zero vector"
        self.step(
            (),
            f"Local search {local['q'] - len(self.settings.trees) + 1}, which began at {began}, "
            f"evaluates {points} (rule F7). {MODES.get(local['mode'], 'It is next')} "
            f"({local['mode']}). {least}",
            self.at.get((h, i)),
        )

    def add(self, h: int, i: int, parent: int | None, c: tuple[int, ...]) -> int:
        """Add a node; return its position."""
        K = self.settings.K
        tree = i // K**h
        space = self.settings.trees[tree]
        cells = [K**s for s in splits(h, space.d)]
        y = tuple(space.side_as_float * c_j / cell for c_j, cell in zip(c, cells, strict=True))
        self.at[h, i] = at = len(self.out.nodes)
        self.numerators[at] = c
        widths = tuple(space.side_as_float / cell for cell in cells)
        self.out.nodes.append(
            SeenNode(h, i, parent, y, widths, math.hypot(*y), len(self.out.steps), tree=tree)
        )
        return at
