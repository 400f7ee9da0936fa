"""How sharp the corrected Lemma 1 is, and what it costs in evaluations: runs that were observed."""

from fractions import Fraction

import pytest

from embedded_hunter.hunter import hunt
from embedded_hunter.regret import exhaustive_sweeps, iterations_of_sweeps
from embedded_hunter.settings import Settings
from spec.algorithm.instances import visits_of


def last_iteration(h_max: int) -> int:
    """Return the iteration at which the last node of depth h_max is expanded, f being constant."""
    settings = Settings(1, 1, 10**6, eta=Fraction(1, 2), M=Fraction(1, 1000), h_max=h_max)
    run = visits_of(hunt(settings), lambda visit: [1.0] * len(visit.evaluations))
    return max(v.t for v, _ in run if any(leaf.h == h_max for leaf, _ in v.expansions))


@pytest.mark.claim("lemma-1")
@pytest.mark.parametrize(
    ("h_max", "bound", "happened"), [(1, 7, 7), (2, 36, 36), (3, 154, 152), (4, 595, 583)]
)
def test_constant_functions_attain_the_bound_up_to_h_max_2(
    h_max: int, bound: int, happened: int
) -> None:
    """d = 1, K = 3: every node is optimal, S_h_max counts all nodes; less from h_max = 3 on."""
    assert iterations_of_sweeps(exhaustive_sweeps(h_max, 3), h_max) == bound
    assert last_iteration(h_max) == happened
