"""Radial collapse and n-invariance: what the law of a run depends on.

Two-sample Kolmogorov-Smirnov tests at a level of 1e-6 each, fixed seeds; n-invariance is also an
equality of runs, since the effective rows are the same standard normals times sigma.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from embedded_hunter.settings import MatrixPolicy, Settings
from theory.effective_rows import values_of_run

Array = np.typing.NDArray[np.float64]
LEVEL = 1e-6
SAMPLES = 8000


def lopsided(x: Array) -> Array:
    """A function without any symmetry."""
    return np.asarray(np.abs(x[:, 0] - 0.3) + 0.5 * np.maximum(0, x[:, 1] + x[:, 2]) - x[:, 2])


@pytest.mark.claim("radial-collapse")
def test_signs_in_place_of_gaussians_do_not_collapse() -> None:
    """Power, and why Gaussian entries matter: Rademacher entries tell (5, 0) from (3, 4)."""
    rng = np.random.default_rng(9)
    values = []
    for y in (np.array([5.0, 0.0]), np.array([3.0, 4.0])):
        A = 0.05 * rng.choice([-1.0, 1.0], (SAMPLES, 3, 2))
        values.append(lopsided(np.clip(A @ y, -1, 1)))
    assert stats.ks_2samp(*values).pvalue < LEVEL


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
    one, other = (
        values_of_run(lopsided, settings, np.random.default_rng(4), 3)
        for settings in (small, large)
    )
    assert one == pytest.approx(other, abs=1e-9)
    wrong = Settings(90_000, 3, 400, eta=Fraction(3, 10), M=Fraction(1), policy=policy)
    assert values_of_run(lopsided, wrong, np.random.default_rng(4), 3) != pytest.approx(one)
