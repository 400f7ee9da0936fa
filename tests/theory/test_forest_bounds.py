"""The policy forest: what its regret bound counts, its sweeps in evaluations, its coverage."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from differential.forest_instances import trees_alone
from embedded_hunter.forest.requests import TreePoint
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import DIMENSIONS, N_EMBEDDINGS, REACH, ForestSettings
from embedded_hunter.forest.trees import Forest
from embedded_hunter.node import base_point
from embedded_hunter.run.policy import AnyVisit
from paper.instances import visits_of
from reproduction.theory.coverage_law import coverage_at_least, forest_coverage
from reproduction.theory.finite_time import sweeps_to_expand
from theory.bounded_runs import OneQueue, forest_evaluations_of_sweeps


@st.composite
def forests(draw: st.DrawFn) -> tuple[list[list[list[int]]], list[int], list[int]]:
    """Values of all nodes of P trees (K = 3), eps that may grow, and a branch of tree 0."""
    P, h = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    small = st.integers(0, 5)
    zero = draw(small)
    values = []
    for k in range(h + 1):
        rows = [draw(st.lists(small, min_size=3**k, max_size=3**k)) for _ in range(P)]
        for row in rows:
            row[3**k // 2] = zero  # all embeddings agree at the zero vector
        values.append(rows)
    branch = [0]
    for _ in range(h):
        branch.append(3 * branch[-1] + draw(st.integers(0, 2)))
    eps = [values[k][0][i] + draw(st.integers(0, 2)) for k, i in enumerate(branch)]
    return values, eps, branch


@pytest.mark.claim("forest-lemma-1")
@given(forests(), st.booleans())
def test_S_counts_what_the_theorem_counts(
    forest: tuple[list[list[list[int]]], list[int], list[int]], separate_origin: bool
) -> None:
    """Literally: x counts if some l from its depth to h has v(x) <= eps_l and the queue of o_l."""
    values, eps, branch = forest

    def queue(k: int, i: int) -> bool:
        return separate_origin and i == 3**k // 2

    expected = []
    for h in range(len(values)):
        count = 0
        for k in range(h + 1):
            for row in values[k]:
                for i, value in enumerate(row):
                    count += any(
                        value <= eps[l] and queue(k, i) == queue(l, branch[l])
                        for l in range(k, h + 1)
                    )
        expected.append(count)
    zeros = sum(queue(l, i) for l, i in enumerate(branch))
    found = sweeps_to_expand(values, 0.0, eps, zeros - 1 if separate_origin else None)
    assert found == tuple(expected)
    if separate_origin:  # the bound that needs no branch
        P = len(values[0])
        for h, S in enumerate(found):
            rest = [
                value <= max(eps[k : h + 1])
                for k in range(h + 1)
                for row in values[k]
                for i, value in enumerate(row)
                if i != 3**k // 2
            ]
            assert P * (h + 1) + sum(rest) >= S


@pytest.mark.claim("forest-coverage")
def test_trees_cover_unless_each_of_them_fails() -> None:
    x_star, trees = np.array([0.3, -0.4]), [(2, 0.3), (3, 0.2), (5, 0.05)]
    fails = [1 - coverage_at_least(x_star, d, 1.0, scale) for d, scale in trees]
    assert forest_coverage(x_star, trees) == pytest.approx(1 - math.prod(fails), rel=1e-12)
    assert min(fails) > 1 - forest_coverage(x_star, trees) > 0.1
    assert forest_coverage([0.0, 0.0], trees) == 1
    assert forest_coverage(np.full(10, 0.4634), [(20, 0.25)] * 20) > 1 - 1e-15


def made_after_sweeps(
    settings: ForestSettings, values: Sequence[float], forest: type[Forest] = Forest
) -> list[int]:
    """All evaluations made when sweep 0, 1, ... ends, cut or not; they have these values."""
    made, totals = 0, [0]

    def told(visit: AnyVisit) -> list[float]:
        return list(values[made : made + len(visit.evaluations)])

    for visit, answers in visits_of(hunt_forest(settings, forest=forest), told):
        made += len(answers)
        if visit.local is None:
            totals[visit.sweep :] = [made]
    return totals


@pytest.mark.claim("forest-sweeps")
def test_no_sweeps_make_more_evaluations_than_stated() -> None:
    """Values that fall, that rise, that tie, at random; each queue; with and without refinement."""
    rng = np.random.default_rng(41)
    exact = 0
    for k in range(100):
        K, h_max, P = int(rng.choice([3, 5])), int(rng.integers(0, 6)), int(rng.integers(1, 6))
        d, v = int(rng.integers(1, 4)), int(rng.integers(1, 400))
        refine, apart = bool(rng.integers(2)), bool(rng.integers(2))
        settings = trees_alone(d + 1, v, [d], K=K, h_max=h_max, n_embeddings=P, refine=refine)
        drawn = rng.integers(0, 4, size=v) if k % 2 else rng.random(v)
        values = (drawn + 9 * (-1, 0, 1)[k % 3] * np.arange(v)).tolist()
        totals = made_after_sweeps(settings, values, Forest if apart else OneQueue)
        B = 8 if refine else 0
        for s, total in enumerate(totals):
            most = forest_evaluations_of_sweeps(s, K, h_max, P=P, local_search=B) - 1
            assert total <= most
            exact += s > 2 and total == most
    assert exact > 50


def least_after(sweeps: int, rows: dict[int, list[float]]) -> list[float]:
    """Least values of f after each sweep of a forest with one tree for each dimension.

    The tree of dimension d sees f(row . y) on [-1, 1]^d. f is piecewise linear in one coordinate.
    """
    places = [-1, -0.76, -0.43, -0.428, -0.15, 0.2, 0.35, 1]
    heights = [0.8, 1.0, 0.15, 0.34, 0.7, 0.25, 0.94, 0.8]
    settings = trees_alone(100, 10**6, list(rows), n_embeddings=len(rows), h_max=25)
    search, least = hunt_forest(settings), [math.inf]
    visit = next(search)
    while visit.sweep <= sweeps:
        values = []
        for request in visit.evaluations:
            assert isinstance(request, TreePoint)
            space = settings.trees[request.tree]
            y = np.array(base_point(request.node, space)) / float(space.radius)
            x = float(np.clip(rows[space.d] @ y, -1, 1))
            values.append(float(np.interp(x, places, heights)))
        least += least[-1:] * (visit.sweep + 1 - len(least))
        least[visit.sweep] = min([least[visit.sweep], *values])
        visit = search.send(values)
    return least


@pytest.mark.claim("dimension-guarantee")
def test_a_run_told_nothing_can_be_worse_than_one_told_the_dimension() -> None:
    """After 2 G = 4 times as many sweeps: the guarantee compares bounds, not runs."""
    of_two = [1.2, -0.56]
    told, nothing = least_after(8, {2: of_two}), least_after(32, {1: [0.2], 2: of_two})
    assert [round(told[m] - 0.15, 3) for m in (6, 8)] == [0.068, 0.032]
    assert [round(nothing[m] - 0.15, 3) for m in (24, 32)] == [0.1, 0.1]


@pytest.mark.claim("coverage-law")
@pytest.mark.parametrize(("d", "probability"), [(5, 0.88), (10, 0.16), (20, 6e-5), (40, 1.7e-16)])
def test_a_tree_of_as_many_dimensions_as_matter_seldom_covers_an_optimum(
    d: int, probability: float
) -> None:
    """With five trees of each default dimension, and all coordinates of x* equal to 3^(-1/2)."""
    assert tuple(DIMENSIONS) == (5, 10, 20, 40)
    one = coverage_at_least(np.full(d, 3**-0.5), d, 1.0, REACH / d)
    trees = N_EMBEDDINGS // len(DIMENSIONS)
    assert -math.expm1(trees * math.log1p(-one)) == pytest.approx(probability, rel=0.035, abs=0)
