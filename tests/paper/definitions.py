"""The paper's definitions, slow and exact, and Algorithm 1 taken literally.

Cells are products of intervals of Fractions, cut by K-section; base points are their centers; norms
are compared squared. `literal` runs the listing as `hunter.py` of the conformance kit has it, one
child after another, without a line of the package. The kit tells nodes; points come from here.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

KIT = import_module("embedded_hunter.traces.kit.hunter")

Node = tuple[int, int]
"""(h, i), 0 <= i < K^h."""
Point = tuple[Fraction, ...]
Cell = tuple[tuple[Fraction, Fraction], ...]
Oracle = Callable[[int, Point, int], float]
"""Value of the k-th evaluation of the run (k = 1, 2, ...), the p-th of this base point."""


class Evaluated(NamedTuple):
    """An evaluation: the p-th of the base point y of a node."""

    node: Node
    y: Point
    p: int
    value: float


class Visit(NamedTuple):
    """Lines 4-14 at one depth; t = 0 is the evaluation of the root."""

    sweep: int
    t: int
    l: int
    expansions: tuple[tuple[Node, float], ...]
    """Leaves in the order of their expansion, each with the nu_min that it set."""
    evaluations: tuple[Evaluated, ...]


class Run(NamedTuple):
    """All that a run does."""

    visits: tuple[Visit, ...]
    answer: float
    t: int
    """The last iteration, 0 if the budget is 1."""
    sweeps: int
    depth: int
    leaves: dict[Node, float]
    """The leaves of the final tree with their f*."""


def cell(node: Node, d: int, K: int, R: Fraction) -> Cell:
    """Cut Y = [-R, R]^d down to Y_{h,i}: the base-K digits of i, first digit first, say where."""
    h, i = node
    digits = [i // K ** (h - 1 - level) % K for level in range(h)]
    box = [(-R, R)] * d
    for level, digit in enumerate(digits):
        low, high = box[level % d]
        width = (high - low) / K
        box[level % d] = (low + digit * width, low + (digit + 1) * width)
    return tuple(box)


def center(box: Cell) -> Point:
    """Return the base point of a cell."""
    return tuple((low + high) / 2 for low, high in box)


def squared_norm(y: Point) -> Fraction:
    """Return ||y||^2."""
    return sum((a * a for a in y), Fraction(0))


def literal(g: Oracle, *, d: int, K: int, eta: Fraction, M: Fraction, h_max: int, v: int) -> Run:
    """Run the kit's program, and write down all that it does."""
    visits = [Visit(0, 0, 0, (), ())]
    sweep, made, end = 0, 0, {"t": 0, "sweeps": 0, "depth": 0, "leaves": 1}
    leaves: dict[Node, float] = {}
    parent: Node = (0, 0)
    family: dict[Node, float] = {parent: math.inf}  # the nodes made last, with their f*

    def value_of(h: int, i: int, p: int, **more: object) -> float:
        nonlocal made
        node, y, made = (h, i), center(cell((h, i), d, K, d / eta)), made + 1
        value = g(made, y, p)
        past = visits[-1].evaluations
        visits[-1] = visits[-1]._replace(evaluations=(*past, Evaluated(node, y, p, value)))
        family[node] = min(family[node], value)
        return value

    def write(event: str, **told: Any) -> None:
        nonlocal sweep, parent, family, leaves, end
        # The last nodes enter the tree, unless the budget has cut their expansion.
        grown = {node: leaves[node] for node in leaves if node != parent} | family
        if event == "expand" or (event == "end" and told["leaves"] == len(grown)):
            leaves = grown
        if event == "sweep":
            sweep = told["sweep"]
        elif event == "visit":
            visits.append(Visit(sweep, told["t"], told["l"], (), ()))
        elif event == "expand":
            parent = h, i = told["h"], told["i"]
            family = {(h + 1, K * i + digit): math.inf for digit in range(K)}
            family[h + 1, K * i + K // 2] = leaves[parent]
            before = visits[-1].expansions
            visits[-1] = visits[-1]._replace(expansions=(*before, (parent, told["nu_min"])))
        else:
            end = told

    settings = {"d": d, "K": K, "eta": eta, "M": M, "h_max": h_max, "v": v}
    answer = KIT.hunt(settings, value_of, write)
    return Run(tuple(visits), answer, end["t"], end["sweeps"], end["depth"], leaves)
