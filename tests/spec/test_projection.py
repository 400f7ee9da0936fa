"""Specification of `projection`: eq. (3), the policies `fresh` and `indexed`, the two samplers.

Every statistical test rejects when an event of probability at most `ALPHA` = 5e-9 under the claim
has happened, and its seed is fixed. There are fewer than two hundred such events in this file, so
the whole of it raises a false alarm with probability below 1e-6. That the tests see what they
should see is shown at the end of each section, against samplers that are wrong on purpose.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import chi2, ks_2samp, kstest

from embedded_hunter.node import Node, children, root
from embedded_hunter.projection import CACHE_BYTES, Floats, Fresh, Indexed, clip, projection_of
from embedded_hunter.settings import Policy, Sampler, Settings
from spec.brute_force import squared_norm
from spec.instances import exact_base_point

ALPHA = 5e-9
ROWS, COUNT = 20, 2000


def descend(digits: Sequence[int], d: int) -> Node:
    node = root(d)
    for digit in digits:
        node = children(node, 3)[digit]
    return node


def settings_of(
    d: int, sigma: float, policy: Policy = "fresh", sampler: Sampler = "norm"
) -> Settings:
    return Settings(ROWS, d, 10, eta=0.5, sigma=sigma, policy=policy, sampler=sampler)


# --- eq. (3) ---------------------------------------------------------------------------------


@pytest.mark.claim("eq-3")
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_clip_is_the_nearest_point_of_the_cube(x: list[float]) -> None:
    """Coordinate by coordinate, in place: a itself if |a| <= 1, else the end on its side."""
    array = np.array(x)
    assert clip(array) is array
    assert array.tolist() == [a if abs(a) <= 1 else math.copysign(1, a) for a in x]


@pytest.mark.claim("eq-3")
def test_eq_3_as_printed_leaves_the_cube() -> None:
    """It tests [y]_i in place of [Ay]_i: with A = (10), y = 0.5 it gives 5, outside of [-1, 1]."""

    def printed(A: float, y: float) -> float:
        return -1.0 if y < -1 else 1.0 if y > 1 else A * y

    assert printed(10, 0.5) == 5
    assert clip(np.array([10 * 0.5])).tolist() == [1.0]
    assert printed(0.1, 5) == 1
    assert clip(np.array([0.1 * 5])).tolist() == [0.5]


@pytest.mark.claim("eq-3")
@pytest.mark.parametrize("policy", ["fresh", "indexed"])
@pytest.mark.parametrize("sampler", ["norm", "matrix"])
def test_every_point_lies_in_the_cube_and_some_on_its_boundary(
    policy: Policy, sampler: Sampler
) -> None:
    project = projection_of(settings_of(2, 1.0, policy, sampler), np.random.default_rng(1))
    x = project.project([(descend([0, 0], 2), p) for p in range(1, 50)])
    assert x.shape == (49, ROWS)
    assert x.dtype == np.float64
    assert np.abs(x).max() == 1.0
    assert np.abs(x).min() < 1.0


@pytest.mark.claim("zero-vector-once", "eq-3")
@pytest.mark.parametrize("policy", ["fresh", "indexed"])
@pytest.mark.parametrize("sampler", ["norm", "matrix"])
def test_the_zero_vector_goes_to_the_center_of_X_under_every_matrix(
    policy: Policy, sampler: Sampler
) -> None:
    project = projection_of(settings_of(3, 1.0, policy, sampler), np.random.default_rng(2))
    assert not project.project([(root(3), 1), (descend([1, 1, 1], 3), 2)]).any()


@pytest.mark.claim("eq-3")
def test_the_policy_and_the_number_of_rows() -> None:
    rng = np.random.default_rng(0)
    fresh, indexed = settings_of(2, 1.0), settings_of(2, 1.0, "indexed")
    assert type(projection_of(fresh, rng)) is Fresh
    assert type(projection_of(indexed, rng)) is Indexed
    for settings in (fresh, indexed):
        assert projection_of(settings, rng).project([(root(2), 1)]).shape == (1, ROWS)
        assert projection_of(settings, rng, 7).project([(root(2), 1)] * 3).shape == (3, 7)


@pytest.mark.claim("n-invariance")
@pytest.mark.parametrize("policy", ["fresh", "indexed"])
def test_fewer_rows_do_not_ask_for_n(policy: Policy) -> None:
    """n = 10^9 costs nothing where two coordinates are effective."""
    settings = Settings(10**9, 3, 10, sigma=0.1, policy=policy)
    x = projection_of(settings, np.random.default_rng(3), 2).project([(descend([0], 3), 1)])
    assert x.shape == (1, 2)
    assert np.all(x)


# --- fresh -----------------------------------------------------------------------------------

Draw = Callable[[Node, int, np.random.Generator], Floats]
"""Points of X for so many evaluations of a node, shape (count, ROWS)."""


def sampled_by(sampler: Sampler, sigma: float) -> Draw:
    def draw(node: Node, count: int, rng: np.random.Generator) -> Floats:
        settings = settings_of(len(node.c), sigma, "fresh", sampler)
        return projection_of(settings, rng).project([(node, p + 1) for p in range(count)])

    return draw


def objective(x: Floats) -> Floats:
    """A function of x that is neither even nor symmetric in the coordinates; shape (count,)."""
    shifted: Floats = np.sqrt(((x - np.linspace(0, 0.5, ROWS)) ** 2).sum(axis=1))
    return shifted


STATISTICS: dict[str, Callable[[Floats], Floats]] = {
    "objective": objective,
    "squared length": lambda x: (x**2).sum(axis=1),
    "sum": lambda x: x.sum(axis=1),
    "greatest": lambda x: x.max(axis=1),
    "first": lambda x: x[:, 0],
    "neighbours": lambda x: (x[:, 1:] * x[:, :-1]).sum(axis=1),
}


def disagreements(one: Floats, other: Floats) -> set[str]:
    """Return the statistics whose laws differ in two samples: Kolmogorov-Smirnov at ALPHA."""
    return {
        name
        for name, statistic in STATISTICS.items()
        if ks_2samp(statistic(one), statistic(other), method="asymp").pvalue < ALPHA
    }


def departures(x: Floats, scale: float) -> set[str]:
    """Return what contradicts that the rows of x, unclipped, are independent N(0, scale^2 I).

    Exact tests at ALPHA: the sum of all squares is scale^2 chi^2; the entries are normal; the
    scalar product of each evaluation with the next, given the one, is normal (they are
    independent if and only if evaluations do not share their matrix).
    """
    faults = set()
    freedom = chi2(x.size)
    square = float((x**2).sum()) / scale**2
    if min(freedom.cdf(square), freedom.sf(square)) < ALPHA / 2:
        faults.add("variance")
    if kstest(x.ravel() / scale, ndtr).pvalue < ALPHA:
        faults.add("law of the entries")
    one, other = x[0::2], x[1::2]
    products = (one * other).sum(axis=1) / (scale * np.linalg.norm(one, axis=1))
    if kstest(products, ndtr).pvalue < ALPHA:
        faults.add("independence of evaluations")
    rows = x[:, 1:] * x[:, :-1]
    if abs(rows.sum()) / scale**2 > 6 * math.sqrt(rows.size):  # 6 standard deviations: 2e-9
        faults.add("independence of coordinates")
    return faults


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
def test_entries_are_independent_normals_of_deviation_sigma_norm(
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
def test_power_faulty_samplers_are_seen(faulty: Draw, seen: str) -> None:
    """Power: sigma off by 5 %, a matrix used twice, coordinates that are copies, another law."""
    x = faulty(SAME_NORM["on an axis"], COUNT, np.random.default_rng(7))
    assert seen in departures(x, 0.01 * float(RADIUS))


@pytest.mark.claim("samplers-agree")
def test_power_of_the_two_sample_tests() -> None:
    """Power: they see sigma off by 5 % and coordinates that are copies of each other."""
    node = SAME_NORM["on an axis"]
    right = sampled_by("norm", 0.01)(node, COUNT, np.random.default_rng(8))
    for faulty in (five_percent_off, one_number_for_a_point):
        assert disagreements(right, faulty(node, COUNT, np.random.default_rng(9)))


@pytest.mark.claim("samplers-agree")
def test_the_matrix_sampler_multiplies_by_the_base_point() -> None:
    """Exactly sigma A y, A being the next rows x d normals of the generator."""
    node, sigma = descend([0, 2, 2, 1], 3), 0.01
    settings = settings_of(3, sigma, sampler="matrix")
    x = projection_of(settings, np.random.default_rng(10)).project([(node, 1), (node, 2)])
    rng = np.random.default_rng(10)
    y = np.array([float(a) for a in exact_base_point(node, 3, 3, settings.radius)])
    for row in x:
        np.testing.assert_allclose(row, sigma * rng.standard_normal((ROWS, 3)) @ y, rtol=1e-12)


@pytest.mark.claim("radial-collapse", "samplers-agree")
def test_the_norm_sampler_multiplies_by_the_norm() -> None:
    """Exactly sigma ||y|| z, z being the next normals of the generator."""
    node, sigma = descend([0, 2, 2, 1], 3), 0.01
    settings = settings_of(3, sigma)
    x = projection_of(settings, np.random.default_rng(11)).project([(node, 1), (node, 2)])
    rng = np.random.default_rng(11)
    length = math.sqrt(squared_norm(exact_base_point(node, 3, 3, settings.radius)))
    np.testing.assert_allclose(x, sigma * length * rng.standard_normal((2, ROWS)), rtol=1e-12)


@pytest.mark.claim("determinism", "batch-equivalence")
@given(
    st.sampled_from([("fresh", "norm"), ("fresh", "matrix"), ("indexed", "norm")]),
    st.lists(st.integers(1, 5), min_size=1, max_size=5),
)
def test_the_same_points_come_out_of_every_batch_size(
    kind: tuple[Policy, Sampler], batches: list[int]
) -> None:
    made = children(descend([0, 2], 2), 3)
    wanted = [(made[k % 3], k // 3 + 1) for k in range(sum(batches))]
    settings = settings_of(2, 0.1, *kind)
    at_once = projection_of(settings, np.random.default_rng(12)).project(wanted)
    piecewise = projection_of(settings, np.random.default_rng(12))
    parts, first = [], 0
    for size in batches:
        parts.append(piecewise.project(wanted[first : first + size]))
        first += size
    assert np.array_equal(np.concatenate(parts), at_once)


# --- indexed ---------------------------------------------------------------------------------


def indexed(seed: int, cache_bytes: int = CACHE_BYTES, d: int = 3, rows: int = ROWS) -> Indexed:
    settings = settings_of(d, 0.01, "indexed")
    return Indexed(settings, np.random.default_rng(seed), rows, cache_bytes)


@pytest.mark.claim("indexed-regret-bound")
@given(st.integers(1, 4), st.lists(st.integers(0, 2), max_size=7), st.integers(1, 9))
def test_the_p_th_evaluation_of_every_base_point_uses_A_p(
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


@pytest.mark.claim("indexed-regret-bound")
def test_the_matrices_are_normal_of_deviation_sigma_and_independent_of_each_other() -> None:
    """Six matrices of 6,000 entries: law, variance and correlations; false alarm 48 ALPHA."""
    project = indexed(14, d=3, rows=2000)
    matrices = [project.matrix(p) for p in range(1, 7)]
    for one, other in zip(matrices, matrices[1:] + matrices[:1], strict=True):
        assert one.shape == (2000, 3)
        assert departures(np.stack([one.ravel(), other.ravel()]), 0.01) == set()
        assert departures(np.stack([one[:, 0], other[:, 1]]), 0.01) == set()


@pytest.mark.claim("indexed-regret-bound")
def test_power_matrices_that_are_the_same_or_off_by_five_percent_are_seen() -> None:
    A = indexed(14, d=3, rows=2000).matrix(1)
    assert "variance" in departures(np.stack([1.05 * A.ravel(), 1.05 * A[::-1].ravel()]), 0.01)
    assert "independence of evaluations" in departures(np.stack([A.ravel(), A.ravel()]), 0.01)


@pytest.mark.claim("indexed-regret-bound", "determinism")
def test_the_matrices_are_a_function_of_the_seed_and_p() -> None:
    one, same, other = indexed(15), indexed(15), indexed(16)
    for p in (3, 1, 2):
        assert np.array_equal(one.matrix(p), same.matrix(p))
        assert not np.array_equal(one.matrix(p), other.matrix(p))
    assert len({one.matrix(p).tobytes() for p in range(1, 9)}) == 8


@pytest.mark.claim("indexed-regret-bound", "determinism")
def test_the_key_holds_256_bits_of_the_generator() -> None:
    """Eight words of it seed A_p, with p to tell them apart; the next projection gets others."""
    rng, expected = np.random.default_rng(17), np.random.default_rng(17)
    settings = settings_of(3, 0.01, "indexed")
    for project in (Indexed(settings, rng, ROWS), Indexed(settings, rng, ROWS)):
        key = [int(expected.integers(0, 2**32, dtype=np.uint32)) for _ in range(8)]
        for p in (1, 2, 9):
            words = np.random.default_rng(np.random.SeedSequence(key, spawn_key=(p,)))
            A = 0.01 * words.standard_normal((ROWS, 3))
            np.testing.assert_allclose(project.matrix(p), A, rtol=1e-15)


@pytest.mark.claim("indexed-regret-bound")
@pytest.mark.parametrize("fitting", [0, 1, 2, 5])
def test_no_more_matrices_are_kept_than_the_memory_allows(fitting: int) -> None:
    """Those beyond are made anew, entry by entry the same."""
    size = ROWS * 3 * 8
    for cache_bytes in (fitting * size, fitting * size + size - 1):
        small, large = indexed(18, cache_bytes), indexed(18)
        for p in range(1, 8):
            assert np.array_equal(small.matrix(p), large.matrix(p))
        kept = [small.matrix(p) is small.matrix(p) for p in range(1, 8)]
        assert kept == [True] * fitting + [False] * (7 - fitting)
        node = descend([0, 2], 3)
        wanted = [(node, p) for p in (7, 1, 6, 2, 7)]
        assert np.array_equal(small.project(wanted), large.project(wanted))


@pytest.mark.claim("indexed-regret-bound")
def test_the_default_memory_is_256_MiB() -> None:
    assert CACHE_BYTES == 268_435_456
    project = projection_of(settings_of(3, 0.01, "indexed"), np.random.default_rng(19))
    assert isinstance(project, Indexed)
    assert project.matrix(1) is project.matrix(1)
