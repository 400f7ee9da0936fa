"""What the paper says of RESOO and SRESOO: shares of the budget, the zero vector, M near v."""

import numpy as np
import pytest
from numpy.typing import NDArray

from embedded_hunter import minimize
from embedded_hunter.baselines.resoo import hunt_resoo, resoo
from embedded_hunter.baselines.sresoo import Sequential, hunt_sresoo, sresoo
from embedded_hunter.hunter import Hunt
from embedded_hunter.node import Node
from embedded_hunter.projection import Indexed
from embedded_hunter.settings import Settings

BOUNDS = [(-1.0, 1.0)] * 6


class Spy:
    """An objective that keeps its points."""

    def __init__(self) -> None:
        self.points: list[NDArray[np.float64]] = []

    def __call__(self, x: NDArray[np.float64]) -> float:
        self.points.append(x.copy())
        return float(np.sum((x - 0.3) ** 2))

    @property
    def zeros(self) -> int:
        return sum(not x.any() for x in self.points)


@pytest.mark.claim("conclusion-zero-vector")
def test_resoo_evaluates_the_zero_vector_M_times_and_the_hunter_once() -> None:
    for P in (1, 5, 8):
        theirs, ours = Spy(), Spy()
        resoo(theirs, BOUNDS, d=2, maxfun=200, n_embeddings=P, rng=1)
        minimize(ours, BOUNDS, d=2, maxfun=200, M=P, rng=1)
        assert (len(theirs.points), theirs.zeros) == (200, P)
        assert (len(ours.points), ours.zeros) == (200, 1)


@pytest.mark.claim("results-embedding-random-search")
@pytest.mark.parametrize("method", [resoo, sresoo])
def test_with_M_equal_to_v_both_evaluate_one_point_v_times(method: type) -> None:
    """Each tree is its root alone: x = 0, whatever the matrices. That is no random search."""
    spy = Spy()
    method(spy, BOUNDS, d=2, maxfun=40, n_embeddings=40, rng=1)
    assert (len(spy.points), spy.zeros) == (40, 40)


@pytest.mark.claim("results-embedding-random-search")
def test_with_K_evaluations_a_tree_resoo_looks_at_K_points_of_Y_in_each_embedding() -> None:
    settings = Settings(6, 2, 60, policy="indexed")
    for nodes in nodes_of_trees(hunt_resoo(settings, 20)).values():
        assert [(node.h, node.i) for node in nodes] == [(0, 0), (1, 0), (1, 2)]


def nodes_of_trees(run: Hunt) -> dict[int, list[Node]]:
    """Run on values that fall, and return the evaluated nodes of each tree."""
    trees: dict[int, list[Node]] = {}
    visit, made = next(run), 0
    while True:
        for node, p in visit.evaluations:
            trees.setdefault(p, []).append(node)
        values = [-float(made + k) for k in range(len(visit.evaluations))]
        made += len(values)
        try:
            visit = run.send(values)
        except StopIteration:
            return trees


def embeddings() -> Indexed:
    """Return matrices of shape (6, 2); SRESOO's base points have one coordinate more, alpha."""
    return Indexed(Settings(6, 2, 90, policy="indexed"), np.random.default_rng(1), 6)


@pytest.mark.claim("supplement-a2")
@pytest.mark.parametrize("P", [1, 3, 5])
def test_each_of_P_trees_has_its_share_of_the_budget(P: int) -> None:
    settings = Settings(6, 3, 90, policy="indexed")
    sequential = Sequential(settings, embeddings(), 6)
    for run in (hunt_resoo(settings, P), hunt_sresoo(settings, P, sequential)):
        trees = nodes_of_trees(run)
        assert list(trees) == list(range(1, P + 1))  # one after another
        assert [len(nodes) for nodes in trees.values()] == [90 // P] * P
        for nodes in trees.values():
            assert len({(node.h, node.c) for node in nodes}) == len(nodes)  # each point once


@pytest.mark.claim("supplement-a2")
def test_the_next_round_of_sresoo_starts_from_the_best_point_of_the_last() -> None:
    """In round p + 1 the base point (y, alpha) is evaluated at P_X(A y + alpha x*_p)."""
    settings = Settings(6, 3, 60, policy="indexed")
    matrices = embeddings()
    sequential = Sequential(settings, matrices, 6)
    run = hunt_sresoo(settings, 2, sequential)
    spy = Spy()
    x_best, best, alpha_seen = np.zeros(6), np.inf, False
    start = np.zeros(6)
    visit, last = next(run), 1
    while True:
        values = []
        for node, p in visit.evaluations:
            if p != last:
                last, start = p, x_best
            *y, alpha = [2 * c / 3**s for c, s in zip(node.c, splits(node.h), strict=True)]
            x = np.clip(matrices.matrix(p) @ np.array(y) + alpha * start, -1, 1)
            assert sequential.project([(node, p)])[0] == pytest.approx(x, abs=1e-12)
            alpha_seen = alpha_seen or (p == 2 and alpha != 0 and bool(start.any()))
            values.append(spy(x))
            if p == 1 and values[-1] < best:
                best, x_best = values[-1], x
        try:
            visit = run.send(values)
        except StopIteration:
            break
    assert alpha_seen


def splits(h: int) -> list[int]:
    return [sum(level % 3 == j for level in range(h)) for j in range(3)]


@pytest.mark.claim("supplement-a2")
def test_the_hunter_has_one_tree_and_evaluates_points_again() -> None:
    spy = Spy()
    result = minimize(spy, BOUNDS, d=2, maxfun=300, M=5, rng=1)
    again = sum(1 for x in spy.points if not x.any())
    assert (result.nfev, again) == (300, 1)
    assert result.nleaves < 300  # fewer base points than evaluations: some had several
