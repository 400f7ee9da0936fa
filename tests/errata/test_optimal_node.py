"""Where "the optimal node" needs care: minimisers on a face, and families that miss the optimum."""

from fractions import Fraction

import pytest

from errata.runs import branch, iteration_of, near_optimal, nodes, position, run
from reproduction.theory.finite_time import iterations_of_sweeps, theorem_2_depth


@pytest.mark.claim("definition-1", "lemma-1")
def test_a_minimiser_on_the_upper_face_lies_in_no_half_open_cell() -> None:
    """f(x) = -x has its only minimiser at x = 1; with the last cell closed Lemma 1 speaks of it."""
    for h in range(5):
        half = Fraction(1, 3**h)
        assert not any(c - half <= 1 < c + half for c in map(position, nodes(h)))
        assert branch(Fraction(1), h)[h] == (h, 3**h - 1)

    def gap(x: Fraction) -> Fraction:
        return 1 - x  # f + 1, so that f* = 0; 1-Lipschitz

    delta = [Fraction(1, 3**h) for h in range(4)]
    counts = [len(near_optimal(gap, h, delta[h])) for h in range(4)]
    made = run(gap, h_max=3)
    for h in range(4):
        bound = iterations_of_sweeps(sum(counts[: h + 1]), 3)
        assert iteration_of((h, 3**h - 1), made) <= bound


@pytest.mark.claim("theorem-2", "definition-1", "b-value", "regret-without-probability")
def test_without_coverage_tau_plus_delta_does_not_bound_the_regret() -> None:
    """d = 1, A = (eta/2), f = |x - 1|, h_max = 10: x = 1 is not covered.

    The images of [-R, R] are [-1/2, 1/2], so g(y) = 1 - eta y / 2 has its minimum 1/2 at y = R.
    With tau = 0 and delta(h) = L ||A|| r_h = 3^-h / 2 Assumptions 1 to 4 hold in every cell; Y_eps
    is empty for eps < 1/2 and one point for eps = 1/2 = eps_0, so (C, d_hat) = (2, 0) is
    admissible. All that fails is g(y*) = f*.
    """
    h_max, t, C = 10, 240, 2
    delta = [Fraction(1, 2 * 3**h) for h in range(h_max + 2)]

    def g(x: Fraction) -> Fraction:
        return abs(x / 2 - 1)  # x = eta y runs over [-1, 1]; A = (eta/2) halves it

    for h in range(3):  # Assumption 2, at the ends of each cell: g is linear
        for center, half in ((position(node), Fraction(1, 3**h)) for node in nodes(h)):
            assert all(abs(g(center) - g(center + s * half)) == delta[h] for s in (-1, 1))

    depth = theorem_2_depth(t, C, [float(e) for e in delta], 0.0, h_max + 1)
    promised = min(delta[: min(depth, h_max + 1) + 1])
    assert depth == 10
    assert float(promised) == pytest.approx(8.467e-6, rel=1e-3)
    gap = g(Fraction(1))
    visits = run(g, h_max, v=2000).visits
    regret = min(e.value for visit in visits if visit.t <= t for e in visit.evaluations)
    assert gap == Fraction(1, 2)
    print(f"promised without coverage: {float(promised):.3g}")
    print(f"happened: after {t} iterations the regret is {regret}")
    assert regret > promised
    assert regret >= gap  # no run gets below g(y*)
    assert regret <= gap + promised  # with the gap carried the theorem holds

    root = g(Fraction(0))  # f*_{0,0}; the b-value of this optimal node is above f* = 0
    assert root - delta[0] == gap > 0
