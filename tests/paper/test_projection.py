"""Equation (3), and the points of the policies `fresh` and `indexed`."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.hunter import hunt
from embedded_hunter.matrices import MEMORY
from embedded_hunter.node import children, root
from embedded_hunter.projection import Indexed, clip, drive
from embedded_hunter.run.policies import parts_of
from embedded_hunter.settings import MatrixPolicy, Sampler, Settings
from paper.definitions import squared_norm
from paper.instances import descend, exact_base_point
from theory.laws import ROWS, settings_of

# --- eq. (3) ---------------------------------------------------------------------------------

KINDS = pytest.mark.parametrize(
    ("policy", "sampler"), [("fresh", "norm"), ("fresh", "matrix"), ("indexed", "norm")]
)


@pytest.mark.claim("eq-3")
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_clip_returns_the_nearest_point_of_the_cube(x: list[float]) -> None:
    """Coordinate by coordinate, in place: a itself if |a| <= 1, else the end on its side."""
    array = np.array(x)
    assert clip(array) is array
    assert array.tolist() == [a if abs(a) <= 1 else math.copysign(1, a) for a in x]


@pytest.mark.claim("eq-3")
@KINDS
def test_every_point_lies_in_the_cube_and_some_lie_on_its_boundary(
    policy: MatrixPolicy, sampler: Sampler
) -> None:
    project = parts_of(settings_of(2, 1.0, policy, sampler), np.random.default_rng(1)).projection
    x = project.project([(descend([0, 0], 2), p) for p in range(1, 50)])
    assert x.shape == (49, ROWS)
    assert x.dtype == np.float64
    assert np.abs(x).max() == 1.0
    assert np.abs(x).min() < 1.0


@pytest.mark.claim("zero-vector-once", "eq-3")
@KINDS
def test_the_zero_vector_goes_to_the_center_of_X_under_every_matrix(
    policy: MatrixPolicy, sampler: Sampler
) -> None:
    project = parts_of(settings_of(3, 1.0, policy, sampler), np.random.default_rng(2)).projection
    assert not project.project([(root(3), 1), (descend([1, 1, 1], 3), 2)]).any()


@pytest.mark.claim("n-invariance")
@pytest.mark.parametrize("policy", ["fresh", "indexed"])
def test_a_few_coordinates_are_computed_without_the_others(policy: MatrixPolicy) -> None:
    """n = 10^9 costs nothing where two coordinates are effective."""
    settings = Settings(10**9, 3, 10, sigma=0.1, policy=policy)
    x = parts_of(settings, np.random.default_rng(3), 2).projection.project([(descend([0], 3), 1)])
    assert x.shape == (1, 2)
    assert np.all(x)


def stream_of(seed: int) -> np.random.Generator:
    """The stream of a run of `fresh`: SFC64, its key eight words of the run's generator."""
    key = np.random.default_rng(seed).integers(2**32, size=8, dtype=np.uint32)
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(key.tolist())))


@pytest.mark.claim("samplers-agree")
def test_the_matrix_sampler_multiplies_sigma_times_new_normals_by_the_base_point() -> None:
    """The columns of A / sigma are the next normals of the stream, rounded."""
    node, sigma = descend([0, 2, 2, 1], 3), 0.01
    settings = settings_of(3, sigma, sampler="matrix")
    x = parts_of(settings, np.random.default_rng(10)).projection.project([(node, 1), (node, 2)])
    rng = stream_of(10)
    y = [float(a) for a in exact_base_point(node, 3, 3, settings.radius)]
    for row in x:
        Z = np.rint(2**18 * rng.standard_normal((3, ROWS))) / 2**18
        assert row == pytest.approx(sigma * (y @ Z), rel=1e-12, abs=1e-15)


@pytest.mark.claim("radial-collapse", "samplers-agree")
def test_the_norm_sampler_multiplies_new_normals_by_sigma_times_the_norm() -> None:
    """Exactly sigma ||y|| z, z being the next normals of the stream, rounded."""
    node, sigma = descend([0, 2, 2, 1], 3), 0.01
    settings = settings_of(3, sigma)
    x = parts_of(settings, np.random.default_rng(11)).projection.project([(node, 1), (node, 2)])
    length = math.sqrt(squared_norm(exact_base_point(node, 3, 3, settings.radius)))
    z = np.rint(2**18 * stream_of(11).standard_normal((2, ROWS))) / 2**18
    np.testing.assert_allclose(x, sigma * length * z, rtol=1e-12)


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", ["fresh", "indexed"])
def test_a_seed_gives_the_same_run_each_time_and_another_seed_another_run(
    policy: MatrixPolicy,
) -> None:
    def values(seed: int) -> list[float]:
        settings = Settings(50, 3, 60, policy=policy)
        points = parts_of(settings, np.random.default_rng(seed)).projection
        visits = drive(hunt(settings), points.project, lambda x: abs(x - 0.1).sum(axis=1))
        return [value for _, told in visits for value in told]

    assert values(1) == values(1)
    assert values(1) != values(2)


@pytest.mark.claim("determinism", "batch-equivalence")
@given(
    st.sampled_from([("fresh", "norm"), ("fresh", "matrix"), ("indexed", "norm")]),
    st.lists(st.integers(1, 5), min_size=1, max_size=5),
)
def test_the_points_do_not_depend_on_the_sizes_of_the_batches(
    kind: tuple[MatrixPolicy, Sampler], batches: list[int]
) -> None:
    made = children(descend([0, 2], 2), 3)
    wanted = [(made[k % 3], k // 3 + 1) for k in range(sum(batches))]
    settings = settings_of(2, 0.1, *kind)
    at_once = parts_of(settings, np.random.default_rng(12)).projection.project(wanted)
    piecewise = parts_of(settings, np.random.default_rng(12)).projection
    parts, first = [], 0
    for size in batches:
        parts.append(piecewise.project(wanted[first : first + size]))
        first += size
    assert np.array_equal(np.concatenate(parts), at_once)


# --- indexed ---


def indexed(seed: int, memory: int = MEMORY, d: int = 3, rows: int = ROWS) -> Indexed:
    settings = settings_of(d, 0.01, "indexed")
    return Indexed(settings, np.random.default_rng(seed), rows, memory)


@pytest.mark.claim("indexed-regret-bound")
@given(st.integers(1, 4), st.lists(st.integers(0, 2), max_size=7), st.integers(1, 9))
def test_evaluation_number_p_of_every_base_point_uses_matrix_number_p(
    d: int, digits: list[int], p: int
) -> None:
    """x = clip(A_p y) with one A_p for all y, whatever was evaluated before."""
    one = indexed(13, d=d)
    A = one.matrix(p).copy()
    node = descend(digits, d)
    y = np.array([float(a) for a in exact_base_point(node, d, 3, 2 * d * Fraction(1))])
    others = indexed(13, d=d)
    others.project([(root(d), 1), (descend([0], d), 4)])
    for project in (one, others):
        x = project.project([(descend([2], d), 2), (node, p)])
        np.testing.assert_allclose(x[1], np.clip(A @ y, -1, 1), rtol=1e-12, atol=1e-15)


PATH = (0, 1, 1, 2, 1, 0, 2, 1, 0, 1)


@pytest.mark.claim("indexed-regret-bound", "determinism")
@given(
    st.lists(st.tuples(st.integers(0, 10), st.integers(0, 2), st.integers(1, 3)), max_size=12),
    st.integers(0, 12),
)
def test_the_points_do_not_depend_on_what_was_asked_for_before_nor_on_what_is_kept(
    asked: list[tuple[int, int, int]], arrays: int
) -> None:
    """Each alone, with nothing kept; and all in one call, with memory for a few arrays."""
    wanted = [(children(descend(PATH[:h], 3), 3)[digit], p) for h, digit, p in asked]
    together = indexed(21, arrays * ROWS * 8).project(wanted)
    for x, evaluation in zip(together, wanted, strict=True):
        assert x.tobytes() == indexed(21, 0).project([evaluation]).tobytes()
