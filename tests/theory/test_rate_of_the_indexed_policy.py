"""The rate of the policy `indexed` needs growth above the level g_1(y), not above each minimum.

d = d_e = 1, K = 3, R = 2, f(x) = |x - 1|, B_1 = 1/4 and B_q = 1/2 for q >= 2.
"""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest

from reproduction.theory.indexed import indexed_regret_bound

R, K, H = Fraction(2), 3, 7


def objective(x: np.ndarray) -> np.ndarray:
    distance: np.ndarray = np.abs(x[:, 0] - 1)
    return distance


def sweeps(blocks: list[float], gap: float) -> tuple[int, ...]:
    matrices = np.array([[[b]] for b in blocks])
    return indexed_regret_bound(
        objective, 0.0, 1.0, matrices, K=K, R=R, M=Fraction(1000), h_max=H, gap=gap
    ).sweeps


def claimed(h: int, norm_B0: float, growth: float, points: int) -> int:
    t = ceil(norm_B0 * K / (2 * growth))
    return (h + 1) * points * (2 * t + 1)


@pytest.mark.claim("indexed-regret-bound")
def test_growth_away_from_a_point_without_the_level_gives_no_rate() -> None:
    """Each g_q grows away from z = 2 with slope 1/4 or more, but g_q(2) = 0 < g_1(2) = 1/2.

    (h + 1) P (2t + 1)^d = 40 at h = 7; S_7 = 281, and from depth to depth it nearly triples.
    """
    found = sweeps([0.25] + [0.5] * 12, gap=0.5)
    print(f"S_h: {found}; without the level {claimed(H, 0.25, 0.25, 1)} would be claimed")
    assert found == (1, 2, 4, 7, 15, 36, 98, 281)
    assert claimed(H, 0.25, 0.25, 1) == 40
    assert 281 > 40


@pytest.mark.claim("indexed-regret-bound")
def test_growth_above_the_level_gives_the_rate() -> None:
    """With B_q = 1/5 for q >= 2, g_q(z) >= 1/2 + |z - 2| / 5: the hypothesis holds at level g_1(2).

    (1 - z/5 at z = 2 is 3/5; on [-2, 2] it is 3/5 + (2 - z)/5.)
    """
    found = sweeps([0.25] + [0.2] * 12, gap=0.5)
    for h, S in enumerate(found):
        assert claimed(h, 0.25, 0.2, 1) >= S
