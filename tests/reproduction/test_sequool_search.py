"""SequOOL: which leaves are expanded, how deep a run goes, and what its budget pays for."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from embedded_hunter.hunter import Hunt
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node
from embedded_hunter.settings import Settings
from reproduction.theory.sequool_search import (
    expansions,
    greatest_depth,
    hunt_sequool,
    hunt_sequool_in_embeddings,
)
from spec.algorithm.baselines import functions
from spec.algorithm.brute_force_soo import Function
from spec.algorithm.instances import exact_base_point, visits_of

Cell = tuple[int, tuple[int, ...], tuple[tuple[Fraction, Fraction], ...]]
"""Number of the tree, the way from its root, and the sides of a cell of [-1, 1]^d."""


def center(cell: Cell) -> tuple[Fraction, ...]:
    return tuple((a + b) / 2 for a, b in cell[2])


def by_cells(
    f: Function, d: int, K: int, v: int, P: int, apart: bool
) -> list[tuple[int, tuple[Fraction, ...]]]:
    """SequOOL written a second time, with cells as intervals; return the evaluated points in order.

    H is found by counting up.
    """

    def cost(H: int) -> int:
        per_depth = [H // h for h in range(1, H + 1)]
        return P + sum(per_depth) + (sum(min(P, s) for s in per_depth) if apart else 0)

    H = 0
    while cost(H + 1) * (K - 1) <= v - 1:
        H += 1
    zero = (Fraction(0),) * d
    points = [(0, zero)]
    value = {(q, zero): f(zero) for q in range(P)}
    cells: list[Cell] = [(q, (), ((Fraction(-1), Fraction(1)),) * d) for q in range(P)]
    for h in range(H + 1):
        queues = [[c for c in cells if any(center(c))], [c for c in cells if not any(center(c))]]
        chosen: list[Cell] = []
        for queue in queues if apart else [cells]:
            ranked = sorted(queue, key=lambda c: (value[c[0], center(c)], c[:2]))
            chosen += ranked[: (H // h if h else P)]
        cells = []
        for q, way, sides in chosen:
            a, b = sides[h % d]
            for k in range(K):
                side = (a + (b - a) * k / K, a + (b - a) * (k + 1) / K)
                child = (q, (*way, k), (*sides[: h % d], side, *sides[h % d + 1 :]))
                cells.append(child)
                if (q, center(child)) not in value:
                    value[q, center(child)] = f(center(child))
                    points.append((q, center(child)))
    return points[:v]


def points_of(run: Hunt, f: Function, d: int, K: int) -> list[tuple[int, tuple[Fraction, ...]]]:
    points: list[tuple[int, tuple[Fraction, ...]]] = []

    def evaluate(visit: object) -> list[float]:
        new = [
            (p - 1, exact_base_point(node, d, K, Fraction(1)))
            for node, p in visit.evaluations  # type: ignore[attr-defined]
        ]
        points.extend(new)
        return [f(y) for _, y in new]

    for _ in visits_of(run, evaluate):
        pass
    return points


@given(
    st.integers(1, 3), st.sampled_from([3, 5]), st.integers(1, 120), st.integers(1, 3),
    st.booleans(), functions(),
)  # fmt: skip
def test_a_run_evaluates_what_the_rule_says(
    d: int, K: int, v: int, P: int, apart: bool, f: Function
) -> None:
    """In the same order, ties by the way from the root, with one tree and with several."""
    run = hunt_sequool(Settings(d, d, v, K=K), P=P, separate_origin=apart)
    assert points_of(run, f, d, K) == by_cells(f, d, K, v, P, apart)


@given(st.integers(1, 3000), st.integers(1, 30), st.booleans())
def test_the_depth_is_the_greatest_that_the_budget_allows(limit: int, P: int, apart: bool) -> None:
    H = greatest_depth(limit, P, separate_origin=apart)
    assert H == 0 or expansions(H, P, separate_origin=apart) <= limit
    assert expansions(H + 1, P, separate_origin=apart) > limit
    # The depth of the paper is never greater.
    if P == 1 and not apart and limit > 1:
        n = limit
        assert int(n / sum(1 / t for t in range(1, n + 1))) <= max(H, 1)


def test_sequool_in_embeddings_is_one_run_for_each_matrix() -> None:
    """Each has its share of the budget, the evaluations carry the number of its matrix."""

    def f(y: tuple[Fraction, ...]) -> float:
        return float(abs(y[0] - Fraction(1, 5)))

    together = points_of(hunt_sequool_in_embeddings(Settings(2, 2, 100), 3), f, 2, 3)
    apart = []
    for p, v in ((1, 34), (2, 33), (3, 33)):
        apart += points_of(hunt_sequool(Settings(2, 2, v), p), f, 2, 3)
    assert together == apart
    assert {q for q, _ in together} == {0, 1, 2}


def cone(x: Floats) -> float:
    return math.dist(x, (0.3, -0.71, 0.123)[: len(x)])


def kinks(x: Floats) -> float:
    slopes = 1 + 0.5 * np.sin(9 * x) + 0.1 * np.arange(len(x))
    return float(np.abs(x + 0.377) @ slopes)


def waves(x: Floats) -> float:
    return cone(x) + 0.3 * float(np.abs(np.sin(7 * (x - (0.3, -0.71, 0.123)[: len(x)]))).sum())


@pytest.mark.parametrize("f", [cone, kinks, waves])
@pytest.mark.parametrize(("d", "v"), [(1, 60), (2, 300), (3, 500)])
def test_pyxab_expands_the_same_cells(
    f: Callable[[Floats], float], d: int, v: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyXAB 0.3.0 has SequOOL too. In three places it decides otherwise, and we set its choice.

    - Its depth is floor(n / (1 + .. + 1/n)) for n *evaluations*, where the paper counts
      expansions (see the next test).
    - Its partitions split a random coordinate; here they split the coordinates in turn.
    - Of leaves with equal values it takes the last. These functions have no ties, and no cell is
      so small that rounding would decide.

    It evaluates a center child once more, which changes no value.
    """
    chosen: set[tuple[int, int]] = set()
    ours: list[float] = []

    def value(node: Node) -> float:
        return f(np.array([float(t) for t in exact_base_point(node, d, 3, Fraction(1))]))

    def evaluate(visit: Any) -> list[float]:
        chosen.update((leaf.h, leaf.i) for leaf, _ in visit.expansions)
        ours.extend(value(node) for node, _ in visit.evaluations)
        return ours[len(ours) - len(visit.evaluations) :]

    for _ in visits_of(hunt_sequool(Settings(d, d, v)), evaluate):
        pass
    H = greatest_depth((v - 1) // 2)
    tree, theirs = by_pyxab(f, d, H, monkeypatch)
    opened = {(h, node.get_index() - 1) for h, node in tree if node.get_children() is not None}
    assert opened == chosen
    assert max(h for h, _ in chosen) == H
    assert min(theirs) == pytest.approx(min(ours), rel=1e-6)
    assert len(theirs) == 3 * len(chosen) == len(ours) - 1 + len(chosen)


def by_pyxab(
    f: Callable[[Floats], float], d: int, H: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[tuple[int, Any]], list[float]]:
    """Its nodes with their depths, and its values in the order of evaluation."""
    algorithms = pytest.importorskip("PyXAB.algos.SequOOL")
    KaryPartition: Any = pytest.importorskip("PyXAB.partition.KaryPartition").KaryPartition

    class InTurn(KaryPartition):  # type: ignore[misc]  # PyXAB is optional: its class is Any
        def make_children(self, parent: Any, newlayer: bool = False) -> None:
            h = parent.get_depth()
            monkeypatch.setattr(np.random, "randint", lambda low, high: h % high)
            super().make_children(parent, newlayer)

    algorithm = algorithms.SequOOL(n=1, domain=[[-1, 1]] * d, partition=InTurn)
    algorithm.h_max = H
    values: list[float] = []
    while algorithm.curr_depth <= H:
        values.append(f(np.array(algorithm.pull(len(values)))))
        algorithm.receive_reward(len(values), -values[-1])
    layers = algorithm.partition.get_node_list()
    return [(h, node) for h, layer in enumerate(layers) for node in layer], values
