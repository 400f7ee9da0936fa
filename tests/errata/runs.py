"""Functions on the line, in units of R, and runs of the package on them.

d = n = 1, K = 3, eta = 3/10, M = 5, A = (eta): the base points of Y = [-R, R], divided by R, are
their points in [-1, 1]. Values are exact fractions; the search only compares them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from paper.definitions import Node, Oracle, Run, Visit, cell
from paper.instances import Instance, Recorder, package_run

INF = float("inf")
OnTheLine = Callable[[Fraction], Fraction]


def position(node: Node) -> Fraction:
    """Return the base point of a node in [-1, 1]."""
    h, i = node
    return Fraction(2 * i + 1, 3**h) - 1


def nodes(h: int) -> list[Node]:
    """Return the nodes of depth h."""
    return [(h, i) for i in range(3**h)]


def branch(x: Fraction, depth: int) -> list[Node]:
    """Return the nodes of depth 0 to `depth` whose cells hold a point of [-1, 1]: half-open ones,
    the last one closed."""
    return [(h, min(int((x + 1) * 3**h / 2), 3**h - 1)) for h in range(depth + 1)]


def near_optimal(f: OnTheLine, h: int, eps: Fraction) -> list[Node]:
    """Return I_h^eps for f* = 0: the nodes of depth h with a value of at most eps."""
    return [node for node in nodes(h) if f(position(node)) <= eps]


def on_the_line(f: OnTheLine, h_max: int, v: int = 250) -> tuple[Instance, Oracle]:
    """Return the input of a run on f."""
    instance = Instance(1, 3, Fraction(3, 10), 5, h_max, v)
    # An oracle returns floats; exact fractions are compared alike, without rounding.
    return instance, lambda k, y, p: f(y[0] / instance.R)  # type: ignore[return-value]


def run(f: OnTheLine, h_max: int, v: int = 250) -> Run:
    """Run the package on f."""
    return package_run(*on_the_line(f, h_max, v))


def iteration_of(node: Node, run: Run) -> int:
    """Return the t at which the node is expanded."""
    return next(visit.t for visit in run.visits if node in dict(visit.expansions))


def expanded(visit: Visit) -> list[Node]:
    """Return the nodes that a visit expands."""
    return [node for node, _ in visit.expansions]


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


class Line:
    """A piecewise linear function on [-1, 1], given by its values at some points."""

    def __init__(self, knots: Mapping[Fraction, Fraction]) -> None:
        self.knots = sorted(knots.items())
        self._places = [x for x, _ in self.knots]

    def __call__(self, x: Fraction) -> Fraction:
        k = max(1, bisect_left(self._places, x))
        (a, fa), (b, fb) = self.knots[k - 1], self.knots[k]
        return fa + (fb - fa) * (x - a) / (b - a)

    def variation(self, node: Node) -> Fraction:
        """Return the greatest |f(base point) - f(x)| over the closed cell: at a knot or an end.

        If tau = 0, Assumption 2 asks for a delta(h) of at least that of the optimal node.
        """
        ((a, b),) = cell(node, 1, 3, Fraction(1))
        center = self((a + b) / 2)
        between = self.knots[bisect_left(self._places, a) : bisect_right(self._places, b)]
        return max(abs(center - fx) for fx in [self(a), self(b), *(fx for _, fx in between)])
