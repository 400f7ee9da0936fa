"""Problems of low effective dimension: what is hidden, where, and what is known about it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from embedded_hunter.matrices import Floats
from reproduction.problems.functions import Ackley, FletcherPowell
from reproduction.problems.hidden import Problem, embed
from reproduction.problems.registry import OF_PAPER, PROBLEMS, WIDER

N, D_E = 40, 4
NAMES = ["ellipsoid", "fletcher_powell", "rosenbrock", "ackley"]
EVERY = [(name, rotated) for name in NAMES for rotated in (False, True)]
every_problem = pytest.mark.parametrize(("name", "rotated"), EVERY)
full_points = arrays(float, N, elements=st.floats(-1.0, 1.0))


def make(name: str, rotated: bool) -> Problem:
    return PROBLEMS[name](N, D_E, rng=3, rotated=rotated)


MADE = {key: make(*key) for key in EVERY}


@every_problem
@pytest.mark.parametrize("d_e", [2, 4, 10])
@pytest.mark.claim("problem-optima")
def test_the_optimiser_is_in_the_cube_and_has_the_least_value(
    name: str, rotated: bool, d_e: int
) -> None:
    problem = PROBLEMS[name](N, d_e, rng=3, rotated=rotated)
    assert problem.f_star == 0.0
    assert problem.x_star.shape == (N,)
    assert np.abs(problem.x_star).max() <= 1.0
    assert problem.effective(problem.x_star_eff) == 0.0
    assert problem(problem.x_star) == pytest.approx(0.0, abs=1e-13)
    x = np.random.default_rng(1).uniform(-1.0, 1.0, (N, 500))
    assert np.all(problem(x) > 0.0)


@pytest.mark.claim("effective-coordinates")
@pytest.mark.parametrize("name", NAMES)
def test_each_effective_coordinate_matters(name: str) -> None:
    problem = make(name, False)
    assert problem.coordinates is not None
    x = np.random.default_rng(1).uniform(-1.0, 1.0, N)
    for i in range(N):
        changed = x.copy()
        changed[i] = -changed[i]
        assert (problem(changed) != problem(x)) == (i in problem.coordinates)


@pytest.mark.claim("effective-coordinates")
@given(st.sampled_from(NAMES), full_points, full_points)
def test_only_the_effective_subspace_matters(name: str, x: Floats, other: Floats) -> None:
    problem = MADE[name, True]
    q = problem.rotation
    assert q is not None
    changed = x + (other - q @ (q.T @ other))  # differs by a vector orthogonal to the subspace
    greatest = float(np.max(problem(np.random.default_rng(1).choice([-1.0, 1.0], (N, 100)))))
    slack = 1e-12 * (greatest + 1.0)
    assert problem(changed) == pytest.approx(float(problem(x)), rel=1e-9, abs=slack)


# Where the function is hidden.


@pytest.mark.claim("effective-coordinates")
def test_coordinates_are_drawn_without_replacement_from_all() -> None:
    """The union over 100 seeds is everything: by chance it would miss with P < 4e-12."""
    drawn = [PROBLEMS["ackley"](12, 3, rng=seed).coordinates for seed in range(100)]
    for coordinates in drawn:
        assert coordinates is not None
        assert coordinates.shape == (3,)
        assert np.unique(coordinates).size == 3
    assert np.array_equal(np.unique(np.array(drawn)), np.arange(12))
    everything = PROBLEMS["ackley"](9, 9, rng=0).coordinates
    assert everything is not None
    assert sorted(everything) == list(range(9))


@pytest.mark.parametrize("rotated", [False, True])
def test_same_seed_same_problem(rotated: bool) -> None:
    x = np.random.default_rng(1).uniform(-1.0, 1.0, (N, 5))
    for factory in (PROBLEMS[name] for name in (*OF_PAPER, *WIDER)):
        one = factory(N, D_E, rng=3, rotated=rotated)
        two = factory(N, D_E, rng=np.random.default_rng(3), rotated=rotated)
        other = factory(N, D_E, rng=4, rotated=rotated)
        assert np.array_equal(one(x), two(x))
        assert not np.array_equal(one(x), other(x))
    factory = PROBLEMS["ackley"]
    assert not np.array_equal(factory(N, D_E)(x), factory(N, D_E)(x))


def test_rotations_that_push_the_optimiser_out_are_drawn_again() -> None:
    """About half of the rotations put this optimiser, ||z*|| = 1.35, outside."""
    hard = FletcherPowell([3.0, 3.0, 0.0], np.eye(3), np.eye(3))
    outside = 0
    for seed in range(20):
        problem = embed(hard, 3, seed, rotated=True)
        assert np.abs(problem.x_star).max() <= 1.0
        drawn, triangle = np.linalg.qr(np.random.default_rng(seed).standard_normal((3, 3)))
        first = drawn * np.sign(np.diag(triangle))
        outside += problem.rotation is None or not np.allclose(problem.rotation, first)
    assert 0 < outside < 20


def test_a_rotation_that_cannot_exist_is_an_error() -> None:
    corner = FletcherPowell([math.pi, math.pi], np.eye(2), np.eye(2))  # ||z*|| = sqrt(2) = corner
    with pytest.raises(ValueError, match=r"n = 2: in 1000 draws no rotation .*fletcher_powell"):
        embed(corner, 2, 0, rotated=True)


@pytest.mark.claim("problem-optima")
@pytest.mark.parametrize("seed", range(12))
def test_the_rotation_is_the_factor_whose_triangle_has_a_positive_diagonal(seed: int) -> None:
    rotation = embed(Ackley(4), 5, rng=seed, rotated=True).rotation
    drawn = np.random.default_rng(seed).standard_normal((5, 4))
    assert rotation is not None
    triangle = rotation.T @ drawn
    assert np.all(np.diag(triangle) > 0)
    assert np.allclose(np.tril(triangle, -1), 0, atol=1e-10)


def test_an_effective_dimension_beyond_n_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^d_e must be at most n = 10, got 11$"):
        PROBLEMS["ackley"](10, 11)
    with pytest.raises(ValueError, match=r"^n must be at least .* d_e = 4, got 3$"):
        embed(Ackley(4), 3)
