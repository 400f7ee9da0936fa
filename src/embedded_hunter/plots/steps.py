"""The steps of a run that the player shows, and the nodes, visits and evaluations in them.

`hunter_steps` makes them of a run of Algorithm 1, `forest_steps` of one of a forest.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from embedded_hunter.policy import Parameters
from embedded_hunter.run.jsonlines import Fields, value_to_json


@dataclass
class Step:
    """One line of Algorithm 1, or lines that belong together, at one moment of the run.

    Nodes are named by their position in `Steps.nodes`, visits by theirs in `Steps.visits`.
    """

    lines: tuple[int, ...]
    says: str
    """A sentence that tells what happens."""
    sweep: int
    visit: int | None = None
    j: int | None = None
    """The number of the class, 1 for the class of the largest norm."""
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
    """The visit of a depth: its iteration t, the depth l and the classes of equal norm."""

    t: int
    l: int
    classes: list[list[int]]
    """The leaves of each class, largest norm first."""


@dataclass
class SeenEvaluation:
    """An evaluation: the step, the node, the value, and the point of X if the trace has it."""

    step: int
    node: int | None
    """None for a point that no node stands for."""
    p: int
    value: float
    x: list[float] | None


@dataclass
class Steps:
    """The steps of a run, and what they refer to."""

    settings: Parameters
    trees: list[tuple[int, float]]
    """d and R of each tree."""
    of_a_forest: bool = False
    """Whether this is a run of the policy ``forest``."""
    steps: list[Step] = field(default_factory=list)
    nodes: list[SeenNode] = field(default_factory=list)
    visits: list[SeenVisit] = field(default_factory=list)
    evaluations: list[SeenEvaluation] = field(default_factory=list)
    complete: bool = False
    """Whether the last step is the end of the run."""

    def leaves_after(self, step: int) -> Iterator[SeenNode]:
        """Iterate over the leaves of the tree after a step."""
        return (node for node in self.nodes if node.born <= step < node.split)

    def as_json(self) -> Fields:
        """Return all of it as an object of JSON, with short names and rounded numbers.

        `player.js` draws it.
        """
        return {
            "forest": self.of_a_forest,
            "trees": [[d, rounded(R)] for d, R in self.trees],
            "v": self.settings.v,
            "complete": self.complete,
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
                [e.step, e.node, e.p, rounded(e.value), e.x and [rounded(c) for c in e.x]]
                for e in self.evaluations
            ],
        }


def rounded(value: float | None) -> float | str | None:
    """Return a number with six digits, infinite ones as the strings of the trace format."""
    return None if value is None else value_to_json(float(f"{value:.6g}"))


def counted(number: int, one: str, more: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else more}"


def shown(value: float | None) -> str:
    """Return a number as the sentences show it, nu_min = None as infinity."""
    return "∞" if value is None else f"{value:.4g}".replace("inf", "∞").replace("-", "−")
