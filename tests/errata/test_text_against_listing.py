"""Two sentences that a reader may take for Algorithm 1, and what becomes of it.

Machine-checked: `proofs/counterexamples/CounterexampleVariants.v`.
"""

from collections.abc import Callable
from fractions import Fraction

import pytest

from errata.variants import BY_THE_TEXT, WITH_THE_CLASSES_READ_AGAIN
from paper.definitions import KIT, Node, Point, literal


def expansions(
    hunt: Callable[..., float], g: Callable[[Point], float], d: int, h_max: int, sweeps: int
) -> list[list[Node]]:
    """Return the nodes expanded in each of the first sweeps, for K = 3, M = 0 and Y = [-1, 1]^d."""
    eta = Fraction(d)
    run = literal(
        lambda k, y, p: g(y), d=d, K=3, eta=eta, M=Fraction(0), h_max=h_max, v=40, hunt=hunt
    )
    found = [list[Node]() for _ in range(sweeps + 1)]
    for visit in run.visits:
        if visit.sweep <= sweeps:
            found[visit.sweep] += [node for node, _ in visit.expansions]
    return found[1:]


@pytest.mark.claim("strict-expansion-sentence")
def test_the_rule_of_the_text_deadlocks_on_a_constant_function() -> None:
    """d = 2: left and right tie, neither is strictly smaller than the other, nor is the center."""
    of_text, of_listing = (
        [len(nodes) for nodes in expansions(read, lambda y: 0.0, 2, 7, 6)]
        for read in (BY_THE_TEXT, KIT.hunt)
    )
    print("promised: a node is expanded only if strictly smaller than nodes of equal norm")
    print(f"happened: {of_text} expansions in six sweeps; Algorithm 1: {of_listing}")
    assert of_text == [1, 0, 0, 0, 0, 0]
    assert of_listing == [1, 1, 1, 1, 1, 1]


@pytest.mark.claim("frozen-classes", "lemma-1")
def test_reading_the_classes_again_breaks_the_corrected_lemma_1() -> None:
    """d = 1: root, left and center are worth 0 = f*, right 3; so S_1 = 3 sweeps suffice.

    If L^j is the j-th class of the leaves at that moment, the expansion of right in sweep 3 empties
    the first class, the center moves up into its place and is passed over.
    """

    def one_bad_child(y: Point) -> float:
        return 3.0 if y == (Fraction(2, 3),) else 0.0

    frozen, again = (
        expansions(read, one_bad_child, 1, 1, 4) for read in (KIT.hunt, WITH_THE_CLASSES_READ_AGAIN)
    )
    near_optimal = [(0, 0), (1, 0), (1, 1)]
    S_1 = len(near_optimal)
    print(f"promised: the optimal node (1, 1) is expanded within {S_1} sweeps")
    print(f"happened: frozen classes {frozen}, classes read again {again}")
    assert (1, 1) in frozen[S_1 - 1]
    assert [(1, 1) in nodes for nodes in again] == [False, False, False, True]
