"""The evolution strategy (`forest.evolution`)."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter import minimize
from embedded_hunter.forest.constants import EVOLUTION
from embedded_hunter.forest.covariance import CovarianceEvolution, cholesky
from embedded_hunter.forest.evolution import Evolution
from embedded_hunter.forest.search import hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.matrices import Floats

Values = Callable[[Floats], Floats]
"""From the points of a generation to their values."""


def made(evolution: Evolution) -> Floats:
    """Return the points of the next generation, shape (size, rows)."""
    return np.array([make() for make in evolution.ask()])


def bowl(x: Floats) -> Floats:
    """Two coordinates matter; in the second one the optimum is outside of the cube."""
    return np.asarray((x[:, 0] - 0.4) ** 2 + (x[:, 2] + 1.3) ** 2)


def terraces(x: Floats) -> Floats:
    """The same, rounded: many values are equal."""
    return np.rint(4 * bowl(x))


def generations(
    f: Values, count: int, n: int = 5, seed: int = 3, strategy: type[Evolution] = Evolution
) -> list[Floats]:
    """Return the points of the first generations."""
    evolution, asked = strategy(n, n, np.random.default_rng(seed)), []
    for _ in range(count):
        asked.append(made(evolution))
        evolution.tell(f(asked[-1]))
    return asked


@pytest.mark.parametrize("f", [bowl, terraces])
@pytest.mark.parametrize(
    ("strategy", "n"),
    [(Evolution, 5), (Evolution, 44), (CovarianceEvolution, 3), (CovarianceEvolution, 17)],
)
def test_the_points_are_those_of_the_formulas(strategy: type[Evolution], n: int, f: Values) -> None:
    """Samples, mean, path, C and sigma of 15 generations; the Cholesky factor is LAPACK's.

    `Evolution` has the diagonal of C alone, and faster rates, for at most 40 coordinates.
    """
    diagonal = strategy is Evolution
    size, mu, N = 12, 6, min(n, 40) if diagonal else n
    rng = np.random.default_rng(3)
    w = np.rint(2**18 * (math.log(6.5) - np.log(np.arange(1, 7)))) / 2**18
    w /= w.sum()
    mass = 1 / float(w @ w)
    c_c = (4 + mass / N) / (N + 4 + 2 * mass / N)
    one = 2 / ((N + 1.3) ** 2 + mass)
    many = min(1 - one, 2 * (mass - 2 + 1 / mass) / ((N + 2) ** 2 + mass))
    if diagonal:
        one = min(1, one * (N + 2) / 3)
        many = min(1 - one, many * (N + 2) / 3)
    kept = np.eye(n) if diagonal else np.ones((n, n))
    mean, sigma, C, path = np.zeros(n), 0.2, np.eye(n), np.zeros(n)
    success, last, farthest = 0.0, None, 0.0
    for asked in generations(f, 15, n, strategy=strategy):
        u = np.rint(2**18 * rng.standard_normal((size, n))) / 2**18
        moves = u @ np.linalg.cholesky(C).T
        points = np.clip(mean + sigma * moves, -1, 1)
        rtol = 1e-12 if diagonal else 1e-9
        np.testing.assert_allclose(asked, points, rtol=rtol, atol=1e-3 * rtol)
        values = f(points)
        best = np.argsort(values, kind="stable")[:mu]
        clipped = (points[best] - np.clip(mean, -1, 1)) / sigma
        path = (1 - c_c) * path + math.sqrt(c_c * (2 - c_c) * mass) * (w @ clipped)
        learned = one * np.outer(path, path) + many * (clipped.T * w) @ clipped
        C = (1 - one - many) * C + kept * learned
        bound = 1 + sigma * np.sqrt(np.diag(C))
        mean = np.clip(mean + sigma * (w @ moves[best]), -bound, bound)
        farthest = max(farthest, np.abs(mean).max())
        if last is not None:
            better = np.sum(values < last[3]) + np.sum(values == last[3]) / 2
            success = 0.7 * success + 0.3 * (2 * better / size - 1)
            sigma *= round(2**18 * math.exp(success)) / 2**18
        last = np.sort(values)
    assert farthest > 1  # the mean has been outside


def test_coupled_coordinates_are_learned() -> None:
    """On Rosenbrock's function of five variables, medians of three seeds; not by a diagonal."""

    def least(strategy: type[Evolution], seed: int) -> float:
        evolution, found = strategy(5, 5, np.random.default_rng(seed)), math.inf
        while evolution.made < 4000:
            x = 4 * made(evolution)
            values = (100 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1 - x[:, :-1]) ** 2).sum(axis=1)
            evolution.tell(values)
            found = min(found, float(values.min()))
        return found

    assert np.median([least(CovarianceEvolution, seed) for seed in range(5, 8)]) < 1e-12
    assert np.median([least(Evolution, seed) for seed in range(5, 8)]) > 1e-3


@given(st.integers(1, 6), st.integers(0, 2**32))
def test_the_cholesky_factor_is_that_of_lapack(n: int, seed: int) -> None:
    A = np.random.default_rng(seed).standard_normal((n, n + 2))
    np.testing.assert_allclose(cholesky(A @ A.T), np.linalg.cholesky(A @ A.T), rtol=1e-6)
    singular = np.ones((n, n))
    assert np.array_equal(cholesky(singular), singular * (np.arange(n) == 0))


def test_after_thirty_generations_without_an_improvement_there_are_twice_as_many_points() -> None:
    """It begins again at 0, and counts anew. The least value of all runs does not matter."""
    sizes = [len(x) for x in generations(lambda x: np.zeros(len(x)), 70)]
    assert sizes == [12] * 31 + [24] * 31 + [48] * 8
    values = iter(range(10**6, 0, -1))
    falling = generations(lambda x: np.array([float(next(values)) for _ in x]), 70)
    assert {len(x) for x in falling} == {12}


@pytest.mark.parametrize("strategy", [Evolution, CovarianceEvolution])
def test_a_restart_begins_with_the_usual_step_whatever_the_first_one_was(
    strategy: type[Evolution],
) -> None:
    """Around 0, with independent coordinates. The bound is more than five standard errors."""
    n = 60
    evolution = strategy(n, n, np.random.default_rng(2), first_step=0.01)
    steps = []
    for _ in range(32):
        points = made(evolution)
        steps.append(float(points.std()))
        evolution.tell(np.zeros(len(points)))
    assert len(points) == 24
    assert steps[0] == pytest.approx(0.01, rel=0.1)
    assert max(steps[:-1]) < 0.05
    assert steps[-1] == pytest.approx(EVOLUTION.first_step, rel=0.1)
    assert np.abs(points.mean(axis=0)).max() < 5.5 * EVOLUTION.first_step / math.sqrt(24)


def test_a_step_that_collapses_is_a_restart_and_falls_more_slowly_from_then_on() -> None:
    """Rising values: each generation is worse than the one before. Only if n > 40."""
    for constants, restarts in ((EVOLUTION, False), (EVOLUTION.planned(0), True)):
        evolution = Evolution(60, 60, np.random.default_rng(2), constants)
        sizes, steps = [], []
        for k in range(40):
            points = made(evolution)
            sizes.append(len(points))
            steps.append(float(points.std(axis=0).mean()))
            evolution.tell(np.full(len(points), k))
        assert sizes == ([12] * 20 + [24] * 20 if restarts else [12] * 31 + [24] * 9)
        if restarts:
            assert steps[19] < 1e-5 * steps[0]
            assert steps[20] == pytest.approx(steps[0], rel=0.1)
            assert steps[39] > 1e-2 * steps[20]


@given(
    st.integers(1, 4),
    st.lists(st.sampled_from([-math.inf, -1.0, 0.0, 1e300, math.inf]), min_size=1),
    st.sampled_from([Evolution, CovarianceEvolution]),
)
def test_all_points_lie_in_the_cube(n: int, values: list[float], strategy: type[Evolution]) -> None:
    """Also where values fall for ever, are equal, or infinite."""
    evolution = strategy(n, n, np.random.default_rng(1))
    for k in range(45):  # with a restart
        x = made(evolution)
        assert np.abs(x).max() <= 1
        evolution.tell(np.array([values[(k + j) % len(values)] for j in range(len(x))]))


@pytest.mark.parametrize("n", [1_000, 10_000])
def test_coordinates_that_do_not_matter_cost_nothing(n: int) -> None:
    """Ten coordinates of a sphere matter: 2,000 evaluations reach 1e-6, whatever n.

    Without any adaptation the best of 2,000 points would be about 0.5. Seeds are fixed.
    """
    evolution, best = Evolution(n, n, np.random.default_rng(5)), math.inf
    center = np.random.default_rng(6).uniform(-0.7, 0.7, 10)
    while evolution.made < 2000:
        values = np.asarray(((made(evolution)[:, :10] - center) ** 2).sum(axis=1))
        evolution.tell(values)
        best = min(best, float(values.min()))
    assert best < 1e-6


@pytest.mark.parametrize(
    ("n", "v", "h_max", "size"),
    [
        (41, 2_000, None, 12),  # h_max = 44
        (41, 3_136, None, 14),  # h_max = 56
        (41, 10_000, None, 24),
        (41, 10_000, 65, 16),
        (41, 100_000, None, 24),
        (40, 10_000, None, 12),  # a full covariance matrix
    ],
)
def test_a_generation_has_a_quarter_of_h_max_points_within_limits(
    n: int, v: int, h_max: int | None, size: int
) -> None:
    """The first generation of a run is that of the strategy, after the zero vector."""
    hunt = hunt_forest(ForestSettings(n, v, h_max=h_max))
    next(hunt)
    visit = hunt.send([0.0])
    while visit.local is None or visit.local.mode != "evolve":
        visit = hunt.send([1.0] * len(visit.evaluations))
    assert len(visit.evaluations) == size


@pytest.mark.parametrize(
    ("n", "batch", "size"), [(41, 16, 12), (41, 17, 12), (41, 64, 48), (5, 64, 48), (5, 1000, 750)]
)
def test_in_a_batch_three_quarters_are_of_the_strategy(n: int, batch: int, size: int) -> None:
    hunt = hunt_forest(ForestSettings(n, 2_000, batch=batch))
    next(hunt)
    parts = hunt.send([0.0]).parts
    sizes = [len(part.evaluations) for part in parts if part.local and part.local.mode == "evolve"]
    assert sizes == [size]


def test_more_points_have_faster_rates() -> None:
    """The number of points times the coordinates that the rates are for is the same."""
    planned = [EVOLUTION.planned(h_max) for h_max in (0, 50, 72, 100)]
    assert planned[0] == planned[1] == replace(EVOLUTION, collapse=2.0**-24)
    assert [(one.population, one.coordinates) for one in planned[2:]] == [(18, 26), (24, 20)]
    assert replace(planned[3], population=12, coordinates=40) == planned[0]


def test_a_good_start_with_a_first_step_is_improved() -> None:
    """The value of x0 counts for no member, so that it does not keep the strategy at its share."""
    optimum = np.random.default_rng(11).uniform(-0.6, 0.6, 60)

    def sphere(x: Floats) -> float:
        return float(((x - optimum) ** 2).sum())

    run: dict[str, Any] = {"bounds": [(-1, 1)] * 60, "maxfun": 2500, "rng": 2}
    x0 = optimum + 0.003
    known = minimize(sphere, x0=x0, first_step=0.003, **run)
    default = minimize(sphere, x0=x0, **run)
    wide = minimize(sphere, x0=x0, first_step=0.1, **run)
    assert known.fun < 1e-2 * sphere(x0)
    assert default.fun < 1e-1 * sphere(x0)
    assert known.fun < default.fun < wide.fun
