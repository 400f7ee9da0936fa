"""`forest.evolution`: a local search in d coordinates."""

from collections.abc import Callable

import numpy as np
import pytest

from embedded_hunter.forest.evolution import (
    GENERATION,
    LocalSearch,
    fit,
    trust_region_step,
)
from embedded_hunter.projection import Floats


def _run(
    f: Callable[[Floats], float], d: int, generations: int, seed: int = 1
) -> tuple[LocalSearch, Floats, Floats]:
    """Run a local search from 1, ..., 1; return it, all its points and all their values."""
    w = np.ones(d)
    search = LocalSearch(f(w), d, np.random.default_rng(seed))
    points, values = [], []
    for _ in range(generations):
        points.append(w + search.ask())
        values.append(np.array([f(point) for point in points[-1]]))
        w = w + search.tell(values[-1])
    return search, np.concatenate(points), np.concatenate(values)


def _ellipsoid(d: int, condition: float) -> Callable[[Floats], float]:
    curvatures = np.geomspace(1.0, condition, d)
    return lambda w: float(curvatures @ (w * w))


def test_reaches_the_minimum_of_an_ill_conditioned_quadratic() -> None:
    f = _ellipsoid(10, 1e6)
    search, _, values = _run(f, 10, 200)
    assert search.value == values.min() < 1e-9 * f(np.ones(10))


def test_goes_on_where_half_of_the_coordinates_do_not_matter() -> None:
    f = _ellipsoid(6, 1e4)
    search, _, _ = _run(lambda w: f(w[:6] + w[6:]), 12, 250)
    assert search.value < 1e-9 * f(np.full(6, 2.0))


def test_leaves_plateaus() -> None:
    search, _, _ = _run(lambda w: float(np.floor(np.abs(3 * w) + 0.5).sum()), 8, 200)
    assert search.value == 0


def test_tip_of_a_cone() -> None:
    search, _, _ = _run(lambda w: float(np.sqrt(w @ w)), 8, 150)
    assert search.value < 1e-5


AFFINE = [(4.0, 0.0), (2.0**-20, 0.0), (1.0, 2.0**30), (0.5, -(2.0**40))]


@pytest.mark.parametrize(("a", "b"), AFFINE)
def test_a_positive_affine_map_of_the_objective_changes_no_bit(a: float, b: float) -> None:
    # the values are integers below 2^33: a f + b is exact, and so are all differences
    def f(w: Floats) -> float:
        return float(np.round(2.0**20 * min(_ellipsoid(5, 100.0)(w), 2000.0)))

    _, points, values = _run(f, 5, 60)
    _, others, other_values = _run(lambda w: a * f(w) + b, 5, 60)
    assert np.array_equal(points, others)
    assert np.array_equal(a * values + b, other_values)
    assert values.min() < 1e-3 * values.max()  # it did move


def test_a_short_generation_counts_and_moves_nothing() -> None:
    search = LocalSearch(1.0, 4, np.random.default_rng(0))
    search.ask()
    assert not search.tell(np.array([2.0, 0.5, 3.0])).any()
    assert (search.value, search.since) == (0.5, 0)
    search.ask()
    search.tell(np.full(GENERATION, 7.0))
    assert (search.value, search.since) == (0.5, GENERATION)


def test_infinite_values_are_left_out_of_the_model() -> None:
    def f(w: Floats) -> float:
        return float("inf") if w[0] > 1.05 else _ellipsoid(6, 10.0)(w)

    search, points, _ = _run(f, 6, 120)
    assert np.isfinite(points).all()
    assert search.value < 1e-6


def test_fit_finds_a_quadratic_function_that_values_determine() -> None:
    rng = np.random.default_rng(3)
    v, M = rng.standard_normal((60, 4)), rng.standard_normal((4, 4))
    H = M @ M.T + np.eye(4)
    minimum = np.array([0.3, -0.2, 0.1, 0.4])
    model = fit(v, np.array([(x - minimum) @ H @ (x - minimum) / 2 for x in v]), None)
    assert model is not None
    _, fitted = model
    assert np.abs(fitted / np.linalg.norm(fitted) - H / np.linalg.norm(H)).max() < 0.05
    assert fit(v, np.zeros(60), None) is None


def test_trust_region_step_is_within_and_descends() -> None:
    rng = np.random.default_rng(4)
    for _ in range(100):
        M, g = rng.standard_normal((5, 5)), rng.standard_normal(5) * 10 ** rng.uniform(-3, 3)
        step = trust_region_step(g, M + M.T)
        assert np.linalg.norm(step) <= 1 + 1e-12
        assert g @ step < 0
    assert np.allclose(trust_region_step(np.array([0.1, 0.0]), np.eye(2)), [-0.1 / 1.03, 0.0])
