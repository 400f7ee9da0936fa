"""Theorem 2 as it is printed: a Lipschitz function whose regret exceeds the bound.

Machine-checked, with every assumption: `proofs/counterexamples/CounterexampleTheorem2.v`.
"""

from fractions import Fraction
from itertools import count

import pytest

from errata.runs import iteration_of, run

BOTTOM, H_MAX, C, D_HAT = Fraction(2, 9), 1, 3.2, 0.5


def valley(x: Fraction) -> Fraction:
    """The smaller of a plateau and of a hollow about 2/9; f* = 0 there."""
    u = abs(x - BOTTOM)
    hollow = 27 * u * u if u <= Fraction(1, 9) else 6 * u - Fraction(1, 3)
    return min(hollow, max(Fraction(1), 9 * abs(x) - 5))


def delta(h: int) -> float:
    return 3.0 ** (1 - h)


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
    seen = [e.value for visit in made.visits if visit.t <= t for e in visit.evaluations]
    happened = float(min(seen))  # f* = 0
    print(f"promised: h({t}) = {h_t}: after {t} iterations the regret is at most {promised:.3f}")
    print(f"happened: after {t} iterations it is {happened:.3f}")
    assert (h_t, happened) == (2, 1.0)
    assert happened > promised
    assert iteration_of((1, 1), made) == t + 1
    # With h_max + 1 for h_max in eq. (9): h(6) = 1, and delta(1) = 1 is kept.
    assert C * (H_MAX + 1) * (delta(0) ** -D_HAT + delta(1) ** -D_HAT) >= t
