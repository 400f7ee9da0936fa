"""Attacks on the definitions and assumptions of the theory, and on Lemma 2."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume

from attacks.runs import clipped, half_widths, nodes, point
from attacks.search import Draw, attack
from spec.algorithm.brute_force import Node, cell


@attack("definition-1", printed=True)
def test_some_cell_is_not_optimal_as_printed(draw: Draw) -> bool:
    """Not every cell is optimal: here no matrix maps a point of the cell to an optimiser."""
    d, h = draw.integer("d", 1, 2), draw.integer("h", 0, 3)
    node = (h, draw.integer("i", 0, 3**h - 1))
    x = draw.fractions("x*", 2, -1, 1, 20)
    y = [high for _, high in cell(node, d, 3, Fraction(1))]  # a corner of the cell
    y[0] -= Fraction(1, 1000)  # now inside, and not 0
    square = sum(t * t for t in y)
    A = [[s * t / square for t in y] for s in x]
    return [sum(a * t for a, t in zip(row, y, strict=True)) for row in A] != x


@attack("assumption-2", printed=True)
def test_delta_can_tend_to_0_as_printed(draw: Draw) -> bool:
    """Over all realisations the variation of g in an optimal cell is small at great depths: here at
    most half of the oscillation of f (d = n = 2, f(x) = |x_1 - a|)."""
    h = draw.integer("h", 0, 6)
    y = point((h, draw.integer("i", 0, 3**h - 1)), 2, 3)
    a = draw.fraction("a", -1, 1, 20)
    place = draw.fractions("place", 2, -1, 1, 8)
    z = [t + w * s for t, w, s in zip(y, half_widths(h, 2, 3), place, strict=True)]
    det = y[0] * z[1] - y[1] * z[0]
    assume(det)
    # the first row of A maps y to x*_1 = a and z to the farthest corner
    goal = [a, Fraction(-1) if a > 0 else Fraction(1)]
    row = [(goal[0] * z[1] - goal[1] * y[1]) / det, (y[0] * goal[1] - z[0] * goal[0]) / det]
    g = [abs(clipped(row[0] * t[0] + row[1] * t[1]) - a) for t in (y, z)]
    draw.note("variation", abs(g[0] - g[1]))
    return bool(abs(g[0] - g[1]) <= (1 + abs(a)) / 2)


@attack("assumption-4", printed=True)
def test_tau_is_less_than_the_oscillation_as_printed(draw: Draw) -> bool:
    """Over all realisations s, t, |g_s(y) - g_t(y)| is less than the oscillation of f at a base
    point (n = d = 2, f(x) = |x_1 - a|)."""
    h = draw.integer("h", 1, 4)
    y = point((h, draw.integer("i", 0, 3**h - 1)), 2, 3)
    a = draw.fraction("a", -1, 1, 20)
    assume(any(y))
    square = sum(t * t for t in y)
    values = []
    for goal in (a, Fraction(-1) if a > 0 else Fraction(1)):
        x = sum((goal * t / square) * t for t in y)
        values.append(abs(x - a))
    return abs(values[0] - values[1]) < 1 + abs(a)


@attack("near-optimal-points", printed=True)
def test_the_values_near_the_optimum_fill_the_interval(draw: Draw) -> bool:
    """The values of g on Y_eps are the whole interval [f*, f* + eps] (f(x) = |x - a|, R = 1, one
    matrix c: the values are those between the distance of a from [-|c|, |c|] and |a| + |c|)."""
    a, c = draw.fraction("a", -1, 1, 20), draw.fraction("c", -1, 1, 20)
    eps = draw.fraction("eps", Fraction(1, 20), 2, 39)
    w = draw.fraction("value / eps", 0, 1, 10) * eps
    return max(Fraction(0), abs(a) - abs(c)) <= w <= abs(a) + abs(c)


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


@attack("definition-2", printed=True)
def test_the_dimension_is_positive_for_every_eps(draw: Draw) -> bool:
    """For C > 0 and d_m > 0 the number of balls with centers in Y_eps, which is at least one, is at
    most C eps^(-d_m) for every eps > 0."""
    C = 10.0 ** draw.real("log10 of C", -2, 4)
    d_m = draw.real("d_m", 0.1, 4)
    eps = 10.0 ** draw.real("log10 of eps", -6, 60)
    return bool(C * eps**-d_m >= 1)


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


@attack("supplement-a3", printed=True)
def test_a_convex_function_on_a_closed_interval_is_lipschitz(draw: Draw) -> bool:
    """The convex function -sqrt(1 - x) on [-1, 1] is Lipschitz with the constant L."""
    L = draw.integer("L", 1, 1000)
    x, y = (1 - 10.0 ** draw.real(name, -9, 0.3) for name in ("log10(1 - x)", "log10(1 - y)"))
    return bool(abs(math.sqrt(1 - x) - math.sqrt(1 - y)) <= L * abs(x - y) + 1e-12)


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
