"""The computable regret bound of the indexed policy (`theory/indexed.py`), on runs of the search.

Hypothesis makes the functions and the matrices; `bounded_runs.follow` follows the run and compares
after every evaluation, iteration and sweep.
"""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedded_hunter.matrices import Floats
from paper.definitions import cell
from paper.test_regret import TRIALS
from reproduction.theory.finite_time import sweeps_to_expand
from reproduction.theory.geometry import base_points
from reproduction.theory.indexed import (
    indexed_delta,
    indexed_node_values,
    indexed_regret_bound,
    indexed_tau,
    operator_norm,
    optimal_branch,
)
from theory.bounded_runs import Trial, follow, random_trial

BUDGETS = [50, 500, 2000]


@pytest.mark.long
@pytest.mark.claim("indexed-regret-bound", "lemma-1")
def test_no_long_run_exceeds_its_bound() -> None:
    """30 random trials, n up to 10^6 by effective rows, deep enough to reach S_h often."""
    reports = [follow(random_trial(np.random.default_rng([7, k]), BUDGETS)) for k in range(30)]
    assert not [violation for report in reports for violation in report.violations]
    assert sum(report.reached for report in reports) > 50


@pytest.mark.long
@pytest.mark.claim("indexed-regret-bound", "lemma-1")
def test_the_comparison_notices_a_wrong_bound() -> None:
    """Power: with a tenth of L, and with a third of the sweeps, runs violate their bounds."""
    noticed = [0, 0]
    for trial in (random_trial(np.random.default_rng([7, k]), BUDGETS) for k in range(25)):
        bound = trial.bound()
        low = replace(bound, eps=tuple(e / 10 for e in bound.eps))
        early = replace(bound, sweeps=tuple(max(1, S // 3) for S in bound.sweeps))
        noticed[0] += bool(follow(trial, low).violations)
        noticed[1] += bool(follow(trial, early).violations)
    assert noticed[0] >= 5
    assert noticed[1] >= 3


@pytest.mark.claim("assumption-2", "assumption-4", "indexed-regret-bound")
@given(TRIALS, st.integers(0, 2**32))
def test_delta_and_tau_bound_the_variations_of_their_assumptions(trial: Trial, seed: int) -> None:
    """Assumption 2 in every cell, with one matrix; Assumption 4 at every base point, for all."""
    s, f, blocks = trial.settings, trial.f, trial.blocks
    rng, R = np.random.default_rng(seed), float(s.radius)
    h = s.h_max
    points = base_points(h, s.d, s.K, R)
    half = R * np.array([float(s.K) ** -(h // s.d + (j < h % s.d)) for j in range(s.d)])
    near = points + half * rng.choice([-1.0, 1.0, *rng.uniform(-1, 1, 3)], points.shape)
    p = int(rng.integers(len(blocks)))

    def g(q: int, y: Floats) -> Floats:
        return f.excess(np.clip(y @ blocks[q].T, -1, 1))

    delta = indexed_delta(h, s.d, s.K, R, f.lipschitz, operator_norm(blocks[p]))
    tau = indexed_tau(h, s.d, s.K, R, f.lipschitz, operator_norm(blocks[p] - blocks[0]))
    rounding = 1e-9 * max(1.0, f.lipschitz)
    assert np.all(np.abs(g(p, points) - g(p, near)) <= delta + rounding)
    assert np.all(np.abs(g(p, points) - g(0, points)) <= tau + rounding)


RADII = [Fraction(3**6), Fraction(1), Fraction(2), Fraction(10, 3), Fraction(0.3), Fraction(5**4)]


@st.composite
def points_of_a_box(draw: st.DrawFn) -> tuple[list[float], int, Fraction]:
    """Return y, K and R: coordinates anywhere, at a border of four cuts, or a float beside it."""
    K, R = draw(st.sampled_from([3, 5])), draw(st.sampled_from(RADII))
    inside = st.floats(-float(R), float(R)).filter(lambda t: abs(Fraction(t)) <= R)
    borders = st.integers(0, K**4).map(lambda m: float(R * (Fraction(2 * m, K**4) - 1)))
    beside = st.builds(math.nextafter, borders, st.sampled_from([-math.inf, math.inf]))
    coordinates = st.one_of(inside, borders, beside).filter(lambda t: abs(Fraction(t)) <= R)
    return draw(st.lists(coordinates, min_size=1, max_size=4)), K, R


@pytest.mark.claim("definition-1", "partition-coverage")
@given(points_of_a_box())
@example(([729.0], 3, Fraction(729)))
@example(([-729.0, 243.0], 3, Fraction(729)))
def test_the_branch_is_the_chain_of_cells_that_hold_the_point(
    drawn: tuple[list[float], int, Fraction],
) -> None:
    """A border, a float if R is a power of K, belongs to the cell on its right, R to the last."""
    y, K, R = drawn
    for node in enumerate(optimal_branch(y, (4 if K == 3 else 2) * len(y), K, R)):
        for (low, high), part in zip(cell(node, len(y), K, R), map(Fraction, y), strict=True):
            assert low <= part < high or part == high == R
    with pytest.raises(ValueError, match="y must lie in"):
        optimal_branch([2 * float(R)] * len(y), 2, K, R)


@pytest.mark.claim("indexed-regret-bound")
def test_a_shallow_enumeration_gives_a_weaker_bound_that_agrees_where_it_reaches() -> None:
    trial = random_trial(np.random.default_rng([7, 3]))
    s = trial.settings
    deep = trial.bound()
    shallow = indexed_regret_bound(
        trial.f, trial.f.f_star, trial.f.lipschitz, trial.blocks,
        K=s.K, R=s.radius, M=Fraction(s.M), h_max=s.h_max, gap=trial.gap, depth=1,
    )  # fmt: skip
    assert shallow.sweeps == deep.sweeps[: len(shallow.sweeps)]
    for sweeps in (0, 1, 5, 50, 10**4):
        assert shallow.after_sweeps(sweeps) >= deep.after_sweeps(sweeps)
        assert deep.after_iterations(sweeps) >= deep.after_sweeps(sweeps)
        assert deep.after_evaluations(1 + sweeps) >= deep.after_iterations(1 + sweeps)


@pytest.mark.claim("indexed-regret-bound")
def test_the_worked_example_counts_its_nodes_exactly() -> None:
    """d = 1, B_1 = (1/R), f = |x - 2/9|, tau = 0: values |2c/3^h - 2/9|, eps = 3^-h."""
    R = Fraction(10, 3)
    blocks = np.full((9, 1, 1), 0.3)

    def f(x: Floats) -> Floats:
        return np.abs(x[:, 0] - 2 / 9)

    bound = indexed_regret_bound(f, 0.0, 1.0, blocks, K=3, R=R, M=Fraction(5), h_max=4)
    assert bound.eps == pytest.approx([3.0**-h for h in range(6)])
    brute = []
    for h in range(5):
        half = (3**h - 1) // 2
        centers = [Fraction(2 * c, 3**h) for c in range(-half, half + 1)]
        brute.append(sum(abs(x - Fraction(2, 9)) <= Fraction(1, 3**h) for x in centers))
    assert bound.sweeps == tuple(int(t) for t in np.cumsum(brute))
    values = [indexed_node_values(f, blocks, h, 3, R, Fraction(5)) for h in range(5)]
    assert sweeps_to_expand(values, 0.0, [e + 1e-12 for e in bound.eps]) == bound.sweeps


@pytest.mark.claim("indexed-regret-bound")
@pytest.mark.parametrize("f_star", [0.0, -1e6])
def test_rounding_only_widens_eps(f_star: float) -> None:
    """One disk of values 1000 |x| + f*: eps_h = gap + 1000 (3/10) R 3^-h, in exact numbers."""

    def f(x: Floats) -> Floats:
        assert x.dtype == float
        return 1000 * np.abs(x[:, 0]) + f_star

    block: Any = [[[Fraction(1, 4)]]]
    bound = indexed_regret_bound(
        f, f_star, 1000.0, block, K=3, R=Fraction(2), M=Fraction(0), h_max=4, gap=0.5
    )
    assert len(bound.eps) == 6
    for h, e in enumerate(bound.eps):
        exact = Fraction(1, 2) + Fraction(1000 * 2, 4 * 3**h)
        slack = Fraction(max(1.0, -f_star)) / 10**12
        assert exact + slack * Fraction(9, 10) <= Fraction(e)
        assert Fraction(e) <= (exact + slack) * (1 + Fraction(2, 10**12))
    assert (bound.h_max, bound.d, bound.K) == (4, 1, 3)
    assert len(bound.sweeps) == 5
