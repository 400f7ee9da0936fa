"""Specification of `node`: the exact geometry of the cells, their base points and norms."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.node import Node, base_point, children, may_be_evaluated, norm
from embedded_hunter.settings import Settings
from paper.definitions import Cell, cell, center, squared_norm
from paper.instances import Number, decimal, descend, exact_base_point


def lattice_cell(node: Node, K: int, R: Fraction) -> Cell:
    """Return the box of half-width R / K^s_j about the base point of a node."""
    d = len(node.c)
    y = exact_base_point(node, d, K, R)
    half = [R / K ** sum(level % d == j for level in range(node.h)) for j in range(d)]
    return tuple((a - b, a + b) for a, b in zip(y, half, strict=True))


@st.composite
def nodes(draw: st.DrawFn, max_h: int = 12) -> tuple[Node, int, list[int]]:
    """Return a node with K and its digits."""
    K = draw(st.sampled_from([3, 5, 7, 9, 11]))
    d = draw(st.integers(1, 5))
    digits = draw(st.lists(st.integers(0, K - 1), max_size=max_h))
    return descend(digits, d, K), K, digits


etas = st.sampled_from([0.3, 0.1, 0.7, Fraction(1, 3), 0.999])


@pytest.mark.claim("alg1-line-8")
@given(nodes())
def test_the_children_of_a_node_have_the_next_depth_and_the_indices_from_K_i_on(
    drawn: tuple[Node, int, list[int]],
) -> None:
    node, K, _ = drawn
    assert [(child.h, child.i) for child in children(node, K)] == [
        (node.h + 1, K * node.i + digit) for digit in range(K)
    ]


@pytest.mark.claim("partition-coverage")
@given(nodes(), etas)
def test_a_cell_and_its_base_point_are_those_of_K_section(
    drawn: tuple[Node, int, list[int]], eta: Number
) -> None:
    """(h, i) with the base-K digits of i is what cutting intervals of Fractions gives."""
    node, K, digits = drawn
    d = len(node.c)
    R = d / decimal(eta)
    assert node.h == len(digits)
    assert node.i == sum(digit * K ** (node.h - 1 - k) for k, digit in enumerate(digits))
    box = cell((node.h, node.i), d, K, R)
    assert lattice_cell(node, K, R) == box


@pytest.mark.claim("center-child")
@given(nodes())
def test_a_child_shares_the_base_point_of_its_parent_if_and_only_if_it_is_the_center_child(
    drawn: tuple[Node, int, list[int]],
) -> None:
    node, K, _ = drawn
    d, R = len(node.c), Fraction(1)
    node.f_star, node.evaluations = 1.5, 4
    here = exact_base_point(node, d, K, R)
    for digit, child in enumerate(children(node, K)):
        central = digit == (K - 1) // 2
        assert (exact_base_point(child, d, K, R) == here) == central
        assert (child.f_star, child.evaluations) == ((1.5, 4) if central else (math.inf, 0))


@pytest.mark.claim("center-child")
@given(
    st.integers(2, 12), st.integers(1, 3), st.lists(st.integers(0, 2**30), max_size=5), st.data()
)
def test_for_even_K_no_child_shares_the_base_point(
    K: int, d: int, path: list[int], data: st.DataObject
) -> None:
    """By K-section alone, for every K >= 2: one child does if K is odd, the middle one."""
    h, i = len(path), sum(digit % K * K**k for k, digit in enumerate(path))
    here = center(cell((h, i), d, K, Fraction(1)))
    sharing = [
        digit
        for digit in range(K)
        if center(cell((h + 1, K * i + digit), d, K, Fraction(1))) == here
    ]
    assert sharing == ([(K - 1) // 2] if K % 2 else [])


@pytest.mark.claim("norms-of-depth", "norm-classes")
@given(nodes(), etas)
def test_Nrm_is_the_squared_norm_in_lattice_units(
    drawn: tuple[Node, int, list[int]], eta: Number
) -> None:
    """||y||^2 = (2R)^2 Nrm / K^(2m), m = ceil(h/d), in Fractions."""
    node, K, _ = drawn
    d = len(node.c)
    R = d / decimal(eta)
    m = math.ceil(Fraction(node.h, d))
    y = exact_base_point(node, d, K, R)
    assert squared_norm(y) == (2 * R) ** 2 * Fraction(node.nrm, K ** (2 * m))


@pytest.mark.claim("radial-collapse", "norms-of-depth")
@given(nodes(max_h=60), etas)
def test_the_floats_of_a_base_point_are_the_nearest_to_its_exact_coordinates(
    drawn: tuple[Node, int, list[int]], eta: Number
) -> None:
    """Each coordinate is correctly rounded; the norm is within 4 units in the last place."""
    node, K, _ = drawn
    d = len(node.c)
    settings = Settings(d, d, 10, eta=eta, K=K)
    y = exact_base_point(node, d, K, d / decimal(eta))
    assert base_point(node, settings) == tuple(map(float, y))
    square = squared_norm(y)
    ours = Fraction(norm(node, settings))
    slack = 1 + Fraction(1, 2**50)
    assert square / slack**2 <= ours**2 <= square * slack**2


@pytest.mark.claim("evaluation-cap")
@given(nodes(), etas, st.integers(0, 12), st.sampled_from([0, 0.01, 0.3, 1, 5, Fraction(3, 7)]))
def test_a_base_point_may_be_evaluated_while_its_past_evaluations_are_at_most_M_times_its_norm(
    drawn: tuple[Node, int, list[int]], eta: Number, past: int, M: Number
) -> None:
    node, K, _ = drawn
    d = len(node.c)
    node.evaluations = past
    square = squared_norm(exact_base_point(node, d, K, d / decimal(eta)))
    settings = Settings(d, d, 10, eta=eta, K=K, M=M)
    assert may_be_evaluated(node, settings) == (past == 0 or past**2 <= decimal(M) ** 2 * square)


@pytest.mark.claim("evaluation-cap")
@given(
    st.sampled_from([3, 5, 7]),
    st.integers(1, 4),
    etas,
    st.lists(st.integers(0, 2**20), min_size=1, max_size=8),
    st.integers(1, 9),
)
def test_the_cap_is_exact_where_M_times_the_norm_is_an_integer(
    K: int, d: int, eta: Number, path: list[int], wanted: int
) -> None:
    """M is chosen so that M ||y|| = wanted: that many past evaluations pass, one more does not.

    The path leaves all coordinates but one at zero, so that ||y|| is rational. The smallest
    change of M to below makes the same past fail.
    """
    k = (K - 1) // 2
    digits = [k] * (d * len(path))
    digits[::d] = [digit % K for digit in path]
    digits[0] = 0  # off the center, for good
    node = descend(digits, d, K)
    y = exact_base_point(node, d, K, d / decimal(eta))
    assert not any(y[1:])
    M = wanted / abs(y[0])
    below = M * Fraction(10**30 - 1, 10**30)
    for past, factor, passes in ((wanted, M, True), (wanted + 1, M, False), (wanted, below, False)):
        node.evaluations = past
        assert may_be_evaluated(node, Settings(d, d, 10, eta=eta, K=K, M=factor)) == passes


@pytest.mark.claim("ties-least-index", "alg1-line-5")
@given(
    *[st.sampled_from([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf])] * 2,
    st.integers(0, 80),
    st.integers(0, 80),
)
def test_nodes_are_ordered_by_value_and_then_by_index(f: float, g: float, i: int, j: int) -> None:
    one, other = Node(4, i, (0,), 0, f), Node(4, j, (1,), 1, g)
    assert (one < other) == ((f, i) < (g, j))
