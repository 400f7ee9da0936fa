"""Cells, Lemma 1 and Theorem 2 as numbers (`theory/geometry.py`, `theory/finite_time.py`)."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paper.instances import Instance, package_run
from reproduction.theory.finite_time import (
    RegretBound,
    evaluations_of_sweeps,
    iterations_of_sweeps,
    multiples_of_delta,
    near_optimal_bound,
    near_optimal_nodes,
    printed_iterations_to_expand,
    sweeps_to_expand,
    theorem_2_depth,
)
from reproduction.theory.geometry import norm_class_bound


@pytest.mark.claim("lemma-1")
@given(st.data())
def test_s_h_by_counting(data: st.DataObject) -> None:
    H = data.draw(st.integers(0, 3))
    value = st.integers(0, 6).map(float)
    values = [data.draw(st.lists(value, min_size=3**k, max_size=3**k)) for k in range(H + 1)]
    eps = data.draw(st.lists(value, min_size=H + 1, max_size=H + 1))
    f_star = data.draw(st.sampled_from([0.0, -2.0]))
    got = sweeps_to_expand(values, f_star, eps)
    for h in range(H + 1):
        members = [
            (k, i)
            for k in range(h + 1)
            for i, v in enumerate(values[k])
            if v <= f_star + max(eps[k : h + 1])
        ]
        assert got[h] == len(members) <= (3 ** (h + 1) - 1) // 2
    assert near_optimal_nodes(values[H], 3.0) == sum(v <= 3.0 for v in values[H])


@pytest.mark.claim("lemma-1", "loop-bound-static")
@given(st.integers(0, 60), st.integers(0, 9))
def test_iterations_and_evaluations_of_sweeps_by_summation(sweeps: int, h_max: int) -> None:
    visits = [min(s, h_max + 1) for s in range(1, sweeps + 1)]
    assert iterations_of_sweeps(sweeps, h_max) == sum(visits) <= (h_max + 1) * sweeps
    expansions = sum(norm_class_bound(l, 2, 3) for n in visits for l in range(n))
    assert evaluations_of_sweeps(sweeps, 2, 3, h_max) == 1 + 3 * expansions


@pytest.mark.claim("eq-7")
def test_m_hat_makes_the_printed_thresholds_useless_as_soon_as_tau_is_positive() -> None:
    delta = [3.0**-h for h in range(11)]
    m_hat = multiples_of_delta([1.0] * 11, delta)[-1]
    assert m_hat == 59050
    assert m_hat * delta[5] == pytest.approx(243.004, abs=1e-3)
    assert 1.0 + delta[5] < 1.005
    with pytest.raises(ValueError, match="delta"):
        multiples_of_delta([0.0], [0.0])


@pytest.mark.claim("lemma-2", "theorem-2")
def test_theorem_2_on_the_distance_to_two_ninths() -> None:
    """f(x) = |x - 2/9|: delta(h) = 3^-h, d_hat = 0, C = 1.01, h_max = 1.

    The printed h(3) = 2 promises 1/9 after 3 iterations, the corrected h(3) = 1 promises 1/3.
    Here both hold.
    """

    delta = [1.0, 1 / 3, 1 / 9]
    assert near_optimal_bound(1.01, delta, 0.0) == (1.01, 1.01, 1.01)
    printed = theorem_2_depth(3, 1.01, delta, 0.0, factor=1)
    corrected = theorem_2_depth(3, 1.01, delta, 0.0, factor=2)
    assert (printed, corrected) == (2, 1)
    instance = Instance(1, 3, 0.3, 0, 1, 40)
    run = package_run(instance, lambda k, y, p: abs(float(y[0] / instance.R) - 2 / 9))
    best = min(e.value for visit in run.visits if visit.t <= 3 for e in visit.evaluations)
    assert best <= min(delta[: printed + 1]) + 1e-12


@pytest.mark.claim("theorem-2")
def test_theorem_2_depth_when_the_listed_depths_do_not_reach_t() -> None:
    assert theorem_2_depth(100, 1.0, [1.0, 0.5], 1.0, 2) == 2
    assert theorem_2_depth(4, 1.0, [1.0, 0.5], 1.0, 2) == 1
    assert theorem_2_depth(2, 1.0, [1.0, 0.5], 1.0, 2) == 0


@pytest.mark.claim("theorem-2", "indexed-regret-bound")
def test_the_bound_steps_down_exactly_when_a_depth_is_reached() -> None:
    bound = RegretBound(eps=(4.0, 3.0, 3.5, 1.0), sweeps=(1, 2, 6), h_max=2, d=1, K=3)
    assert [bound.after_sweeps(s) for s in (0, 1, 2, 5, 6, 99)] == [4.0, 3.0, 3.0, 3.0, 1.0, 1.0]
    # sweeps 1..6 take at most 1 + 2 + 3 + 3 + 3 + 3 = 15 iterations
    assert [bound.after_iterations(t) for t in (0, 1, 14, 15)] == [4.0, 3.0, 3.0, 1.0]
    assert bound.iterations == (1, 3, 15)
    assert bound.evaluations == tuple(evaluations_of_sweeps(s, 1, 3, 2) for s in (1, 2, 6))
    last = evaluations_of_sweeps(6, 1, 3, 2)
    assert (bound.after_evaluations(last - 1), bound.after_evaluations(last)) == (3.0, 1.0)


@pytest.mark.claim("eq-7")
@given(
    st.lists(
        st.tuples(
            st.fractions(0, 50, max_denominator=60),
            st.fractions(Fraction(1, 60), 5, max_denominator=60),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_the_multiples_of_exact_fractions(pairs: list[tuple[Fraction, Fraction]]) -> None:
    """In exact arithmetic, one depth after another; fractions are numbers too."""
    expected, m = [], 0
    for tau, delta in pairs:
        m = max(m, 1 + math.ceil(tau / delta))
        expected.append(m)
    got = multiples_of_delta([t for t, _ in pairs], [e for _, e in pairs])
    assert got == tuple(expected)


@pytest.mark.claim("lemma-1", "theorem-2")
def test_counts_are_exact_beyond_what_a_float_or_64_bits_hold() -> None:
    reach = 10**9 + 1
    assert iterations_of_sweeps(reach, 10**9) == reach * (reach + 1) // 2
    assert type(iterations_of_sweeps(2, 3)) is int
    d, K, h_max = 2, 3, 40  # 2^63 is more than each depth has norms, and less than all have
    per_depth = [norm_class_bound(h, d, K) for h in range(h_max + 1)]
    assert max(per_depth) < 2**63 < sum(per_depth)
    made = [sum(per_depth[: min(s, h_max + 1)]) for s in range(1, 101)]
    assert evaluations_of_sweeps(100, d, K, h_max) == 1 + K * sum(made)


@pytest.mark.claim("lemma-1", "lemma-2", "theorem-2")
def test_counts_of_deep_trees_are_exact() -> None:
    assert printed_iterations_to_expand([3**39] * 4, 5) == tuple(5 * k * 3**39 for k in range(1, 5))
    bound = RegretBound((1.0, 0.5, 0.25), (3**50, 3**51), 5, 1, 3)
    for s, regret in ((3**50 - 1, 1.0), (3**50, 0.5), (3**51 - 1, 0.5), (3**51, 0.25)):
        assert bound.after_sweeps(s) == regret
    assert [bound.after_iterations(bound.iterations[1] - k) for k in (1, 0)] == [0.5, 0.25]
    assert near_optimal_bound(2.0, [3.0**-700, 3.0**-300, 1.0], 3.0) == (math.inf, math.inf, 2.0)
    assert near_optimal_bound(2.0, [0.0], 0.0) == (2.0,)
    assert theorem_2_depth(5, 1.0, [1.0, 3.0**-700], 1.0, 2) == 1
