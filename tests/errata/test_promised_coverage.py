"""The promise that some y of Y is projected onto x* with probability at least 1 - eta."""

import math

import numpy as np
import pytest

from reproduction.theory.coverage import coverage_of_matrices, coverage_probability


@pytest.mark.claim("coverage")
def test_the_promise_fails_for_variance_one_over_n() -> None:
    """d = d_e = 1: y* = x*/b, b ~ N(0, 1/n), is in Y iff |b| >= eta x*: by the table of erf."""
    n, eta, x = 16, 0.3, 0.99
    covered = 1 - math.erf(eta * x * math.sqrt(n) / math.sqrt(2))
    assert covered == pytest.approx(0.235, abs=1e-3)
    assert covered < 1 - eta
    exact = coverage_probability([x], sigma=1 / math.sqrt(n), R=1 / eta)
    assert exact == pytest.approx(covered, rel=1e-9)
    # With variance 1 the promise is kept, loosely.
    assert coverage_probability([x], sigma=1.0, R=1 / eta) > 0.76


def least_coverage(d: int, n: int, eta: float) -> float:
    """Coverage of an optimiser in the interior next to a corner: it falls with ||x*||."""
    return coverage_probability([1 - 1e-9] * d, sigma=1 / math.sqrt(n), R=d / eta)


@pytest.mark.claim("coverage")
@pytest.mark.parametrize(
    ("d", "n", "covered", "kept"),
    [(10, 12, 0.841, True), (10, 40, 0.715, True), (10, 50, 0.683, False), (1, 1, 0.764, True),
     (1, 2, 0.671, False)],
)  # fmt: skip
def test_where_the_promise_is_broken_depends_on_d(
    d: int, n: int, covered: float, kept: bool
) -> None:
    """eta = 0.3. The source's bound is here 1 - eta sqrt n: it says nothing from n = 12 on."""
    eta = 0.3
    assert least_coverage(d, n, eta) == pytest.approx(covered, abs=1e-3)
    assert (least_coverage(d, n, eta) >= 1 - eta) == kept
    assert (1 - eta * math.sqrt(n) <= 0) == (n >= 12)
    assert least_coverage(d, n, eta) >= 1 - eta * math.sqrt(2 * n / (math.pi * d))
    halves = coverage_probability([0.5] * d, sigma=1 / math.sqrt(n), R=d / eta)
    assert halves > least_coverage(d, n, eta)


@pytest.mark.claim("multiple-run-success")
def test_five_embeddings_of_the_paper_s_own_setting_cover_six_times_in_a_hundred() -> None:
    """n = 1e4, d = d_e = 10, eta = 0.3, x* = 0.4634: 1 - eta^5 = 0.998 is promised."""
    d, eta, M = 10, 0.3, 5
    one = coverage_probability([0.4634] * d, sigma=0.01, R=d / eta)
    found = coverage_of_matrices(one, M)
    print(f"promised: {1 - eta**M:.3f}; happened: {found:.3f}")
    assert found == pytest.approx(0.058, abs=1e-3)
    assert found < 1 - eta**M
    # With entries of variance 1 each covers with more than 1 - eta, and the promise is kept.
    kept = coverage_probability([0.4634] * d, sigma=1.0, R=d / eta)
    assert kept > 1 - eta
    assert coverage_of_matrices(kept, M) > 1 - eta**M


@pytest.mark.claim("regret-without-probability")
def test_the_bound_on_the_regret_fails_with_positive_probability() -> None:
    """n = d = 1, eta = 0.3, f(x) = |x - 1|: if |A| <= eta/2, as with probability .119, no y helps.

    Then |A y| <= 1/2 on Y and every value is at least 1/2 = f* + 1/2. So it is for all t
    evaluations of a run with probability .119^t > 0, and for one matrix that is kept with .119.
    """
    eta = 0.3
    probability = math.erf(eta / 2 / math.sqrt(2))
    assert probability == pytest.approx(0.119, abs=1e-3)
    y = np.linspace(-1 / eta, 1 / eta, 1001)
    for A in (-eta / 2, -0.1, 0.0, 0.05, eta / 2):
        regrets = abs(np.clip(A * y, -1, 1) - 1)
        assert regrets.min() >= 1 / 2 - 1e-12
    covered = abs(np.clip(eta * y, -1, 1) - 1)
    assert covered.min() == pytest.approx(0)
