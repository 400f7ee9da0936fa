"""Objectives on the line: d = n = 1, K = 3, A = (eta), so that x = eta y runs over [-1, 1]."""

from collections.abc import Callable
from fractions import Fraction

from driving import Step, steps

from embedded_hunter.settings import Settings

OnTheLine = Callable[[Fraction], Fraction]


def run(f: OnTheLine, h_max: int) -> list[Step]:
    """Run Algorithm 1 on g(y) = f(eta y), eta = 3/10, M = 5; x = eta y is made exact again."""
    settings = Settings(1, 1, 100, eta=Fraction(3, 10), M=5, h_max=h_max)
    return steps(settings, lambda y: float(f(Fraction(0.3 * y[0]).limit_denominator(1000))))


def position(h: int, i: int) -> Fraction:
    """Where the base point of node (h, i) lies in [-1, 1]."""
    return Fraction(2 * i + 1, 3**h) - 1


def iteration_of(node: tuple[int, int], run: list[Step]) -> int:
    """Return the t at which the node is expanded."""
    return next(step.t for step in run if node in step.expanded)


def near_optimal(f: OnTheLine, h: int, eps: Fraction) -> list[tuple[int, int]]:
    """Return I_h^eps for f* = 0: the nodes of depth h whose base points are eps-optimal."""
    return [(h, i) for i in range(3**h) if f(position(h, i)) <= eps]
