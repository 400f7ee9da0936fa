"""The matrices of the policy `indexed`: their key, when they are drawn, and which are kept."""

import copy
import pickle
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest

from embedded_hunter import matrices
from embedded_hunter.matrices import MEMORY
from embedded_hunter.node import root
from embedded_hunter.projection import Indexed
from embedded_hunter.run.policies import parts_of
from embedded_hunter.settings import MatrixPolicy, Settings
from paper.instances import descend
from theory.laws import ROWS, settings_of
from tool.interrupts import interrupted_at


def indexed(seed: int, memory: int = MEMORY, d: int = 3, rows: int = ROWS) -> Indexed:
    settings = settings_of(d, 0.01, "indexed")
    return Indexed(settings, np.random.default_rng(seed), rows, memory)


@pytest.mark.claim("indexed-regret-bound", "determinism")
def test_the_key_holds_256_bits_of_the_generator() -> None:
    """Eight words of it, with p and j, seed column j of A_p; the next projection gets others."""
    rng, expected = np.random.default_rng(17), np.random.default_rng(17)
    settings = settings_of(3, 0.01, "indexed")
    for project in (Indexed(settings, rng, ROWS), Indexed(settings, rng, ROWS)):
        key = [int(expected.integers(0, 2**32, dtype=np.uint32)) for _ in range(8)]
        for p, j in ((1, 0), (1, 2), (9, 1)):
            words = np.random.SFC64(np.random.SeedSequence(key, spawn_key=(p, j)))
            z = np.rint(2**18 * np.random.Generator(words).standard_normal(ROWS)) / 2**18
            np.testing.assert_array_max_ulp(project.matrix(p)[:, j], 0.01 * z, 1)


def draws(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The names of the streams that are made from now on."""
    names, inner = [], matrices.stream

    def spy(key: list[int], *name: int) -> np.random.Generator:
        names.append(name)
        return inner(key, *name)

    monkeypatch.setattr(matrices, "stream", spy)
    return names


def test_columns_are_drawn_when_they_are_used_for_the_first_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With those before them: depth h has split the first h coordinates, if h < d."""
    project, drawn = indexed(22, d=3), draws(monkeypatch)
    project.project([(root(3), 1), (descend([1, 0, 1, 1], 3), 2)])
    assert drawn == [(2, 0), (2, 1)]
    project.project([(descend([2, 0, 2, 2], 3), 2), (descend([2], 3), 1)])
    assert drawn == [(2, 0), (2, 1), (2, 2), (1, 0)]
    project.matrix(2)
    assert len(drawn) == 4


def test_the_matrices_that_were_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of 11 columns: two matrices of five. The others are drawn again."""
    project, drawn = indexed(23, 11 * ROWS * 8, d=5), draws(monkeypatch)
    matrices = [project.matrix(p) for p in (4, 9, 4, 1, 4, 1, 9)]
    assert drawn == [(p, j) for p in (4, 9, 1, 9) for j in range(5)]
    assert np.array_equal(matrices[1], matrices[-1])


def test_only_columns_that_are_drawn_take_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of 4 columns, d = 5: four matrices of one column; then one of three."""
    project, drawn = indexed(23, 4 * ROWS * 8, d=5), draws(monkeypatch)
    project.project([(descend([2], 5), p) for p in (1, 2, 3, 4, 1, 2, 3, 4)])
    assert drawn == [(p, 0) for p in (1, 2, 3, 4)]
    drawn.clear()
    project.project([(descend([2, 2, 2], 5), 1), (descend([2], 5), 4), (descend([2], 5), 2)])
    assert drawn == [(1, 1), (1, 2), (2, 0)]


@pytest.mark.long
def test_an_interrupt_at_any_line_changes_no_later_point() -> None:
    """With memory for six columns, so that matrices make room for others."""
    asked = [(1, 2), (2, 3), (3, 1), (1, 4), (2, 5), (4, 5), (1, 3), (3, 5), (2, 2)]
    wanted = [[(descend(depth * [2], 5), p)] for p, depth in asked]
    expected = [indexed(23, 0, d=5).project(evaluation) for evaluation in wanted]
    for line in range(1, 1200):
        project = indexed(23, 6 * ROWS * 8, d=5)
        with suppress(KeyboardInterrupt), interrupted_at(line):
            for evaluation in wanted:
                project.project(evaluation)
        for evaluation, x in zip(wanted, expected, strict=True):
            assert np.array_equal(project.project(evaluation), x)


def test_a_matrix_that_does_not_fit_alone_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    project, drawn = indexed(23, 4 * ROWS * 8, d=5), draws(monkeypatch)
    assert np.array_equal(project.matrix(4), project.matrix(4))
    assert drawn == 2 * [(4, j) for j in range(5)]


def test_above_one_block_of_rows_a_number_takes_four_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = matrices.BLOCK + 3
    settings = Settings(rows, 5, 9, policy="indexed")
    kept, none = (
        Indexed(settings, np.random.default_rng(27), rows, memory) for memory in (20 * rows, 0)
    )
    A, drawn = kept.matrix(2), draws(monkeypatch)
    assert kept.matrix(2).tobytes() == A.tobytes()
    assert drawn == []
    assert none.matrix(2).tobytes() == A.tobytes()


def test_a_copy_has_the_same_matrices_and_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    project = indexed(24)
    A = project.matrix(2)
    for twin in (copy.deepcopy(project), pickle.loads(pickle.dumps(project))):
        drawn = draws(monkeypatch)
        assert np.array_equal(twin.matrix(2), A)
        assert drawn == [(2, 0), (2, 1), (2, 2)]


@pytest.mark.claim("indexed-regret-bound")
def test_the_memory_is_used_and_not_exceeded() -> None:
    """1 MiB, besides what is made at the moment: 20 of 40 matrices of ten columns."""
    rows = 2**16 // 100
    settings = Settings(rows, 10, 9, policy="indexed")
    for memory in (2**20, 2**30):
        project = Indexed(settings, np.random.default_rng(26), rows, memory)
        tracemalloc.start()
        before, _ = tracemalloc.get_traced_memory()
        for p in range(1, 41):
            project.matrix(p)
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        used = after - before
        if memory == 2**20:
            assert 0.9 * memory < used < 1.1 * memory
        else:
            assert used > 1.9 * 2**20
    assert MEMORY == 536_870_912


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
