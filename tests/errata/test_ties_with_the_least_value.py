"""A leaf whose value equals nu_min: SOO expands it, Algorithm 1 and the forest do not.

docs/paper/forest.md, "What the strict test costs": one function of b y, seen through d coordinates.
"""

import math
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest

from differential.forest_instances import trees_alone
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.node import base_point
from embedded_hunter.run.policy import AnyHunt, AnyVisit
from embedded_hunter.settings import Settings
from paper.instances import visits_of
from reproduction.baselines.soo import hunt_soo

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


@pytest.mark.claim("strict-test")
@pytest.mark.parametrize(("d", "v", "beta"), [(2, 4000, 0.01), (4, 4000, 300.0)])
def test_with_the_strict_test_a_power_of_the_number_of_sweeps_is_needed(
    d: int, v: int, beta: float
) -> None:
    """f = |b y - target|, b along the first axis: at least beta R / 36 (3 S)^-1/(d-1)."""
    forest = trees_alone(N, v, [d], eta=0.5, h_max=60, n_embeddings=1)
    settings = Settings(N, d, v, eta=0.5, h_max=60)
    b, target = beta * np.eye(d)[0] / float(settings.radius), -0.75 * beta
    sweeps = 0
    for sweep, _, least in regrets(hunt_forest(forest), settings, b, target):
        if sweep:
            assert least >= beta * (3 * sweep) ** (-1 / (d - 1)) / 36
        sweeps = sweep
    assert sweeps > 150
    *_, (sweep, _, least) = regrets(hunt_soo(settings), settings, b, target)
    assert least < beta * (3 * sweep) ** (-1 / (d - 1)) / 1e6  # SOO, with <= in the place of <


@pytest.mark.long
@pytest.mark.claim("strict-test")
@pytest.mark.parametrize("d_e", [1, 2, 3])
def test_gaussian_matrices_show_no_such_power(d_e: int) -> None:
    """Four Gaussian matrices, d = 2 d_e, slopes 1 and 2: the median after 1e4 evaluations."""
    d, regrets_found = 2 * d_e, []
    for seed in range(4):
        rng = np.random.default_rng([seed, d_e, d])
        B, target = rng.standard_normal((d_e, d)), rng.uniform(-0.4, 0.4, d_e)
        forest = trees_alone(N, 10_000, [d], eta=0.5, n_embeddings=1)
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
