"""n-invariance: on what a run depends.

The rows that a function does not see change nothing: they are independent of the others, and these
runs do without them.
"""

from fractions import Fraction

import numpy as np
import pytest

from embedded_hunter.matrices import Floats
from embedded_hunter.projection import drive
from embedded_hunter.run.policies import parts_of
from embedded_hunter.settings import MatrixPolicy, Settings


def lopsided(x: Floats) -> Floats:
    """A function without any symmetry."""
    return np.asarray(np.abs(x[:, 0] - 0.3) + 0.5 * np.maximum(0, x[:, 1] + x[:, 2]) - x[:, 2])


def values_of_run(settings: Settings) -> list[float]:
    """All values of a run on three rows, in their order; n counts through sigma only."""
    parts = parts_of(settings, np.random.default_rng(4), 3)
    visits = drive(parts.run, parts.projection.project, lopsided)
    return [value for _, values in visits for value in values]


@pytest.mark.claim("n-invariance")
@pytest.mark.parametrize("policy", ["fresh", "indexed"])
def test_runs_depend_on_sigma_r_alone(policy: MatrixPolicy) -> None:
    """n = 100 and n = 90000 with the same sigma R and M R: the same run, evaluation by evaluation.

    R grows like sqrt(n), and M shrinks like 1/sqrt(n), so that the cap M ||y|| stays. The values
    agree up to rounding for the same seed; with the same R instead, they do not (power).
    """
    small = Settings(100, 3, 400, eta=Fraction(3, 10), M=Fraction(1), policy=policy)
    large = Settings(
        90_000, 3, 400, eta=Fraction(1, 100), M=Fraction(1, 30), policy=policy, h_max=small.h_max
    )
    assert large.radius == 30 * small.radius
    assert large.cap == small.cap
    one = values_of_run(small)
    assert one == pytest.approx(values_of_run(large), abs=1e-9)
    wrong = Settings(90_000, 3, 400, eta=Fraction(3, 10), M=Fraction(1), policy=policy)
    assert values_of_run(wrong) != pytest.approx(one)
