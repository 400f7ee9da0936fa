"""Algorithm 1 once more, straight from the paper's definitions: slow, exact, and nothing shared.

Cells are products of intervals of Fractions, cut by K-section; base points are their centers;
norms are compared squared; T is the set of its leaves (h, i); Gamma and L^j are the sets that the
paper defines; the evaluations of a base point are counted in a dictionary with that very point as
the key; children are evaluated one by one. Not one line of the package is used. Comments mark the
lines of the paper's listing, as in `embedded_hunter.hunter`.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

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


def algorithm_1(
    g: Oracle, *, d: int, K: int, eta: Fraction, M: Fraction, h_max: int, v: int
) -> Run:
    """Run Algorithm 1 line by line, every decision taken from the definitions."""
    R = d / eta  # Alg. 1, initialization
    values: dict[Point, list[float]] = {}  # of every base point, in order
    made: list[float] = []

    @cache
    def base_point(node: Node) -> Point:
        return center(cell(node, d, K, R))

    def evaluate(node: Node) -> Evaluated:
        y = base_point(node)
        past = values.setdefault(y, [])
        value = g(len(made) + 1, y, len(past) + 1)
        past.append(value)
        made.append(value)
        return Evaluated(node, y, len(past), value)

    visits = [Visit(0, 0, 0, (), (evaluate((0, 0)),))]
    leaves: dict[Node, float] = {(0, 0): made[0]}
    t, sweeps, running = 1, 0, True
    while running and len(made) < v:  # Alg. 1, line 1
        sweeps += 1
        running = False
        nu_min: float | None = None  # Alg. 1, line 2
        for l in range(min(max(h for h, _ in leaves), h_max) + 1):  # Alg. 1, line 3
            expansions: list[tuple[Node, float]] = []
            evaluations: list[Evaluated] = []
            L_l = {node for node in leaves if node[0] == l}  # Alg. 1, line 4
            Gamma = {squared_norm(base_point(node)) for node in L_l}
            classes = [
                {node for node in L_l if squared_norm(base_point(node)) == gamma}
                for gamma in sorted(Gamma, reverse=True)
            ]
            for L_j in classes:
                least = min(leaves[node] for node in L_j)  # Alg. 1, line 5
                chosen = min(node for node in L_j if leaves[node] == least)
                if nu_min is None or least < nu_min:  # Alg. 1, line 6
                    nu_min = least  # Alg. 1, line 7
                    expansions.append((chosen, nu_min))  # Alg. 1, line 8
                    running = True
                    children = [(l + 1, K * chosen[1] + digit) for digit in range(K)]
                    kept: dict[Node, float] = {}  # Alg. 1, line 9
                    for child in children:
                        y = base_point(child)
                        past = len(values.get(y, []))
                        if past == 0 or past**2 <= M**2 * squared_norm(y):
                            if len(made) == v:
                                break
                            evaluations.append(evaluate(child))
                        kept[child] = min(values[y])
                    if len(kept) == K:  # Alg. 1, line 10
                        del leaves[chosen]
                        leaves.update(kept)
                    if len(made) == v:
                        break
            visits.append(Visit(sweeps, t, l, tuple(expansions), tuple(evaluations)))
            t += 1  # Alg. 1, lines 13-14
            if len(made) == v:
                break
    depth = max(h for h, _ in leaves)
    return Run(tuple(visits), min(made), t - 1, sweeps, depth, leaves)  # Alg. 1, line 17
