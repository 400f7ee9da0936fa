"""Lemma 1 in its sharper form, the price of norm classes, and the forest end to end."""

import math
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from differential.forest_instances import trees_alone
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.hunter import Hunt, hunt
from embedded_hunter.matrices import Floats
from embedded_hunter.node import splits
from embedded_hunter.run.policy import AnyVisit
from embedded_hunter.settings import Settings
from paper.instances import visits_of
from reproduction.baselines.soo import hunt_soo
from reproduction.theory.coverage import coverage_probability
from reproduction.theory.finite_time import (
    iterations_of_sweeps,
    iterations_to_expand,
    sweeps_to_expand,
)
from reproduction.theory.geometry import base_point_numerators, base_points, circumscribed_radius
from theory.bounded_runs import OneQueue, forest_evaluations_of_sweeps

PAGE = Path(__file__).parents[2] / "docs" / "paper" / "evaluations.md"
Key = tuple[Fraction, ...]
Oracle = Callable[[Key], float]


def point(c: tuple[int, ...], h: int, K: int) -> Key:
    """The base point in units of 2R."""
    d = len(c)
    return tuple(Fraction(t, K ** (h // d + (j < h % d))) for j, t in enumerate(c))


def answered(run: Hunt, g: Oracle, K: int) -> Iterator[tuple[AnyVisit, list[float]]]:
    """Yield the visits of a run on g with their values."""
    return visits_of(run, lambda visit: [g(point(y.c, y.h, K)) for y, _ in visit.evaluations])


def expansions(
    run: Hunt, g: Oracle, K: int, until: tuple[int, int] | None = None
) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Follow a run: sweep, iteration and evaluations made before, of each node's expansion."""
    found, made = {}, 0
    for visit, values in answered(run, g, K):
        for leaf, _ in visit.expansions:
            found[leaf.h, leaf.i] = (visit.sweep, visit.t, made)
        if until in found:
            break
        made += len(values)
    return found


def check_all_branches(g: Oracle, d: int, K: int, h_max: int, algorithm: Any = hunt) -> int:
    """Compare every node of depth at most h_max with both bounds; return how many attain S_h."""
    run = algorithm(Settings(d, d, 10**6, h_max=h_max, K=K, M=0))
    found = expansions(run, g, K)
    values = [
        [g(point(tuple(c), h, K)) for c in base_point_numerators(h, d, K).tolist()]
        for h in range(h_max + 1)
    ]
    f_star, attained = min(map(min, values)), 0
    for last in range(K**h_max):
        branch = [last // K ** (h_max - h) for h in range(h_max + 1)]
        eps = [values[h][i] - f_star for h, i in enumerate(branch)]
        for h, S in enumerate(sweeps_to_expand(values, f_star, eps)):
            sweep, t, made = found[h, branch[h]]
            assert sweep <= S
            assert t <= iterations_to_expand(S, h, h_max) <= iterations_of_sweeps(S, h_max)
            if algorithm is hunt_soo:
                assert made <= (K - 1) * (iterations_to_expand(S, h, h_max) - 1) + 1
            attained += t == iterations_to_expand(S, h, h_max)
    return attained


@pytest.mark.claim("lemma-1-sharper")
@pytest.mark.parametrize("algorithm", [hunt, hunt_soo])
def test_the_sharper_lemma_1_for_random_functions(algorithm: Any) -> None:
    """60 functions with few or many levels, d = 1 to 3, K = 3 and 5, all branches; seed 1."""
    rng, attained = random.Random(1), 0
    for _ in range(60):
        d, K = rng.choice((1, 1, 2, 3)), rng.choice((3, 3, 5))
        h_max = rng.choice((0, 1, 2, 3) if K == 3 else (0, 1, 2))
        levels = rng.choice((1, 2, 3, 6, 50))
        memo: dict[Key, float] = {}

        def g(y: Key, levels: int = levels, memo: dict[Key, float] = memo) -> float:
            if y not in memo:
                memo[y] = float(rng.randrange(levels))
            return memo[y]

        attained += check_all_branches(g, d, K, h_max, algorithm)
    assert attained > 300


def abs_(y: Key) -> float:
    return abs(float(2 * y[0]))


def norm(y: Key) -> float:
    return math.sqrt(float(sum(t * t for t in y)))


def before_the_branch_of_0(algorithm: Any, g: Oracle, d: int, K: int, h: int) -> int:
    """Evaluations before the node of depth h with base point 0 is expanded, h_max = h."""
    node = (h, K**h // 2)
    run = algorithm(Settings(d, d, 10**9, h_max=h, K=K, M=0))
    return expansions(run, g, K, until=node)[node][2]


@pytest.mark.claim("price-of-norm-classes")
def test_the_cone_waits_for_a_power_of_K_evaluations() -> None:
    for h, least in enumerate([1, 3, 3, 9, 9, 27]):
        assert before_the_branch_of_0(hunt, abs_, 1, 3, h) >= least


def one_class_and_strict(settings: Settings) -> Any:
    """Algorithm 1 with one class for each depth: a forest of one tree and one queue."""
    s = settings
    one_tree = trees_alone(s.n, s.v, [s.d], K=s.K, h_max=s.h_max, n_embeddings=1)
    return hunt_forest(one_tree, forest=OneQueue)


def rows(caption: str) -> list[list[str]]:
    text = PAGE.read_text(encoding="utf-8").split(caption, 1)[1]
    table = re.findall(r"(?:^\|.*\n)+", text, re.M)[0].strip().splitlines()[2:]
    return [[cell.strip().replace(",", "") for cell in row.strip("|").split("|")] for row in table]


@pytest.mark.long
@pytest.mark.claim("price-of-norm-classes")
def test_the_table_of_the_page_is_what_the_runs_do() -> None:
    for d_text, h_text, *numbers in rows("(price-table)="):
        d, h = int(d_text), int(h_text)
        g: Oracle = abs_ if d == 1 else norm
        assert [int(n) for n in numbers] == [
            before_the_branch_of_0(algorithm, g, d, 3, h)
            for algorithm in (hunt, one_class_and_strict, hunt_soo)
        ]


def near_optimal_nodes_bound(k: int, d: int, K: int, R: float, reach: float) -> int:
    """Largest number of base points of depth k within the distance `reach` of any one point.

    ``min(K^k, prod_j (floor(reach K^{s_j} / R) + 1))``: in coordinate j the base points of depth k
    are ``2R/K^{s_j}`` apart.
    """
    cells = reach / R * (1 + 1e-12)
    boxes = math.prod(math.floor(cells * K**s) + 1 for s in splits(k, d))
    return int(min(K**k, boxes))


@pytest.mark.claim("end-to-end")
def test_the_nodes_near_a_point_by_counting() -> None:
    rng = np.random.default_rng(5)
    for d, K, k in ((1, 3, 4), (2, 3, 5), (2, 5, 3), (3, 3, 4)):
        scale = [K ** (k // d + (j < k % d)) for j in range(d)]
        points = 2 * 1.5 * base_point_numerators(k, d, K) / np.array(scale)
        for reach in (0.0, 0.05, 0.2, 0.7, 5.0):
            most = near_optimal_nodes_bound(k, d, K, 1.5, reach)
            for center in (*rng.uniform(-1.5, 1.5, (30, d)), *points[:5]):
                near = np.linalg.norm(points - center, axis=1) <= reach
                assert np.count_nonzero(near) <= most <= K**k


X_STAR, SIGMA, ETA = 0.3, 0.5, Fraction(1, 2)


def promised(
    v: int, P: int, a: float, c: float = 0.5, h_max: int = 12, local_search: int = 0
) -> tuple[float, float]:
    """The probability and the regret of the page for d = 1, L = 1, K = 3, t = 3."""
    K, R, t, room = 3, 2.0, 3.0, 1 - X_STAR
    pi, size = coverage_probability([X_STAR], SIGMA, R), SIGMA * (2 + t)
    probability = 1 - (1 - (pi - math.exp(-t * t / 2))) ** P - P * math.sqrt(2 / math.pi) * a
    regret, nodes = math.inf, 0
    for h in range(h_max + 1):
        within = size * R / K**h / c
        reach = within / (a * SIGMA)
        nodes += K**h if within >= room else near_optimal_nodes_bound(h, 1, K, R, reach)
        sweeps = P * (h + 1 + nodes)
        if forest_evaluations_of_sweeps(sweeps, K, h_max, P=P, local_search=local_search) > v:
            break
        regret = size * R / K ** (h + 1)
    return probability, regret


@pytest.mark.claim("end-to-end")
def test_the_page_states_after_how_many_evaluations_the_bound_says_something() -> None:
    page = PAGE.read_text("utf-8")
    for v, said in ((10**4, "0.19"), (10**5, "0.021"), (10**6, r"8.5 \cdot 10^{-5}")):
        probability, regret = promised(v, 4, 0.02, c=1.0, h_max=20, local_search=8)
        assert f"${said}$ after $10^{len(str(v)) - 1}$" in page
        assert regret == pytest.approx(
            float(said.replace(r" \cdot 10^{", "e").strip("}")), rel=0.03
        )
        assert probability == pytest.approx(0.93, abs=0.005)


@pytest.mark.long
@pytest.mark.claim("end-to-end")
def test_forests_with_drawn_matrices_keep_the_end_to_end_bound() -> None:
    """d = d_e = 1, |x - x*|/2 <= f - f* <= |x - x*|, P = 2: 40 forests of 8,000 evaluations.

    The runs that exceed the bound are compared with the binomial law of its probability: false
    alarms at most 1e-6. Power: nearly all runs exceed a bound 1e6 times as small.
    """
    v, runs, rng = 8_000, 40, np.random.default_rng(41)
    probability, regret = promised(v, 2, 0.05)
    assert regret < 0.6
    assert probability > 0.85
    settings = trees_alone(2, v, [1], eta=ETA, h_max=12, n_embeddings=2)
    regrets = []
    for _ in range(runs):
        B = SIGMA * rng.standard_normal(2)

        def values_of(visit: AnyVisit, B: Floats = B) -> list[float]:
            return [excess(4 * B[q] * y.c[0] / 3**y.h) for y, q in visit.evaluations]

        visits = visits_of(hunt_forest(settings), values_of)
        regrets.append(min(value for _, values in visits for value in values))
    failures = int(np.count_nonzero(np.array(regrets) > regret))
    assert stats.binom.sf(failures - 1, runs, 1 - probability) > 1e-6
    many = int(np.count_nonzero(np.array(regrets) > 1e-6 * regret))
    assert stats.binom.sf(many - 1, runs, 1 - probability) < 1e-6


def excess(x: float) -> float:
    r = abs(min(1.0, max(-1.0, x)) - X_STAR)
    return 0.75 * r + 0.0125 * math.sin(20 * r)  # slopes between 1/2 and 1


def test_a_node_that_is_never_expanded_is_refused() -> None:
    with pytest.raises(ValueError, match="nodes of depth 3 > h_max = 2 are never expanded"):
        iterations_to_expand(5, 3, 2)


@pytest.mark.claim("end-to-end")
@pytest.mark.parametrize(("d_e", "d"), [(1, 2), (1, 3), (2, 3)])
def test_the_nodes_near_an_affine_subspace_are_at_most_so_many(d_e: int, d: int) -> None:
    """docs/paper/forest.md: C K^(k (d - d_e)/d) near the preimages of x*; the exponent is right.

    Base points within kappa r_k of the subspace, K = 3, R = 1, for 20 random subspaces through a
    point of the inner half of Y. In d depths the number grows about K^(d - d_e) times.
    """
    K, kappa, rng = 3, 1.5, np.random.default_rng([d_e, d])
    ball = [math.pi ** (j / 2) / math.gamma(j / 2 + 1) for j in range(d + 1)]
    C = ball[d_e] * ball[d - d_e] * d ** (d / 2) / 2**d * ((1 + kappa) * K) ** d_e
    depths = range({2: 9, 3: 10}[d])
    counts = np.zeros((20, len(depths)))
    for i in range(20):
        B, through = rng.standard_normal((d_e, d)), rng.uniform(-0.5, 0.5, d)
        for k in depths:
            away = (base_points(k, d, K, 1.0) - through) @ np.linalg.pinv(B) @ B
            near = np.linalg.norm(away, axis=1) <= kappa * circumscribed_radius(k, d, K, 1.0)
            counts[i, k] = near.sum()
            assert counts[i, k] <= C * K ** (k * (d - d_e) / d)
    before, last = counts[:, [-1 - d, -1]].sum(axis=0)
    assert last / before == pytest.approx(K ** (d - d_e), rel=0.2)
