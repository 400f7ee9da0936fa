"""The released program's test problems: formulas, FletcherPowell's stream, coordinates."""

import numpy as np
import pytest

from reproduction.problems.functions import Ackley, Ellipsoid, FletcherPowell, Rosenbrock
from reproduction.problems.registry import OF_PAPER
from reproduction.released.problems import (
    draw_effective_coordinates,
    fletcher_powell_instances,
    released_problem,
    released_problems,
)

pytestmark = pytest.mark.claim("released-program")

N = 10_000


def test_fletcher_powell_stream_gives_the_published_instances() -> None:
    """f(0) along M = 1, 2, 5, 8, 10, 20, as recovered from the published results."""
    sweep = [(N, 10)] * 6
    rngs = [np.random.default_rng(i) for i in range(6)]
    problems = released_problems("fletcher_powell", sweep, rngs)
    values = [p.values(np.zeros((1, 10)))[0] for p in problems]
    anchors = [5.7734e5, 1.0062e6, 5.9622e5, 8.375e5, 1.0434e6, 4.5729e5]
    assert values == pytest.approx(anchors, rel=1e-4)


def test_fletcher_powell_amplitudes_are_integers() -> None:
    for instance in fletcher_powell_instances([3, 8]):
        assert instance(instance.x_star) == 0.0
        assert np.abs(instance.x_star).max() <= 1.0
        entries = np.concatenate([instance.a, instance.b])
        assert np.array_equal(entries, np.round(entries))
        assert np.abs(entries).max() <= 100
    (large,) = fletcher_powell_instances([120])
    assert {int(large.a.min()), int(large.a.max())} == {-100, 100}


def test_the_functions_are_those_of_the_landscapes() -> None:
    """On points as rows, clipped; the points themselves stay as they are."""
    classes = (Ellipsoid, FletcherPowell, Rosenbrock, Ackley)
    x = np.random.default_rng(2).uniform(-2, 2, (3, 7))
    kept = x.copy()
    for name, cls in zip(OF_PAPER, classes, strict=True):
        problem = released_problems(name, [(N, 7)], [np.random.default_rng(1)])[0]
        assert isinstance(problem.landscape, cls)
        rows = [float(problem.landscape(np.clip(row, -1, 1))) for row in x]
        assert problem.values(x) == pytest.approx(rows)
    assert np.array_equal(x, kept)


def test_coordinates_are_drawn_with_replacement() -> None:
    coordinates = draw_effective_coordinates(5, 50, np.random.default_rng(0))
    assert set(coordinates.tolist()) == set(range(5))
    problem = released_problem(Ackley(50), coordinates, n=5)
    assert problem.row_count == 5
    assert problem.d_e == 50
    for i in range(50):
        assert np.array_equal(problem.rows == problem.rows[i], coordinates == coordinates[i])
