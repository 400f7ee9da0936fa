"""How sharp the corrected Lemma 1 is, and what it costs in evaluations: runs that were observed."""

from fractions import Fraction
from itertools import pairwise

import pytest
from driving import name
from on_the_line import position

from embedded_hunter.baselines.soo import hunt_soo
from embedded_hunter.hunter import hunt
from embedded_hunter.node import base_point
from embedded_hunter.regret import exhaustive_sweeps, iterations_of_sweeps
from embedded_hunter.settings import Settings


def last_iteration(h_max: int) -> int:
    """Return the iteration at which the last node of depth h_max is expanded, f being constant."""
    settings = Settings(1, 1, 10**6, eta=Fraction(1, 2), M=Fraction(1, 1000), h_max=h_max)
    run = hunt(settings)
    visit, last = next(run), 0
    while True:
        if any(leaf.h == h_max for leaf, _ in visit.expansions):
            last = visit.t
        try:
            visit = run.send([1.0] * len(visit.evaluations))
        except StopIteration:
            return last


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


def evaluations_until_the_center_is_expanded(h: int, soo: bool) -> int:
    """f(x) = |x|, d = 1, K = 3, h_max = h, M near 0: those before the visit that expands it."""
    settings = Settings(1, 1, 10**6, eta=Fraction(1, 2), M=Fraction(1, 10**6), h_max=h)
    run = (hunt_soo if soo else hunt)(settings)
    visit, made = next(run), 0
    center = (h, 3**h // 2)
    while center not in [name(leaf) for leaf, _ in visit.expansions]:
        values = [abs(base_point(node, settings)[0]) for node, _ in visit.evaluations]
        made += len(values)
        visit = run.send(values)
    return made


@pytest.mark.claim("theorem-2")
def test_one_visit_of_a_depth_can_expand_a_node_of_every_class() -> None:
    """Observed for f(x) = |x|, where S_h = h + 1: evaluations grow by more than 1.7 a depth.

    From depth 6 on Algorithm 1 makes more than K (h_max + 1) S_h evaluations, which is enough for
    SOO at each of these depths.
    """
    depths = range(3, 10)
    hunter = [evaluations_until_the_center_is_expanded(h, soo=False) for h in depths]
    soo = [evaluations_until_the_center_is_expanded(h, soo=True) for h in depths]
    assert hunter == [23, 49, 93, 173, 307, 549, 953]
    assert soo == [13, 19, 27, 37, 49, 63, 79]
    assert all(10 * b > 17 * a for a, b in pairwise(hunter))
    for h, ours, theirs in zip(depths, hunter, soo, strict=True):
        levels = [[abs(position(k, i)) for i in range(3**k)] for k in range(h + 1)]
        S = sum(x <= Fraction(1, 3**k) for k, level in enumerate(levels) for x in level)
        enough = 3 * (h + 1) * S
        assert h + 1 == S
        assert theirs <= enough
        assert (ours > enough) == (h >= 6)
