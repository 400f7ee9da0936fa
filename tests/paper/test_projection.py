"""Specification of `projection`: eq. (3), the policies `fresh` and `indexed`, the two samplers.

Every statistical test rejects when an event of probability at most `ALPHA` = 5e-9 under the claim
has happened (`laws.py`), and its seed is fixed. There are fewer than two hundred such events in
this file and `test_projection_indexed.py`, so they raise a false alarm with probability below
1e-6. That the tests see what they should see is shown beside them, against samplers that are wrong
on purpose.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, children, root
from embedded_hunter.projection import clip
from embedded_hunter.run.policies import parts_of
from embedded_hunter.settings import MatrixPolicy, Sampler, Settings
from paper.definitions import squared_norm
from paper.instances import descend, exact_base_point
from paper.laws import COUNT, ROWS, departures, disagreements, settings_of

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


# --- fresh -----------------------------------------------------------------------------------

Draw = Callable[[Node, int, np.random.Generator], Floats]
"""Points of X for so many evaluations of a node, shape (count, ROWS)."""


def sampled_by(sampler: Sampler, sigma: float) -> Draw:
    def draw(node: Node, count: int, rng: np.random.Generator) -> Floats:
        settings = settings_of(len(node.c), sigma, "fresh", sampler)
        return parts_of(settings, rng).projection.project([(node, p + 1) for p in range(count)])

    return draw


# Three base points of one norm 2R 5/27, in directions (1, 0), (3, 4) and (-4, 3), d = 2.
SAME_NORM = {
    "on an axis": descend([2, 1, 0, 1, 0, 1], 2),
    "oblique": descend([1, 1, 2, 2, 1, 2], 2),
    "oblique, deeper": descend([1, 1, 0, 2, 0, 1, 1, 1], 2),
}
RADIUS = 8 * Fraction(5, 27)  # R = 4


@pytest.mark.claim("radial-collapse")
def test_the_three_base_points_have_one_norm() -> None:
    points = [exact_base_point(node, 2, 3, Fraction(4)) for node in SAME_NORM.values()]
    assert [squared_norm(y) for y in points] == [RADIUS**2] * 3
    units = [tuple(a / RADIUS * 5 for a in y) for y in points]
    directions = [(Fraction(a), Fraction(b)) for a, b in ((5, 0), (3, 4), (-4, 3))]
    assert units == directions


@pytest.mark.claim("radial-collapse", "samplers-agree")
@pytest.mark.parametrize("sampler", ["norm", "matrix"])
@pytest.mark.parametrize("name", SAME_NORM)
def test_the_entries_are_independent_normals_whose_deviation_is_sigma_times_the_norm(
    sampler: Sampler, name: str
) -> None:
    """Against the exact law sigma ||y|| z, unclipped (sigma ||y|| = 0.015); each 4 ALPHA."""
    x = sampled_by(sampler, 0.01)(SAME_NORM[name], COUNT, np.random.default_rng(4))
    assert np.abs(x).max() < 1
    assert departures(x, 0.01 * float(RADIUS)) == set()


@pytest.mark.claim("radial-collapse", "samplers-agree")
@pytest.mark.parametrize("sigma", [0.3, 2.0])
def test_the_law_depends_on_the_norm_only_and_both_samplers_agree(sigma: float) -> None:
    """Two-sample tests of six statistics, five pairs of samples; false alarm 30 ALPHA each.

    sigma = 0.3: few coordinates are clipped (2 %); sigma = 2: most of them are (74 %).
    """
    samplers: tuple[Sampler, ...] = ("norm", "matrix")
    samples = [
        sampled_by(sampler, sigma)(node, COUNT, np.random.default_rng([5, j, k]))
        for j, sampler in enumerate(samplers)
        for k, node in enumerate(SAME_NORM.values())
    ]
    for other in samples[1:]:
        assert disagreements(samples[0], other) == set()


@pytest.mark.claim("radial-collapse")
def test_another_norm_has_another_law() -> None:
    """Power: base points whose norms differ by 8 %, (5, 0) and (5, 2), are told apart."""
    near, far = SAME_NORM["on an axis"], descend([2, 1, 0, 2, 0, 0], 2)
    norms = [squared_norm(exact_base_point(node, 2, 3, Fraction(4))) for node in (near, far)]
    assert norms == [RADIUS**2, RADIUS**2 * Fraction(29, 25)]
    draw = sampled_by("norm", 0.3)
    one, other = (draw(node, COUNT, np.random.default_rng(6)) for node in (near, far))
    assert {"objective", "squared length", "greatest"} <= disagreements(one, other)


def five_percent_off(node: Node, count: int, rng: np.random.Generator) -> Floats:
    return sampled_by("norm", 0.0105)(node, count, rng)


def ten_percent_off(node: Node, count: int, rng: np.random.Generator) -> Floats:
    return sampled_by("norm", 0.011)(node, count, rng)


def one_matrix_for_a_batch(node: Node, count: int, rng: np.random.Generator) -> Floats:
    draw = sampled_by("matrix", 0.01)
    return np.repeat(draw(node, count // 2, rng), 2, axis=0)


def one_number_for_a_point(node: Node, count: int, rng: np.random.Generator) -> Floats:
    x = sampled_by("norm", 0.01)(node, count, rng)
    return x[:, :1] * np.ones(ROWS)


def uniform_entries(node: Node, count: int, rng: np.random.Generator) -> Floats:
    x: Floats = rng.uniform(-1, 1, (count, ROWS)) * (0.01 * float(RADIUS) * math.sqrt(3))
    return x


@pytest.mark.claim("samplers-agree")
@pytest.mark.parametrize(
    ("faulty", "seen"),
    [
        (five_percent_off, "variance"),
        (one_matrix_for_a_batch, "independence of evaluations"),
        (one_number_for_a_point, "independence of coordinates"),
        (uniform_entries, "law of the entries"),
    ],
)
def test_the_tests_see_faulty_samplers(faulty: Draw, seen: str) -> None:
    """Power: sigma off by 5 %, a matrix used twice, coordinates that are copies, another law."""
    x = faulty(SAME_NORM["on an axis"], COUNT, np.random.default_rng(7))
    assert seen in departures(x, 0.01 * float(RADIUS))


@pytest.mark.claim("samplers-agree")
def test_the_tests_that_compare_two_samples_see_faulty_samplers() -> None:
    """Power: they see sigma off by 10 % and coordinates that are copies of each other."""
    node = SAME_NORM["on an axis"]
    right = sampled_by("norm", 0.01)(node, COUNT, np.random.default_rng(8))
    for faulty in (ten_percent_off, one_number_for_a_point):
        assert disagreements(right, faulty(node, COUNT, np.random.default_rng(9)))


def stream_of(seed: int) -> np.random.Generator:
    """The stream of a run of `fresh`: SFC64, its key eight words of the run's generator."""
    key = np.random.default_rng(seed).integers(2**32, size=8, dtype=np.uint32)
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(key.tolist())))


@pytest.mark.claim("samplers-agree")
def test_the_matrix_sampler_multiplies_by_the_base_point() -> None:
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
def test_the_norm_sampler_multiplies_by_the_norm() -> None:
    """Exactly sigma ||y|| z, z being the next normals of the stream, rounded."""
    node, sigma = descend([0, 2, 2, 1], 3), 0.01
    settings = settings_of(3, sigma)
    x = parts_of(settings, np.random.default_rng(11)).projection.project([(node, 1), (node, 2)])
    length = math.sqrt(squared_norm(exact_base_point(node, 3, 3, settings.radius)))
    z = np.rint(2**18 * stream_of(11).standard_normal((2, ROWS))) / 2**18
    expected = sigma * length * z
    np.testing.assert_allclose(x, expected, rtol=1e-12)


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", ["fresh", "indexed"])
def test_the_next_run_of_a_generator_has_other_points(policy: MatrixPolicy) -> None:
    """Each projection draws a key of its own, and nothing else, from the generator."""
    settings, rng, other = settings_of(2, 0.1, policy), np.random.default_rng(3), descend([0], 2)
    one, two = (parts_of(settings, rng).projection.project([(other, 1)]) for _ in range(2))
    assert not np.any(one == two)
    expected = np.random.default_rng(3)
    expected.integers(2**32, size=16, dtype=np.uint32)
    assert rng.bit_generator.state == expected.bit_generator.state


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
