"""How often a base point is evaluated: the cap M ||y||, and when it is idle."""

from fractions import Fraction

import pytest

from embedded_hunter.node import Node, children, may_be_evaluated, norm, root
from embedded_hunter.settings import Settings


def evaluations_down_the_center_chain(node: Node, settings: Settings, last: int) -> int:
    """Evaluate a base point that appears at a node wherever the cap allows, to depth `last`."""
    node.evaluations = 1
    while node.h < last:
        node = children(node, settings.K)[settings.K // 2]
        node.evaluations += may_be_evaluated(node, settings)
    return node.evaluations


@pytest.mark.claim("results-embedding-cap")
def test_a_base_point_has_one_evaluation_more_than_M_norm() -> None:
    """||y|| = 2R/3 = 20/9 and M = 9/10: M ||y|| = 2, and the third evaluation is made."""
    settings = Settings(1, 1, 100, eta=0.3, M=0.9, h_max=20)
    node = children(root(1), 3)[0]
    assert Fraction(9, 10) * settings.side / 3 == 2
    assert evaluations_down_the_center_chain(node, settings, 20) == 3


@pytest.mark.claim("evaluation-cap-idle")
def test_the_cap_is_idle_for_base_points_of_the_first_round() -> None:
    """Table 1's setting: base points that appear at depths 1 to 10 are re-evaluated at every depth.

    Their norm is at least 2R/3 = 22.2, so M ||y|| >= 111 for M = 5; from depth 1 to h_max + 1 = 101
    a center chain offers 101 evaluations.
    """
    settings = Settings(10_000, 10, 10_000, M=5)
    assert settings.h_max == 100
    node = root(10)
    for h in range(1, 11):
        left, node = children(node, 3)[:2]  # down the center chain of the root
        assert norm(left, settings) >= 22.2
        assert evaluations_down_the_center_chain(left, settings, 101) == 102 - h


@pytest.mark.claim("evaluation-cap-idle")
def test_the_cap_is_not_idle_in_the_second_round_nor_for_M_1() -> None:
    """A base point that appears at depth 11 may have norm 2R/9, and at most 38 evaluations."""
    settings = Settings(10_000, 10, 10_000, M=5)
    node = root(10)
    for _ in range(10):
        node = children(node, 3)[1]
    late = children(node, 3)[0]
    assert (late.h, evaluations_down_the_center_chain(late, settings, 101)) == (11, 38)
    settings = Settings(10_000, 10, 10_000, M=1)
    early = children(root(10), 3)[0]
    assert evaluations_down_the_center_chain(early, settings, 101) == 23
