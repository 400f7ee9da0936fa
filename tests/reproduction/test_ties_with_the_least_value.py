"""A leaf whose value equals nu_min: SOO expands it, Algorithm 1 and the forest do not.

docs/paper/forest.md, "What the strict test costs": one function of b y, seen through d coordinates.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from embedded_hunter.baselines.soo import hunt_soo
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.node import Node, base_point, splits
from embedded_hunter.policy import AnyHunt, AnyVisit
from embedded_hunter.settings import Settings
from reproduction.theory.sequool_search import greatest_depth, hunt_sequool
from spec.algorithm.instances import visits_of

N = 100


def regrets(
    run: AnyHunt, settings: Settings, b: npt.NDArray[np.float64], target: float
) -> Iterator[tuple[int, int, float]]:
    """Yield (sweep, evaluations, least value) after each visit; the value is |b y - target|."""
    return results(run, settings, lambda y: abs(float(np.dot(b, y)) - target))


def results(
    run: AnyHunt, settings: Settings, g: Callable[[npt.NDArray[np.float64]], float]
) -> Iterator[tuple[int, int, float]]:
    """Yield (sweep, evaluations, least value of g) after each visit."""

    def values_of(visit: AnyVisit) -> list[float]:
        return [g(np.array(base_point(node, settings))) for node, _ in visit.evaluations]

    least, made = math.inf, 0
    for visit, values in visits_of(run, values_of):
        made, least = made + len(values), min([least, *values])
        yield visit.sweep, made, least


def instances() -> list[tuple[int, npt.NDArray[np.float64], float]]:
    """Return (K, b R, target / |b R|_1): random rows, rows along an axis, targets on the edge."""
    rng = np.random.default_rng(36)
    drawn = []
    for K in (3, 5):
        for d in (1, 2, 4):
            rows = [rng.standard_normal(d), np.ones(d), np.eye(d)[0] + 1e-7]
            drawn += [(K, row, target) for row in rows for target in (rng.uniform(-1, 1), 1.0)]
    return drawn


@pytest.mark.long
@pytest.mark.claim("no-dead-ends")
def test_soo_and_sequool_come_nearer_by_a_factor_of_K_in_d_depths() -> None:
    """After s sweeps, or the depths to s - 1: |b y - target| <= R |b|_1 K^-floor(s/d)."""
    for K, row, fraction in instances():
        settings = Settings(N, len(row), 700, eta=0.5, K=K, h_max=60)
        b, reach = row / float(settings.radius), float(np.abs(row).sum())
        d, target = settings.d, fraction * reach
        after: dict[int, tuple[int, float]] = {}
        for sweep, made, least in regrets(hunt_soo(settings), settings, b, target):
            after[sweep] = made, least
        complete = max(after)  # the last sweep may be cut
        for s in range(complete):
            made, least = after[s]
            assert made <= 1 + (K - 1) * s * (s + 1) // 2
            if s <= settings.h_max + 1:
                assert least <= reach * (K ** -(s // d) + 1e-12)
        H = greatest_depth((settings.v - 1) // (K - 1))
        *_, (_, made, least) = regrets(hunt_sequool(settings), settings, b, target)
        assert made <= settings.v
        assert least <= reach * (K ** -((H + 1) // d) + 1e-12)


@pytest.mark.claim("strict-test")
@pytest.mark.parametrize(("d", "v", "beta"), [(2, 9000, 0.01), (4, 9000, 300.0)])
def test_with_the_strict_test_a_power_of_the_number_of_sweeps_is_needed(
    d: int, v: int, beta: float
) -> None:
    """The same function as above, b along the first axis: at least beta R / 36 (3 S)^-1/(d-1)."""
    forest = ForestSettings(
        N, v, dimensions=(d,), evolve=False, eta=0.5, h_max=60, n_embeddings=1, refine=False
    )
    settings = Settings(N, d, v, eta=0.5, h_max=60)
    b, target = beta * np.eye(d)[0] / float(settings.radius), -0.75 * beta
    sweeps = 0
    for sweep, _, least in regrets(hunt_forest(forest), settings, b, target):
        if sweep:
            assert least >= beta * (3 * sweep) ** (-1 / (d - 1)) / 36
        sweeps = sweep
    assert sweeps > 300
    *_, (sweep, _, least) = regrets(hunt_soo(settings), settings, b, target)
    assert least < beta * (3 * sweep) ** (-1 / (d - 1)) / 1e6  # SOO, with <= in the place of <


@pytest.mark.claim("strict-test")
@pytest.mark.parametrize("d_e", [1, *(pytest.param(k, marks=pytest.mark.long) for k in (2, 3))])
def test_gaussian_matrices_show_no_such_power(d_e: int) -> None:
    """Four Gaussian matrices, d = 2 d_e, slopes 1 and 2: the median after 1e4 evaluations."""
    d, regrets_found = 2 * d_e, []
    for seed in range(4):
        rng = np.random.default_rng([seed, d_e, d])
        B, target = rng.standard_normal((d_e, d)), rng.uniform(-0.4, 0.4, d_e)
        forest = ForestSettings(
            N, 10_000, dimensions=(d,), evolve=False, eta=0.5, n_embeddings=1, refine=False
        )
        settings = Settings(N, d, 10_000, eta=0.5)
        scaled = B / float(settings.radius)

        def g(
            y: npt.NDArray[np.float64],
            scaled: npt.NDArray[np.float64] = scaled,
            target: npt.NDArray[np.float64] = target,
        ) -> float:
            u = scaled @ y - target
            return float(np.maximum(-u, 2 * u).sum())

        *_, (_, _, least) = results(hunt_forest(forest), settings, g)
        regrets_found.append(least)
    assert np.median(regrets_found) < 1e-7


def pace(row: npt.NDArray[np.float64], fraction: float) -> tuple[int, int]:
    """Return the sweeps that the forest needs to be near the target, and the depth k it is at then.

    k is the greatest depth of a good node: |b y - target| is at most half of the range of b y on
    its cell. The run stops where that is a millionth of the range on Y.
    """
    d = len(row)
    forest = ForestSettings(
        N, 4000, dimensions=(d,), evolve=False, eta=0.5, h_max=60, n_embeddings=1, refine=False
    )
    settings = Settings(N, d, 4000, eta=0.5, h_max=60)
    b, reach = row / float(settings.radius), float(np.abs(row).sum())

    def off(node: Node) -> float:
        return abs(float(np.dot(b, base_point(node, settings))) - fraction * reach)

    def half_range(h: int) -> float:
        return float((np.abs(row) / 3.0 ** np.array(splits(h, d))).sum())

    def values_of(visit: AnyVisit) -> list[float]:
        return [off(node) for node, _ in visit.evaluations]

    k, run = 0, hunt_forest(forest)
    for visit, _ in visits_of(run, values_of):
        made = [child for _, family in visit.expansions for child in family]
        k = max([k, *(node.h for node in made if off(node) <= half_range(node.h))])
        if half_range(k) < 1e-6 * reach:
            break
    return visit.sweep, k


@pytest.mark.claim("strict-test")
def test_gaussian_rows_need_few_sweeps_for_each_depth() -> None:
    """What is open: d = 2, 4, 8. Ties of whole families would need about K^(k (d - 1)/d)."""
    rng, ratios = np.random.default_rng(48), []
    for d in (2, 4, 8):
        for _ in range(4):
            sweeps, k = pace(rng.standard_normal(d), rng.uniform(-1, 1))
            assert k >= 20
            ratios.append(sweeps / k)
    assert max(ratios) < 2.5


@pytest.mark.claim("strict-test")
def test_a_row_near_an_axis_has_no_ties() -> None:
    """b = (1, e N, e N), 1e4 evaluations: 0.0093 for e = 0, and hardly anything for e = 0.01."""
    for e, seed, greatest in ((0.0, 0, 0.01), (1e-6, 0, 1e-5), (0.01, 0, 1e-12), (0.01, 1, 1e-12)):
        forest = ForestSettings(
            N, 10_000, dimensions=(3,), evolve=False, eta=0.5, n_embeddings=1, refine=False
        )
        settings = Settings(N, 3, 10_000, eta=0.5)
        noise = np.random.default_rng([48, seed]).standard_normal(2)
        b = np.array([1.0, *(e * noise)]) / float(settings.radius)
        *_, (_, _, least) = regrets(hunt_forest(forest), settings, b, -0.75)
        assert least <= greatest
        assert e > 0 or least > 0.009
