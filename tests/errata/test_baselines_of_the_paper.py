"""What the paper says of RESOO and SRESOO with M near v."""

from itertools import count

import numpy as np
import pytest
from numpy.typing import NDArray

from embedded_hunter.hunter import Hunt
from embedded_hunter.node import Node
from embedded_hunter.settings import Settings
from paper.instances import visits_of
from reproduction.baselines.resoo import hunt_resoo
from reproduction.methods import METHODS
from reproduction.optimizers.black_box import BlackBox, ProblemInfo


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


@pytest.mark.claim("results-embedding-random-search")
@pytest.mark.parametrize("method", ["resoo", "sresoo"])
def test_with_M_equal_to_v_both_evaluate_one_point_v_times(method: str) -> None:
    """Each tree is its root alone: x = 0, whatever the matrices. That is no random search."""
    spy = Spy()
    box = BlackBox(spy, 6, 40, vectorized=False)
    METHODS[method].minimize(box, ProblemInfo(6, 2, M=40), np.random.default_rng(1))
    assert (len(spy.points), spy.zeros) == (40, 40)


@pytest.mark.claim("results-embedding-random-search")
def test_with_K_evaluations_a_tree_resoo_looks_at_K_points_of_Y_in_each_embedding() -> None:
    settings = Settings(6, 2, 60, policy="indexed")
    for nodes in nodes_of_trees(hunt_resoo(settings, 20)).values():
        assert [(node.h, node.i) for node in nodes] == [(0, 0), (1, 0), (1, 2)]


def nodes_of_trees(run: Hunt) -> dict[int, list[Node]]:
    """Run on values that fall, and return the evaluated nodes of each tree."""
    trees: dict[int, list[Node]] = {}
    falling = count(0, -1)
    visits = visits_of(run, lambda visit: [float(next(falling)) for _ in visit.evaluations])
    for visit, _ in visits:
        for node, p in visit.evaluations:
            trees.setdefault(p, []).append(node)
    return trees
