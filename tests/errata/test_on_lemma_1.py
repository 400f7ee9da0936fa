"""Attacks on equation (7), Lemma 1, Theorem 2 and their proofs, on runs of Algorithm 1."""

import itertools
from fractions import Fraction

from hypothesis import assume

from errata.runs import (
    INF,
    Line,
    Recorded,
    drawn_branch,
    drawn_instance,
    drawn_line,
    drawn_values,
    evaluations,
    expansion,
    nodes,
    number_near,
    visits_that_wait,
    watched,
)
from errata.search import Draw, attack
from errata.test_on_definitions import merged, most_balls
from errata.variants import WITH_THE_BOUND_READ_AGAIN
from paper.definitions import Node, Oracle
from paper.instances import Instance, package_run
from reproduction.theory.finite_time import (
    iterations_of_sweeps,
    iterations_to_expand,
    printed_iterations_to_expand,
    sweeps_to_expand,
)


@attack("eq-7")
def test_nodes_as_good_as_the_optimal_one_are_near_optimal(draw: Draw) -> bool:
    """A node whose value is at most that of the optimal node of its depth is at most tau + delta
    above f*. Two realisations have the minimum f* = 0 (d = n = 1, K = 3), and the optimal nodes are
    those of the first one. The value of a node is that of either realisation, or the lesser one."""
    depth = draw.integer("h", 0, 2)
    first, second = drawn_line(draw, depth), drawn_line(draw, depth)
    tau = max(abs(first.value(node) - second.value(node)) for node in first.branch)
    draw.note("tau", tau)

    def value(node: Node) -> Fraction:
        both = [first.value(node), second.value(node)]
        return min([both[:1], both[1:], both][draw.integer(f"realisation at {node}", 0, 2)])

    values = {node: value(node) for node in nodes(depth, 3)}
    optimal = values[first.branch[depth]]
    greatest = max(x for x in values.values() if x <= optimal)
    draw.target(float(greatest - tau - first.delta[depth]))
    return greatest <= tau + first.delta[depth]


@attack("iterations-at-one-depth")
def test_with_a_greater_nu_min_the_nodes_as_good_bound_the_iterations(draw: Draw) -> bool:
    """If nu_min > v before every visit of depth h from the one where o is a leaf, v its value, then
    each such visit expands a node of depth h with a value of at most v."""
    instance = drawn_instance(draw)
    steps = watched(instance, drawn_values(draw))
    leaves = {node: value for _, before in steps for node, value in before.items()}
    assume(leaves)
    o = draw.choice("o", sorted(leaves))
    waits = list(visits_that_wait(steps, o))
    assume(waits and all(nu > leaves[o] for nu, _ in waits))
    last = steps[-1][0] if evaluations([visit for visit, _ in steps]) == instance.v else None
    return all(
        visit is last or any(x <= leaves[o] for _, x in visit.expansions) for _, visit in waits
    )


@attack("lemma-1", printed=True)
def test_the_printed_lemma_1(draw: Draw) -> bool:
    """After t_h = h_max (|I_0| + ... + |I_h|) iterations the optimal node of depth h has been
    expanded (d = n = 1, A = (eta), tau = 0, m_hat = 1, f piecewise linear)."""
    h_max = draw.integer("h_max", 1, 2)
    f = drawn_line(draw, h_max + 1)
    found = f.run(h_max)
    counts = [f.near(k, f.delta[k]) for k in range(h_max + 1)]
    for h, promised in enumerate(printed_iterations_to_expand(counts, h_max)):
        visit = expansion(found, f.branch[h])
        assert visit is not None, "the tree is full"
        draw.target(visit.t / promised)
        if visit.t > promised:
            draw.note("optimal node", f.branch[h])
            draw.note("promised iterations", promised)
            draw.note("happened", visit.t)
            return False
    return True


@attack("lemma-1", "supplement-a4", "supplement-a6", "lemma-1-sharper")
def test_the_corrected_lemma_1(draw: Draw) -> bool:
    """Let v(o_l) <= f* + eps_l along a branch: o_h is expanded within S_h sweeps and within the sum
    of min(s, h_max + 1), s = 1, ..., S_h, iterations, and the sharper number; any d, K and M."""
    instance = drawn_instance(draw, h_max=2, v=700)
    K, h_max = instance.K, instance.h_max
    g = drawn_values(draw)
    value = Recorded(instance, g)
    o = drawn_branch(draw, draw.integer("h", 0, h_max), K, value)
    h = len(o) - 1
    slack = draw.integer("slack", 0, 1)
    eps = [value(node) + slack for node in o]
    S = number_near(value, eps, h, K)
    levels = [[value((k, i)) for i in range(K**k)] for k in range(h + 1)]
    visit = expansion(package_run(instance, g), o[h])
    if visit is None or sweeps_to_expand(levels, 0, eps)[h] != S:
        return False
    sharper, whole = triangle(S - 1, h_max) + min(S, h + 1), triangle(S, h_max)
    draw.target(visit.t / sharper)
    return (
        visit.sweep <= S
        and visit.t <= sharper == iterations_to_expand(S, h, h_max)
        and sharper <= whole == iterations_of_sweeps(S, h_max) <= (h_max + 1) * S
    )


def triangle(sweeps: int, h_max: int) -> int:
    """Return the sum of min(s, h_max + 1) over s = 1, ..., sweeps."""
    return sum(min(s, h_max + 1) for s in range(1, sweeps + 1))


def with_the_bound_read_again(instance: Instance, g: Oracle) -> dict[Node, tuple[int, int]]:
    """Return the sweep and the iteration in which each node is expanded, if the bound of line 3 is
    read again before each visit."""
    return {
        node: (visit.sweep, visit.t)
        for visit in instance.literal(g, WITH_THE_BOUND_READ_AGAIN).visits
        for node, _ in visit.expansions
    }


@attack("lemma-1")
def test_the_corrected_lemma_1_with_the_bound_read_again(draw: Draw) -> bool:
    """If the bound of line 3 is read again at each depth, o_h is expanded within S_h sweeps and
    (h_max + 1) S_h iterations."""
    instance = drawn_instance(draw, h_max=2, v=100)._replace(K=3, M=0)
    h_max, g = instance.h_max, drawn_values(draw)
    value = Recorded(instance, g)
    o = drawn_branch(draw, h_max, 3, value)
    eps = [value(node) for node in o]
    found = with_the_bound_read_again(instance, g)
    for h in range(h_max + 1):
        S = number_near(value, eps, h, 3)
        s, t = found[o[h]]
        draw.target(t / ((h_max + 1) * S))
        if s > S or t > (h_max + 1) * S:
            return False
    return True


# ---------------------------------------------------------------- Theorem 2


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
    assume(abs(x_star) + rim <= start)
    knots = {Fraction(k): Fraction(end) for k in (-1, 1)}
    knots |= {-start: Fraction(1), start: Fraction(1)}
    for u, value in ((Fraction(0), Fraction(0)), (w, shoulder), (rim, Fraction(1))):
        knots |= {x_star - u: value, x_star + u: value}
    line = Line(knots, x_star, depth)
    draw.note("delta", line.delta)
    return line


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


def theorem_2(draw: Draw, f: Line, h_max: int, factor: int) -> bool:
    """Return whether the regret of a run is within the bound of Theorem 2 with this factor for
    h_max."""
    assume(all(f.delta))
    d_hat = draw.choice("d_hat", [0.5, 0.0, 1.0])
    # Assumption 3: each cell of depth h has a ball of radius 3^-h = m delta(h) or more
    m = min(Fraction(1, 3**h) / e for h, e in enumerate(f.delta))
    C = admissible(f, m, d_hat)
    draw.note("m", m)
    draw.note("C", C)
    t_h = list(itertools.accumulate(C * factor * float(e) ** -d_hat for e in f.delta))
    found, best = f.run(h_max), INF
    last = expansion(found, f.branch[h_max])
    assert last is not None, "the tree is full"
    draw.target(last.t / t_h[h_max])
    for visit in found.visits:
        best = min([best, *(e.value for e in visit.evaluations)])
        if not visit.t:
            continue
        depth = next((h for h, t in enumerate(t_h) if t >= visit.t - 1e-9), len(t_h) - 1)
        promised = min(f.delta[: min(depth, h_max + 1) + 1])
        if best > promised:
            draw.note("t", visit.t)
            draw.note("h(t)", depth)
            draw.note("promised regret", promised)
            draw.note("happened", best)
            return False
    return True


@attack("theorem-2", "supplement-a6", printed=True)
def test_the_printed_theorem_2(draw: Draw) -> bool:
    """Let h(t) be the least h with C h_max sum_{l<=h} (m_hat delta(l))^(-d_hat) >= t: the regret
    after t iterations is at most the minimum of tau(h) + delta(h) over h <= min(h(t), h_max + 1)
    (tau = 0, m_hat = 1)."""
    return theorem_2(draw, drawn_valley(draw, 2), 1, 1)


@attack("theorem-2", "supplement-a6")
def test_the_corrected_theorem_2(draw: Draw) -> bool:
    """Let h(t) be the least h with C (h_max + 1) sum_{l<=h} (m_hat delta(l))^(-d_hat) >= t: the
    regret after t iterations is at most the minimum of tau(h) + delta(h) over h <= min(h(t),
    h_max + 1)."""
    h_max = draw.integer("h_max", 0, 2)
    f = draw.choice("kind of f", [drawn_valley, drawn_line])(draw, h_max + 1)
    return theorem_2(draw, f, h_max, h_max + 1)
