"""SOO once more, from the listing of Munos (2011): slow, exact, no line of the package.

    Initialization: T = {(0, 0)}, evaluate its point
    while true:
        v_max = -infinity
        for h = 0 to min(depth(T), h_max):
            among all leaves of depth h select one of greatest f
            if f >= v_max: expand it (add its K children to T), v_max = f

turned upside down, since we minimise. As in the listing a tie (>=) expands. What the listing leaves
open is decided as in `hunter.py`: the bound of the loop over depths is read once, at the start of a
sweep; ties within a depth go to the least index; the run stops at exactly v evaluations, the
children of an expansion that the budget cuts stay out of T; a sweep without an expansion ends it.
The function is deterministic, so no point is evaluated twice: the center child has the point of its
parent.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from paper.definitions import Node, Point, cell, center

Function = Callable[[Point], float]


class Expanded(NamedTuple):
    """The expansion of a leaf: in which sweep, and how many evaluations had been made before."""

    node: Node
    sweep: int
    before: int


class Run(NamedTuple):
    """All that a run on [-1, 1]^d does."""

    points: list[Point]
    """In the order of their evaluation."""
    values: list[float]
    expanded: list[Expanded]
    visits: int
    sweeps: int
    leaves: dict[Node, float]


def munos(f: Function, *, d: int, K: int, h_max: int, v: int, R: int | Fraction = 1) -> Run:
    """Run SOO on [-R, R]^d."""
    known: dict[Point, float] = {}
    run = Run([], [], [], 0, 0, {})

    def base_point(node: Node) -> Point:
        return center(cell(node, d, K, Fraction(R)))

    def evaluate(point: Point) -> None:
        known[point] = f(point)
        run.points.append(point)
        run.values.append(known[point])

    evaluate(base_point((0, 0)))
    leaves, visits, sweeps, alive = {(0, 0): run.values[0]}, 0, 0, True
    while alive and len(known) < v:
        alive, sweeps = False, sweeps + 1
        nu: float | None = None
        for h in range(min(max(depth for depth, _ in leaves), h_max) + 1):
            if len(known) == v:
                break
            visits += 1
            here = [node for node in leaves if node[0] == h]
            if not here:
                continue
            best = min(here, key=lambda node: (leaves[node], node))
            if nu is not None and not leaves[best] <= nu:
                continue
            nu, alive = leaves[best], True
            run.expanded.append(Expanded(best, sweeps, len(known)))
            children = [(h + 1, K * best[1] + digit) for digit in range(K)]
            for child in children:
                if base_point(child) not in known and len(known) < v:
                    evaluate(base_point(child))
            if all(base_point(child) in known for child in children):
                del leaves[best]
                leaves.update({child: known[base_point(child)] for child in children})
    return run._replace(visits=visits, sweeps=sweeps, leaves=leaves)
