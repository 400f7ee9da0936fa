"""Lemma 1 as it is printed: a Lipschitz function on which h_max iterations a node are too few.

Machine-checked, with every assumption: `proofs/counterexamples/CounterexampleLemma1.v`.
"""

from fractions import Fraction
from itertools import pairwise

import pytest
from on_the_line import iteration_of, near_optimal, run

DELTA = (Fraction(6, 5), Fraction(1))
KNOTS = [
    (Fraction(-1), Fraction(11, 10)),
    (Fraction(-2, 3), Fraction(9, 10)),
    (Fraction(0), Fraction(1)),
    (Fraction(1, 5), Fraction(0)),
    (Fraction(2, 3), Fraction(19, 20)),
    (Fraction(1), Fraction(11, 10)),
]


def tent(x: Fraction) -> Fraction:
    """Piecewise linear, f* = 0 at x = 1/5."""
    for (a, fa), (b, fb) in pairwise(KNOTS):
        if x <= b:
            return fa + (fb - fa) * (x - a) / (b - a)
    raise ValueError(f"x = {x} lies outside [-1, 1]")


@pytest.mark.claim("lemma-1", "loop-bound-static")
def test_the_printed_lemma_1_is_false() -> None:
    """t_1 = h_max (|I_0| + |I_1|) = 4 iterations are promised, 7 are made: (h_max + 1) 4 - 1."""
    counts = [len(near_optimal(tent, h, DELTA[h])) for h in (0, 1)]
    assert counts == [1, 3]
    promised = 1 * sum(counts)
    happened = iteration_of((1, 1), run(tent, h_max=1))
    print(f"promised: the optimal node (1, 1) is expanded within {promised} iterations")
    print(f"happened: it is expanded at iteration {happened}")
    assert (promised, happened) == (4, 7)
    # The corrected lemma is sharp here: S_1 = 4 sweeps, of 1, 2, 2 and 2 iterations.
    assert happened == sum(min(s, 2) for s in range(1, sum(counts) + 1))


@pytest.mark.claim("lemma-1")
def test_the_printed_lemma_1_is_false_for_h_max_0() -> None:
    """t_0 = 0, but the root is expanded at iteration 1."""
    assert iteration_of((0, 0), run(tent, h_max=0)) == 1
