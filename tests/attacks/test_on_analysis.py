"""Attacks on the theoretical analysis and on the supplement's proofs."""

import itertools
import math
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np

from attacks.runs import (
    INF,
    LEVELS,
    Line,
    Recorded,
    Run,
    branch,
    cell,
    clipped,
    drawn_line,
    drawn_settings,
    drawn_valley,
    drawn_values,
    half_widths,
    near_optimal_sets,
    nodes,
    point,
    run,
    simulate,
    triangle,
)
from attacks.search import Draw, attack
from attacks.test_on_embeddings import drawn_function
from embedded_hunter.baselines.sequool import greatest_depth, hunt_sequool
from embedded_hunter.baselines.soo import hunt_soo
from embedded_hunter.hunter import hunt
from embedded_hunter.regret import (
    b_value,
    circumscribed_radius,
    evaluations_before_the_cone,
    indexed_delta,
    indexed_regret_bound,
    indexed_tau,
    iterations_of_sweeps,
    iterations_to_expand,
    multiples_of_delta,
    printed_iterations_to_expand,
    soo_evaluations_to_expand,
    sweeps_to_expand,
)
from embedded_hunter.settings import Settings

# ---------------------------------------------------------------- definitions and assumptions


@attack("definition-1", printed=True)
def test_some_cell_is_not_optimal_as_printed(draw: Draw) -> bool:
    """Not every cell is optimal: here no matrix maps a point of the cell to an optimiser."""
    d, h = draw.integer("d", 1, 2), draw.integer("h", 0, 3)
    node = (h, draw.integer("i", 0, 3**h - 1))
    x = draw.fractions("x*", 2, -1, 1, 20)
    y = [Fraction(high, 3**LEVELS) for _, high in cell(node, d, 3)]  # a corner of the cell
    y[0] -= Fraction(1, 1000)  # now inside, and not 0
    square = sum(t * t for t in y)
    A = [[s * t / square for t in y] for s in x]
    return [sum(a * t for a, t in zip(row, y, strict=True)) for row in A] != x


@attack("assumption-2", printed=True)
def test_delta_can_tend_to_0_as_printed(draw: Draw) -> bool:
    """Over all realisations the variation of g in an optimal cell is small at great depths: here at
    most half of the oscillation of f (d = n = 2, f(x) = |x_1 - a|)."""
    h = draw.integer("h", 0, 6)
    node = (h, draw.integer("i", 0, 3**h - 1))
    a = draw.fraction("a", -1, 1, 20)
    y = [Fraction(t, 3**LEVELS) for t in point(node, 2, 3)]
    halves = [Fraction(w, 3**LEVELS) for w in half_widths(h, 2, 3)]
    z = [t + w * s for t, w, s in zip(y, halves, draw.fractions("place", 2, -1, 1, 8), strict=True)]
    det = y[0] * z[1] - y[1] * z[0]
    draw.assume(det)
    # the first row of A maps y to x*_1 = a and z to the farthest corner
    goal = [a, Fraction(-1) if a > 0 else Fraction(1)]
    row = [(goal[0] * z[1] - goal[1] * y[1]) / det, (y[0] * goal[1] - z[0] * goal[0]) / det]
    g = [abs(clipped(row[0] * t[0] + row[1] * t[1]) - a) for t in (y, z)]
    draw.note("variation", str(abs(g[0] - g[1])))
    return bool(abs(g[0] - g[1]) <= (1 + abs(a)) / 2)


def drawn_block(draw: Draw, name: str, d_e: int, d: int, size: float = 1.0) -> Any:
    """Draw a matrix."""
    return size * np.array([draw.reals(f"row {i} of {name}", d, -1, 1) for i in range(d_e)])


@attack("assumption-2")
def test_the_corrected_delta_bounds_the_variation_in_every_cell(draw: Draw) -> bool:
    """|g(base point) - g(y)| <= L ||B|| r_h for every y of every cell of depth h, R = 1."""
    d_e, d, h = draw.integer("d_e", 1, 3), draw.integer("d", 1, 3), draw.integer("h", 0, 4)
    K = draw.choice("K", [3, 5])
    B = drawn_block(draw, "B", d_e, d, draw.choice("size", [1.0, 0.2, 5.0]))
    f, L = drawn_function(draw, d_e)
    node = (h, draw.integer("i", 0, K**h - 1))
    y = np.array(point(node, d, K)) / K**LEVELS
    halves = np.array(half_widths(h, d, K)) / K**LEVELS
    z = y + halves * np.array(draw.reals("place in the cell", d, -1, 1))
    a, b = f(np.clip(B @ y, -1, 1)), f(np.clip(B @ z, -1, 1))
    norm = float(np.linalg.norm(B, 2))
    bound = indexed_delta(h, d, K, 1.0, L, norm)
    draw.target(abs(a - b) / (bound + 1e-300))
    r = math.sqrt(sum((w / K**LEVELS) ** 2 for w in half_widths(h, d, K)))
    return bool(abs(a - b) <= bound + 1e-12) and math.isclose(bound, L * norm * r, rel_tol=1e-9)


@attack("assumption-2")
def test_the_corrected_delta_decreases_to_0(draw: Draw) -> bool:
    """r_h decreases at every depth, and K^-floor(h/d) sqrt(d) bounds it: it tends to 0 (R = 1)."""
    d, K, h = draw.integer("d", 1, 12), draw.choice("K", [3, 5, 7]), draw.integer("h", 0, 40)
    now, then = circumscribed_radius(h, d, K, 1.0), circumscribed_radius(h + 1, d, K, 1.0)
    return then < now <= math.sqrt(d) * float(K) ** -(h // d) * (1 + 1e-12)


@attack("assumption-4", printed=True)
def test_tau_is_less_than_the_oscillation_as_printed(draw: Draw) -> bool:
    """Over all realisations s, t, |g_s(y) - g_t(y)| is less than the oscillation of f at a base
    point (n = d = 2, f(x) = |x_1 - a|)."""
    h = draw.integer("h", 1, 4)
    y = [Fraction(t, 3**LEVELS) for t in point((h, draw.integer("i", 0, 3**h - 1)), 2, 3)]
    a = draw.fraction("a", -1, 1, 20)
    draw.assume(any(y))
    square = sum(t * t for t in y)
    values = []
    for goal in (a, Fraction(-1) if a > 0 else Fraction(1)):
        x = sum((goal * t / square) * t for t in y)
        values.append(abs(x - a))
    return abs(values[0] - values[1]) < 1 + abs(a)


@attack("assumption-4")
def test_the_corrected_tau_bounds_two_matrices(draw: Draw) -> bool:
    """|g_1 - g_q| <= L ||B_1 - B_q|| R sqrt(d) at every base point (R = 1), and the stated tau(h)
    bounds it at depth h and is no greater."""
    d_e, d, h = draw.integer("d_e", 1, 3), draw.integer("d", 1, 3), draw.integer("h", 0, 4)
    K = draw.choice("K", [3, 5])
    B = [drawn_block(draw, f"B_{p}", d_e, d, draw.choice(f"size {p}", [1.0, 5.0])) for p in (1, 2)]
    f, L = drawn_function(draw, d_e)
    y = np.array(point((h, draw.integer("i", 0, K**h - 1)), d, K)) / K**LEVELS
    a, b = (f(np.clip(block @ y, -1, 1)) for block in B)
    off = float(np.linalg.norm(B[0] - B[1], 2))
    tau = indexed_tau(h, d, K, 1.0, L, off)
    draw.target(abs(a - b) / (tau + 1e-300))
    return bool(abs(a - b) <= tau + 1e-12) and tau <= L * off * math.sqrt(d) * (1 + 1e-12)


class Indexed:
    """An instance of the policy indexed: f, blocks B_1, B_2, ..., node values, R = 1."""

    def __init__(self, draw: Draw, *, max_d: int = 2, max_h: int = 2) -> None:
        self.d, self.d_e = draw.integer("d", 1, max_d), draw.integer("d_e", 1, 2)
        self.h_max = draw.integer("h_max", 0, max_h)
        R = self.d / Fraction(1, 2)
        M = draw.fraction("M", 0, 2, 4)
        self.settings = Settings(self.d, self.d, 400, eta=Fraction(1, 2), K=3, M=M,
                                 h_max=self.h_max)  # fmt: skip
        self.R = float(R)
        size = draw.choice("size of B", [0.3, 1.0, 0.1])
        count = self.h_max + 3
        self.blocks = [drawn_block(draw, f"B_{p}", self.d_e, self.d, size) for p in range(count)]
        self.x_star = np.array(draw.reals("x*", self.d_e, -1, 1))
        self.L = draw.choice("L", [1.0, 2.0])
        ripple = draw.choice("plateau", [INF, 0.5, 0.2])
        self.plateau = ripple
        self.values = Recorded(self.settings, self.g)
        # plain floats for g: numpy is slow for so few numbers
        unit = self.R / 3**LEVELS
        self._rows = [[[b * unit for b in row] for row in B.tolist()] for B in self.blocks]
        self._goal = self.x_star.tolist()
        self.y = np.array(draw.reals("y / R", self.d, -1, 1)) * self.R
        self.f_of_y = float(self.f(np.clip(self.blocks[0] @ self.y, -1, 1))[0])
        self.norm = float(np.linalg.norm(self.blocks[0], 2))

    def f(self, x: Any) -> Any:
        """Return the value of each row: a cone about x*, up to a plateau."""
        cone = self.L * np.linalg.norm(np.atleast_2d(x) - self.x_star, axis=1)
        return np.minimum(cone, self.plateau)

    def g(self, y: Any, p: int) -> float:
        """Return the p-th value of a base point, with matrix B_p."""
        x = [sum(map(mul, row, y)) for row in self._rows[p - 1]]
        cone = self.L * math.dist([min(max(t, -1.0), 1.0) for t in x], self._goal)
        return min(cone, self.plateau)

    def delta(self, h: int) -> float:
        """Return L ||B_1|| r_h."""
        halves = [w / 3**LEVELS * self.R for w in half_widths(h, self.d, 3)]
        return self.L * self.norm * math.hypot(*halves)

    def run(self) -> Run:
        """Run Algorithm 1."""
        return run(self.settings, self.g)


@attack("indexed-regret-bound", "regret-without-probability")
def test_the_regret_of_the_policy_indexed(draw: Draw) -> bool:
    """After S_h complete sweeps the regret is at most (g_1(y) - f*) + L ||B_1|| r_(h+1), for every
    y of Y and every outcome of the matrices, h <= h_max."""
    instance = Indexed(draw)
    h = draw.integer("h", 0, instance.h_max)
    eps = [(instance.f_of_y + instance.delta(k)) * (1 + 1e-9) for k in range(h + 2)]
    S = sum(map(len, near_optimal_sets(instance.values, eps, h, 3)))
    found = instance.run()
    sweeps = found.complete_sweeps()
    if len(sweeps) < S:
        draw.assume(found.made < found.settings.v)  # the tree is full: sweeps that do nothing
    if not sweeps:
        return True
    last = sweeps[min(S, len(sweeps)) - 1][-1].t
    best = min(e.value for visit in found.visits if visit.t <= last for e in visit.evaluated)
    draw.target(best / eps[h + 1] if eps[h + 1] else 0)
    return best <= eps[h + 1] + 1e-12


@attack("indexed-regret-bound")
def test_the_computed_regret_bound_of_the_policy_indexed(draw: Draw) -> bool:
    """The computed bound holds after each sweep, iteration and evaluation of a run."""
    instance = Indexed(draw)
    bound = indexed_regret_bound(
        instance.f, 0.0, instance.L, np.array(instance.blocks), K=3, R=instance.settings.radius,
        M=Fraction(instance.settings.M), h_max=instance.h_max, gap=instance.f_of_y,
    )  # fmt: skip
    found = instance.run()
    best, made = INF, 0
    for visit in found.visits:
        for e in visit.evaluated:
            best, made = min(best, e.value), made + 1
            if best > bound.after_evaluations(made) + 1e-9:
                return False
        if made < found.settings.v and best > bound.after_iterations(visit.t) + 1e-9:
            return False
    for s, sweep in enumerate(found.complete_sweeps(), 1):
        upto = [e.value for v in found.visits if v.t <= sweep[-1].t for e in v.evaluated]
        if min(upto) > bound.after_sweeps(s) + 1e-9:
            return False
    return True


@attack("assumption-4")
def test_a_recorded_value_is_at_most_the_first(draw: Draw) -> bool:
    """Under the policy indexed a recorded value is at most g_1 at its base point."""
    instance = Indexed(draw)
    found = instance.run()
    return all(
        value <= instance.g(point(node, instance.d, 3), 1) for node, value in found.leaves.items()
    )


@attack("regret-without-probability", printed=True)
def test_the_bound_on_the_regret_holds_for_every_outcome(draw: Draw) -> bool:
    """For every outcome of the matrix the regret comes down to tau(h_max+1) + delta(h_max+1):
    tau = 0 and delta(h) = L ||B_1|| r_h, d = 1, f(x) = |x - a|, at the end of a run that fills
    the tree."""
    a, b = draw.fraction("a", 0, 1, 20), draw.fraction("B_1 R", 0, 1, 20)
    h_max = draw.integer("h_max", 0, 3)
    settings = Settings(1, 1, 200, eta=Fraction(1, 2), K=3, M=0, h_max=h_max)
    # Values are exact fractions; the search only compares them.
    found = run(settings, lambda y, p: abs(b * Fraction(y[0], 3**LEVELS) - a))  # type: ignore[arg-type,return-value]
    draw.note("promised", str(b / 3 ** (h_max + 1)))
    draw.note("happened", str(found.answer))
    return found.full and found.answer <= b / 3 ** (h_max + 1)


@attack("b-value")
def test_the_b_value_is_a_lower_bound_at_an_optimal_node(draw: Draw) -> bool:
    """b = f*_{h,i} - tau(h) - delta(h) <= g_{p*}(y*) at the optimal node of depth h (d = 1, f(x) =
    L |x - a|, three matrices, any number of evaluations)."""
    L = draw.choice("L", [1, 3])
    a = draw.fraction("a", -1, 1, 24)
    c = draw.fractions("B_p R", 3, -3, 3, 24)
    h = draw.integer("h", 0, 4)

    def g(p: int, y: Fraction) -> Fraction:
        return L * abs(clipped(c[p] * y) - a)

    candidates = [(g(p, y), p, y) for p in range(3)
                  for y in (Fraction(-1), Fraction(1), *([a / c[p]] if c[p] else []))
                  if abs(y) <= 1]  # fmt: skip
    least, p_star, y_star = min(candidates)
    o = branch([y_star], h, 1, 3)[h]
    y = Fraction(point(o, 1, 3)[0], 3**LEVELS)
    evaluations = draw.integer("evaluations", 1, 3)
    f_star = min(g(p, y) for p in range(evaluations))
    tau = max(abs(g(s, y) - g(t, y)) for s in range(3) for t in range(3))
    delta = L * abs(c[p_star]) * Fraction(1, 3**h)
    return b_value(float(f_star), float(tau), float(delta)) <= float(least) + 1e-12


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
    a = draw.real("a", -1, 1)
    c = draw.reals("c", 2, -3, 3)

    def g(y: float) -> float:
        return min(abs(min(max(k * y, -1), 1) - a) for k in c)

    best = next((a / k for k in c if k and abs(a / k) <= 1), None)
    draw.assume(best is not None and g(best) < 1e-12)
    far = max([draw.real(f"y {k}", -1, 1) for k in range(4)], key=g)
    eps = g(far) * draw.real("eps / value", 0.01, 1)
    wanted = eps * draw.real("value / eps", 0, 1)
    low, high = best, far
    assert low is not None
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


@attack("definition-2")
def test_a_pair_with_positive_dimension_exists(draw: Draw) -> bool:
    """For f(y) = |y - a|^q on [-1, 1], 0 < eps <= 1, the open balls of radius m eps with centers in
    Y_eps number at most (1 + 1/m) eps^(-(1 - 1/q))."""
    q = draw.choice("q", [1, 2, 4])
    a, m = draw.real("a", -1, 1), draw.real("m", 0.05, 3)
    eps = 10.0 ** draw.real("log10 of eps", -6, 0)
    reach = eps ** (1 / q)
    Y_eps = [(max(-1.0, a - reach), min(1.0, a + reach))]
    draw.assume((Y_eps[0][1] - Y_eps[0][0]) / (m * eps) < 2000)
    most = (1 + 1 / m) * eps ** -(1 - 1 / q)
    return bool(most_balls(Y_eps, m * eps, closed=False) <= most + 1e-9)


class Cones:
    """f(y) = min_j (b_j + |y - a_j|) on [-1, 1], f* = 0: 1-Lipschitz, delta(h) = K^-h, m = 1."""

    def __init__(self, draw: Draw) -> None:
        self.K = draw.choice("K", [3, 5])
        apexes = draw.fractions("apexes", draw.integer("cones", 1, 3), -1, 1, 6 * self.K**2)
        heights = draw.fractions("heights", len(apexes), 0, 1, 27)
        self.cones = [(a, b - min(heights)) for a, b in zip(apexes, heights, strict=True)]

    def __call__(self, y: Fraction) -> Fraction:
        return min(b + abs(y - a) for a, b in self.cones)

    def value(self, node: tuple[int, int]) -> Fraction:
        return self(Fraction(point(node, 1, self.K)[0], self.K**LEVELS))

    def near(self, eps: Fraction) -> list[tuple[Fraction, Fraction]]:
        """Return Y_eps."""
        parts = [(max(Fraction(-1), a - eps + b), min(Fraction(1), a + eps - b))
                 for a, b in self.cones if b <= eps]  # fmt: skip
        return merged(parts)


def near_optimal_against_balls(draw: Draw, *, closed: bool, m: Fraction = Fraction(1)) -> bool:
    f = Cones(draw)
    h, m_hat = draw.integer("h", 0, 3), draw.integer("m_hat", 1, 3)
    delta = Fraction(1, f.K**h)
    near = sum(f.value(node) <= m_hat * delta for node in nodes(h, f.K))
    balls = most_balls(f.near(m_hat * delta), m * delta, closed=closed)
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


# ---------------------------------------------------------------- equation (7)


def before_the_optimal_node(found: Run, o: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the nodes of the depth of o that are expanded before it."""
    order = [node for visit in found.visits for node, _ in visit.expanded if node[0] == o[0]]
    return order[: order.index(o)] if o in order else []


@attack("eq-7", printed=True)
def test_nodes_expanded_before_the_optimal_node_are_near_optimal(draw: Draw) -> bool:
    """A node of depth h that is expanded before the optimal node of its depth has f*_{h,i} - f* <=
    tau(h) + delta(h)."""
    h_max = draw.integer("h_max", 0, 2)
    f = drawn_line(draw, h_max + 1)
    found = f.run(h_max)
    for o in f.branch[: h_max + 1]:
        for node in before_the_optimal_node(found, o):
            if f.value(node) > f.delta[o[0]]:
                draw.note("node", node)
                draw.note("optimal node", o)
                return False
    return True


@attack("eq-7")
def test_multiples_of_delta_can_be_chosen(draw: Draw) -> bool:
    """If delta > 0 does not increase, tau >= 0 does not decrease and tau + delta <= m_hat delta
    at h_max, then tau(l) + delta(l) <= m_hat delta(j) for j <= l <= h_max; the least m_h do not
    fall."""
    h_max = draw.integer("h_max", 0, 4)
    falls = draw.fractions("steps of delta", h_max + 1, 0, 1, 12)
    delta = [sum(falls[h:], Fraction(1, 12)) for h in range(h_max + 1)]
    rises = draw.fractions("steps of tau", h_max + 1, 0, 2, 24)
    tau = [sum(rises[: h + 1], Fraction(0)) for h in range(h_max + 1)]
    m = multiples_of_delta(tau, delta)
    least = [next(k for k in itertools.count(1) if t + e <= k * e)
             for t, e in zip(tau, delta, strict=True)]  # fmt: skip
    if list(m) != list(itertools.accumulate(least, max)):
        return False
    m_hat = draw.integer("m_hat", 1, 60)
    draw.assume(tau[-1] + delta[-1] <= m_hat * delta[-1])
    return all(
        tau[l] + delta[l] <= m_hat * delta[j] for l in range(h_max + 1) for j in range(l + 1)
    )


def visits_that_wait(found: Run, o: tuple[int, int]) -> list[float]:
    """Return nu_min before each visit of o's depth from where o is a leaf, and whether o is
    expanded."""
    nus = []
    for sweep in found.sweeps():
        nu = INF
        for visit in sweep:
            if visit.l == o[0] and o in visit.before:
                nus.append(nu)
                if o in dict(visit.expanded):
                    return nus
            nu = min([nu, *(value for _, value in visit.expanded)])
    return nus


@attack("iterations-at-one-depth", printed=True)
def test_at_most_I_h_iterations_expand_the_optimal_node(draw: Draw) -> bool:
    """If nu_min >= m_h delta(h) before every iteration at depth h, then at most the next |I_h|
    iterations at depth h expand its optimal node."""
    h_max = draw.integer("h_max", 1, 2)
    f = drawn_line(draw, h_max, top=3)
    o = f.branch[draw.integer("h", 0, h_max)]
    bound = f.delta[o[0]]
    nus = visits_that_wait(f.run(h_max, leaves_before=True), o)
    draw.assume(all(nu >= bound for nu in nus))
    near = len(f.near(o[0], bound))
    draw.target(len(nus) / near)
    draw.note("promised", near)
    draw.note("happened", len(nus))
    return len(nus) <= near


@attack("iterations-at-one-depth")
def test_with_a_greater_nu_min_the_nodes_as_good_bound_the_iterations(draw: Draw) -> bool:
    """If nu_min > v before every visit of depth h from the one where o is a leaf, v its value, then
    each such visit expands a node of depth h with a value of at most v."""
    settings = drawn_settings(draw, max_v=60)
    g = drawn_values(draw, settings.K)
    found = run(settings, g, leaves_before=True)
    h = draw.integer("h", 0, settings.h_max)
    leaves = sorted({n for visit in found.visits for n in visit.before if n[0] == h})
    draw.assume(leaves)
    o = leaves[draw.integer("number of o", 0, len(leaves) - 1)]
    nus = visits_that_wait(found, o)
    value = next(visit.before[o] for visit in found.visits if o in visit.before)
    draw.assume(nus and all(nu > value for nu in nus))
    last = found.visits[-1]
    waits = [v for v in found.visits if v.l == h and o in v.before][: len(nus)]
    return all(
        any(x <= value for _, x in visit.expanded)
        for visit in waits
        if visit is not last or found.made < settings.v
    )


# ---------------------------------------------------------------- Lemma 1


@attack("lemma-1", printed=True)
def test_the_printed_lemma_1(draw: Draw) -> bool:
    """After t_h = h_max (|I_0| + ... + |I_h|) iterations the optimal node of depth h has been
    expanded (d = n = 1, A = (eta), tau = 0, m_hat = 1, f piecewise linear)."""
    h_max = draw.integer("h_max", 1, 2)
    f = drawn_line(draw, h_max + 1)
    found = f.run(h_max)
    counts = [len(f.near(k, f.delta[k])) for k in range(h_max + 1)]
    for h, promised in enumerate(printed_iterations_to_expand(counts, h_max)):
        if promised != h_max * sum(counts[: h + 1]):
            return False
        happened = found.iteration(f.branch[h])
        draw.target((happened or 0) / promised)
        if happened is not None and happened > promised:
            draw.note("optimal node", f.branch[h])
            draw.note("promised iterations", promised)
            draw.note("happened", happened)
            return False
    return True


@attack("lemma-1")
def test_the_printed_lemma_1_with_h_max_plus_1(draw: Draw) -> bool:
    """After (h_max + 1) (|I_0| + ... + |I_h|) iterations the optimal node of depth h has been
    expanded (d = n = 1, A = (eta), tau = 0, m_hat = 1, f piecewise linear)."""
    h_max = draw.integer("h_max", 0, 2)
    f = drawn_line(draw, h_max + 1)
    found = f.run(h_max)
    for h in range(h_max + 1):
        S = sum(len(f.near(k, f.delta[k])) for k in range(h + 1))
        happened = found.iteration(f.branch[h])
        draw.target((happened or 0) / ((h_max + 1) * S))
        if happened is None or happened > (h_max + 1) * S:
            return False
    return True


@attack("lemma-1", "supplement-a4", "supplement-a6", "lemma-1-sharper")
def test_the_corrected_lemma_1(draw: Draw) -> bool:
    """Let v(o_l) <= f* + eps_l along a branch: o_h is expanded within S_h sweeps and within the sum
    of min(s, h_max + 1), s = 1, ..., S_h, iterations, and the sharper number; any d, K and M."""
    settings = drawn_settings(draw, v=700, max_d=2, h_max=draw.integer("h_max", 0, 2))
    K, h_max = settings.K, settings.h_max
    g = drawn_values(draw, K)
    values = Recorded(settings, g)
    h = draw.integer("h", 0, h_max)
    o = [(0, 0)]
    for level in range(h):
        o.append((level + 1, K * o[-1][1] + draw.integer(f"digit {level}", 0, K - 1)))
    eps = [values(node) + draw.integer(f"slack {k}", 0, 1) for k, node in enumerate(o)]
    S = sum(map(len, near_optimal_sets(values, eps, h, K)))
    if sweeps_to_expand([[values(n) for n in nodes(k, K)] for k in range(h + 1)], 0, eps)[h] != S:
        return False
    found = run(settings, g)
    t = found.iteration(o[h])
    draw.assume(t is not None or found.made < settings.v)
    if t is None:
        return False
    s = found.sweep_of(o[h])
    sharper = triangle(S - 1, h_max) + min(S, h + 1)
    draw.target(t / sharper)
    return (
        s is not None
        and s <= S
        and t <= sharper == iterations_to_expand(S, h, h_max)
        and sharper <= triangle(S, h_max) == iterations_of_sweeps(S, h_max) <= (h_max + 1) * S
    )


def drawn_tree(draw: Draw, h_max: int, d: int = 1) -> tuple[dict[Any, int], list[Any]]:
    """Draw values of the nodes down to depth h_max + 1 (K = 3) and a branch."""
    settings = Settings(d, d, 1, eta=0.5, K=3, M=0, h_max=h_max)
    values = Recorded(settings, drawn_values(draw, 3))
    o = [(0, 0)]
    for level in range(h_max):
        o.append((level + 1, 3 * o[-1][1] + draw.integer(f"digit {level}", 0, 2)))
    table = {n: int(values(n)) for h in range(h_max + 2) for n in nodes(h, 3)}
    return table, o


@attack("lemma-1")
def test_the_corrected_lemma_1_with_the_bound_read_again(draw: Draw) -> bool:
    """If the bound of line 3 is read again at each depth, o_h is expanded within S_h sweeps and
    (h_max + 1) S_h iterations."""
    h_max = draw.integer("h_max", 0, 2)
    values, o = drawn_tree(draw, h_max, draw.integer("d", 1, 2))
    for h in range(h_max + 1):
        eps = [float(values[node]) for node in o]
        S = sum(map(len, near_optimal_sets(values.__getitem__, eps, h, 3)))
        s, t = simulate(values.__getitem__, 1, 3, h_max, S, bound_again=True).get(o[h], (INF, INF))
        draw.target(t / ((h_max + 1) * S))
        if s > S or t > (h_max + 1) * S:
            return False
    return True


@attack("lemma-1", printed=True)
def test_the_number_of_the_corrected_lemma_1_is_not_attained(draw: Draw) -> bool:
    """With h_max = 1 no node o_1 is expanded at iteration number 1 + 2 + ... + 2 (S_1 terms)."""
    values, o = drawn_tree(draw, 1)
    S = sum(map(len, near_optimal_sets(values.__getitem__, [float(values[n]) for n in o], 1, 3)))
    return simulate(values.__getitem__, 1, 3, 1, S)[o[1]][1] < triangle(S, 1)


@attack("lemma-1", printed=True)
def test_the_number_with_the_bound_read_again_is_not_attained(draw: Draw) -> bool:
    """With h_max = 1 and the bound read again no node o_1 is expanded at iteration 2 S_1."""
    values, o = drawn_tree(draw, 1)
    S = sum(map(len, near_optimal_sets(values.__getitem__, [float(values[n]) for n in o], 1, 3)))
    return simulate(values.__getitem__, 1, 3, 1, S, bound_again=True)[o[1]][1] < 2 * S


@attack("frozen-classes", printed=True)
def test_the_corrected_lemma_1_holds_with_classes_read_again(draw: Draw) -> bool:
    """If the classes were read again after each expansion, S_h sweeps would still expand o_h."""
    h_max = draw.integer("h_max", 0, 2)
    values, o = drawn_tree(draw, h_max)
    S = sum(
        map(len, near_optimal_sets(values.__getitem__, [float(values[n]) for n in o], h_max, 3))
    )
    return o[h_max] in simulate(values.__getitem__, 1, 3, h_max, S, classes_again=True)


@attack("supplement-a4", printed=True)
def test_nu_min_is_large_once_the_optimal_node_is_expanded(draw: Draw) -> bool:
    """Once the optimal node of depth h has been expanded, nu_min > m_hat delta(h) before any visit
    of depth h + 1 (m_hat = 1)."""
    h_max = draw.integer("h_max", 1, 2)
    f = drawn_line(draw, h_max + 1)
    found = f.run(h_max)
    for h in range(h_max):
        done = found.iteration(f.branch[h])
        for sweep in found.sweeps():
            nu = INF
            for visit in sweep:
                # the sweep begins after the optimal node has been expanded
                after = done is not None and sweep[0].t > done
                if visit.l == h + 1 and after and nu <= f.delta[h]:
                    draw.note("depth", h)
                    draw.note("nu_min", str(nu))
                    return False
                nu = min([nu, *(value for _, value in visit.expanded)])
    return True


@attack("supplement-a4")
def test_each_sweep_without_the_optimal_node_expands_a_near_optimal_node(draw: Draw) -> bool:
    """A sweep that leaves o_h unexpanded expands a node of depth k <= h and of value at most f* +
    max(eps_k, ..., eps_h); no node is expanded twice."""
    settings = drawn_settings(draw, max_v=80)
    K, g = settings.K, drawn_values(draw, settings.K)
    found = run(settings, g)
    values = Recorded(settings, g)
    h = draw.integer("h", 0, settings.h_max)
    o = [(0, 0)]
    for level in range(h):
        o.append((level + 1, K * o[-1][1] + draw.integer(f"digit {level}", 0, K - 1)))
    eps = [values(node) for node in o]
    every = [node for visit in found.visits for node, _ in visit.expanded]
    if len(every) != len(set(every)):
        return False
    for sweep in found.complete_sweeps():
        expanded = [(n, x) for visit in sweep for n, x in visit.expanded]
        if o[h] in dict(expanded):
            return True
        if not any(n[0] <= h and x <= max(eps[n[0] : h + 1]) for n, x in expanded):
            return False
    return True


# ---------------------------------------------------------------- Theorem 2


def admissible(f: Line, m: Fraction, d_hat: float) -> float:
    """Return a C such that for 0 < eps <= delta(0) at most C eps^(-d_hat) open balls of radius m
    eps have centers in Y_eps.

    Between two values a < b of a grid there are at most as many balls as for the set Y_b and the
    radius m a. Below the grid, f has its slopes next to its zeros alone, and the number of balls is
    that for the least value of the grid or less.
    """
    knots = [(float(x), float(value)) for x, value in f.knots]

    def count(eps: float, radius: float) -> int:
        parts = []
        for (a, fa), (b, fb) in itertools.pairwise(knots):
            if fa <= eps and fb <= eps:
                parts.append((a, b))
            elif fa <= eps or fb <= eps:
                cut = a + (b - a) * (eps - fa) / (fb - fa)
                parts.append((a, cut) if fa <= eps else (cut, b))
        return most_balls(merged(parts), radius, closed=False)

    top, rate = float(f.delta[0]) * (1 + 1e-9), 1.04
    grid = [min([top, *(value for _, value in knots if value > 0)]) * 0.999]
    while grid[-1] < top:
        grid.append(grid[-1] * rate)
    radius = float(m) * (1 - 1e-9)
    C = (count(grid[0], radius * grid[0]) + 1) * grid[0] ** d_hat
    counts = [count(b, radius * a) * b**d_hat for a, b in itertools.pairwise(grid)]
    return float(max([C, *counts]))


def theorem_2(draw: Draw, factor: int) -> bool:
    """Return whether the regret of a run is within the bound of Theorem 2 with h_max + `factor`."""
    if factor:
        h_max = draw.integer("h_max", 0, 2)
        f = draw.choice("kind of f", [drawn_valley, drawn_line])(draw, h_max + 1)
    else:
        h_max = 1
        f = drawn_valley(draw, 2)
    draw.assume(all(f.delta))
    d_hat = draw.choice("d_hat", [0.5, 0.0, 1.0])
    # Assumption 3: each cell of depth h has a ball of radius 3^-h = m delta(h) or more
    m = min(Fraction(1, 3**h) / e for h, e in enumerate(f.delta))
    C = admissible(f, m, d_hat)
    draw.note("m", str(m))
    draw.note("C", C)
    steps = [C * (h_max + factor) * float(e) ** -d_hat for e in f.delta]
    t_h = list(itertools.accumulate(steps))
    found = f.run(h_max)
    draw.target((found.iteration(f.branch[h_max]) or 0) / t_h[h_max])
    best: Any = INF
    for visit in found.visits:
        best = min([best, *(e.value for e in visit.evaluated)])
        if visit.t == 0 or found.made == found.settings.v:
            continue
        depth = next((h for h, t in enumerate(t_h) if t >= visit.t - 1e-9), len(t_h) - 1)
        promised = min(f.delta[: min(depth, h_max + 1) + 1])
        if best > promised:
            draw.note("t", visit.t)
            draw.note("h(t)", depth)
            draw.note("promised regret", str(promised))
            draw.note("happened", str(best))
            return False
    return True


@attack("theorem-2", "supplement-a6", printed=True)
def test_the_printed_theorem_2(draw: Draw) -> bool:
    """Let h(t) be the least h with C h_max sum_{l<=h} (m_hat delta(l))^(-d_hat) >= t: the regret
    after t iterations is at most the minimum of tau(h) + delta(h) over h <= min(h(t), h_max + 1)
    (tau = 0, m_hat = 1)."""
    return theorem_2(draw, 0)


@attack("theorem-2", "supplement-a6")
def test_the_corrected_theorem_2(draw: Draw) -> bool:
    """Let h(t) be the least h with C (h_max + 1) sum_{l<=h} (m_hat delta(l))^(-d_hat) >= t: the
    regret after t iterations is at most the minimum of tau(h) + delta(h) over h <= min(h(t),
    h_max + 1)."""
    return theorem_2(draw, 1)


# ---------------------------------------------------------------- the rest of the supplement


@attack("supplement-a3", printed=True)
def test_a_convex_function_on_a_closed_interval_is_lipschitz(draw: Draw) -> bool:
    """The convex function -sqrt(1 - x) on [-1, 1] is Lipschitz with the constant L."""
    L = draw.integer("L", 1, 1000)
    x, y = (1 - 10.0 ** draw.real(name, -9, 0.3) for name in ("log10(1 - x)", "log10(1 - y)"))
    return bool(abs(math.sqrt(1 - x) - math.sqrt(1 - y)) <= L * abs(x - y) + 1e-12)


@attack("supplement-a3")
def test_continuously_differentiable_functions_are_lipschitz(draw: Draw) -> bool:
    """A polynomial on [-1, 1] is Lipschitz with the greatest |f'|."""
    c = draw.integers("coefficients", draw.integer("degree", 1, 5) + 1, -4, 4)
    f = np.polynomial.Polynomial(c)
    slope = f.deriv()
    turns = [t.real for t in slope.deriv().roots() if abs(t.imag) < 1e-7 and abs(t.real) <= 1]
    L = max(abs(float(slope(t))) for t in (-1.0, 1.0, *turns))
    x, y = draw.real("x", -1, 1), draw.real("y", -1, 1)
    return abs(float(f(x)) - float(f(y))) <= L * abs(x - y) * (1 + 1e-6) + 1e-12


@attack("supplement-a3")
def test_convex_functions_are_lipschitz_in_the_interior(draw: Draw) -> bool:
    """A convex function on (-1, 1) with |f| <= 1 there is Lipschitz on [-r, r] with 2 / (1 - r)."""
    a = draw.reals("slopes", 4, -9, 9)
    b = draw.reals("intercepts", 4, -9, 9)
    size = max(abs(max(s * x + t for s, t in zip(a, b, strict=True)))
               for x in (-1.0, 1.0, *[(u - t) / (s - q) for (s, t), (q, u)
                                      in itertools.combinations(zip(a, b, strict=True), 2)
                                      if s != q and abs(t - u) <= abs(s - q)]))  # fmt: skip
    draw.assume(size > 1e-6)
    r = draw.real("r", 0, 0.999)
    x, y = (draw.real(name, -1, 1) * r for name in ("x / r", "y / r"))
    values = [max(s * t + u for s, u in zip(a, b, strict=True)) / size for t in (x, y)]
    draw.target(abs(values[0] - values[1]) - 2 / (1 - r) * abs(x - y))
    return abs(values[0] - values[1]) <= 2 / (1 - r) * abs(x - y) + 1e-9


@attack("price-of-norm-classes")
def test_the_price_of_norm_classes(draw: Draw) -> bool:
    """For d = 1 and f(x) = |x| Algorithm 1 makes at least K^floor((h + 1) / 2) evaluations
    before it expands the node of depth h of the branch of 0, SOO has expanded it after at most 1
    + (K - 1) (h + 1) (h + 2) / 2, and S_h = h + 1."""
    K = draw.choice("K", [3, 5, 7])
    h = draw.integer("h", 0, 5 if K == 3 else 3)
    h_max = h + draw.integer("h_max - h", 0, 3)
    settings = Settings(1, 1, 1200, eta=0.3, K=K, M=draw.integer("M", 0, 2), h_max=h_max)
    near = [[n for n in nodes(k, K) if abs(point(n, 1, K)[0]) <= K ** (LEVELS - k)]
            for k in range(h + 1)]  # fmt: skip
    o = (h, K**h // 2)
    made = []
    for hunter in (hunt, hunt_soo):
        found = run(settings, lambda y, p: abs(y[0]), hunter)
        visit = next(v for v in found.visits if o in dict(v.expanded))
        made.append((visit.made, visit.made + len(visit.evaluated)))
    least, most = K ** ((h + 1) // 2), 1 + (K - 1) * (h + 1) * (h + 2) // 2
    return (
        sum(map(len, near)) == h + 1
        and least == evaluations_before_the_cone(h, K)
        and made[0][0] >= least
        and made[1][1] <= most == soo_evaluations_to_expand(h + 1, h, K, h_max)
    )


@attack("sequool")
def test_sequool_finds_what_its_shares_allow(draw: Draw) -> bool:
    """SequOOL's rule on one tree: if h N_h <= H for h = 1, ..., l, the least value found is at most
    that of the node of depth l + 1 of a drawn branch; N_h counts the nodes of depth h that are no
    greater than the branch's. At most 1 + H (1 + ln H) nodes are expanded."""
    d, v = draw.integer("d", 1, 2), draw.size("v", 3, 60)
    settings = Settings(d, d, v, eta=0.5, K=3, M=0)
    g = drawn_values(draw, 3, distinct=draw.flag("no ties"))
    H = greatest_depth((v - 1) // 2)
    found = run(settings, g, hunt_sequool)
    branch = draw.integer("i of the branch at depth 5", 0, 3**5 - 1)
    found_by = 1
    for h in range(1, 5):
        values = [g(point(node, d, 3), 1) for node in nodes(h, 3)]
        if h * sum(value <= values[branch // 3 ** (5 - h)] for value in values) > H:
            break
        found_by = h + 1
    least = min(e.value for visit in found.visits for e in visit.evaluated)
    expanded = sum(len(visit.expanded) for visit in found.visits)
    end = g(point((found_by, branch // 3 ** (5 - found_by)), d, 3), 1)
    draw.target(found_by)
    return least <= end and expanded <= 1 + H * (1 + math.log(max(1, H)))
