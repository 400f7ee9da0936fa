"""Specification of `projection`, policy `indexed`; its statistical tests as in the other file."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter.node import root
from embedded_hunter.projection import CACHE_BYTES, Indexed, projection_of
from spec.algorithm.instances import exact_base_point
from spec.algorithm.laws import ROWS, departures, descend, settings_of


def indexed(seed: int, cache_bytes: int = CACHE_BYTES, d: int = 3, rows: int = ROWS) -> Indexed:
    settings = settings_of(d, 0.01, "indexed")
    return Indexed(settings, np.random.default_rng(seed), rows, cache_bytes)


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


def test_the_columns_of_a_matrix_lie_one_after_another_in_memory() -> None:
    """A y reads them in this order."""
    assert indexed(15, d=3).matrix(1).flags.f_contiguous


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
