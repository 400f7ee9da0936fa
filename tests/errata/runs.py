"""Geometry, piecewise linear functions and runs for the attacks.

Points are in units of R: the cells of [-1, 1]^d. Runs are the package's.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import hypothesis.strategies as st

from errata.search import Draw, several
from paper.definitions import Node, Oracle, Point, Run, Visit, cell, center, squared_norm
from paper.instances import Hashed, Instance, Recorder, decimal, package_run

INF = float("inf")
FEW = st.integers(1, 6).map(lambda most: [0.0, 1.0, 2.0, 3.0, 5.0, 8.0][:most])
"""Values of an oracle, so few that ties are frequent."""


@lru_cache(maxsize=100_000)
def point(node: Node, d: int, K: int) -> Point:
    """Return the base point of a node."""
    return center(cell(node, d, K, Fraction(1)))


def nodes(h: int, K: int) -> list[Node]:
    """Return the nodes of depth h."""
    return [(h, i) for i in range(K**h)]


def branch(y: Fraction, depth: int, K: int) -> list[Node]:
    """Return the nodes of depth 0 to `depth` whose cells hold a point of [-1, 1]: half-open ones,
    the last one closed."""
    return [(h, min(int((y + 1) * K**h / 2), K**h - 1)) for h in range(depth + 1)]


def drawn_branch(draw: Draw, depth: int, K: int, value: Callable[[Node], float]) -> list[Node]:
    """Draw a node of each depth, each a child of the one before: mostly the best, or another."""
    found = [(0, 0)]
    ranks = several(st.just(0) | st.integers(0, K - 1), depth)
    for rank in draw("ranks of the branch among siblings", ranks):
        h, i = found[-1]
        siblings = [(h + 1, K * i + c) for c in range(K)]
        found.append(sorted(siblings, key=value)[rank])
    draw.note("branch", found)
    return found


def drawn_instance(draw: Draw, *, h_max: int = 4, v: int | None = None) -> Instance:
    """Draw a small input of Algorithm 1; M ||y|| is often an integer. `v` may be fixed."""
    d, K = draw.integer("d", 1, 3), draw.choice("K", [3, 5])
    eta = draw.choice("eta", [Fraction(1, 2), Fraction(3, 10), Fraction(5, 7)])
    M = draw.integer("2 R M", 0, 4) * K ** draw.integer("power of K", 0, 1) * eta / (2 * d)
    draw.note("M", M)
    v = v or draw.integer("v", 1, 60)
    return Instance(d, K, eta, M, draw.integer("h_max", 0, h_max), v)


def drawn_values(draw: Draw, values: st.SearchStrategy[Sequence[float]] = FEW) -> Oracle:
    """Draw a function of the base point and p. It is shown where it was asked for."""
    g = Hashed(draw.integer("seed of the values", 0, 2**20), draw("possible values", values))
    known: dict[tuple[Point, int], float] = {}
    draw.note("values at (y, p)", known)

    def shown(k: int, y: Point, p: int) -> float:
        known[y, p] = value = g(k, y, p)
        return value

    return shown


def watched(instance: Instance, g: Oracle) -> list[tuple[Visit, dict[Node, float]]]:
    """Run the package, and return each visit with the leaves before it and their f*."""
    recorder, found, going = Recorder(instance, g), [], True
    while going:
        leaves = {(leaf.h, leaf.i): leaf.f_star for leaf in recorder.visit.tree.leaves()}
        going = recorder.step()
        found.append((recorder.visits[-1], leaves))
    return found


def visits_that_wait(
    steps: list[tuple[Visit, dict[Node, float]]], o: Node
) -> Iterator[tuple[float, Visit]]:
    """Yield the visits of o's depth from where o is a leaf to where it is expanded, each with the
    nu_min before it."""
    sweep, nu = 0, INF
    for visit, leaves in steps:
        if visit.sweep > sweep:
            sweep, nu = visit.sweep, INF
        if visit.l == o[0] and visit.t and o in leaves:
            yield nu, visit
            if o in dict(visit.expansions):
                return
        nu = min([nu, *(value for _, value in visit.expansions)])


def evaluations(visits: Sequence[Visit]) -> int:
    """Return the number of evaluations of some visits."""
    return sum(len(visit.evaluations) for visit in visits)


def expansion(run: Run, node: Node) -> Visit | None:
    """Return the visit that expands a node; None if there is none."""
    return next((visit for visit in run.visits if node in dict(visit.expansions)), None)


class Recorded:
    """The value f*_{h,i} that each node of the infinite tree has in a run, if it is created.

    A center child is evaluated again iff its past evaluations allow it (line 9). The oracle must be
    a function of the base point and p.
    """

    def __init__(self, instance: Instance, g: Oracle) -> None:
        self.instance, self.g = instance, g
        self._known: dict[Node, tuple[float, int]] = {}

    def _found(self, node: Node) -> tuple[float, int]:
        """Return the value and the number of evaluations."""
        if node not in self._known:
            (h, i), K, R = node, self.instance.K, self.instance.R
            y = center(cell(node, self.instance.d, K, R))
            value, past = INF, 0
            if h and i % K == K // 2:
                value, past = self._found((h - 1, i // K))
            if not past or past**2 <= decimal(self.instance.M) ** 2 * squared_norm(y):
                value, past = min(value, self.g(0, y, past + 1)), past + 1
            self._known[node] = value, past
        return self._known[node]

    def __call__(self, node: Node) -> float:
        return self._found(node)[0]


def number_near(value: Callable[[Node], float], eps: Sequence[float], h: int, K: int) -> int:
    """Return S_h of the corrected Lemma 1 for f* = 0: nodes of value at most max(eps_k..eps_h)."""
    return sum(value(n) <= max(eps[k : h + 1]) for k in range(h + 1) for n in nodes(k, K))


class Line:
    """A piecewise linear function on [-1, 1] with f* = 0, and the cells that hold its minimiser.

    K = 3, d = n = 1, A = (eta), tau = 0. delta(h), h = 0, ..., depth, is the greatest variation
    |f(base point) - f(x)| in a cell of the branch of depth h to `depth`; so it does not increase.
    """

    def __init__(self, knots: Mapping[Fraction, Fraction], x_star: Fraction, depth: int) -> None:
        self.knots = sorted(knots.items())
        self._places = [x for x, _ in self.knots]
        self.branch = branch(x_star, depth, 3)
        variations = [self.variation(node) for node in self.branch]
        self.delta = [max(variations[h:]) for h in range(depth + 1)]

    def __call__(self, x: Fraction) -> Fraction:
        k = max(1, bisect_left(self._places, x))
        (a, fa), (b, fb) = self.knots[k - 1], self.knots[k]
        return fa + (fb - fa) * (x - a) / (b - a)

    def variation(self, node: Node) -> Fraction:
        """Return the greatest |f(base point) - f(x)| over the closed cell: at a knot or an end."""
        ((a, b),) = cell(node, 1, 3, Fraction(1))
        center = self((a + b) / 2)
        between = self.knots[bisect_left(self._places, a) : bisect_right(self._places, b)]
        return max(abs(center - fx) for fx in [self(a), self(b), *(fx for _, fx in between)])

    def value(self, node: Node) -> Fraction:
        """Return f at the base point of a node."""
        return self(point(node, 1, 3)[0])

    def near(self, h: int, eps: Fraction) -> int:
        """Return the number of nodes of depth h with a value of at most eps."""
        return sum(self.value(node) <= eps for node in nodes(h, 3))

    def input(self, h_max: int) -> tuple[Instance, Oracle]:
        """Return the input of a run with M = 5 that fills the tree."""
        instance = Instance(1, 3, Fraction(3, 10), 5, h_max, 250)
        # Values are exact fractions; the search only compares them.
        return instance, lambda k, y, p: self(y[0] / instance.R)  # type: ignore[return-value]

    def run(self, h_max: int) -> Run:
        """Run the package."""
        return package_run(*self.input(h_max))


def drawn_line(draw: Draw, depth: int) -> Line:
    """Draw f at the base points of a depth, which include those of lesser depths, and at the
    ends."""
    at = [point(n, 1, 3)[0] for n in nodes(depth, 3)]
    values = draw.integers("f at the base points, from left to right", len(at), 1, 8)
    ends = draw.integers("f at -1 and 1", 2, 0, 8)
    x_star = draw.fraction("x*", -1, 1, 10 * 3**depth)
    knots = dict(zip(at, map(Fraction, values), strict=True))
    knots |= {Fraction(-1): Fraction(ends[0]), Fraction(1): Fraction(ends[1]), x_star: Fraction(0)}
    line = Line(knots, x_star, depth)
    draw.note("delta", line.delta)
    return line
