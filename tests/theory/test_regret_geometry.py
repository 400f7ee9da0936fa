"""Cells of the tree over Y: sizes, norms, evaluations (`theory/geometry.py`)."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter import node as core
from embedded_hunter.node import (
    splits,
)
from embedded_hunter.settings import Settings
from paper.definitions import cell, center
from reproduction.theory.geometry import (
    base_point_numerators,
    base_points,
    circumscribed_radius,
    evaluations_of_nodes,
    inscribed_radius,
    largest_norm,
    norm_class_bound,
    well_shaped_factor,
)
from reproduction.theory.indexed import indexed_delta

SHAPES = [(d, K, h) for d in (1, 2, 3) for K in (3, 5) for h in range(6) if K**h <= 700]


@pytest.mark.claim("partition-coverage", "norm-classes", "norm-monotonicity", "assumption-3")
@pytest.mark.parametrize(("d", "K", "h"), SHAPES)
def test_radii_norms_and_points_by_cutting_the_box(d: int, K: int, h: int) -> None:
    R = 2.5
    cells = [cell((h, i), d, K, Fraction(1)) for i in range(K**h)]
    centers = [center(box) for box in cells]
    assert base_points(h, d, K, R) == pytest.approx(R * np.array(centers, dtype=float), abs=1e-12)
    half = [(b - a) / 2 for a, b in cells[0]]
    assert half == [Fraction(1, K**s) for s in splits(h, d)]
    assert circumscribed_radius(h, d, K, R) == pytest.approx(
        R * math.sqrt(sum(w * w for w in half))
    )
    assert inscribed_radius(h, d, K, R) == pytest.approx(R * float(min(half)))
    squares = {sum(t * t for t in y) for y in centers}
    assert largest_norm(h, d, K, R) == pytest.approx(R * math.sqrt(max(squares)))
    assert len(squares) <= norm_class_bound(h, d, K) <= K**h
    if h:
        assert largest_norm(h - 1, d, K, R) <= largest_norm(h, d, K, R)


@pytest.mark.claim("assumption-3")
@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_the_factor_of_well_shaped_cells_holds_and_is_attained(d: int) -> None:
    K, R, L, norm_B = 3, 2.0, 1.5, 0.7
    m = well_shaped_factor(d, K, norm_B)
    slack = [
        L * inscribed_radius(h, d, K, R) - m * indexed_delta(h, d, K, R, L, norm_B)
        for h in range(4 * d)
    ]
    assert min(slack) == pytest.approx(0, abs=1e-12)
    assert min(slack) >= -1e-12


@pytest.mark.claim("evaluation-cap", "zero-vector-once")
@given(
    st.sampled_from([(1, 3, 5), (2, 3, 5), (3, 3, 4), (2, 5, 3)]),
    st.fractions(Fraction(1, 20), Fraction(9, 10), max_denominator=20),
    st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 20), Fraction(1), Fraction(5)]),
)
def test_counts_of_evaluations_by_walking_down_the_tree(
    shape: tuple[int, int, int], eta: Fraction, M: Fraction
) -> None:
    d, K, h = shape
    settings = Settings(d, d, 9, eta=eta, K=K, M=M)

    def walk(node: core.Node, depth: int) -> list[int]:
        if depth == 0:
            return [node.evaluations]
        below = []
        for child in core.children(node, K):
            child.evaluations += core.may_be_evaluated(child, settings)
            below += walk(child, depth - 1)
        return below

    start = core.root(d)
    start.evaluations = 1
    counts = evaluations_of_nodes(h, d, K, settings.radius, M)
    assert counts.tolist() == walk(start, h)
    zero = (K**h - 1) // 2
    assert counts[zero] == 1
    assert not base_point_numerators(h, d, K)[zero].any()


@pytest.mark.claim("evaluation-cap")
def test_the_cap_is_exact_where_it_binds_with_equality() -> None:
    """d = 1, K = 3, R = 3/2, M = 1: the base points +-1 of depth 1 have M ||y|| = 1 exactly.

    With 1 past evaluation, 1 <= 1 allows a second one, 2 <= 1 does not allow a third.
    """
    counts = evaluations_of_nodes(4, 1, 3, Fraction(3, 2), Fraction(1))
    chain = 1 * (1 + 3 + 9) + 0 * 27  # digits 0, 1, 1, 1 below node (1, 0)
    assert counts[chain] == 2
    assert evaluations_of_nodes(4, 1, 3, Fraction(3, 2), Fraction(99, 100))[chain] == 1


@pytest.mark.claim("norm-classes")
def test_the_bound_on_the_norms_is_the_stated_number() -> None:
    """``min(K^h, 1 + d ((K^m - 1)/2)^2)`` in whole numbers, where either is the lesser one."""
    for d, K, h, bound in (
        (1, 3, 4, 81), (2, 3, 2, 3), (2, 3, 6, 1 + 2 * 13**2), (3, 3, 7, 1 + 3 * 13**2),
        (2, 5, 4, 1 + 2 * 12**2), (2, 5, 0, 1), (2, 3, 100, 1 + 2 * ((3**50 - 1) // 2) ** 2),
    ):  # fmt: skip
        assert norm_class_bound(h, d, K) == bound
        assert type(norm_class_bound(h, d, K)) is int


@pytest.mark.claim("indexed-regret-bound")
def test_the_radius_of_a_deep_cell_is_not_0_before_it_underflows() -> None:
    assert circumscribed_radius(600, 1, 3, 1.0) == pytest.approx(3.0**-600)
    assert circumscribed_radius(1201, 2, 3, 1.0) == pytest.approx(
        3.0**-600 * math.sqrt(1 + 1 / 9), rel=1e-12
    )
