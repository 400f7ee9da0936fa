"""The limit psi of D / d: its formula, its agreement with linear programs, and what uses it."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from reproduction.theory.coverage_law import coverage_threshold, law_of_coverage
from reproduction.theory.least_deviations import least_deviations

pytestmark = pytest.mark.claim("coverage-threshold")


@pytest.mark.parametrize(
    ("share", "psi"),
    [(0.1, 0.734816), (0.25, 0.638375), (0.5, 0.470251), (0.75, 0.284470), (0.9, 0.151207)],
)
def test_psi_is_the_loss_of_robust_regression_with_absolute_values(
    share: float, psi: float
) -> None:
    """The equations of El Karoui et al. (2013) for normal errors, solved without a closed form."""

    def mean(of: Callable[[float], float]) -> float:
        """E[of(|g|)]."""
        parts = [
            integrate.quad(lambda g: of(g) * stats.norm.pdf(g), *part, epsabs=1e-12)[0]
            for part in ((0, t), (t, 40))
        ]
        return 2 * float(sum(parts))

    t = optimize.brentq(lambda t: 2 * stats.norm.cdf(t) - 1 - share, 0, 10)
    clipped = mean(lambda g: min(g, t) ** 2)
    alpha = optimize.brentq(lambda a: a**2 * share - (1 + a**2) * clipped, 0, 100)
    loss = math.sqrt(1 + alpha**2) * mean(lambda g: max(g - t, 0))
    assert loss == pytest.approx(psi, abs=6e-7)
    assert coverage_threshold(share) == pytest.approx(loss, rel=1e-8)


@pytest.mark.parametrize("share", [0.99, 0.9985, 0.9995, 0.9999, 1 - 1e-6, 1 - 1e-8])
def test_psi_goes_to_zero_as_the_far_tail_of_the_normal_law_does(share: float) -> None:
    """``2 phi(t) / t - P(|z| > t)`` is 2/t times the integral of P(z > s) over s > t: no two nearly
    equal numbers are subtracted."""
    t = float(stats.norm.isf((1 - share) / 2))
    tail, _ = integrate.quad(stats.norm.sf, t, t + 10, epsabs=0, epsrel=1e-10)
    assert coverage_threshold(share) == pytest.approx(math.sqrt(share * 2 * tail / t), rel=1e-6)


def test_psi_ends_at_the_law_of_large_numbers_and_at_zero() -> None:
    assert coverage_threshold(0) == math.sqrt(2 / math.pi)
    assert coverage_threshold(1e-8) == pytest.approx(math.sqrt(2 / math.pi), abs=1e-6)
    assert coverage_threshold(1) == 0
    shares = np.linspace(0, 1, 201)
    psi = np.array([coverage_threshold(share) for share in shares])
    assert np.all(np.diff(psi) < 0)
    gordon = np.sqrt(np.maximum(0, 2 / math.pi - shares))
    assert np.all(psi[1:-1] > gordon[1:-1])


@pytest.mark.parametrize(
    ("d", "d_e"),
    [
        (101, 10),
        *(pytest.param(*k, marks=pytest.mark.long) for k in [(101, 50), (401, 300), (500, 20)]),
    ],
)
def test_the_stretched_law_agrees_with_linear_programs(d: int, d_e: int) -> None:
    """Shares of 200 matrices (20 for d_e = 300): intervals of confidence 1 - 1e-4, plus 0.03."""
    rng = np.random.default_rng([d, d_e])
    count = 20 if d_e == 300 else 200
    D = least_deviations(rng.standard_normal((count, d)), rng.standard_normal((count, d, d_e - 1)))
    for deviations in (-1.0, 0.0, 1.0):
        c = d * coverage_threshold((d_e - 1) / d) + 0.5 * deviations * math.sqrt(d)
        share = stats.binomtest(int(np.sum(c <= D)), count).proportion_ci(1 - 1e-4)
        assert share.low - 0.03 <= law_of_coverage(c, d, 1.0, 1.0, d_e) <= share.high + 0.03
