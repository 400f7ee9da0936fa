"""Supplement A.1: "the same projection", which a new matrix each time never gives."""

import pytest

from embedded_hunter.run.asktell import Search
from embedded_hunter.settings import MatrixPolicy, Settings


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
