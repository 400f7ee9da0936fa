"""Two sentences that a reader may take for Algorithm 1, and what becomes of it.

Machine-checked: `proofs/counterexamples/CounterexampleVariants.v`.
"""

import pytest
from variants import READ_AGAIN, expansions, text

from embedded_hunter.node import Node
from embedded_hunter.traces.rules import ALGORITHM_1


@pytest.mark.claim("strict-expansion-sentence")
def test_the_rule_of_the_text_deadlocks_on_a_constant_function() -> None:
    """d = 2: left and right tie, neither is strictly smaller than the other, nor is the center."""
    of_text = [len(nodes) for nodes in expansions(lambda node: 0.0, 2, 7, 6, text())]
    of_listing = [len(nodes) for nodes in expansions(lambda node: 0.0, 2, 7, 6, ALGORITHM_1)]
    print("promised: a node is expanded only if strictly smaller than nodes of equal norm")
    print(f"happened: {of_text} expansions in six sweeps; Algorithm 1: {of_listing}")
    assert of_text == [1, 0, 0, 0, 0, 0]
    assert of_listing == [1, 1, 1, 1, 1, 1]


def one_bad_child(node: Node) -> float:
    return 3.0 if (node.h, node.i) == (1, 2) else 0.0


@pytest.mark.claim("frozen-classes", "lemma-1")
def test_reading_the_classes_again_breaks_the_corrected_lemma_1() -> None:
    """d = 1: root, left and center are worth 0 = f*, right 3; so S_1 = 3 sweeps suffice.

    If L^j is the j-th class of the leaves at that moment, the expansion of right in sweep 3 empties
    the first class, the center moves up into its place and is passed over.
    """
    frozen = expansions(one_bad_child, 1, 1, 4, ALGORITHM_1)
    again = expansions(one_bad_child, 1, 1, 4, READ_AGAIN)
    near_optimal = [(0, 0), (1, 0), (1, 1)]
    S_1 = len(near_optimal)
    print(f"promised: the optimal node (1, 1) is expanded within {S_1} sweeps")
    print(f"happened: frozen classes {frozen}, classes read again {again}")
    assert (1, 1) in frozen[S_1 - 1]
    assert [(1, 1) in nodes for nodes in again] == [False, False, False, True]
