"""The step of the supplement's induction that does not follow (A.4), on one run."""

import pytest

from errata.runs import expanded
from paper.definitions import Point
from paper.instances import Instance, package_run

DELTA = (3.0, 2.0, 1.5)


@pytest.mark.claim("supplement-a4")
def test_nu_min_can_be_small_before_the_next_depth() -> None:
    """K = 3, d = 1, f* = 0, tau = 0, m_hat = 1, delta = (3, 2, 1.5), values chosen by hand.

    Root 2.5; left 0.5, the optimal node of depth 1; right 1; the optimal node of depth 2, the
    left child of left, 1.4. Sweep 2 expands left. The proof says that from then on nu_min >
    delta(1) = 2 before any visit of depth 2. Sweep 3 expands right at depth 1: nu_min = 1, and the
    optimal node of depth 2 is passed over, although 1.4 <= delta(2).
    """
    values = {0.0: 2.5, -4 / 3: 0.5, 4 / 3: 1.0, -16 / 9: 1.4, -8 / 9: 3.0, 8 / 9: 3.0, 16 / 9: 3.0}

    def g(k: int, y: Point, p: int) -> float:
        return min((abs(key - y[0]), value) for key, value in values.items())[1]

    branch = [(0, 0), (1, 0), (2, 0)]
    for (h, i), delta in zip(branch, DELTA, strict=True):  # the branch is delta-optimal
        assert i == 0
        assert (2.5, 0.5, 1.4)[h] <= delta
    run = package_run(Instance(1, 3, 0.5, 0, 5, 9), g)
    visits = {(visit.sweep, visit.l): expanded(visit) for visit in run.visits}
    assert visits[1, 0] == [(0, 0)]
    assert visits[2, 1] == [(1, 0)]  # h* = 1 from here on
    assert visits[3, 1] == [(1, 2)]  # right, of value 1 <= delta(1): nu_min = 1
    assert (2, 0) not in visits[3, 2]
    assert visits[3, 2] == [(2, 1)]  # the center child of left, which inherits 0.5
