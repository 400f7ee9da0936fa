"""The laws of the points: the two samplers of `fresh`, and the matrices of `indexed`.

Every test rejects when an event of probability at most `ALPHA` = 5e-9 under the claim has happened
(`laws.py`), and its seed is fixed. There are fewer than a hundred such events in this file, so
they raise a false alarm with probability below 1e-6. That the tests see what they should see is
shown beside them, against samplers that are wrong on purpose. That the law depends on the norm
alone, whatever the direction, `errata/test_sentences_that_hold.py` shows exactly.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node
from embedded_hunter.projection import Indexed
from embedded_hunter.run.policies import parts_of
from embedded_hunter.settings import Sampler
from paper.instances import descend
from theory.laws import COUNT, ROWS, departures, settings_of

Draw = Callable[[Node, int, np.random.Generator], Floats]
"""Points of X for so many evaluations of a node, shape (count, ROWS)."""


def sampled_by(sampler: Sampler, sigma: float) -> Draw:
    def draw(node: Node, count: int, rng: np.random.Generator) -> Floats:
        settings = settings_of(len(node.c), sigma, "fresh", sampler)
        return parts_of(settings, rng).projection.project([(node, p + 1) for p in range(count)])

    return draw


NODE, RADIUS = descend([1, 1, 2, 2, 1, 2], 2), 8 * 5 / 27
"""The base point 8/27 (3, 4) of Y for R = 4, and its norm."""


@pytest.mark.claim("radial-collapse", "samplers-agree")
@pytest.mark.parametrize("sampler", ["norm", "matrix"])
def test_the_entries_are_independent_normals_whose_deviation_is_sigma_times_the_norm(
    sampler: Sampler,
) -> None:
    """Against the exact law sigma ||y|| z, unclipped (sigma ||y|| = 0.015); each 4 ALPHA."""
    x = sampled_by(sampler, 0.01)(NODE, COUNT, np.random.default_rng(4))
    assert np.abs(x).max() < 1
    assert departures(x, 0.01 * RADIUS) == set()


def five_percent_off(node: Node, count: int, rng: np.random.Generator) -> Floats:
    return sampled_by("norm", 0.0105)(node, count, rng)


def one_matrix_for_a_batch(node: Node, count: int, rng: np.random.Generator) -> Floats:
    draw = sampled_by("matrix", 0.01)
    return np.repeat(draw(node, count // 2, rng), 2, axis=0)


def one_number_for_a_point(node: Node, count: int, rng: np.random.Generator) -> Floats:
    x = sampled_by("norm", 0.01)(node, count, rng)
    return x[:, :1] * np.ones(ROWS)


def uniform_entries(node: Node, count: int, rng: np.random.Generator) -> Floats:
    x: Floats = rng.uniform(-1, 1, (count, ROWS)) * (0.01 * RADIUS * math.sqrt(3))
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
    x = faulty(NODE, COUNT, np.random.default_rng(7))
    assert seen in departures(x, 0.01 * RADIUS)


def indexed() -> Indexed:
    return Indexed(settings_of(3, 0.01, "indexed"), np.random.default_rng(14), 2000)


@pytest.mark.claim("indexed-regret-bound")
def test_the_matrices_are_normal_of_deviation_sigma_and_independent_of_each_other() -> None:
    """Six matrices of 6,000 entries: law, variance and correlations; false alarm 48 ALPHA."""
    project = indexed()
    matrices = [project.matrix(p) for p in range(1, 7)]
    for one, other in zip(matrices, matrices[1:] + matrices[:1], strict=True):
        assert one.shape == (2000, 3)
        assert departures(np.stack([one.ravel(), other.ravel()]), 0.01) == set()
        assert departures(np.stack([one[:, 0], other[:, 1]]), 0.01) == set()


@pytest.mark.claim("indexed-regret-bound")
def test_the_tests_see_equal_matrices_and_a_deviation_off_by_five_percent() -> None:
    A = indexed().matrix(1)
    assert "variance" in departures(np.stack([1.05 * A.ravel(), 1.05 * A[::-1].ravel()]), 0.01)
    assert "independence of evaluations" in departures(np.stack([A.ravel(), A.ravel()]), 0.01)
