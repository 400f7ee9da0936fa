"""Specification of `projection`, policy `indexed`; its statistical tests as in the other file."""

import copy
import tracemalloc
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedded_hunter import projection
from embedded_hunter.node import Node, children, root
from embedded_hunter.projection import BLOCK, MEMORY, TOGETHER, Floats, Indexed, Recent
from embedded_hunter.settings import Settings
from spec.algorithm.instances import exact_base_point
from spec.algorithm.laws import ROWS, departures, descend, settings_of


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


@pytest.mark.claim("indexed-regret-bound", "determinism")
def test_the_matrices_are_a_function_of_the_seed_and_p() -> None:
    one, same, other = indexed(15), indexed(15), indexed(16)
    for p in (3, 1, 2):
        assert np.array_equal(one.matrix(p), same.matrix(p))
        assert not np.array_equal(one.matrix(p), other.matrix(p))
    assert len({one.matrix(p).tobytes() for p in range(1, 9)}) == 8


@pytest.mark.claim("indexed-regret-bound", "determinism")
def test_the_key_holds_256_bits_of_the_generator() -> None:
    """Eight words of it, with p and j, seed column j of A_p; the next projection gets others."""
    rng, expected = np.random.default_rng(17), np.random.default_rng(17)
    settings = settings_of(3, 0.01, "indexed")
    for project in (Indexed(settings, rng, ROWS), Indexed(settings, rng, ROWS)):
        key = [int(expected.integers(0, 2**32, dtype=np.uint32)) for _ in range(8)]
        for p, j in ((1, 0), (1, 2), (9, 1)):
            words = np.random.SFC64(np.random.SeedSequence(key, spawn_key=(p, j)))
            column = 0.01 * np.random.Generator(words).standard_normal(ROWS)
            assert project.column(p, j).tolist() == column.tolist()
            assert project.matrix(p)[:, j].tolist() == column.tolist()


PATH = (0, 1, 1, 2, 1, 0, 2, 1, 0, 1)


def nodes_of(digits: Sequence[int], d: int) -> list[Node]:
    """The nodes of a path, the root first."""
    return [descend(digits[:h], d) for h in range(len(digits) + 1)]


@pytest.mark.claim("indexed-regret-bound", "determinism")
def test_a_product_is_a_sum_with_a_step_for_each_node_that_is_not_a_center_child() -> None:
    """To the last bit, from the root down, each step a column times a number."""
    project, expected = indexed(20, d=4), np.zeros(ROWS)
    for h, node in enumerate(nodes_of(PATH, 4)[1:], 1):
        away = 2 * 8 * (PATH[h - 1] - 1) / 3 ** ((h - 1) // 4 + 1)  # 2R = 16
        if away:
            expected = expected + project.column(2, (h - 1) % 4) * away
        assert np.array_equal(project.product(2, node.h, node.i), expected)
        assert np.array_equal(project.project([(node, 2)])[0], np.clip(expected, -1, 1))
    assert np.abs(expected).max() < 1


@pytest.mark.claim("indexed-regret-bound", "determinism")
@given(
    st.lists(st.tuples(st.integers(0, 10), st.integers(0, 2), st.integers(1, 3)), max_size=12),
    st.integers(0, 12),
)
def test_the_points_do_not_depend_on_what_was_asked_for_before_nor_on_what_is_kept(
    asked: list[tuple[int, int, int]], arrays: int
) -> None:
    """Each alone, with nothing kept; and all in one call, with memory for a few arrays."""
    path = nodes_of(PATH, 3)
    wanted = [(children(path[h], 3)[digit], p) for h, digit, p in asked]
    together = indexed(21, arrays * ROWS * 8).project(wanted)
    for x, evaluation in zip(together, wanted, strict=True):
        assert x.tobytes() == indexed(21, 0).project([evaluation]).tobytes()


@pytest.mark.claim("determinism")
def test_adding_columns_in_blocks_is_adding_them_one_after_another() -> None:
    """To the last bit: 2.5 blocks of rows, 20 columns, of which one is left out, for two points."""
    rows, ways = 5 * BLOCK // 2, np.sin([np.arange(20.0), np.arange(0.0, 60.0, 3.0)])
    assert not ways[:, 0].any()
    assert ways.shape[1] > 2 * TOGETHER
    project = indexed(28, d=20, rows=rows)
    start = np.cos(np.arange(2.0 * rows)).reshape(2, rows)
    x = start.copy()
    project.add(3, ways, x)
    for point, w, expected in zip(x, ways, start, strict=True):
        for j in range(1, 20):
            expected = expected + w[j] * project.column(3, j)
        assert point.tobytes() == expected.tobytes()


def draws(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The names of the streams that are made from now on."""
    names, inner = [], projection.stream

    def spy(key: list[int], *name: int) -> np.random.Generator:
        names.append(name)
        return inner(key, *name)

    monkeypatch.setattr(projection, "stream", spy)
    return names


def test_only_the_columns_that_are_used_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    project, drawn = indexed(22, d=3), draws(monkeypatch)
    project.project([(root(3), 1), (descend([1, 0, 1, 1], 3), 2)])
    assert drawn == [(2, 1)]
    project.project([(descend([2, 0, 1, 2], 3), 2)])
    assert drawn == [(2, 1), (2, 0)]


def test_a_column_that_is_not_kept_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of three columns: the three that were used last."""
    project, drawn = indexed(23, 3 * ROWS * 8, d=5), draws(monkeypatch)
    for j in (0, 1, 2, 0, 3):
        project.column(1, j)
    assert drawn == [(1, 0), (1, 1), (1, 2), (1, 3)]
    for j in (3, 2, 0):
        project.column(1, j)
    assert len(drawn) == 4
    project.column(1, 1)
    assert drawn[4:] == [(1, 1)]


def test_a_product_is_computed_from_the_nearest_ancestor_that_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps, inner = [], Indexed.step

    def spy(self: Indexed, p: int, h: int, digit: int) -> Floats:
        steps.append(h)
        return inner(self, p, h, digit)

    monkeypatch.setattr(Indexed, "step", spy)
    monkeypatch.setattr(projection, "STEPS", 0)
    path, project = nodes_of((0, 2, 1, 0, 2, 1), 3), indexed(24)
    project.product(1, 4, path[4].i)
    project.product(1, 6, path[6].i)
    assert steps == [1, 2, 4, 5]
    project.product(1, 6, path[6].i)
    project.product(1, 5, path[5].i)  # its base point is that of its center child
    assert len(steps) == 4
    project.product(2, 4, path[4].i)  # of another matrix
    assert steps[4:] == [1, 2, 4]


def test_products_use_the_memory_that_columns_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of 40 arrays, of which 35 may be columns and at least 5 are products."""
    steps, inner = [], Indexed.step

    def spy(self: Indexed, p: int, h: int, digit: int) -> Floats:
        steps.append(h)
        return inner(self, p, h, digit)

    monkeypatch.setattr(Indexed, "step", spy)
    monkeypatch.setattr(projection, "STEPS", 0)
    path, project = nodes_of([0] * 30, 3)[1:], indexed(27, 40 * ROWS * 8)
    for _ in range(2):  # 3 columns and 30 products: the second time nothing is made
        for node in path:
            project.product(1, node.h, node.i)
    assert steps == list(range(1, 31))
    for p in range(2, 13):  # 36 columns, one more than may be kept
        project.matrix(p)
    for node in path[-5:]:
        project.product(1, node.h, node.i)
    assert len(steps) == 30
    project.product(1, 25, path[24].i)
    assert steps[30:] == list(range(1, 26))


def test_opposite_children_share_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of other nodes of this depth."""
    steps, inner = [], Indexed.step

    def spy(self: Indexed, p: int, h: int, digit: int) -> Floats:
        steps.append((p, h, digit))
        return inner(self, p, h, digit)

    monkeypatch.setattr(Indexed, "step", spy)
    project = indexed(25)
    one, two = children(root(3), 3)[0], children(root(3), 3)[2]
    for node in (one, two):
        first, center, last = children(node, 3)
        project.project([(first, 1), (center, 2), (last, 1)])
    assert steps == [(1, 1, 1), (1, 2, 1), (2, 1, 1)]


def test_the_arrays_that_were_used_last_are_kept() -> None:
    recent, (a, b, c) = Recent(2), np.eye(3)
    assert recent.get((1,)) is None
    recent.keep((1,), a)
    recent.keep((2,), b)
    assert recent.get((1,)) is a
    recent.keep((3,), c)
    assert recent.get((2,)) is None
    assert recent.get((1,)) is a
    assert recent.get((3,)) is c
    assert copy.deepcopy(recent).get((1,)) is None
    nothing = Recent(0)
    nothing.keep((1,), a)
    assert nothing.get((1,)) is None


@pytest.mark.claim("indexed-regret-bound")
def test_the_memory_is_used_and_not_exceeded() -> None:
    """1 MiB, besides what is made at the moment: 200 of the 800 columns and products."""
    rows = 2**16 // 100
    settings = Settings(rows, 10, 9, policy="indexed")
    path = nodes_of([0] * 60, 10)
    for memory in (2**20, 2**30):
        project = Indexed(settings, np.random.default_rng(26), rows, memory)
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        for p in range(1, 20):
            for node in path:
                project.project([(node, p)])
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        used = after - before
        if memory == 2**20:
            assert 0.9 * memory < used < 1.1 * memory
        else:
            assert used > 2 * 2**20
    assert MEMORY == 536_870_912
