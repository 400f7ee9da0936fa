"""Lemma 1 as it is printed: a Lipschitz function on which h_max iterations a node are too few.

Machine-checked, with every assumption: `proofs/counterexamples/CounterexampleLemma1.v`.
"""

from fractions import Fraction

import pytest

from errata.runs import Line, branch, iteration_of, near_optimal, run

DELTA = [Fraction(6, 5), Fraction(1)]
KNOTS = {
    Fraction(-1): Fraction(11, 10),
    Fraction(-2, 3): Fraction(9, 10),
    Fraction(0): Fraction(1),
    Fraction(1, 5): Fraction(0),
    Fraction(2, 3): Fraction(19, 20),
    Fraction(1): Fraction(11, 10),
}
TENT = Line(KNOTS)


@pytest.mark.claim("lemma-1", "loop-bound-static")
def test_the_printed_lemma_1_is_false() -> None:
    """t_1 = h_max (|I_0| + |I_1|) = 4 iterations are promised, 7 are made: (h_max + 1) 4 - 1."""
    for node, delta in zip(branch(Fraction(1, 5), 1), DELTA, strict=True):
        assert TENT.variation(node) <= delta  # Assumption 2
    counts = [len(near_optimal(TENT, h, delta)) for h, delta in enumerate(DELTA)]
    assert counts == [1, 3]
    promised = 1 * sum(counts)
    happened = iteration_of((1, 1), run(TENT, h_max=1))
    print(f"promised: the optimal node (1, 1) is expanded within {promised} iterations")
    print(f"happened: it is expanded at iteration {happened}")
    assert (promised, happened) == (4, 7)
    # The corrected lemma is sharp here: S_1 = 4 sweeps, of 1, 2, 2 and 2 iterations.
    assert happened == sum(min(s, 2) for s in range(1, sum(counts) + 1))


@pytest.mark.claim("lemma-1")
def test_the_printed_lemma_1_is_false_for_h_max_0() -> None:
    """t_0 = 0, but the root is expanded at iteration 1."""
    assert iteration_of((0, 0), run(TENT, h_max=0)) == 1
