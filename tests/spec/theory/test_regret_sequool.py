"""The depth at which SequOOL's rule finds the optimum (`regret/sequool.py`)."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.baselines.sequool import expansions, greatest_depth, hunt_sequool
from embedded_hunter.node import Node, base_point, children, root
from embedded_hunter.regret import sequool_depth_found, sequool_depth_needed
from embedded_hunter.run.drive import drive
from embedded_hunter.run.policies import Search
from embedded_hunter.settings import Settings


@pytest.mark.claim("sequool")
@given(st.lists(st.integers(1, 9), max_size=6), st.integers(0, 40))
def test_the_depth_found_is_the_first_that_has_too_many_near_optimal_nodes(
    counts: list[int], H: int
) -> None:
    depth = sequool_depth_found(counts, H)
    assert all(n <= H // h for h, n in enumerate(counts[: depth - 1], 1))
    assert depth == len(counts) + 1 or counts[depth - 1] > H // depth
    assert (depth == len(counts) + 1) == (sequool_depth_needed(counts) <= H)


class Matrices:
    """The projection with a given matrix for each tree; no clipping."""

    def __init__(self, A: np.ndarray, settings: Settings) -> None:
        self.A, self.settings = A, settings

    def project(self, evaluations: Sequence[tuple[Node, int]]) -> np.ndarray:
        R = float(self.settings.radius)
        return np.array([self.A[p - 1] @ base_point(y, self.settings) / R for y, p in evaluations])


@pytest.mark.claim("sequool")
@given(
    st.integers(0, 2**32 - 1), st.integers(1, 2), st.integers(5, 400), st.integers(1, 3),
    st.booleans(),
)  # fmt: skip
def test_the_regret_of_a_run_is_at_most_eps_at_the_depth_found(
    seed: int, d: int, v: int, P: int, apart: bool
) -> None:
    """On the distance to a point of the last tree, whose matrix is I, with a plateau far from it.

    eps_h is the radius of a cell. N_h is counted over all nodes of all trees; if the zero vector
    has its own queue, it is the greater of the counts of the two queues.
    """
    K, rng = 3, np.random.default_rng(seed)
    x_star, plateau = rng.uniform(-1, 1, d), 2 * 3.0 ** -rng.uniform(0, 4)
    settings = Settings(d, d, v, K=K)
    A = np.concatenate([rng.standard_normal((P - 1, d, d)), np.eye(d)[np.newaxis]])
    projection = Matrices(A, settings)

    def f(x: np.ndarray) -> np.ndarray:
        return np.asarray(np.minimum(np.linalg.norm(x - x_star, axis=1), plateau))

    def eps(h: int) -> float:
        return math.hypot(*[K ** -float(h // d + (j < h % d)) for j in range(d)])

    near, nodes = [], [root(d)]
    for h in range(1, 5 if d == 1 else 7):
        nodes = [child for node in nodes for child in children(node, K)]
        values = [f(projection.project([(node, p) for node in nodes])) for p in range(1, P + 1)]
        low = np.sum(np.array(values) <= eps(h), axis=0)
        of_zero = np.array([node.nrm == 0 for node in nodes])
        queues = [low[of_zero].sum(), low[~of_zero].sum()]
        near.append(max(1, *queues) if apart else sum(queues))
    H = greatest_depth((v - 1) // (K - 1), P, separate_origin=apart)
    depth = sequool_depth_found([int(count) for count in near], H)
    run = hunt_sequool(settings, P=P, separate_origin=apart)
    visits = drive(Search(run, projection), f)
    best = min(value for _, values in visits for value in values)
    if v > (K - 1) * P:
        assert best <= eps(depth) * (1 + 1e-9)


@pytest.mark.claim("sequool")
def test_expansions_are_of_the_order_stated() -> None:
    for H in (1, 2, 10, 1000):
        assert expansions(H) <= 1 + H * (1 + math.log(H))
        for P in (1, 20):
            assert expansions(H, P, separate_origin=True) <= P + 2 * H * (1 + math.log(H))


@pytest.mark.parametrize(
    "call",
    [
        lambda: sequool_depth_found([0], 3),
        lambda: sequool_depth_found([1], -1),
        lambda: sequool_depth_needed([1, 0]),
    ],
)
def test_what_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="must be an integer of at least"):
        call()
