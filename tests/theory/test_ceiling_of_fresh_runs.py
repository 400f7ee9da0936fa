"""The ceiling of the policy fresh: no rule beats it in probability, the best radius attains it.

"In probability": no rule reaches a given value within the budget with a greater probability.

f is the distance to a point in two or three effective coordinates, whose success probabilities are
known exactly (noncentral chi-square), or Ackley's in ten, with certified Monte Carlo bounds.
Counts of successful runs are compared with the binomial law at the ceiling, one-sided at 1e-6.
"""

import numpy as np
import pytest
from scipy import optimize, stats

from embedded_hunter.settings import MatrixPolicy, Settings
from reproduction.theory.ceiling import (
    ceiling,
)
from theory.cone_law import distance_success_probability
from theory.effective_rows import values_of_run

Array = np.typing.NDArray[np.float64]
LEVEL = 1e-6
V, RUNS = 300, 120
CASES = [(2, 0.02), (3, 0.1)]  # (d_e, regret): ceilings 0.10 and 0.16


def optimum(d_e: int) -> Array:
    return np.full(d_e, 0.4634)


def distance(x: Array) -> Array:
    return np.asarray(np.linalg.norm(x - optimum(x.shape[1]), axis=1))


def best_scale(d_e: int, eps: float) -> tuple[float, float]:
    """The scale with the greatest success probability, and that probability (unimodal)."""
    norm = float(np.linalg.norm(optimum(d_e)))
    answer = optimize.minimize_scalar(
        lambda s: -distance_success_probability(eps, norm, d_e, s),
        bounds=(0.05, 3),
        method="bounded",
    )
    return float(answer.x), -float(answer.fun)


def ceiling_of_runs(d_e: int, eps: float) -> float:
    return float(ceiling(best_scale(d_e, eps)[1], V))


def best_values(d_e: int, policy: MatrixPolicy, seed: int) -> Array:
    """The best values of RUNS runs of EmbeddedHunter, V evaluations each."""
    settings = Settings(100, d_e, V, eta=0.3, policy=policy)
    return np.array(
        [
            values_of_run(distance, settings, np.random.default_rng([seed, k]), d_e).min()
            for k in range(RUNS)
        ]
    )


def too_many(count: int, runs: int, p: float) -> float:
    """Probability of at least so many successes if each run succeeds with probability p."""
    return float(stats.binom.sf(count - 1, runs, p))


@pytest.mark.long
@pytest.mark.claim("fresh-ceiling")
@pytest.mark.parametrize(("d_e", "eps"), CASES)
def test_embedded_hunter_with_fresh_matrices_stays_under_the_ceiling(d_e: int, eps: float) -> None:
    """False-alarm rate 1e-6 at most for each case, whatever the law of its radii."""
    count = int(np.sum(best_values(d_e, "fresh", 1) <= eps))
    assert too_many(count, RUNS, ceiling_of_runs(d_e, eps)) > LEVEL


@pytest.mark.long
@pytest.mark.claim("fresh-ceiling", "indexed-regret-bound")
@pytest.mark.parametrize(("d_e", "eps"), CASES)
def test_reusing_matrices_beats_the_ceiling(d_e: int, eps: float) -> None:
    """Power: the indexed policy, with the same tree and budget, fails the same test."""
    count = int(np.sum(best_values(d_e, "indexed", 2) <= eps))
    assert too_many(count, RUNS, ceiling_of_runs(d_e, eps)) < LEVEL


@pytest.mark.claim("fresh-ceiling")
@pytest.mark.parametrize("rule", ["best", "uniform", "adaptive"])
@pytest.mark.parametrize(("d_e", "eps"), CASES)
def test_random_search_over_radii_stays_under_the_ceiling(d_e: int, eps: float, rule: str) -> None:
    """1500 runs of each rule. The best constant radius attains the ceiling (two-sided, 1e-6).

    ``adaptive`` keeps its radius near that of its best point so far.
    """
    rng, runs = np.random.default_rng(3), 1500
    s, _ = best_scale(d_e, eps)
    scale = np.full(runs, 2 * s if rule == "adaptive" else s)
    best = np.full(runs, np.inf)
    at_best = scale.copy()
    for _ in range(V):
        if rule == "uniform":
            scale = rng.uniform(0, 1, runs)
        if rule == "adaptive":
            scale = at_best * np.exp(0.3 * rng.standard_normal(runs))
        values = distance(np.clip(scale[:, None] * rng.standard_normal((runs, d_e)), -1, 1))
        at_best = np.where(values < best, scale, at_best)
        best = np.minimum(best, values)
    count, p = int(np.count_nonzero(best <= eps)), ceiling_of_runs(d_e, eps)
    assert too_many(count, runs, p) > LEVEL
    if rule == "best":
        assert stats.binom.cdf(count, runs, p) > LEVEL
