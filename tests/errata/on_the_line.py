"""Objectives on the line: d = n = 1, A = (eta), so that x = eta y runs over [-1, 1]."""

from collections.abc import Callable
from fractions import Fraction

from embedded_hunter.settings import Settings
from errata.driving import Step, steps

OnTheLine = Callable[[Fraction], Fraction]


def run(f: OnTheLine, h_max: int, K: int = 3, v: int = 100) -> list[Step]:
    """Run Algorithm 1 on g(y) = f(eta y), eta = 3/10, M = 5; x = eta y is made exact again."""
    settings = Settings(1, 1, v, eta=Fraction(3, 10), M=5, K=K, h_max=h_max)
    return steps(settings, lambda y: float(f(Fraction(0.3 * y[0]).limit_denominator(1000))))


def position(h: int, i: int, K: int = 3) -> Fraction:
    """Where the base point of node (h, i) lies in [-1, 1]."""
    return Fraction(2 * i + 1, K**h) - 1


def holds(h: int, i: int, x: Fraction, K: int = 3) -> bool:
    """Tell whether the cell of node (h, i) holds x: half-open, the last one of a depth closed."""
    half, center = Fraction(1, K**h), position(h, i, K)
    return center - half <= x < center + half or (i == K**h - 1 and x == 1)


def iteration_of(node: tuple[int, int], run: list[Step]) -> int:
    """Return the t at which the node is expanded."""
    return next(step.t for step in run if node in step.expanded)


def near_optimal(f: OnTheLine, h: int, eps: Fraction, K: int = 3) -> list[tuple[int, int]]:
    """Return I_h^eps for f* = 0: the nodes of depth h whose base points are eps-optimal."""
    return [(h, i) for i in range(K**h) if f(position(h, i, K)) <= eps]
