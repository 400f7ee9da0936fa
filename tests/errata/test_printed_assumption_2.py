"""Assumption 2 as printed grants delta to one optimal cell of each depth: Lemma 1 needs one branch.

K = 7, d = n = 1, h_max = 2, A = (eta), tau = 0, delta = (1, 1/2, 3/10). The cells that have the
printed bound are the root's, that of node (1, 6) and that of node (2, 33), a child of (1, 4): no
branch. Exact arithmetic throughout. Machine-checked, with every assumption:
`proofs/counterexamples/CounterexampleAssumption2.v`.
"""

from bisect import bisect_left
from fractions import Fraction

import pytest

from errata.on_the_line import holds, iteration_of, near_optimal, position, run

K = 7
HALF = Fraction(1, 49)  # half width of a cell of depth 2
DELTA = [Fraction(1), Fraction(1, 2), Fraction(3, 10)]
MINIMISERS = (position(2, 47, K) + HALF / 2, position(2, 33, K) + HALF / 3)


def knots() -> dict[Fraction, Fraction]:
    """Values at the base points of depths 1 and 2, at both minimisers and around node (2, 33)."""
    points = {position(2, i, K): Fraction(1) for i in range(49)}
    for i, tenths in enumerate((8, 9, 9, 10, 9, 9, 5)):
        points[position(1, i, K)] = Fraction(tenths, 10)
    good = position(2, 33, K)
    points[good] = Fraction(3, 10)
    points[good - HALF] = points[good + HALF] = Fraction(6, 10)
    points.update(dict.fromkeys(MINIMISERS, Fraction(0)))
    points[Fraction(-1)] = points[Fraction(1)] = Fraction(1)
    return points


KNOTS = sorted(knots().items())
XS = [x for x, _ in KNOTS]


def f(x: Fraction) -> Fraction:
    """Piecewise linear, f* = 0 at the two minimisers."""
    right = max(1, bisect_left(XS, x))
    (a, fa), (b, fb) = KNOTS[right - 1], KNOTS[right]
    return fa + (fb - fa) * (x - a) / (b - a)


def optimal_nodes(h: int) -> list[int]:
    return [i for i in range(K**h) if any(holds(h, i, x, K) for x in MINIMISERS)]


@pytest.mark.claim("assumption-2", "lemma-1")
def test_lemma_1_is_false_when_the_optimal_cells_form_no_branch() -> None:
    """|I| = (1, 1, 1): 9 iterations are promised even with h_max + 1, 18 and 33 are made."""
    counts = [len(near_optimal(f, h, DELTA[h], K)) for h in range(3)]
    assert counts == [1, 1, 1]
    promised = 3 * sum(counts)  # (h_max + 1) (|I_0| + |I_1| + |I_2|); printed: 2 * 3 = 6
    steps = run(f, h_max=2, K=K, v=1000)
    happened = [iteration_of((2, i), steps) for i in optimal_nodes(2)]
    print(f"promised: an optimal node of depth 2 is expanded within {promised} iterations")
    print(f"happened: the two optimal nodes are expanded at iterations {happened}")
    assert (promised, happened) == (9, [18, 33])
