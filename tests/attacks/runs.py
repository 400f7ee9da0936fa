"""Runs of the package's Algorithm 1 on drawn values, and the geometry of cells from the index.

Nothing here uses the package's geometry: cells and base points follow from (h, i) alone.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from attacks.search import Draw
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.settings import Settings

Name = tuple[int, int]
"""(h, i), 0 <= i < K^h; in a forest 0 <= i < P K^h."""
LEVELS = 12
Point = tuple[int, ...]
"""A base point in units of R / K^12: all base points of a coordinate split at most 12 times are
integers."""
Oracle = Callable[[Point, int], float]
"""The value of evaluation p of a base point."""
INF = math.inf
ETAS = [Fraction(1, 2), Fraction(3, 10), Fraction(1, 5), Fraction(9, 10), Fraction(5, 7)]


@lru_cache(maxsize=200_000)
def point(node: Name, d: int, K: int) -> Point:
    """Return the base point of a node, the center of its cell, in units of R / K^12.

    By K-section: the child with digit c has its center c - (K - 1)/2 of its widths from that of its
    parent, in coordinate h mod d.
    """
    h, i = node
    if h == 0:
        return (0,) * d
    y = list(point((h - 1, i // K), d, K))
    y[(h - 1) % d] += (2 * (i % K) - K + 1) * half_widths(h, d, K)[(h - 1) % d]
    return tuple(y)


@lru_cache
def half_widths(h: int, d: int, K: int) -> tuple[int, ...]:
    """Return half of each side of a cell of depth h, in units of R / K^12."""
    return tuple(K ** (LEVELS - sum(level % d == j for level in range(h))) for j in range(d))


@lru_cache(maxsize=200_000)
def cell(node: Name, d: int, K: int) -> list[tuple[int, int]]:
    """Return the cell of a node in units of R / K^12, a closed interval for each coordinate."""
    halves = half_widths(node[0], d, K)
    return [(y - w, y + w) for y, w in zip(point(node, d, K), halves, strict=True)]


@lru_cache(maxsize=200_000)
def square(y: Point) -> int:
    """Return ||y||^2, in units of R^2 / K^24."""
    return sum(t * t for t in y)


def square_of(node: Name, d: int, K: int) -> int:
    """Return the squared norm of the base point of a node, in units of R^2 / K^24."""
    return square(point(node, d, K))


def in_units_of_R(y: Point, K: int) -> tuple[Fraction, ...]:
    """Return a base point in units of R."""
    return tuple(Fraction(t, K**LEVELS) for t in y)


def holds(node: Name, y: Sequence[Fraction], d: int, K: int) -> bool:
    """Return whether the cell of a node holds y, in units of R: half-open, closed at the end."""
    unit = K**LEVELS
    for t, (low, high) in zip(y, cell(node, d, K), strict=True):
        p, q = t.numerator * unit, t.denominator
        if not (low * q <= p < high * q or (p == unit * q and high == unit)):
            return False
    return True


def branch(y: Sequence[Fraction], depth: int, d: int, K: int) -> list[Name]:
    """Return the nodes of depth 0 to `depth` whose cells hold y."""
    found: list[Name] = [(0, 0)]
    for h in range(depth):
        i = found[-1][1]
        found.append(next(n for c in range(K) if holds(n := (h + 1, K * i + c), y, d, K)))
    return found


def clipped(x: Fraction) -> Fraction:
    """Return the number of [-1, 1] that is nearest to x."""
    return min(max(x, Fraction(-1)), Fraction(1))


def nodes(h: int, K: int) -> list[Name]:
    """Return the nodes of depth h."""
    return [(h, i) for i in range(K**h)]


@dataclass
class Evaluated:
    """An evaluation: a node, its base point, the number p, the value."""

    node: Name
    y: Point
    p: int
    value: float


@dataclass
class Visit:
    """A visit of a depth."""

    sweep: int
    t: int
    l: int
    kept: Mapping[Name, float] | None
    """The leaves of the tree when the visit starts, with f*, if they were kept."""
    expanded: list[tuple[Name, float]]
    evaluated: list[Evaluated]
    made: int
    """Number of evaluations of the run before the visit."""
    children: list[tuple[Name, list[Name]]] = field(default_factory=list)

    @property
    def before(self) -> Mapping[Name, float]:
        """The leaves of the tree when the visit starts, with f*."""
        assert self.kept is not None, "the run does not keep the leaves"
        return self.kept


@dataclass
class Run:
    """A run of Algorithm 1 and its input."""

    settings: Settings
    visits: list[Visit]
    answer: float
    leaves: Mapping[Name, float]
    """The leaves of the last tree, with f*."""

    @property
    def d(self) -> int:
        return self.settings.d

    @property
    def K(self) -> int:
        return self.settings.K

    @property
    def evaluated(self) -> list[Evaluated]:
        """All evaluations in order."""
        return [e for visit in self.visits for e in visit.evaluated]

    def M_norms(self) -> dict[Point, Fraction]:
        """Return (M ||y||)^2 of each base point that was evaluated."""
        unit = (Fraction(self.settings.M) * self.settings.radius / self.K**LEVELS) ** 2
        return {e.y: unit * square(e.y) for e in self.evaluated}

    @property
    def made(self) -> int:
        """Number of evaluations."""
        return sum(len(visit.evaluated) for visit in self.visits)

    @property
    def full(self) -> bool:
        """Whether all leaves are at depth h_max + 1."""
        return all(h == self.settings.h_max + 1 for h, _ in self.leaves)

    def sweeps(self) -> list[list[Visit]]:
        """Return the visits of each sweep."""
        number = max((visit.sweep for visit in self.visits), default=0)
        return [[v for v in self.visits if v.sweep == s] for s in range(1, number + 1)]

    def complete_sweeps(self) -> list[list[Visit]]:
        """Return the sweeps but the last one if the budget may have ended it."""
        return self.sweeps()[:-1] if self.made == self.settings.v else self.sweeps()

    def iteration(self, node: Name) -> int | None:
        """Return the t at which a node is expanded; None if it is not."""
        return next((v.t for v in self.visits if node in dict(v.expanded)), None)

    def sweep_of(self, node: Name) -> int | None:
        """Return the sweep in which a node is expanded; None if it is not."""
        return next((v.sweep for v in self.visits if node in dict(v.expanded)), None)


def drawn_settings(draw: Draw, *, max_v: int = 60, max_d: int = 3, **given: Any) -> Settings:
    """Draw settings; M ||y|| is often an integer. `given` fixes some of them."""
    K = given.get("K") or draw.choice("K", [3, 5])
    d = given.get("d") or draw.integer("d", 1, max_d)
    eta = given.get("eta") or draw.choice("eta", ETAS)
    M = given.get("M")
    if M is None:
        kind = draw.integer("kind of M", 0, 2)
        if kind == 0:
            M = Fraction(draw.integer("M", 0, 3))
        else:  # 2 R M is an integer: then M ||y|| is an integer for many y
            factor = draw.integer("2 R M", 0, 4) * K ** draw.integer("power of K", 0, 1)
            M = factor * eta / (2 * d)
            draw.note("M", str(M))
    h_max = given["h_max"] if "h_max" in given else draw.integer("h_max", 0, 4)
    v = given.get("v") or draw.size("v", 1, max_v)
    return Settings(d, d, v, eta=eta, K=K, M=M, h_max=h_max)


class _Values:
    """Values of base points, in words: they are put into words only if they are printed."""

    def __init__(self, known: Mapping[tuple[Point, int], float], K: int) -> None:
        self.known, self.K = known, K

    def __str__(self) -> str:
        return ", ".join(
            f"({', '.join(map(str, in_units_of_R(y, self.K)))}) R: {value:g}"
            + (f" (p = {p})" if p > 1 else "")
            for (y, p), value in self.known.items()
        )


def drawn_values(
    draw: Draw, K: int, *, infinite: bool = False, distinct: bool | Literal["norm"] = False
) -> Oracle:
    """Draw values of base points and p, when they are asked for.

    They are few, so that ties are frequent, or, with `distinct`, all different, or, with "norm",
    different at base points of one norm.
    """
    palette = [0.0, 1.0, 2.0, 3.0, 5.0, 8.0] + ([INF] if infinite else [])
    most = 10**6 if distinct is True else draw.integer("greatest value", 0, len(palette) - 1)
    known: dict[tuple[Point, int], float] = {}
    taken: dict[int, set[float]] = {}
    draw.note("values", _Values(known, K))

    def g(y: Point, p: int) -> float:
        if (y, p) not in known:
            k = draw._choose(0, most)
            value = float(k) if distinct is True else palette[k]
            used = taken.setdefault(sum(t * t for t in y) if distinct == "norm" else 0, set())
            while distinct and value in used:
                value += 0.5
                value = value if value not in used else value + 0.25 + len(used)
            used.add(value)
            known[y, p] = value
        return known[y, p]

    return g


def run(
    settings: Settings,
    g: Oracle,
    hunter: Callable[[Settings], Hunt] = hunt,
    *,
    leaves_before: bool = False,
) -> Run:
    """Run the package's Algorithm 1, or another hunt; keep the leaves before each visit if asked
    to."""
    d, K = settings.d, settings.K
    generator = hunter(settings)
    visit = next(generator)
    visits: list[Visit] = []
    made = 0
    while True:
        tree = visit.tree
        kept = None
        if leaves_before:
            kept = {(leaf.h, leaf.i): leaf.f_star for leaf in tree.leaves()}
        evaluated = []
        for node, p in visit.evaluations:
            y = point((node.h, node.i), d, K)
            evaluated.append(Evaluated((node.h, node.i), y, p, g(y, p)))
        expanded = [((leaf.h, leaf.i), leaf.f_star) for leaf, _ in visit.expansions]
        made_children = [
            ((leaf.h, leaf.i), [(child.h, child.i) for child in children])
            for leaf, children in visit.expansions
        ]
        visits.append(
            Visit(visit.sweep, visit.t, visit.l, kept, expanded, evaluated, made, made_children)
        )
        made += len(evaluated)
        try:
            visit = generator.send([e.value for e in evaluated])
        except StopIteration as end:
            leaves = {(leaf.h, leaf.i): leaf.f_star for leaf in tree.leaves()}
            return Run(settings, visits, end.value, leaves)


def drawn_run(
    draw: Draw, *, infinite: bool = False, leaves_before: bool = False, **given: Any
) -> Run:
    """Draw settings and values, and run Algorithm 1."""
    settings = drawn_settings(draw, **given)
    values = drawn_values(draw, settings.K, infinite=infinite)
    return run(settings, values, leaves_before=leaves_before)


def classes(visit: Visit, d: int, K: int) -> list[dict[Name, float]]:
    """Return the sets L^1, L^2, ... of the visited depth when the visit starts."""
    found: dict[int, dict[Name, float]] = {}
    for node, value in visit.before.items():
        if node[0] == visit.l:
            found.setdefault(square_of(node, d, K), {})[node] = value
    return [found[norm] for norm in sorted(found, reverse=True)]


class Recorded:
    """The value f*_{h,i} that each node of the infinite tree has in a run, if it is created.

    A center child is evaluated again iff its past evaluations allow it (line 9).
    """

    def __init__(self, settings: Settings, g: Oracle) -> None:
        self.settings, self.g = settings, g
        self.unit = (Fraction(settings.M) * settings.radius / settings.K**LEVELS) ** 2
        self._known: dict[Name, tuple[float, int]] = {}

    def _found(self, node: Name) -> tuple[float, int]:
        """Return the value and the number of evaluations."""
        if node not in self._known:
            h, i = node
            K, y = self.settings.K, point(node, self.settings.d, self.settings.K)
            if h and i % K == K // 2:
                value, past = self._found((h - 1, i // K))
                if past**2 <= self.unit * square(y):
                    value, past = min(value, self.g(y, past + 1)), past + 1
                self._known[node] = value, past
            else:
                self._known[node] = self.g(y, 1), 1
        return self._known[node]

    def __call__(self, node: Name) -> float:
        return self._found(node)[0]


def simulate(
    value: Callable[[Name], float], d: int, K: int, h_max: int, sweeps: int, *,
    bound_again: bool = False, classes_again: bool = False,
) -> dict[Name, tuple[int, int]]:  # fmt: skip
    """Return the sweep and the iteration in which each node is expanded, by a second program.

    The bound of line 3 is read once per sweep, or with `bound_again` before each visit; the classes
    of a depth once per visit, or with `classes_again` again after each expansion.
    """
    leaves: dict[Name, float] = {(0, 0): value((0, 0))}
    found: dict[Name, tuple[int, int]] = {}
    t = 0
    for sweep in range(1, sweeps + 1):
        nu_min, l = INF, 0
        bound = min(max(h for h, _ in leaves), h_max)
        while l <= (min(max(h for h, _ in leaves), h_max) if bound_again else bound):
            t += 1
            old, j = dict(leaves), 0
            while True:
                level = [n for n in (leaves if classes_again else old) if n[0] == l]
                norms = sorted({square_of(n, d, K) for n in level}, reverse=True)
                if j >= len(norms):
                    break
                members = [n for n in level if square_of(n, d, K) == norms[j]]
                least, leaf = min((leaves[n], n) for n in members)
                if least < nu_min:
                    nu_min = least
                    found[leaf] = sweep, t
                    del leaves[leaf]
                    leaves |= {n: value(n) for n in [(l + 1, K * leaf[1] + c) for c in range(K)]}
                j += 1
            l += 1
    return found


def near_optimal_sets(
    value: Callable[[Name], float], eps: Sequence[float], h: int, K: int
) -> list[list[Name]]:
    """Return I_0, ..., I_h of the corrected Lemma 1 for f* = 0: value at most max(eps_k..eps_h)."""
    return [[n for n in nodes(k, K) if value(n) <= max(eps[k : h + 1])] for k in range(h + 1)]


def triangle(sweeps: int, h_max: int) -> int:
    """Return the sum of min(s, h_max + 1) over s = 1, ..., sweeps."""
    return sum(min(s, h_max + 1) for s in range(1, sweeps + 1))


class Line:
    """A piecewise linear function on [-1, 1] with f* = 0, and the cells that hold its minimiser.

    K = 3, d = n = 1, A = (eta), tau = 0. delta(h), h = 0, ..., depth, is the greatest variation
    |f(base point) - f(x)| in a cell of the branch of depth h to `depth`; so it does not increase.
    """

    def __init__(self, knots: Mapping[Fraction, Fraction], x_star: Fraction, depth: int) -> None:
        self.K, self.x_star = 3, x_star
        self.knots = sorted(knots.items())
        self._places = [x for x, _ in self.knots]
        self.branch = branch([x_star], depth, 1, self.K)
        variations = [self.variation(node) for node in self.branch]
        self.delta = [max(variations[h:]) for h in range(depth + 1)]
        self._values: dict[int, Fraction] = {}

    def at(self, y: int) -> Fraction:
        """Return f at a base point, in units of 1 / K^12."""
        if y not in self._values:
            self._values[y] = self(Fraction(y, self.K**LEVELS))
        return self._values[y]

    def __call__(self, x: Fraction) -> Fraction:
        k = max(1, bisect_left(self._places, x))
        (a, fa), (b, fb) = self.knots[k - 1], self.knots[k]
        return fa + (fb - fa) * (x - a) / (b - a)

    def variation(self, node: Name) -> Fraction:
        """Return the greatest |f(base point) - f(x)| over the closed cell: at a knot or an end."""
        unit = self.K**LEVELS
        ((low, high),) = cell(node, 1, self.K)
        a, b = Fraction(low, unit), Fraction(high, unit)
        center = self((a + b) / 2)
        between = self.knots[bisect_left(self._places, a) : bisect_right(self._places, b)]
        return max(abs(center - fx) for fx in [self(a), self(b), *(fx for _, fx in between)])

    def value(self, node: Name) -> Fraction:
        """Return f at the base point of a node."""
        return self.at(point(node, 1, self.K)[0])

    def near(self, h: int, eps: Fraction) -> list[Name]:
        """Return the nodes of depth h with a value of at most eps."""
        return [node for node in nodes(h, self.K) if self.value(node) <= eps]

    def run(self, h_max: int, v: int = 250, *, leaves_before: bool = False) -> Run:
        """Run the package's Algorithm 1 with M = 5."""
        settings = Settings(1, 1, v, eta=Fraction(3, 10), K=self.K, M=5, h_max=h_max)
        # Values are exact fractions; the search only compares them.
        return run(settings, lambda y, p: self.at(y[0]),  # type: ignore[arg-type,return-value]
                   leaves_before=leaves_before)  # fmt: skip


def drawn_line(draw: Draw, depth: int, top: int = 8) -> Line:
    """Draw f at the base points of a depth, which include those of lesser depths, and at the
    ends."""
    unit = 3**LEVELS
    at = [Fraction(point(n, 1, 3)[0], unit) for n in nodes(depth, 3)]
    values = draw.integers("f at the base points, from left to right", len(at), 1, top)
    ends = draw.integers("f at -1 and 1", 2, 0, top)
    x_star = draw.fraction("x*", -1, 1, 10 * 3**depth)
    knots = dict(zip(at, map(Fraction, values), strict=True))
    knots |= {Fraction(-1): Fraction(ends[0]), Fraction(1): Fraction(ends[1]), x_star: Fraction(0)}
    line = Line(knots, x_star, depth)
    draw.note("delta", ", ".join(map(str, line.delta)))
    return line


def drawn_valley(draw: Draw, depth: int) -> Line:
    """Draw a function with a plateau of height 1, walls at both ends, and a hollow about x*.

    The hollow rises to its shoulder at the distance w from x*, and from there with another slope.
    """
    x_star = draw.fraction("x*", 0, Fraction(4, 9), 4)
    w = draw.fraction("w", Fraction(1, 27), Fraction(5, 27), 4)
    shoulder = draw.fraction("f at the shoulder", Fraction(1, 6), Fraction(5, 6), 4)
    slope = draw.choice("slope from there", [3, 6, 9])
    start = draw.fraction("start of the walls", Fraction(1, 3), Fraction(8, 9), 5)
    end = draw.choice("f at -1 and 1", [1, 2, 4, 6, 8])
    rim = w + (1 - shoulder) / slope
    draw.assume(abs(x_star) + rim <= start)
    knots = {Fraction(k): Fraction(end) for k in (-1, 1)} | {
        -start: Fraction(1),
        start: Fraction(1),
    }
    for u, value in ((Fraction(0), Fraction(0)), (w, shoulder), (rim, Fraction(1))):
        knots |= {x_star - u: value, x_star + u: value}
    line = Line(knots, x_star, depth)
    draw.note("delta", ", ".join(map(str, line.delta)))
    return line
