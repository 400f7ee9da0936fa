"""The printed Theorem 2 on the valley of ``proofs/CounterexampleTheorem2.v``, as numbers.

d = n = 1, A = (eta), K = 3, h_max = 1, tau = 0, m_hat = 1, delta(h) = 3^(1-h), near-optimality
dimension 1/2 with C = 16/5. Proved there: that all assumptions hold, and that 1/2 is the dimension.
"""

import numpy as np
import pytest
from driving import steps

from embedded_hunter.regret import theorem_2_depth
from embedded_hunter.settings import Settings

ETA = 0.3
DELTA = [3.0, 1.0, 1 / 3]


def valley(x: float) -> float:
    """Return the lesser of a plateau at 1, steep at both ends, and a hollow about 2/9."""
    u = abs(x - 2 / 9)
    hollow = 27 * u * u if u <= 1 / 9 else 6 * u - 1 / 3
    return min(hollow, max(1.0, 9 * abs(x) - 5))


def best_after(iterations: int) -> float:
    """Return the least value seen in the first iterations."""
    run = steps(Settings(1, 1, 200, eta=ETA, M=5, h_max=1), lambda y: valley(ETA * y[0]))
    return min(value for step in run if step.t <= iterations for value in step.values)


@pytest.mark.claim("theorem-2")
def test_theorem_2_as_printed_is_refuted() -> None:
    """h(6) = 2 promises a regret of 1/3 after 6 iterations; it is 1, and falls in iteration 7."""
    printed = theorem_2_depth(6, 16 / 5, DELTA, 0.5, factor=1)
    assert printed == 2
    assert min(DELTA[: printed + 1]) == 1 / 3
    assert best_after(6) == 1.0
    assert best_after(7) < 1e-12
    corrected = theorem_2_depth(6, 16 / 5, DELTA, 0.5, factor=2)
    assert best_after(6) <= min(DELTA[: corrected + 1])


@pytest.mark.claim("theorem-2")
def test_the_assumptions_hold_on_the_valley() -> None:
    """f is least at 2/9 and 9-Lipschitz; |f(center) - f| <= delta(h) on the optimal cells."""
    grid = np.linspace(-1, 1, 18_001)
    values = np.array([valley(x) for x in grid])
    assert grid[np.argmin(values)] == pytest.approx(2 / 9, abs=1e-4)
    assert np.abs(np.diff(values) / np.diff(grid)).max() <= 9 + 1e-6
    for center, half_width, delta in (
        (0, 1, DELTA[0]),
        (0, 1 / 3, DELTA[1]),
        (2 / 9, 1 / 9, DELTA[2]),
    ):
        inside = values[np.abs(grid - center) <= half_width]
        assert np.abs(inside - valley(center)).max() <= delta + 1e-9
