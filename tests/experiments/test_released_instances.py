"""The released program's test problems: formulas, FletcherPowell's stream, coordinates."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest

from embedded_hunter.experiments.released_instances import (
    PROBLEM_NAMES,
    draw_effective_coordinates,
    fletcher_powell_instances,
    released_problem,
    released_problems,
)

pytestmark = pytest.mark.claim("released-program")

N = 10_000


def at_origin(d_e: int, name: str) -> float:
    sweep = [(N, d_e)]
    problem = released_problems(name, sweep, [np.random.default_rng(0)])[0]
    return problem.objective(np.zeros((1, d_e)))[0]


def test_fletcher_powell_stream_gives_the_published_instances() -> None:
    """f(0) along M = 1, 2, 5, 8, 10, 20, as recovered from the published results."""
    sweep = [(N, 10)] * 6
    rngs = [np.random.default_rng(i) for i in range(6)]
    problems = released_problems("fletcher_powell", sweep, rngs)
    values = [p.objective(np.zeros((1, 10)))[0] for p in problems]
    anchors = [5.7734e5, 1.0062e6, 5.9622e5, 8.375e5, 1.0434e6, 4.5729e5]
    assert values == pytest.approx(anchors, rel=1e-4)


def test_fletcher_powell_instances_lie_just_above_the_published_sresoo_values() -> None:
    """SRESOO hardly leaves the origin: the largest published value of each d is just below f(0)."""
    largest = [8998.4, 78065.0, 3.5366e5, 2.9659e6, 1.4554e7, 4.571e7]
    dimensions = [2, 5, 10, 20, 50, 75]
    rngs = [np.random.default_rng(i) for i in range(6)]
    problems = released_problems("fletcher_powell", [(N, d) for d in dimensions], rngs)
    for d, problem, value in zip(dimensions, problems, largest, strict=True):
        assert value < problem.objective(np.zeros((1, d)))[0] < 1.06 * value


def test_fletcher_powell_is_zero_at_alpha_and_draws_integers() -> None:
    for instance in fletcher_powell_instances([3, 8]):
        d_e = len(instance.alpha)
        problem = released_problem("fletcher_powell", np.arange(d_e), n=N, instance=instance)
        assert problem.objective(instance.alpha[None, :] / math.pi)[0] == pytest.approx(
            0, abs=1e-18
        )
        entries = np.concatenate([instance.a, instance.b])
        assert np.array_equal(entries, np.round(entries))
        assert np.abs(entries).max() <= 100
        assert np.abs(instance.alpha).max() <= math.pi
    (large,) = fletcher_powell_instances([120])
    assert {int(large.a.min()), int(large.a.max())} == {-100, 100}


@pytest.mark.parametrize(
    ("name", "value"), [("ellipsoid", 5.369e5), ("rosenbrock", 9.0), ("ackley", 9.471)]
)
def test_values_at_the_origin(name: str, value: float) -> None:
    assert at_origin(10, name) == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "z"), [("ellipsoid", 2.317), ("rosenbrock", 1.0), ("ackley", 2.317)]
)
@pytest.mark.parametrize("d_e", [2, 10, 75])
def test_the_optimum_is_zero_inside_the_cube(name: str, z: float, d_e: int) -> None:
    problem = released_problem(name, np.arange(d_e), n=N)
    assert problem.objective(np.full((1, d_e), z / 5.0))[0] == pytest.approx(0.0, abs=1e-12)
    assert problem.objective(np.full((1, d_e), z / 5.0 + 0.01))[0] > 0.01


def rosenbrock(z: Sequence[float]) -> float:
    pairs = itertools.pairwise(z)
    return sum(100 * (b - a * a) ** 2 + (a - 1) ** 2 for a, b in pairs)


def ellipsoid(z: Sequence[float]) -> float:
    return sum((1e5 if i == 0 else 1) * (t - 2.317) ** 2 for i, t in enumerate(z))


def ackley(z: Sequence[float]) -> float:
    t = [s - 2.317 for s in z]
    d = len(t)
    hump = -20 * math.exp(-0.2 * math.sqrt(sum(s * s for s in t) / d))
    return hump - math.exp(sum(math.cos(2 * math.pi * s) for s in t) / d) + 20 + math.e


def fletcher_powell(z: Sequence[float]) -> float:
    (instance,) = fletcher_powell_instances([len(z)])
    total = 0.0
    for a, b in zip(instance.a.tolist(), instance.b.tolist(), strict=True):
        angles = zip(a, b, instance.alpha.tolist(), z, strict=True)
        total += (
            sum(
                p * (math.sin(u) - math.sin(t)) + q * (math.cos(u) - math.cos(t))
                for p, q, u, t in angles
            )
            ** 2
        )
    return total


@pytest.mark.parametrize("name", PROBLEM_NAMES)
@pytest.mark.parametrize("k", [1, 3])
def test_objectives_are_the_textbook_formulas(name: str, k: int) -> None:
    formula = dict(
        zip(PROBLEM_NAMES, (ellipsoid, fletcher_powell, rosenbrock, ackley), strict=True)
    )
    problem = released_problems(name, [(N, 7)], [np.random.default_rng(1)])[0]
    x = np.random.default_rng(2).uniform(-1, 1, (k, 7))
    scale = math.pi if name == "fletcher_powell" else 5.0
    kept = x.copy()
    assert problem.objective(x) == pytest.approx([formula[name](row) for row in x * scale])
    assert np.array_equal(x, kept)


def test_coordinates_are_drawn_with_replacement() -> None:
    coordinates = draw_effective_coordinates(5, 50, np.random.default_rng(0))
    assert set(coordinates.tolist()) == set(range(5))
    problem = released_problem("ackley", coordinates, n=5)
    assert problem.row_count == 5
    assert problem.d_e == 50
    for i in range(50):
        assert np.array_equal(problem.rows == problem.rows[i], coordinates == coordinates[i])


def test_full_draws_all_rows() -> None:
    problem = released_problem("ackley", np.array([4, 9, 4]), n=30, full=True)
    assert problem.row_count == 30
    assert problem.rows.tolist() == [4, 9, 4]


def test_bad_problems_are_refused() -> None:
    (instance,) = fletcher_powell_instances([3])
    with pytest.raises(ValueError, match="unknown problem"):
        released_problem("sphere", np.arange(3), n=N)
    with pytest.raises(ValueError, match=r"lie in 0..9"):
        released_problem("ackley", np.array([0, 10]), n=10)
    with pytest.raises(ValueError, match="needs an instance"):
        released_problem("fletcher_powell", np.arange(3), n=N)
    with pytest.raises(ValueError, match="needs an instance"):
        released_problem("ackley", np.arange(3), n=N, instance=instance)
    with pytest.raises(ValueError, match="dimension 3, not 4"):
        released_problem("fletcher_powell", np.arange(4), n=N, instance=instance)
