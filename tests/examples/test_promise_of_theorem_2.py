"""Theorem 2 as it is printed: a Lipschitz function whose regret exceeds the bound.

Machine-checked, with every assumption: `proofs/counterexamples/CounterexampleTheorem2.v`.
"""

import math
from fractions import Fraction
from itertools import count

import pytest
from on_the_line import iteration_of, position, run

BOTTOM, H_MAX, C, D_HAT = Fraction(2, 9), 1, 3.2, 0.5


def valley(x: Fraction) -> Fraction:
    """The smaller of a plateau and of a hollow about 2/9; f* = 0 there."""
    u = abs(x - BOTTOM)
    hollow = 27 * u * u if u <= Fraction(1, 9) else 6 * u - Fraction(1, 3)
    return min(hollow, max(Fraction(1), 9 * abs(x) - 5))


def delta(h: int) -> float:
    return 3.0 ** (1 - h)


@pytest.mark.claim("theorem-2", "assumption-2")
def test_delta_bounds_the_optimal_cells_of_the_valley() -> None:
    """Cells that hold 2/9, at 401 points each: |g(center) - g(y)| <= 3^(1 - h)."""
    for h in range(6):
        i = next(i for i in range(3**h) if abs(BOTTOM - position(h, i)) < Fraction(1, 3**h))
        points = [position(h, i) + Fraction(j, 200 * 3**h) for j in range(-200, 201)]
        variation = max(abs(valley(position(h, i)) - valley(x)) for x in points)
        assert float(variation) <= delta(h) + 1e-12


@pytest.mark.long
@pytest.mark.claim("theorem-2", "definition-2")
def test_one_half_is_admissible_for_the_valley() -> None:
    """Disjoint open intervals of radius eps/3 centered in Y_eps number fewer than C eps^(-1/2).

    Y_eps is looked at on a grid of step 1/1800; centers 2 eps/3 apart, from its left end to its
    right end, are at most 1 + (length) / (2 eps/3).
    """
    grid = [(x := Fraction(j, 1800), valley(x)) for j in range(-1800, 1801)]
    for eps in (Fraction(j, 100) for j in range(1, 301)):
        near = [x for x, value in grid if value <= eps]
        most = 1 + math.floor((near[-1] - near[0]) / (2 * eps / 3))
        assert most < C * float(eps) ** -D_HAT


@pytest.mark.claim("theorem-2", "loop-bound-static", "supplement-a6")
def test_the_printed_theorem_2_is_false() -> None:
    """After t = 6 iterations: h(6) = 2, promised regret delta(2) = 1/3, regret 1."""
    t = 6
    h_t = next(
        h
        for h in count()
        if C * H_MAX * sum(delta(l) ** -D_HAT for l in range(h + 1)) >= t
    )  # fmt: skip
    promised = min(delta(h) for h in range(min(h_t, H_MAX + 1) + 1))
    made = run(valley, H_MAX)
    seen = [valley(position(*node)) for step in made if step.t <= t for node in step.evaluated]
    happened = float(min(seen))  # f* = 0
    print(f"promised: h({t}) = {h_t}: after {t} iterations the regret is at most {promised:.3f}")
    print(f"happened: after {t} iterations it is {happened:.3f}")
    assert (h_t, happened) == (2, 1.0)
    assert happened > promised
    assert iteration_of((1, 1), made) == t + 1
    # With h_max + 1 for h_max in eq. (9): h(6) = 1, and delta(1) = 1 is kept.
    assert C * (H_MAX + 1) * (delta(0) ** -D_HAT + delta(1) ** -D_HAT) >= t
