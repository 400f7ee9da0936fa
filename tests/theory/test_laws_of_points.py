"""The laws of the points: the two samplers of `fresh`, and the matrices of `indexed`.

Every test rejects when an event of probability at most `ALPHA` = 5e-9 under the claim has happened
(`laws.py`), and its seed is fixed. There are fewer than two hundred such events in this file, so
they raise a false alarm with probability below 1e-6. That the tests see what they should see is
shown beside them, against samplers that are wrong on purpose.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from embedded_hunter.matrices import MEMORY, Floats
from embedded_hunter.node import Node
from embedded_hunter.projection import Indexed
from embedded_hunter.run.policies import parts_of
from embedded_hunter.settings import Sampler
from paper.definitions import squared_norm
from paper.instances import descend, exact_base_point
from theory.laws import COUNT, ROWS, departures, disagreements, settings_of

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


def indexed(seed: int, memory: int = MEMORY, d: int = 3, rows: int = ROWS) -> Indexed:
    settings = settings_of(d, 0.01, "indexed")
    return Indexed(settings, np.random.default_rng(seed), rows, memory)


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
def test_the_tests_see_equal_matrices_and_a_deviation_off_by_five_percent() -> None:
    A = indexed(14, d=3, rows=2000).matrix(1)
    assert "variance" in departures(np.stack([1.05 * A.ravel(), 1.05 * A[::-1].ravel()]), 0.01)
    assert "independence of evaluations" in departures(np.stack([A.ravel(), A.ravel()]), 0.01)
