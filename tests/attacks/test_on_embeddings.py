"""Attacks on the problem, the projection, the random embeddings and what follows for the method."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from attacks.runs import Point, clipped, drawn_settings, drawn_values, in_units_of_R, point, run
from attacks.search import Draw, attack
from embedded_hunter.node import Node, children, root
from embedded_hunter.problems import hidden
from embedded_hunter.problems.lipschitz import FAMILIES
from embedded_hunter.projection import Fresh, Indexed, clip
from embedded_hunter.regret import (
    coverage_of_matrices,
    coverage_probability,
    covering_radius,
    distance_regret_within_reach,
    forest_coverage,
    operator_norm_bound,
    optimal_rule,
    regret_curve,
    simple_regret,
)
from embedded_hunter.regret.least_deviations import least_deviations
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import Box
from embedded_hunter.run.minimize import minimize
from embedded_hunter.settings import Settings

Array = npt.NDArray[np.float64]
FALSE_ALARM = 1e-9
RATE = "at most 1e-9 for each instance (exact binomial law)"


def tail(x: float) -> float:
    """Return P(|z| >= x) of a standard normal z, twice the upper tail Q."""
    return float(special.erfc(x / math.sqrt(2)))


def too_many(count: int, trials: int, p: float, rate: float = FALSE_ALARM) -> bool:
    """Return whether P(at least `count` of `trials`) <= `rate` if each has probability p."""
    return count > trials * p and float(special.bdtrc(count - 1, trials, p)) <= rate


def off(count: int, trials: int, p: float) -> bool:
    """Return whether `count` of `trials` is too many or too few if each has probability p.

    The rate of false alarms is at most 1e-9: one half for each side.
    """
    half = FALSE_ALARM / 2
    few = count < trials * p and float(special.bdtr(count, trials, p)) <= half
    return few or too_many(count, trials, p, half)


# ---------------------------------------------------------------- the problem


@attack("eq-1")
def test_the_cube_is_mapped_onto_any_finite_box(draw: Draw) -> bool:
    """X is mapped onto the box: corners onto corners, no point outside, none left out (up to
    rounding)."""
    n = draw.integer("n", 1, 3)
    exponent = draw.integer("exponent of 10", -300, 307)
    ends = [sorted(draw.reals(f"bounds {j}", 2, -1, 1)) for j in range(n)]
    bounds = [(a * 10.0**exponent, b * 10.0**exponent) for a, b in ends]
    box = Box(bounds)
    low, high = np.array(bounds).T
    x = np.array(draw.reals("x", n, -1, 1))
    z = box.from_cube(x)
    if not (np.all(low <= z) and np.all(z <= high)):
        return False
    share = np.array(draw.reals("share", n, 0, 1))  # a point of the box, and where it comes from
    wanted = low + share * (high - low)
    rounding = 8e-16 * np.maximum(abs(low), abs(high)) + 1e-320
    return all(
        np.all(abs(box.from_cube(at) - to) <= rounding)
        for at, to in ((np.full(n, -1.0), low), (np.full(n, 1.0), high), (2 * share - 1, wanted))
    )


@attack("eq-1")
def test_minimize_evaluates_points_of_the_box_only(draw: Draw) -> bool:
    """f is evaluated at single points of the box, one call for each evaluation."""
    n = draw.integer("n", 1, 3)
    bounds = [tuple(sorted(draw.reals(f"bounds {j}", 2, -9, 9))) for j in range(n)]
    low, high = np.array(bounds).T
    seen: list[Array] = []

    def f(x: Array) -> float:
        seen.append(x.copy())
        return float(x.sum())

    v = draw.integer("v", 1, 8)
    policy: Any = draw.choice("policy", ["fresh", "indexed"])
    found = minimize(f, bounds, d=1, maxfun=v, rng=draw.integer("seed", 0, 9), policy=policy)
    inside = all(x.shape == (n,) and np.all(low <= x) and np.all(x <= high) for x in seen)
    return inside and found.nfev == len(seen) <= v


@attack("eq-2")
def test_the_regret_is_the_best_value_less_the_minimum(draw: Draw) -> bool:
    """r(v) = f*_v - f*, f*_v the least of the first v values."""
    f_star = draw.integer("f*", -5, 5)
    values = [f_star + k for k in draw.integers("values - f*", draw.integer("v", 1, 8), 0, 9)]
    curve = regret_curve(values, f_star)
    best = values[0]
    for k, value in enumerate(values):
        best = min(best, value)
        if curve[k] != best - f_star or simple_regret(best, f_star) != best - f_star:
            return False
    return len(curve) == len(values)


@attack("assumption-1")
def test_the_functions_of_the_theory_are_lipschitz(draw: Draw) -> bool:
    """|f(x) - f(x')| <= L ||x - x'|| with the L that the function states, and its minimum is f*."""
    d_e = draw.integer("d_e", 1, 3)
    family = draw.choice("family", list(FAMILIES))
    f = family(draw.rng(), np.array(draw.reals("x*", d_e, -1, 1)))
    a, b = (np.array(draw.reals(name, d_e, -1, 1)) for name in ("x", "x'"))
    close = 10.0 ** -draw.integer("closeness", 0, 5)
    b = a + close * (b - a)
    fa, fb, least = f(np.array([a, b, f.x_star]))
    bound = f.lipschitz * float(np.linalg.norm(a - b))
    draw.target(abs(fa - fb) / (bound + 1e-300))
    rounding = 1e-13 * max(1.0, abs(fa))
    return bool(abs(fa - fb) <= bound + rounding and min(fa, fb) >= f.f_star == least)


@attack("assumption-1")
def test_the_test_problems_are_lipschitz(draw: Draw) -> bool:
    """The test problems have the Lipschitz constant that they state."""
    d_e = draw.integer("d_e", 2, 4)
    name = draw.choice("problem", sorted(hidden.PROBLEMS))
    problem = hidden.PROBLEMS[name](d_e + draw.integer("n - d_e", 0, 2), d_e, draw.rng())
    a = np.array(draw.reals("x", problem.n, -1, 1))
    b = np.array(draw.reals("x'", problem.n, -1, 1))
    b = a + 10.0 ** -draw.integer("closeness", 0, 4) * (b - a)
    fa, fb = float(problem(a)), float(problem(b))
    bound = problem.lipschitz * float(np.linalg.norm(a - b))
    draw.target(abs(fa - fb) / (bound + 1e-300))
    return abs(fa - fb) <= bound + 1e-11 * max(1.0, abs(fa))


# ---------------------------------------------------------------- the projection


@attack("eq-3", printed=True)
def test_the_printed_projection_lands_in_X(draw: Draw) -> bool:
    """The projection with coordinates 1 if [y]_i >= 1, -1 if [y]_i <= -1 and [Ay]_i otherwise is a
    point of X."""
    y = draw.fractions("y", 2, -3, 3, 12)
    A = [draw.fractions(f"row {i} of A", 2, -3, 3, 12) for i in range(2)]
    Ay = [sum(a * t for a, t in zip(row, y, strict=True)) for row in A]
    x = [1 if t >= 1 else -1 if t <= -1 else s for t, s in zip(y, Ay, strict=True)]
    return all(-1 <= t <= 1 for t in x)


@attack("eq-3", printed=True)
def test_the_printed_projection_is_the_nearest_point(draw: Draw) -> bool:
    """The printed projection, if in X, is the point of X that is nearest to Ay."""
    y, a, z = (draw.fraction(name, -4, 4, 32) for name in ("y", "A", "z"))
    draw.assume(abs(z) <= 1)
    x = Fraction(1) if y >= 1 else Fraction(-1) if y <= -1 else a * y
    draw.assume(abs(x) <= 1)
    return abs(x - a * y) <= abs(z - a * y)


@attack("eq-3")
def test_the_corrected_projection_is_the_nearest_point(draw: Draw) -> bool:
    """Clipping each coordinate of Ay to [-1, 1] gives the point of X that is nearest to Ay."""
    n = draw.integer("n", 1, 4)
    Ay = draw.reals("Ay", n, -4, 4)
    other = draw.reals("another point of X", n, -1, 1)
    x = clip(np.array(Ay)).tolist()
    if x != [1.0 if t > 1 else -1.0 if t < -1 else t for t in Ay]:
        return False

    def distance(p: list[float]) -> Fraction:
        return sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(p, Ay, strict=True)),
                   Fraction(0))  # fmt: skip

    return distance(x) <= distance(other)


# ---------------------------------------------------------------- coverage


@attack("coverage", printed=True)
def test_the_printed_coverage(draw: Draw) -> bool:
    """With entries of variance 1/n and Y = [-d/eta, d/eta]^d the optimiser is covered with
    probability at least 1 - eta (here d = d_e = 1: P(|z| >= |x*| eta sqrt(n)))."""
    n = draw.integer("n", 1, 10**5)
    eta = draw.real("eta", 0.001, 0.999)
    x = draw.real("x*", -1, 1)
    covered = tail(abs(x) * eta * math.sqrt(n))
    draw.note("promised", 1 - eta)
    draw.note("happened", covered)
    return covered >= 1 - eta


@attack("coverage", rate=RATE)
def test_the_coverage_has_the_corrected_law(draw: Draw) -> bool:
    """x* is covered with probability E_u[2 Q(||x*|| ||u||_inf / (sigma R))]: counted over 400
    matrices whose systems B y = x* are solved."""
    d = draw.integer("d", 1, 3)
    x = np.array(draw.reals("x*", d, -0.999, 0.999))
    draw.assume(np.any(x))
    sigma, R = draw.real("sigma", 0.01, 3), draw.real("R", 0.1, 40)
    B = sigma * draw.rng().standard_normal((400, d, d))
    y = np.linalg.solve(B, np.broadcast_to(x[:, None], (400, d, 1)))[..., 0]
    covered = int(np.sum(abs(y).max(axis=1) <= R))
    p = coverage_probability(x, d, sigma, R)
    return not off(covered, 400, p)


@attack("coverage")
def test_the_corrected_law_of_two_coordinates_by_the_angle(draw: Draw) -> bool:
    """For d = d_e = 2 the law is the mean over the angle of u of 2 Q(||x*|| ||u||_inf / (sigma R)):
    by the trapezoidal rule."""
    x = draw.reals("x*", 2, -0.999, 0.999)
    draw.assume(any(x))
    sR = draw.real("sigma R", 0.3, 40)
    angles = np.linspace(0, math.pi / 4, 401)  # ||u||_inf = cos there; the rest by symmetry
    laws = special.erfc(math.hypot(*x) * np.cos(angles) / (sR * math.sqrt(2)))
    weights = np.ones(401)
    weights[[0, -1]] = 0.5
    mean = float(laws @ weights / 400)
    return math.isclose(coverage_probability(x, 2, sR, 1.0), mean, rel_tol=1e-4, abs_tol=1e-300)


@attack("coverage")
def test_with_variance_1_the_coverage_exceeds_1_less_eta(draw: Draw) -> bool:
    """For sigma = 1 and R = d/eta the corrected probability exceeds 1 - eta."""
    d = draw.integer("d", 1, 8)
    eta = draw.real("eta", 0.001, 0.999)
    x = draw.reals("x*", d, -0.999, 0.999)
    draw.assume(any(x))
    p = coverage_probability(x, d, 1.0, d / eta)
    draw.target((1 - p) / eta)
    return p > 1 - eta


@attack("coverage")
def test_with_variance_1_over_n_the_coverage_tends_to_0(draw: Draw) -> bool:
    """For sigma^2 = 1/n the probability falls with n, below 2 Q(||x*|| sqrt(n/d) / R), which tends
    to 0."""
    d, n = draw.integer("d", 1, 4), draw.integer("n", 1, 10**4)
    R = draw.real("R", 0.1, 30)
    x = draw.reals("x*", d, -0.999, 0.999)
    norm = math.hypot(*x)
    draw.assume(norm > 1e-3)
    p, q = (coverage_probability(x, d, 1 / math.sqrt(k), R) for k in (n, 2 * n))
    draw.assume(q > 1e-290)
    return q < p <= tail(norm * math.sqrt(n / d) / R) * (1 + 1e-9)


@attack("coverage-law")
def test_the_least_half_width_is_the_norm_over_a_least_absolute_deviation(draw: Draw) -> bool:
    """min ||y||_inf with B y = x* is ||x*|| / min ||b - W mu||_1, b and W' the rows of B reflected
    so that x* goes to ||x*|| e_1: by a linear program for each matrix."""
    d_e = draw.integer("d_e", 2, 4)
    d = d_e + draw.integer("d - d_e", 1, 4)
    x, B = np.array(draw.reals("x*", d_e, -0.99, 0.99)), draw.rng().standard_normal((d_e, d))
    norm = float(np.linalg.norm(x))
    draw.assume(norm > 1e-3)
    axis = np.eye(d_e)[0]
    v = x / norm - axis
    draw.assume(v @ v > 1e-12)
    rows = B - 2 * np.outer(v, v @ B) / (v @ v)
    D = float(least_deviations(rows[:1], rows[1:].T[None])[0])
    return math.isclose(covering_radius(B, x), norm / D, rel_tol=1e-6)


@attack("multiple-run-success", printed=True)
def test_the_printed_success_rate_of_several_embeddings(draw: Draw) -> bool:
    """M embeddings have the success rate 1 - eta^M (here d = d_e = 1, variance 1/n)."""
    n, M = draw.integer("n", 1, 1000), draw.integer("M", 1, 5)
    eta, x = draw.real("eta", 0.01, 0.99), draw.real("x*", -1, 1)
    pi = tail(abs(x) * eta * math.sqrt(n))
    return 1 - (1 - pi) ** M >= 1 - eta**M


@attack("multiple-run-success", "forest-coverage")
def test_independent_embeddings_cover_with_the_corrected_probability(draw: Draw) -> bool:
    """M independent embeddings cover with probability 1 - (1 - pi)^M: by the sum over all outcomes.
    This is at least 1 - eta^M if pi >= 1 - eta, and less if pi < 1 - eta."""
    M = draw.integer("M", 1, 6)
    pi = draw.fraction("pi", 0, 1, 24)
    eta = draw.fraction("eta", Fraction(1, 24), Fraction(23, 24), 22)
    total = Fraction(0)
    for outcome in itertools.product([0, 1], repeat=M):
        if any(outcome):
            total += pi ** sum(outcome) * (1 - pi) ** (M - sum(outcome))
    theirs = coverage_of_matrices(float(pi), M)
    return (
        total == 1 - (1 - pi) ** M
        and math.isclose(theirs, total, rel_tol=1e-12, abs_tol=1e-15)
        and (total >= 1 - eta**M) == (pi >= 1 - eta)
    )


# ---------------------------------------------------------------- Theorem 1

WALSH = np.array([[(-1) ** (k & j).bit_count() for j in range(8)] for k in range(1, 8)], float)
"""Seven functions on eight equally probable outcomes, of mean 0 and variance 1, uncorrelated."""


def drawn_function(draw: Draw, d_e: int) -> tuple[Any, float]:
    """Draw a Lipschitz function of d_e coordinates, on rows of an array, and its constant."""
    kind = draw.choice("f", ["linear", "cones", "absolute"])
    L = draw.choice("L", [1.0, 3.0, 0.5])
    if kind == "linear":
        a = np.array(draw.reals("direction", d_e, -1, 1))
        draw.assume(np.any(a))
        a *= L / np.linalg.norm(a)
        return (lambda x: x @ a), L
    if kind == "absolute":
        c = np.array(draw.reals("center", d_e, -1, 1))
        return (lambda x: L / math.sqrt(d_e) * np.abs(x - c).sum(axis=-1)), L
    centers = np.array([draw.reals(f"center {k}", d_e, -1, 1) for k in range(2)])
    heights = np.array(draw.reals("heights", 2, 0, 1))
    return (
        lambda x: (heights + L * np.linalg.norm(x[..., None, :] - centers, axis=-1)).min(axis=-1)
    ), L


def drawn_pair(draw: Draw, n: int, d: int, *, uncorrelated: bool) -> tuple[Array, Array]:
    """Draw the laws of A_p and A_q on eight outcomes, shapes (8, n, d), of variance 1/n.

    Entries of a row have mean 0 and are uncorrelated; with `uncorrelated` also those of the same
    row of both.
    """
    A_p, A_q = np.empty((8, n, d)), np.empty((8, n, d))
    for i in range(n):
        basis = WALSH
        if draw.flag(f"rotated {i}"):
            Q, _ = np.linalg.qr(draw.rng(f"rotation {i}").standard_normal((7, 7)))
            basis = Q @ WALSH
        order = draw.permutation(f"functions of row {i}", 7)
        outcomes = draw.permutation(f"outcomes of row {i}", 8)
        p = basis[order[:d]][:, outcomes]
        if uncorrelated:
            q = basis[order[d : 2 * d]][:, outcomes]
        else:
            other = draw.permutation(f"functions of row {i} of A_q", 7)
            q = basis[other[:d]][:, draw.permutation(f"outcomes of row {i} of A_q", 8)]
            q = q if draw.flag(f"sign {i}") else -p
        A_p[:, i], A_q[:, i] = p.T / math.sqrt(n), q.T / math.sqrt(n)
    return A_p, A_q


@attack("theorem-1", "conclusion-proportional")
def test_theorem_1_whatever_the_joint_law(draw: Draw) -> bool:
    """E|g_p(y) - g_q(y)| <= 2 L ||y|| <= sqrt(8) L ||y||, for entries of mean 0 and variance 1/n,
    uncorrelated within each row, whatever the joint law: exact means over eight outcomes."""
    n, d = draw.integer("n", 1, 3), draw.integer("d", 1, 3)
    A_p, A_q = drawn_pair(draw, n, d, uncorrelated=False)
    f, L = drawn_function(draw, n)
    y = np.array(draw.reals("y", d, -1, 1)) * draw.choice("scale of y", [1.0, 0.1, 4.0])
    mean = float(np.mean(abs(f(np.clip(A_p @ y, -1, 1)) - f(np.clip(A_q @ y, -1, 1)))))
    bound = 2 * L * float(np.linalg.norm(y))
    draw.target(mean / (bound + 1e-300))
    return mean <= bound * (1 + 1e-12)


@attack("theorem-1")
def test_theorem_1_with_rows_uncorrelated_between_the_matrices(draw: Draw) -> bool:
    """It holds with sqrt(2) if the rows of A_p and A_q are uncorrelated as well, and with sqrt(2
    d_e / n) if f depends on d_e coordinates: exact means over eight outcomes."""
    n, d = draw.integer("n", 1, 4), draw.integer("d", 1, 3)
    d_e = draw.integer("d_e", 1, n)
    A_p, A_q = drawn_pair(draw, n, d, uncorrelated=True)
    f, L = drawn_function(draw, d_e)
    y = np.array(draw.reals("y", d, -1, 1)) * draw.choice("scale of y", [1.0, 0.1, 4.0])
    a, b = (f(np.clip(A @ y, -1, 1)[:, :d_e]) for A in (A_p, A_q))
    mean, norm = float(np.mean(abs(a - b))), float(np.linalg.norm(y))
    bound = math.sqrt(2 * d_e / n) * L * norm
    draw.target(mean / (bound + 1e-300))
    return mean <= bound * (1 + 1e-12) and bound <= math.sqrt(2) * L * norm * (1 + 1e-12)


def variation_on_the_line(values: Array, law: Array) -> float:
    """Return E|X - X'| for independent X, X' with these values and probabilities."""
    order = np.argsort(values)
    x, w = values[order], law[order]
    upto = np.cumsum(w)
    return float(2 * np.sum(w * x * (2 * upto - w - 1)))


GRID = np.arange(-24, 25) / 4
LINE = np.exp(-(GRID**2) / 2) / np.exp(-(GRID**2) / 2).sum()
PLANE = np.array(list(itertools.product(GRID, GRID)))
PLANE_LAW = np.outer(LINE, LINE).ravel()


@attack("theorem-1-sharp")
def test_the_sharp_constant_bounds_the_variation(draw: Draw) -> bool:
    """For independent Gaussian matrices E|g_p(y) - g_q(y)| <= (2/sqrt(pi)) sigma L ||y||: in one
    and two effective coordinates by quadrature, up to 1 % for its error."""
    d_e = draw.integer("d_e", 1, 2)
    f, L = drawn_function(draw, d_e)
    s = 10.0 ** draw.real("log10 of sigma ||y||", -2, 1)
    z, law = (GRID[:, None], LINE) if d_e == 1 else (PLANE, PLANE_LAW)
    found = variation_on_the_line(f(np.clip(s * z, -1, 1)), law)
    bound = 2 / math.sqrt(math.pi) * L * s
    draw.target(found / bound)
    return bool(found <= 1.01 * bound)


@attack("theorem-1-sharp")
def test_linear_functions_approach_the_sharp_constant(draw: Draw) -> bool:
    """For linear f the ratio to the bound tends to 1 as sigma ||y|| tends to 0 (at 0.16 and less it
    is over 0.98 by quadrature); for sigma^2 = 1/n the printed constant is sqrt(2 pi n) times it."""
    s = 10.0 ** draw.real("log10 of sigma ||y||", -6, -0.8)
    a = draw.reals("direction", 2, -1, 1)
    draw.assume(math.hypot(*a) > 0.1)
    unit = np.array(a) / math.hypot(*a)
    values = np.clip(s * PLANE, -1, 1) @ unit
    n = draw.integer("n", 1, 10**6)
    ratio = math.sqrt(8) / (2 / math.sqrt(math.pi) / math.sqrt(n))
    found = variation_on_the_line(values, PLANE_LAW) / (2 / math.sqrt(math.pi) * s)
    return found > 0.98 and math.isclose(ratio, math.sqrt(2 * math.pi * n), rel_tol=1e-12)


def square_variation(s: Fraction, law: list[tuple[Fraction, Fraction]]) -> Fraction:
    """Return E|X - X'| for independent X, X' with the law of clip(s a)^2."""
    values = [(min(Fraction(1), abs(s * a)) ** 2, w) for a, w in law]
    return sum((abs(x - y) * v * w for x, v in values for y, w in values), Fraction(0))


@attack("conclusion-proportional", printed=True)
def test_the_mean_variation_is_proportional_to_the_norm(draw: Draw) -> bool:
    """The mean variation between two matrices at c y is c times that at y (f(x) = x^2, n = d =
    1)."""
    weight = draw.fraction("probability of +-a", Fraction(1, 10), 1, 9)
    a = draw.fraction("a", Fraction(1, 10), 3, 29)
    law = [(a, weight), (Fraction(0), 1 - weight)]
    s = draw.fraction("s", Fraction(1, 10), 2, 19)
    return square_variation(2 * s, law) == 2 * square_variation(s, law)


@attack("conclusion-proportional", printed=True)
def test_the_mean_variation_does_not_fall_where_the_norm_grows(draw: Draw) -> bool:
    """The mean variation between two matrices at a greater norm is at least that at a lesser one
    (f(x) = x^2, n = d = 1)."""
    law = [(Fraction(k), Fraction(1, 4)) for k in draw.integers("values of A", 4, 0, 6)]
    s = draw.fraction("s", Fraction(1, 20), 1, 19)
    c = draw.fraction("c", 1, 3, 8)
    return square_variation(c * s, law) >= square_variation(s, law)


@attack("larger-improvement", printed=True)
def test_a_larger_improvement_is_more_probable_at_greater_norms(draw: Draw) -> bool:
    """The probability of an improvement over f(0) by more than delta does not fall with the norm
    (f(x) = |x - c|, n = d = 1, Gaussian)."""
    c = draw.real("c", 0.01, 0.49)
    delta = draw.real("delta / c", 0.0, 0.99) * c
    s = 10.0 ** draw.real("log10 of sigma ||y||", -2, 1)
    more = draw.real("factor", 1, 4)

    def probability(scale: float) -> float:  # delta < s z < 2 c - delta
        return (tail(delta / scale) - tail((2 * c - delta) / scale)) / 2

    draw.target(probability(s) - probability(more * s))
    return probability(more * s) >= probability(s) - 1e-12


@attack("larger-improvement")
def test_the_mean_improvement_is_at_most_a_multiple_of_the_norm(draw: Draw) -> bool:
    """E(f(0) - g(y)) <= sqrt(d_e) sigma L ||y||, for entries of mean 0 and variance sigma^2,
    uncorrelated within each row: exact means over eight outcomes."""
    d_e, d = draw.integer("d_e", 1, 3), draw.integer("d", 1, 3)
    sigma = draw.real("sigma", 0.01, 2)
    A = drawn_pair(draw, d_e, d, uncorrelated=True)[0] * math.sqrt(d_e) * sigma
    f, L = drawn_function(draw, d_e)
    y = np.array(draw.reals("y", d, -1, 1))
    gain = f(np.zeros(d_e)) - f(np.clip(A @ y, -1, 1))
    bound = math.sqrt(d_e) * sigma * L * float(np.linalg.norm(y))
    draw.target(float(np.mean(np.maximum(gain, 0))) / (bound + 1e-300))
    return float(np.mean(np.maximum(gain, 0))) <= bound * (1 + 1e-12)


# ---------------------------------------------------------------- one matrix, many points


@attack("jl-sentence", printed=True)
def test_one_matrix_stretches_little(draw: Draw) -> bool:
    """For m points of Y and their projections by one matrix l(x^i, x^j) <= (1 + eps)^(1/2) l(y^i,
    y^j), if n > 9 ln m / (eps^2 - eps^3)."""
    eps = draw.fraction("eps", Fraction(1, 10), Fraction(9, 10), 8)
    m = draw.integer("m", 1, 3)
    n = draw.integer("n", 1, 300)
    draw.assume(n > 9 * math.log(m) / float(eps**2 - eps**3))
    points = draw.fractions("points (d = 1)", m + 1, -1, 1, 20)
    column = draw.fraction("each entry of A", -3, 3, 60)
    return all(
        n * (clipped(column * a) - clipped(column * b)) ** 2 <= (1 + eps) * (a - b) ** 2
        for a, b in itertools.combinations(points, 2)
    )


@attack("jl-sentence", rate=RATE)
def test_the_norm_of_a_gaussian_matrix(draw: Draw) -> bool:
    """With probability at least 1 - e^(-t^2/2) a matrix stretches all distances by at most sigma
    (sqrt(d_e) + sqrt(d) + t): failures counted over 300 matrices."""
    d_e, d = draw.integer("d_e", 1, 4), draw.integer("d", 1, 4)
    t, sigma = draw.real("t", 0, 3), draw.real("sigma", 0.1, 2)
    B = sigma * draw.rng().standard_normal((300, d_e, d))
    bound = sigma * (math.sqrt(d_e) + math.sqrt(d) + t)
    confidence = 1 - math.exp(-t * t / 2)
    if confidence > 0 and not math.isclose(operator_norm_bound(d_e, d, sigma, confidence), bound):
        return False
    failures = int(np.sum(np.linalg.norm(B, 2, axis=(1, 2)) > bound))
    return not too_many(failures, 300, math.exp(-t * t / 2))


@attack("jl-sentence")
def test_the_norm_of_one_gaussian_number(draw: Draw) -> bool:
    """For d = d_e = 1 the probability P(|z| <= 2 + t) is at least 1 - e^(-t^2/2)."""
    t = draw.real("t", 0, 8)
    return tail(2 + t) <= math.exp(-t * t / 2)


# ---------------------------------------------------------------- new matrices: radii alone


class OneHot:
    """In place of a random generator: all draws are 0, but for one, which is 1."""

    def __init__(self, place: int) -> None:
        self.place, self.at = place, 0

    def standard_normal(self, size: int | tuple[int, ...]) -> Array:
        numbers = np.zeros(size).ravel()
        if self.at <= self.place < self.at + numbers.size:
            numbers[self.place - self.at] = 1.0
        self.at += numbers.size
        return numbers.reshape(size)


def drawn_node(draw: Draw, name: str, settings: Settings, most: int = 4) -> Node:
    """Draw a node of depth 1 to `most`."""
    node = root(settings.d)
    for level in range(draw.integer(f"depth of {name}", 1, most)):
        digit = draw.integer(f"digit {level} of {name}", 0, settings.K - 1)
        node = children(node, settings.K)[digit]
    return node


def linear_map(settings: Settings, rows: int, nodes: list[Node], draws: int) -> Array:
    """Return the matrix that takes the Gaussian draws to the points, shape (len(nodes) rows,
    draws).

    The points are linear in the draws where nothing is clipped, so their law is that of L z.
    """
    evaluations = [(node, 1) for node in nodes]
    columns = []
    for k in range(draws):
        fresh = Fresh(settings, np.random.default_rng(0), rows)
        fresh.rng = OneHot(k)  # type: ignore[assignment]  # has what a sampler calls
        columns.append(fresh.project(evaluations).ravel())
    return np.array(columns).T


def drawn_fresh(draw: Draw) -> tuple[Settings, int, list[Node], int]:
    """Draw settings that clip nothing, the computed rows, nodes, and the number of draws."""
    d, rows = draw.integer("d", 1, 3), draw.integer("rows", 1, 3)
    sampler: Any = draw.choice("sampler", ["norm", "matrix"])
    settings = Settings(d + rows, d, 9, eta=0.5, K=draw.choice("K", [3, 5]), sigma=1e-4,
                        sampler=sampler)  # fmt: skip
    nodes = [drawn_node(draw, name, settings) for name in ("a", "b")]
    return settings, rows, nodes, 2 * rows * (1 if sampler == "norm" else d)


def squared_norm(node: Node, settings: Settings) -> float:
    """Return ||y||^2 from the index of the node."""
    y = in_units_of_R(point((node.h, node.i), settings.d, settings.K), settings.K)
    return float(sum(t * t for t in y)) * float(settings.radius) ** 2


@attack("radial-collapse", "samplers-agree", "effective-coordinates")
def test_the_law_of_an_observation_depends_on_the_norm_alone(draw: Draw) -> bool:
    """With a new matrix for each evaluation, and with either sampler, the points of two
    evaluations are L z with L L' = sigma^2 diag(||y||^2 I, ||y'||^2 I): independent, and of a
    law that depends on the norm alone, whatever the number of computed rows."""
    settings, rows, nodes, draws = drawn_fresh(draw)
    L = linear_map(settings, rows, nodes, draws)
    squares = [squared_norm(node, settings) for node in nodes]
    wanted = settings.sigma**2 * np.diag(np.repeat(squares, rows))
    return bool(np.allclose(L @ L.T, wanted, rtol=1e-9, atol=1e-9 * settings.sigma**2))


@attack("supplement-a1", printed=True)
def test_two_evaluations_share_a_projection(draw: Draw) -> bool:
    """Values of the same projection occur: the points of two evaluations of different base points
    are correlated (with a new matrix for each)."""
    settings, rows, nodes, draws = drawn_fresh(draw)
    draw.assume(all(node.nrm for node in nodes))
    L = linear_map(settings, rows, nodes, draws)
    return bool(np.any((L @ L.T)[:rows, rows:]))


@attack("supplement-a1")
def test_first_evaluations_share_a_matrix_under_the_policy_indexed(draw: Draw) -> bool:
    """Under the policy indexed one matrix maps all base points at their first evaluations: the one
    that d of them determine."""
    d, rows = draw.integer("d", 1, 3), draw.integer("rows", 1, 3)
    settings = Settings(d + rows, d, 9, eta=0.5, K=3, sigma=1e-4, policy="indexed")
    nodes = [drawn_node(draw, f"node {k}", settings) for k in range(d + 1)]
    R = float(settings.radius)
    Y = R * np.array([
        [float(t) for t in in_units_of_R(point((node.h, node.i), d, 3), 3)] for node in nodes
    ])  # fmt: skip
    draw.assume(abs(np.linalg.det(Y[:d])) > 1e-3)
    x = Indexed(settings, draw.rng(), rows).project([(node, 1) for node in nodes])
    A = np.linalg.solve(Y[:d], x[:d]).T
    return bool(np.allclose(A @ Y[d], x[d], rtol=1e-7, atol=1e-12))


def mirrored(node: tuple[int, int], j: int, d: int, K: int) -> tuple[int, int]:
    """Return the node whose cell is the mirror image in coordinate j."""
    h, i = node
    digits = [i // K ** (h - 1 - level) % K for level in range(h)]
    flipped = [K - 1 - c if level % d == j else c for level, c in enumerate(digits)]
    index = 0
    for c in flipped:
        index = K * index + c
    return h, index


def mirrored_runs(draw: Draw) -> tuple[list[set[Any]], list[set[Any]], int, int, int]:
    """Return the nodes that complete sweeps expand, with values and with their mirror images."""
    settings = drawn_settings(draw, max_v=60)
    d, K = settings.d, settings.K
    j = draw.integer("j", 0, d - 1)
    g = drawn_values(draw, K, distinct="norm")
    both = []
    for sign in (1, -1):

        def mirrored_g(y: Point, p: int, sign: int = sign) -> float:
            return g((*y[:j], sign * y[j], *y[j + 1 :]), p)

        found = run(settings, mirrored_g)
        both.append(
            [{n for visit in s for n, _ in visit.expanded} for s in found.complete_sweeps()]
        )
    return both[0], both[1], j, d, K


@attack("conclusion-ranking")
def test_mirrored_values_expand_mirrored_nodes(draw: Draw) -> bool:
    """If no two leaves of one class have equal values, the nodes that complete sweeps expand are
    the mirror images of those that they expand with the mirrored values, which are equally probable
    for new matrices."""
    one, other, j, d, K = mirrored_runs(draw)
    return [{mirrored(node, j, d, K) for node in sweep} for sweep in one] == other


@attack("conclusion-ranking", printed=True)
def test_the_tree_ranks_a_half_of_the_space_above_its_mirror_image(draw: Draw) -> bool:
    """The tree ranks regions: over values and their mirror images, which are equally probable, the
    half y_j > 0 gets another number of expansions than the half y_j < 0."""
    one, other, j, d, K = mirrored_runs(draw)
    nodes = [node for sweep in one + other for node in sweep]
    draw.assume(len(nodes) > 2)
    above = sum(point(node, d, K)[j] > 0 for node in nodes)
    below = sum(point(node, d, K)[j] < 0 for node in nodes)
    return above != below


@attack("effective-coordinates")
def test_a_problem_depends_on_its_effective_coordinates_alone(draw: Draw) -> bool:
    """The value of a test problem does not change with the other coordinates."""
    d_e, more = draw.integer("d_e", 2, 4), draw.integer("n - d_e", 1, 4)
    name = draw.choice("problem", sorted(hidden.PROBLEMS))
    problem = hidden.PROBLEMS[name](d_e + more, d_e, draw.rng())
    x, other = (np.array(draw.reals(name, problem.n, -1, 1)) for name in ("x", "other"))
    other[problem.coordinates] = x[problem.coordinates]
    values = {
        float(problem(x)),
        float(problem(other)),
        float(problem.effective(x[problem.coordinates])),
    }
    return max(values) - min(values) <= 1e-12 * max(map(abs, values))


@attack("n-invariance")
def test_runs_depend_on_sigma_R_and_the_effective_rows(draw: Draw) -> bool:
    """For given matrices a run of the policy indexed is the same for every n, and for c sigma, R
    / c and c M (c a power of 2, so that floats are exact)."""
    d, d_e = draw.integer("d", 1, 3), draw.integer("d_e", 1, 3)
    c = draw.choice("c", [2, 4])
    eta = draw.choice("eta", [Fraction(1, 5), Fraction(1, 8), Fraction(3, 16)])
    M = Fraction(draw.integer("M", 0, 3))
    v, h_max = draw.size("v", 1, 40), draw.integer("h_max", 0, 4)
    sigma, seed = draw.choice("sigma", [0.1, 1.0, 0.03]), draw.integer("seed", 0, 99)
    center = np.array(draw.reals("x*", d_e, -1, 1))

    def points(n: int, factor: int) -> list[list[float]]:
        settings = Settings(n, d, v, eta=eta * factor, M=M * factor, h_max=h_max, K=3,
                            sigma=sigma * factor, policy="indexed")  # fmt: skip
        hunter, found = EmbeddedHunter(settings, seed, rows=d_e), []
        while not hunter.finished:
            queries = hunter.ask()
            found += [q.x.tolist() for q in queries]
            hunter.tell(queries, [float(abs(q.x - center).sum()) for q in queries])
        return found

    return points(d + d_e, 1) == points(10**6, c)


@attack("n-invariance")
def test_coverage_depends_on_sigma_R(draw: Draw) -> bool:
    """The coverage depends on sigma and R through their product alone."""
    d = draw.integer("d", 1, 4)
    x = draw.reals("x*", d, -0.999, 0.999)
    sigma, R, c = draw.real("sigma", 0.1, 3), draw.real("R", 0.1, 30), draw.real("c", 0.1, 10)
    a, b = coverage_probability(x, d, sigma, R), coverage_probability(x, d, c * sigma, R / c)
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-300)


# ---------------------------------------------------------------- the ceiling


def drawn_laws(draw: Draw, top: int) -> list[list[Fraction]]:
    """Draw a law on the values 0, ..., top for each of two or three radii."""
    laws = []
    for r in range(draw.integer("radii", 2, 3)):
        weights = draw.integers(f"weights at radius {r}", top + 1, 0, 6)
        draw.assume(sum(weights))
        laws.append([Fraction(w, sum(weights)) for w in weights])
    return laws


def in_units(laws: list[list[Fraction]]) -> tuple[list[list[int]], int]:
    """Return the probabilities as integers in units of 1 / D, and D."""
    D = math.lcm(*(p.denominator for law in laws for p in law))
    return [[p.numerator * (D // p.denominator) for p in law] for law in laws], D


@attack("fresh-ceiling")
def test_no_adaptive_rule_beats_the_ceiling(draw: Draw) -> bool:
    """No adaptive rule reaches a value in v evaluations with a probability above 1 - (1 - pbar)^v,
    and the mean of its best value is at least the sum of (1 - pbar_k)^v: exact sums over all
    histories; a constant rule attains the ceiling."""
    top, v = 2, draw.integer("v", 1, 3)
    laws, D = in_units(drawn_laws(draw, top))
    rule: dict[tuple[int, ...], int] = {}
    reached, mean = [0] * (top + 1), 0  # in units of 1 / D^v
    for history in itertools.product(range(top + 1), repeat=v):
        chance = 1
        for k in range(v):
            past = history[:k]
            if past not in rule:
                rule[past] = draw.integer(f"radius after {past}", 0, len(laws) - 1)
            chance *= laws[rule[past]][history[k]]
        mean += chance * min(history)
        for level in range(top + 1):
            reached[level] += chance * (min(history) <= level)
    pbar = [max(sum(law[: k + 1]) for law in laws) for k in range(top + 1)]
    ceilings = [D**v - (D - p) ** v for p in pbar]
    return all(a <= b for a, b in zip(reached, ceilings, strict=True)) and mean >= sum(
        (D - p) ** v for p in pbar
    )


@attack("fresh-ceiling")
def test_a_constant_rule_attains_the_ceiling(draw: Draw) -> bool:
    """The radius of greatest probability, kept, reaches the level with probability 1 - (1 -
    pbar)^v: the exact sum over all histories."""
    top, v, level = 2, draw.integer("v", 1, 3), draw.integer("level", 0, 2)
    laws, D = in_units(drawn_laws(draw, top))
    best = max(laws, key=lambda law: sum(law[: level + 1]))
    total = sum(
        math.prod(best[x] for x in history)
        for history in itertools.product(range(top + 1), repeat=v) if min(history) <= level
    )  # fmt: skip
    return bool(total == D**v - (D - sum(best[: level + 1])) ** v)


@attack("fresh-ceiling", printed=True)
def test_no_adaptive_rule_has_a_smaller_mean_than_every_constant_one(draw: Draw) -> bool:
    """The best adaptive rule for the mean of the best value is no better than the best constant
    radius (by dynamic programming)."""
    top, v = 2, draw.integer("v", 1, 3)
    laws = drawn_laws(draw, top)

    def best(left: int, so_far: int) -> Fraction:
        if left == 0:
            return Fraction(so_far)
        return min(
            sum((p * best(left - 1, min(x, so_far)) for x, p in enumerate(law)), Fraction(0))
            for law in laws
        )

    constant = min(sum((1 - sum(law[: k + 1])) ** v for k in range(top)) for law in laws)
    return best(v, top) >= constant


@attack("optimal-rule")
def test_no_drawn_rule_has_a_smaller_mean_than_the_dynamic_program(draw: Draw) -> bool:
    """The mean of the best value is at least V_v(b) for a drawn rule, an exact sum over all
    histories; `optimal_rule` computes V_v(b), and its rule has this mean."""
    top, v = 2, draw.integer("v", 1, 3)
    (laws, D), b = in_units(drawn_laws(draw, top)), draw.integer("b", 0, top)
    cdf = [[sum(law[: k + 1]) / D for k in range(top + 1)] for law in laws]
    solution = optimal_rule(range(top + 1), cdf, v)
    rule: dict[tuple[int, ...], int] = {}

    def drawn(past: tuple[int, ...]) -> int:
        if past not in rule:
            rule[past] = draw.integer(f"radius after {past}", 0, len(laws) - 1)
        return rule[past]

    def of_the_program(past: tuple[int, ...]) -> int:
        return solution.law(v - len(past), min(b, *past, top))

    # Both are in units of 1 / D^(evaluations left).
    def mean(choose: Callable[[tuple[int, ...]], int], past: tuple[int, ...]) -> int:
        if len(past) == v:
            return min(b, *past)
        law = laws[choose(past)]
        return sum(p * mean(choose, (*past, x)) for x, p in enumerate(law) if p)

    @cache
    def V(left: int, best: int) -> int:
        if left == 0:
            return best
        return min(sum(p * V(left - 1, min(x, best)) for x, p in enumerate(law)) for law in laws)

    attained, least = mean(of_the_program, ()), V(v, b)
    if b == top and abs(float(solution.means[-1]) - least / D**v) > 1e-12:
        return False
    return mean(drawn, ()) >= least and abs(attained - least) / D**v < 1e-12


def chance_near(eps: float, norm: float, d_e: int, s: float) -> float:
    """Return P(||s z - x*|| <= eps), ||x*|| = norm: a noncentral chi-square law."""
    return float(special.chndtr((eps / s) ** 2, d_e, (norm / s) ** 2))


@attack("sharp-fresh-floor")
def test_every_radius_stays_above_the_floor_with_probability_one_half(draw: Draw) -> bool:
    """Evaluations at any one scale, v of them, miss the ball of radius ||x*|| w / (1 + w) about x*
    with probability at least 1/2; and so does every rule, because constant rules attain the
    ceiling."""
    d_e, v = draw.integer("d_e", 1, 6), draw.integer("v", 1, 10**5)
    x = draw.reals("x*", d_e, -0.99, 0.99)
    norm = math.hypot(*x)
    w = (math.sqrt(math.pi * d_e) / (2 * v)) ** (1 / d_e)
    eps = norm * w / (1 + w)
    draw.assume(0 < eps < 1 - max(map(abs, x)))
    s = norm * 10.0 ** draw.real("log10 of s / ||x*||", -1.5, 1.5)
    missed = (1 - chance_near(eps, norm, d_e, s)) ** v
    draw.target(1 - missed)
    return missed >= 0.5 - 1e-9


@attack("sharp-fresh-floor")
def test_random_search_at_one_radius_attains_the_order(draw: Draw) -> bool:
    """At the stated scale v evaluations come within the stated regret of x* with probability at
    least 1/2, and this regret is at most a constant times v^(-1/d_e)."""
    d_e, v = draw.integer("d_e", 1, 6), draw.integer("v", 1, 10**5)
    norm = draw.real("||x*|| / sqrt(d_e)", 0.01, 0.999) * math.sqrt(d_e)
    eps, s = distance_regret_within_reach(norm, d_e, v)
    if s == 0:
        return eps == norm  # the zero vector is as near
    draw.assume(eps < 1 - norm / math.sqrt(d_e))  # the ball about (c, ..., c) is inside the cube
    chance = 1 - (1 - chance_near(eps, norm, d_e, s)) ** v
    order = norm * 2 * (math.log(2) / v) ** (1 / d_e) * 2 * math.sqrt(math.pi * d_e)
    return chance >= 0.5 - 1e-9 and eps <= order * 4


@attack("end-to-end")
def test_the_probability_of_the_end_to_end_bound_for_one_coordinate(draw: Draw) -> bool:
    """For d = 1, where all laws are known: P(some matrix covers x* and is at most sigma (2 + t),
    and all exceed a sigma) is at least 1 - (1 - (pi - e^(-t^2/2)))^P - P sqrt(2/pi) a."""
    P, t, a = draw.integer("P", 1, 20), draw.real("t", 0, 4), draw.real("a", 0, 1)
    threshold = draw.real("|x*| / (sigma R)", 0.0, 3)  # |z| from here on covers x*
    pi = tail(threshold)
    good = max(0.0, tail(max(threshold, a)) - tail(2 + t))  # covers, not large, not small
    large = tail(a)  # not small
    exact = large**P - (large - good) ** P
    promised = 1 - (1 - max(0.0, pi - math.exp(-t * t / 2))) ** P - P * math.sqrt(2 / math.pi) * a
    draw.target(promised - exact)
    return exact >= promised - 1e-12


@attack("forest-coverage")
def test_a_forest_covers_as_independent_embeddings_do(draw: Draw) -> bool:
    """The stated coverage of a forest is 1 - (1 - pi)^P, pi by the corrected law of one embedding
    (d = d_e = 1)."""
    P = draw.integer("P", 1, 6)
    x = draw.real("x*", 0.01, 0.99)
    sigma, R = draw.real("sigma", 0.05, 3), draw.real("R", 0.2, 20)
    pi = tail(x / (sigma * R))
    return abs(forest_coverage([x], [(1, sigma * R)] * P) - (1 - (1 - pi) ** P)) <= 1e-12
