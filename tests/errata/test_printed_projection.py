"""Eq. (3) as it is printed, and "the same projection" that a new matrix each time never gives."""

import numpy as np
import pytest
from numpy.typing import NDArray

from embedded_hunter.projection import clip
from embedded_hunter.run.asktell import Search
from embedded_hunter.settings import MatrixPolicy, Settings


def printed(A: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Eq. (3) to the letter: the cases look at [y]_i, not at [Ay]_i."""
    x = A @ y
    return np.array([1.0 if y[i] >= 1 else -1.0 if y[i] <= -1 else x[i] for i in range(len(x))])


@pytest.mark.claim("eq-3")
def test_the_printed_projection_is_none() -> None:
    inside, outside = (np.array([[0.1]]), np.array([5.0])), (np.array([[10.0]]), np.array([0.5]))
    assert printed(*inside) == 1.0  # moves a point of X: Ay = 0.5
    assert printed(*outside) == 5.0  # leaves X
    with pytest.raises(IndexError):
        printed(np.ones((3, 1)), np.array([0.5]))  # [y]_i does not exist for i > d
    assert clip(inside[0] @ inside[1]) == 0.5
    assert clip(outside[0] @ outside[1]) == 1.0
    assert clip(np.ones((3, 1)) @ np.array([0.5])).tolist() == [0.5] * 3


def matrices_seen(policy: MatrixPolicy) -> list[tuple[int, float]]:
    """For each evaluation at a y other than 0 its number p and, with n = d = 1, its matrix."""
    settings = Settings(1, 1, 60, M=1, sigma=0.01, policy=policy)  # sigma: nothing is clipped
    search = Search(settings, rng=3)
    seen = []
    while not search.finished:
        wanted = search.visit.evaluations
        queries = search.ask()
        for (node, p), query in zip(wanted, queries, strict=True):
            if node.nrm:
                y = float(settings.side) * node.c[0] / settings.K**node.h
                seen.append((p, query.x[0] / y))
        search.tell(queries, [float(-abs(query.x[0])) for query in queries])
    return seen


@pytest.mark.claim("supplement-a1")
def test_no_two_evaluations_share_a_matrix_as_printed() -> None:
    """One base point evaluated again included: no pair of values is "of the same projection"."""
    seen = matrices_seen("fresh")
    assert max(p for p, _ in seen) > 1
    assert len({A for _, A in seen}) == len(seen) > 40


@pytest.mark.claim("supplement-a1")
def test_the_indexed_policy_gives_all_base_points_the_same_matrices() -> None:
    seen = matrices_seen("indexed")
    numbers = {p for p, _ in seen}
    assert len(numbers) > 1
    for number in numbers:
        matrices = [A for p, A in seen if p == number]
        assert matrices == pytest.approx([matrices[0]] * len(matrices), rel=1e-12)
    assert len({round(A, 12) for _, A in seen}) == len(numbers)
