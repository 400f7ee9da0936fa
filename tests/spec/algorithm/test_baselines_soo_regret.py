"""SOO against its theory (Munos, 2011): how deep the optimal branch goes, and the regret.

Let x* be a minimiser, o_h the cell of depth h that contains it, and delta(h) such that the base
point of o_h has a value of at most f* + delta(h), delta non-increasing. I_h is the set of nodes of
depth h with values of at most f* + delta(h), and S_h = |I_0| + ... + |I_h|.

*After S_h complete sweeps o_h has been expanded (h <= h_max).* While it has not, one o_l, l <= h,
is a leaf at the start of a sweep, and depth l is visited. Afterwards v_min <= f(o_l), and v_min is
the value of a node expanded in this sweep, at a depth k <= l: at most f* + delta(l) <= f* +
delta(k), so that this node belongs to I_k. Every sweep takes another one of S_h nodes.

*Expansions.* The first sweep expands the root alone. Sweep s > 1 finds no leaf of depth 0, and the
tree has depth at most s - 1 at its start: it expands at most min(s - 1, h_max) nodes. So o_h has
been expanded after 1 + sum_{1 < s <= S_h} min(s - 1, h_max) expansions, at most h_max S_h for
h_max >= 1. Its child o_{h+1} has been evaluated then: the regret is at most delta(h + 1). Counted
in visits of depths, h_max S_h is too small.

With near-optimality dimension 0, |I_h| <= C, so that n expansions give h of the order sqrt(n) and a
regret of the order 3^(-sqrt(n)). A breadth-first search reaches depth log_3 n.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import hypothesis.strategies as st
import pytest
from hypothesis import given

from embedded_hunter.baselines.soo import hunt_soo, soo
from embedded_hunter.hunter import Visit
from embedded_hunter.settings import Settings
from spec.algorithm.baselines import visits_of
from spec.algorithm.brute_force_soo import munos
from spec.algorithm.instances import exact_base_point

IRRATIONAL = {
    "sqrt(2) - 1": Fraction(math.isqrt(2 * 10**400), 10**200) - 1,
    "1/pi": Fraction(31830988618379067153776752674502872406891929148, 10**47),
    "-1/sqrt(3)": -Fraction(math.isqrt(10**400 // 3), 10**200),
}
"""To 200 digits (1/pi: 47, enough for depth 90)."""


class Valley(NamedTuple):
    """f(x) = a(x - c) on [-1, 1]; f* = 0 at c."""

    name: str
    a: Callable[[Fraction], float]
    delta: Callable[[int], float]
    """The greatest value at a distance of 3^-h, half the width of a cell."""
    C: int
    """So many base points at most, 2 * 3^-h apart, have values up to delta(h)."""


VALLEYS = [
    Valley("|x - c|", lambda t: float(abs(t)), lambda h: float(Fraction(1, 3**h)), 1),
    Valley("|x - c|^2", lambda t: float(t * t), lambda h: float(Fraction(1, 9**h)), 1),
    Valley("sqrt|x - c|", lambda t: float(abs(t)) ** 0.5, lambda h: 3 ** (-h / 2), 1),
    Valley(
        "three times as steep on the right",
        lambda t: float(3 * t if t > 0 else -t),
        lambda h: float(Fraction(3, 3**h)),
        3,
    ),
]
"""Of near-optimality dimension 0."""


class Progress(NamedTuple):
    """What a run has done after so many expansions."""

    expansions: int
    deepest: int
    """Greatest h such that o_h has been expanded; -1 before."""
    regret: float


def optimal(h: int, c: Fraction) -> int:
    """Return the index of o_h, the cell of depth h that contains c."""
    cells: int = 3**h
    return min(int((c + 1) / 2 * cells), cells - 1)


def near_optimal(valley: Valley, c: Fraction, h: int) -> int:
    """Return |I_h|: base points within three cells of c are looked at, all others lie higher."""
    limit, here = valley.delta(h) * (1 + 1e-12), optimal(h, c)
    around = range(max(here - 3, 0), min(here + 4, 3**h))
    return sum(valley.a(Fraction(2 * i + 1, 3**h) - 1 - c) <= limit for i in around)


def enough(S: int, h_max: int) -> int:
    """Return the expansions that contain S >= 1 complete sweeps."""
    return 1 + sum(min(s - 1, h_max) for s in range(2, S + 1))


def violations(valley: Valley, c: Fraction, h_max: int, run: list[Progress]) -> list[str]:
    """Return where the bounds on the depth and on the regret fail."""
    found = []
    h, S = -1, 0
    need = enough(near_optimal(valley, c, 0), h_max)
    for done in run:
        while h < h_max and done.expansions >= need:
            h += 1
            S += near_optimal(valley, c, h)
            need = enough(S + near_optimal(valley, c, h + 1), h_max)
        if done.deepest < h:
            found.append(f"depth {done.deepest} < {h} after {done.expansions} expansions")
        if h >= 0 and done.regret > valley.delta(h + 1) * (1 + 1e-12):
            found.append(f"regret {done.regret} after {done.expansions} expansions")
    return found


def package_run(valley: Valley, c: Fraction, v: int, h_max: int) -> list[Progress]:
    """Run SOO; one entry for each expansion that was evaluated whole."""
    history: list[Progress] = []
    best, deepest, made = math.inf, -1, 0

    def evaluate(visit: Visit) -> list[float]:
        nonlocal best, deepest, made
        points = [exact_base_point(node, 1, 3, Fraction(1))[0] for node, _ in visit.evaluations]
        values = [valley.a(x - c) for x in points]
        best, made = min([best, *values]), made + len(values)
        for leaf, _ in visit.expansions:
            if leaf.i == optimal(leaf.h, c):
                deepest = max(deepest, leaf.h)
            history.append(Progress(len(history) + 1, deepest, best))
        assert made <= v
        return values

    for _ in visits_of(hunt_soo(Settings(1, 1, v, h_max=h_max)), evaluate):
        pass
    assert made == v == 1 + 2 * len(history)  # two new base points for each expansion
    return history


def listed_run(valley: Valley, c: Fraction, v: int, h_max: int, forgets: bool) -> list[Progress]:
    """Run the listing, or the breadth-first search that it becomes when it forgets its sweep."""
    run = munos(lambda x: valley.a(x[0] - c), d=1, K=3, h_max=h_max, v=v, forgets=forgets)
    history, deepest = [], -1
    for k, ((h, i), _, before) in enumerate(run.expanded, 1):
        deepest = max(deepest, h) if i == optimal(h, c) else deepest
        history.append(Progress(k, deepest, min(run.values[: before + 2])))
    return history


@pytest.mark.parametrize("valley", VALLEYS, ids=lambda valley: str(valley.name))
@pytest.mark.parametrize(
    "c",
    [
        "sqrt(2) - 1",
        pytest.param("1/pi", marks=pytest.mark.long),
        pytest.param("-1/sqrt(3)", marks=pytest.mark.long),
    ],
)
def test_depth_and_regret_keep_the_bound_at_every_expansion(valley: Valley, c: str) -> None:
    """1000 expansions; the valleys have near-optimality dimension 0, |I_h| <= C."""
    v, target = 2001, IRRATIONAL[c]
    h_max = math.isqrt(v)
    assert all(near_optimal(valley, target, h) <= valley.C for h in range(h_max + 2))
    run = package_run(valley, target, v, h_max)
    assert violations(valley, target, h_max, run) == []
    # The bound says something: depth of the order of the root of the expansions.
    reached = math.isqrt(2 * len(run) // valley.C**2) - 2
    assert run[-1].deepest >= min(reached, h_max) >= 12


@given(st.fractions(-1, 1), st.sampled_from(VALLEYS), st.integers(1, 12), st.integers(1, 60))
def test_the_bound_holds_wherever_the_minimiser_is(
    c: Fraction, valley: Valley, h_max: int, expansions: int
) -> None:
    """Full trees excluded: 3^(h_max+1) points are enough."""
    v = min(1 + 2 * expansions, 3 ** (h_max + 1))
    assert violations(valley, c, h_max, package_run(valley, c, v, h_max)) == []


@pytest.mark.long
@pytest.mark.parametrize("valley", VALLEYS, ids=lambda valley: str(valley.name))
def test_a_breadth_first_search_in_disguise_does_not_keep_the_bound(valley: Valley) -> None:
    """Power: the listing keeps it, and with the state of its sweep reset on each pull it fails."""
    v, c = 401, IRRATIONAL["sqrt(2) - 1"]
    h_max = math.isqrt(v)
    right = listed_run(valley, c, v, h_max, forgets=False)
    wrong = listed_run(valley, c, v, h_max, forgets=True)
    assert violations(valley, c, h_max, right) == []
    failed = violations(valley, c, h_max, wrong)
    assert any(what.startswith("depth") for what in failed)
    assert any(what.startswith("regret") for what in failed)
    assert wrong[-1].deepest <= math.log(2 * len(wrong) + 1, 3)  # breadth first
    assert right[-1].deepest > 2 * wrong[-1].deepest


class Wait(NamedTuple):
    """How long o_h waits, o_h included."""

    visits: int
    expansions: int
    near_optimal: int
    """S_h, with the least delta for which the branch is near-optimal."""


def wait(values: list[int], h_max: int, h: int, i: int) -> Wait:
    """Run SOO on the line for the branch of node (h, i); values are those of depth h_max."""

    def value(h: int, i: int) -> int:
        below: int = 3 ** (h_max - h)
        return values[i * below + below // 2]

    def values_of(visit: Visit) -> list[float]:
        nodes = [node for node, _ in visit.evaluations]
        return [value(node.h, node.i) if node.h <= h_max else 0 for node in nodes]

    run = visits_of(hunt_soo(Settings(1, 1, 3 ** (h_max + 1), h_max=h_max)), values_of)
    expanded = [(visit.t, (x.h, x.i)) for visit, _ in run for x, _ in visit.expansions]
    place = next(k for k, (_, node) in enumerate(expanded) if node == (h, i))
    branch = [value(k, i // 3 ** (h - k)) for k in range(h + 1)]
    S = sum(value(k, j) <= max(branch[k:]) for k in range(h + 1) for j in range(3**k))
    return Wait(expanded[place][0], place + 1, S)


def test_the_counterexample_to_lemma_1_counts_visits_and_not_expansions() -> None:
    """Values .9, 1, .95 at depth 1: h_max S_1 = 4 is attained in expansions, but not in visits."""
    assert wait([90, 100, 95], 1, 1, 1) == Wait(visits=7, expansions=4, near_optimal=4)


@given(st.data(), st.integers(1, 3))
def test_h_max_expansions_for_each_near_optimal_node_are_enough(
    data: st.DataObject, h_max: int
) -> None:
    """For any values, ties included, and any branch."""
    values = data.draw(st.lists(st.integers(0, 5), min_size=3**h_max, max_size=3**h_max))
    h = data.draw(st.integers(0, h_max))
    found = wait(values, h_max, h, data.draw(st.integers(0, 3**h - 1)))
    assert found.expansions <= enough(found.near_optimal, h_max) <= h_max * found.near_optimal


@pytest.mark.parametrize("v", [9, 51, 201, 601])
def test_the_front_door_keeps_the_bound_on_the_regret(v: int) -> None:
    """|x - c| in floats: S_h = h + 1, so (v - 1)/2 >= (h + 1)(h + 2)/2 expansions expand o_h."""
    c = math.sqrt(2) - 1
    expansions, h = (v - 1) // 2, -1
    while (h + 2) * (h + 3) // 2 <= expansions:
        h += 1
    assert h + 1 <= math.isqrt(v) + 1
    assert h >= 1
    result = soo(lambda x: abs(x[0] - c), [(-1.0, 1.0)], maxfun=v)
    assert result.depth >= h + 1
    assert result.fun <= 3.0 ** -(h + 1) + 1e-15
