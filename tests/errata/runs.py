"""Piecewise linear functions on [-1, 1], in units of R, and runs of the package."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from paper.definitions import Node, Oracle, Point, Run, Visit, cell, center
from paper.instances import Instance, Recorder, package_run

INF = float("inf")


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


def expansion(run: Run, node: Node) -> Visit | None:
    """Return the visit that expands a node; None if there is none."""
    return next((visit for visit in run.visits if node in dict(visit.expansions)), None)


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
