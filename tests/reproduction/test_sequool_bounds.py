"""The depth at which SequOOL's rule finds the optimum (`reproduction/theory/sequool_bounds.py`)."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from embedded_hunter.node import Node, base_point, children, root
from embedded_hunter.projection import drive
from embedded_hunter.regret.coverage import coverage_probability
from embedded_hunter.regret.geometry import circumscribed_radius
from embedded_hunter.settings import Settings
from reproduction.theory.evaluations import (
    end_to_end_bound,
    end_to_end_event,
    near_optimal_nodes_of_depth,
)
from reproduction.theory.sequool_bounds import (
    sequool_depth_found,
    sequool_depth_needed,
    sequool_regret_bound,
)
from reproduction.theory.sequool_search import greatest_depth, hunt_sequool


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
    visits = drive(run, projection.project, f)
    best = min(value for _, values in visits for value in values)
    if v > (K - 1) * P:
        assert best <= eps(depth) * (1 + 1e-9)


def growing_instance(seed: int) -> tuple[Any, Matrices, dict[str, Any], int, bool]:
    """Return f, matrices, what `sequool_regret_bound` needs, v, and whether 0 has its own queue.

    f is ``min(L r, max(c r, p + slope))`` in the distance r to x*, L = 1: steep at x*, then nearly
    a plateau of height p that is lower on one side, then of growth c. All points are clipped.
    """
    rng = np.random.default_rng([seed, 36])
    d, P, K = int(rng.integers(1, 3)), int(rng.choice([1, 1, 1, 2, 3])), 3
    v, apart, c = int(rng.integers(12, 500)), bool(rng.integers(2)), 1 / rng.uniform(1, 5)
    U, V = (stats.ortho_group.rvs(d, size=P, random_state=rng).reshape(P, d, d) for _ in "UV")
    A = U * rng.uniform(0.5, 0.9, (P, 1, d)) @ V
    y = rng.uniform(-1, 1, d)
    x_star = A[-1] @ y * min(1, 0.8 / np.abs(A[-1] @ y).max())
    p, side = 3.0 ** -rng.uniform(0, 4), rng.standard_normal(d)
    side *= rng.uniform(0, 0.5) / np.linalg.norm(side)

    def f(x: np.ndarray) -> np.ndarray:
        away = np.clip(x, -1, 1) - x_star
        r = np.linalg.norm(away, axis=1)
        return np.asarray(np.maximum(c * r, np.minimum(r, p + away @ side)))

    singular = np.linalg.svd(A, compute_uv=False)
    given = {
        "P": P, "d": d, "K": K, "R": 1.0, "stretch": singular[-1].max(),
        "least_stretch": singular.min(), "lipschitz": 1.0, "growth": c,
        "room": 1 - np.abs(x_star).max(),
    }  # fmt: skip
    return f, Matrices(A, Settings(d, d, v, K=K)), given, v, apart


def least_value(f: Any, projection: Matrices, P: int, apart: bool) -> float:
    run = hunt_sequool(projection.settings, P=P, separate_origin=apart)
    visits = drive(run, projection.project, f)
    return min(float(value) for _, values in visits for value in values)


@pytest.mark.claim("sequool-end-to-end")
def test_the_regret_bound_holds_on_growing_objectives() -> None:
    """200 random instances, seeds fixed. Two wrong bounds are exceeded on some of them.

    The first has C halved, that is H doubled; the second has the cells of one more round of splits.
    """
    broken = np.zeros(3, int)
    for seed in range(200):
        f, projection, given, v, apart = growing_instance(seed)
        P, K = given["P"], given["K"]
        H = greatest_depth((v - 1) // (K - 1), P, separate_origin=apart)
        regret = least_value(f, projection, P, apart) * (1 - 1e-9)
        bounds = [sequool_regret_bound(H, **given), sequool_regret_bound(2 * H, **given)]
        broken += regret > np.array([*bounds, bounds[0] / K])
    assert broken[0] == 0 < min(broken[1:])


@pytest.mark.claim("sequool-end-to-end")
@given(
    st.integers(1, 3), st.integers(1, 5), st.sampled_from([3, 5]), st.integers(1, 10**5),
    st.floats(1, 4), st.floats(0.05, 1), st.floats(0.1, 1),
)  # fmt: skip
def test_the_bound_is_at_most_that_of_the_page(
    d: int, P: int, K: int, H: int, steep: float, least: float, room: float
) -> None:
    """L Lambda r_(floor(H/C) + 1), C = P max{K^(k0 - 1), (L Lambda sqrt(d) K/(c m) + 1)^d}."""
    given: dict[str, Any] = {
        "d": d, "K": K, "R": 2.0, "stretch": 1.0, "least_stretch": least, "lipschitz": steep,
        "growth": 1.0, "room": room,
    }  # fmt: skip
    k0 = next(k for k in range(99) if steep * circumscribed_radius(k, d, K, 2.0) < room)
    C = P * max(float(K) ** (k0 - 1), (steep * math.sqrt(d) * K / least + 1) ** d)
    assert all(P * near_optimal_nodes_of_depth(k, **given) <= C for k in range(k0 + 12))
    page = steep * circumscribed_radius(math.floor(min(H / C, 200)) + 1, d, K, 2.0)
    assert sequool_regret_bound(H, P=P, **given) <= page * (1 + 1e-12)


@pytest.mark.claim("sequool-end-to-end")
def test_the_example_of_the_page_beside_sweeps() -> None:
    P, d, K, R, sigma, x_star, t, least = 4, 1, 3, 2.0, 0.5, 0.3, 3.0, 0.02
    pi = coverage_probability([x_star], sigma, R)
    event: dict[str, Any] = {"coverage": pi, "P": P, "d": d, "sigma": sigma, "t": t, "least": least}
    stretch, probability = end_to_end_event(**event)
    growing: dict[str, Any] = {"lipschitz": 1.0, "growth": 1.0, "room": 1 - x_star}
    assert probability == pytest.approx(0.93, abs=0.005)
    for v, *printed in (
        (10**4, 0.021, 0.062),
        (10**6, 1.8e-11, 1.2e-18),
    ):
        by_sweeps = min(
            end_to_end_bound(v, **event, K=K, R=R, h_max=h, **growing).regret for h in range(100)
        )
        H = greatest_depth((v - 1) // (K - 1), P, separate_origin=True)
        by_sequool = sequool_regret_bound(
            H, P=P, d=d, K=K, R=R, stretch=stretch, least_stretch=least * sigma, **growing
        )
        assert [by_sweeps, by_sequool] == pytest.approx(printed, rel=0.03)
