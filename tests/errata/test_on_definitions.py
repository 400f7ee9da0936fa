"""Attacks on the definitions and assumptions of the theory, and on Lemma 2."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume

from errata.runs import nodes, point
from errata.search import Draw, attack
from paper.definitions import Node


@attack("near-optimal-points")
def test_a_continuous_g_fills_the_interval(draw: Draw) -> bool:
    """The values lie in [f*, f* + eps], and fill it if g takes f* and a value of at least f* + eps:
    each value of the interval is found by bisection (min over two matrices, f(x) = |x - a|)."""
    a, c = draw.real("a", -1, 1), draw.reals("c", 2, -3, 3)

    def g(y: float) -> float:
        return min(abs(min(max(k * y, -1), 1) - a) for k in c)

    low = next((a / k for k in c if abs(k) >= abs(a) > 0), 0.0)
    high = max(draw.reals("places", 4, -1, 1), key=g)
    assume(g(low) < 1e-12)
    wanted = g(high) * draw.real("value / f* + eps", 0, 1)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if g(middle) < wanted else (low, middle)
    return abs(g(high) - wanted) <= 1e-9


def most_balls(intervals: list[tuple[Any, Any]], radius: Any, *, closed: bool) -> int:
    """Return the greatest number of disjoint balls with centers in a union of closed intervals.

    The leftmost choice of each center is best. Closed balls are disjoint if their centers are more
    than two radii apart, by an infinitesimal k, which is counted.
    """
    count, last, k = 0, None, 0
    for low, high in sorted(intervals):
        while True:
            if last is None:
                at, j = low, 0
            else:
                at, j = max((low, 0), (last + 2 * radius, k + 1 if closed else 0))
            if at > high or (at == high and j > 0):
                break
            count, last, k = count + 1, at, j
    return count


def merged(intervals: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return the union of intervals as disjoint intervals."""
    found: list[tuple[Any, Any]] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    return found


def near_optimal_against_balls(draw: Draw, *, closed: bool, m: Fraction = Fraction(1)) -> bool:
    """Compare |I_h| with the number of balls for f(y) = min_j (b_j + |y - a_j|) on [-1, 1], f* = 0:
    it is 1-Lipschitz, and delta(h) = K^-h."""
    K = draw.choice("K", [3, 5])
    apexes = draw.fractions("apexes", draw.integer("cones", 1, 3), -1, 1, 6 * K**2)
    heights = draw.fractions("heights", len(apexes), 0, 1, 27)
    cones = [(a, b - min(heights)) for a, b in zip(apexes, heights, strict=True)]
    h, m_hat = draw.integer("h", 0, 3), draw.integer("m_hat", 1, 3)
    delta = Fraction(1, K**h)
    eps = m_hat * delta

    def f(node: Node) -> Fraction:
        return min(b + abs(point(node, 1, K)[0] - a) for a, b in cones)

    near = sum(f(node) <= eps for node in nodes(h, K))
    Y_eps = merged([(max(Fraction(-1), a - eps + b), min(Fraction(1), a + eps - b))
                    for a, b in cones if b <= eps])  # fmt: skip
    balls = most_balls(Y_eps, m * delta, closed=closed)
    draw.note("near-optimal nodes", near)
    draw.note("disjoint balls", balls)
    draw.target(near / balls)
    return near <= balls


@attack("lemma-2", "supplement-a5", printed=True)
def test_lemma_2_with_closed_balls(draw: Draw) -> bool:
    """With closed cells |I_h| is at most the number of disjoint closed balls of radius (m / m_hat)
    eps, eps = m_hat delta(h), with centers in Y_eps, which C eps^(-d_hat) bounds."""
    return near_optimal_against_balls(draw, closed=True)


@attack("lemma-2", "supplement-a5")
def test_lemma_2_with_closed_balls_in_disjoint_cells(draw: Draw) -> bool:
    """If half-open cells contain the closed balls of Assumption 3 (here: m < 1), |I_h| is at most
    the number of disjoint closed balls of radius (m / m_hat) eps with centers in Y_eps."""
    m = draw.choice("m", [Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000)])
    return near_optimal_against_balls(draw, closed=True, m=m)


@attack("lemma-2", "supplement-a5")
def test_lemma_2_with_open_balls(draw: Draw) -> bool:
    """|I_h| is at most the number of disjoint open balls of radius (m / m_hat) eps, eps = m_hat
    delta(h), with centers in Y_eps, which C eps^(-d_hat) bounds."""
    return near_optimal_against_balls(draw, closed=False)


@attack("supplement-a3")
def test_continuously_differentiable_functions_are_lipschitz(draw: Draw) -> bool:
    """A polynomial on [-1, 1] is Lipschitz with the greatest |f'|."""
    f = np.polynomial.Polynomial(
        draw.integers("coefficients", draw.integer("degree", 1, 5) + 1, -4, 4)
    )
    slope = f.deriv()
    turns = [t.real for t in slope.deriv().roots() if abs(t.imag) < 1e-7 and abs(t.real) <= 1]
    L = max(abs(float(slope(t))) for t in (-1.0, 1.0, *turns))
    x, y = draw.reals("x, y", 2, -1, 1)
    return abs(float(f(x)) - float(f(y))) <= L * abs(x - y) * (1 + 1e-6) + 1e-12


@attack("supplement-a3")
def test_convex_functions_are_lipschitz_in_the_interior(draw: Draw) -> bool:
    """A convex function on (-1, 1) with |f| <= 1 there is Lipschitz on [-r, r] with 2 / (1 - r)."""
    a, b = draw.reals("slopes", 4, -9, 9), draw.reals("intercepts", 4, -9, 9)

    def f(x: float) -> float:
        return max(s * x + t for s, t in zip(a, b, strict=True))

    pairs = itertools.combinations(zip(a, b, strict=True), 2)
    crossings = [(u - t) / (s - q) for (s, t), (q, u) in pairs if abs(t - u) < abs(s - q)]
    size = max(abs(f(x)) for x in (-1.0, 1.0, *crossings))
    assume(size > 1e-6)
    r = draw.real("r", 0, 0.999)
    x, y = (r * t for t in draw.reals("x / r, y / r", 2, -1, 1))
    rise = abs(f(x) - f(y)) / size
    draw.target(rise - 2 / (1 - r) * abs(x - y))
    return rise <= 2 / (1 - r) * abs(x - y) + 1e-9
