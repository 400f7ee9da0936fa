"""The bound of the policy family: never violated, tight where it can be, and it can be violated.

No statistics: a violation is a bug. The default run takes 100 random instances,
``HYPOTHESIS_PROFILE=nightly`` 1,000.
"""

import os
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from embedded_hunter.asktell import search_of
from embedded_hunter.family import FamilyVisit
from embedded_hunter.planted import Planted
from embedded_hunter.projection import Floats
from embedded_hunter.regret import (
    FamilyBound,
    coverage_of_matrices,
    family_evaluations_of_sweeps,
    family_node_values,
    family_regret_bound,
    minimum_norm_coverage,
)
from embedded_hunter.settings import Settings

COUNT = 1000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 100


@dataclass
class Cones:
    """Least of some cones; the Lipschitz constant is L, the minimum the least height."""

    centers: Floats
    heights: Floats
    L: float

    def __call__(self, x: Floats) -> Floats:
        away = np.linalg.norm(np.atleast_2d(x)[:, None, :] - self.centers, axis=2)
        return np.asarray(np.min(self.heights + self.L * away, axis=1))


class Ran(NamedTuple):
    """A run beside its bound: the regret after each complete sweep and after each evaluation."""

    bound: FamilyBound
    after_sweep: list[float]
    after_evaluation: list[float]


def instance(seed: int) -> Ran:
    """Run a random instance."""
    rng = np.random.default_rng([seed, 8])
    d_e = int(rng.integers(1, 4))
    d, K = d_e + int(rng.integers(0, 2)), int(rng.choice([3, 3, 5]))
    h_max, P = int(rng.integers(2, 6 if K == 3 else 4)), int(rng.integers(1, 5))
    settings = Settings(
        max(d, 5), d, int(rng.integers(50, 500)), K=K, h_max=h_max, policy="family",
        scale=float(rng.uniform(0.1, 1)), n_embeddings=P,
        class_rule=str(rng.choice(["depth", "norm"])),  # type: ignore[arg-type]
        zero_apart=bool(rng.random() < 0.7), refine=bool(rng.random() < 0.7),
    )  # fmt: skip
    run, projection = search_of(settings, np.random.default_rng(seed), d_e)
    assert isinstance(projection, Planted)
    blocks = np.array([projection.matrix(p + 1) for p in range(P)])
    R = float(settings.radius)
    references = rng.uniform(-R, R, (P, d))
    centers = rng.uniform(-1, 1, (int(rng.integers(1, 4)), d_e))
    if rng.random() < 0.7:  # one tree covers the optimum
        p = int(rng.integers(P))
        centers[0] = np.clip(blocks[p] @ references[p], -1, 1)
    heights = np.sort(rng.uniform(0, 1, len(centers)))
    f = Cones(centers, heights, float(rng.choice([0.5, 1.0, 3.0])))
    gaps = [
        float(f(np.clip(B @ y, -1, 1))[0] - heights[0])
        for B, y in zip(blocks, references, strict=True)
    ]
    bound = family_regret_bound(
        f, float(heights[0]), f.L, blocks, K=K, R=R, h_max=h_max,
        gaps=[max(gap, 0.0) for gap in gaps],
        classes=2 if settings.zero_apart else 1, refine=bool(settings.refine),
    )  # fmt: skip
    sweeps: list[float] = []
    evaluations: list[float] = []
    best = best_of_sweep = np.inf
    sweep, visit = 0, next(run)
    while True:
        if visit.sweep > sweep + 1:
            sweeps.append(best_of_sweep)
            sweep += 1
        values = f(projection.project(visit.evaluations)).tolist() if visit.evaluations else []
        for value in values:
            best = min(best, value - heights[0])
            evaluations.append(best)
        if isinstance(visit, FamilyVisit) and visit.plant is None:
            best_of_sweep = best
        try:
            visit = run.send(values)
        except StopIteration:
            break
    if settings.class_rule == "norm":  # more classes than `classes` says
        evaluations = []
    return Ran(bound, sweeps, evaluations)


def violations(ran: Ran, factor: float = 1.0) -> int:
    """How often the regret is above the bound, or above a part of it."""
    n = len(ran.after_evaluation)
    pairs = [(r, ran.bound.after_sweeps(s)) for s, r in enumerate(ran.after_sweep, 1)]
    pairs += [
        (ran.after_evaluation[v - 1], ran.bound.after_evaluations(v))
        for v in {*range(1, n, 17), n} - {0}
    ]
    return sum(regret > factor * bound for regret, bound in pairs)


@pytest.mark.claim("family-regret-bound", "family-theorem-2")
def test_the_bound_is_never_violated() -> None:
    checked = informative = 0
    for seed in range(COUNT):
        ran = instance(seed)
        assert violations(ran) == 0, seed
        checked += len(ran.after_sweep)
        informative += any(
            ran.bound.after_sweeps(s) < ran.bound.after_sweeps(0)
            for s in range(len(ran.after_sweep) + 1)
        )
    assert checked > 10 * COUNT
    assert informative > COUNT / 4


@pytest.mark.claim("family-regret-bound")
def test_a_bound_that_is_too_small_is_violated() -> None:
    """The same check finds that a fifth of the bound does not hold."""
    assert sum(violations(instance(seed), 0.2) > 0 for seed in range(100)) > 20


def test_one_tree_has_the_values_of_the_formula() -> None:
    rng = np.random.default_rng(3)
    blocks = rng.standard_normal((2, 3, 2))

    def f(x: Floats) -> Floats:
        return np.asarray(np.abs(x).sum(axis=1))

    values = family_node_values(f, blocks, 1, 3, 0.6)
    expected = [np.abs(np.clip(B[:, 0] * y, -1, 1)).sum() for B in blocks for y in (-0.4, 0, 0.4)]
    np.testing.assert_allclose(values, expected, rtol=1e-14)


@pytest.mark.claim("family-coverage")
def test_the_coverage_of_a_family() -> None:
    """1 - (1 - pi)^P, and what d = 2 d_e gives in the place of d = d_e.

    Ackley's optimum, .4634 in ten coordinates, sigma R = .25, the defaults: by its minimum-norm
    preimage alone.
    """
    assert coverage_of_matrices(0.3, 4) == pytest.approx(1 - 0.7 * 0.7 * 0.7 * 0.7, rel=1e-14)
    norm = float(np.linalg.norm(np.full(10, 0.4634)))
    one_tree = {d: minimum_norm_coverage(norm, d, 0.25, 1.0, 10) for d in (10, 20)}
    assert one_tree[10] < 0.002
    assert one_tree[20] > 0.67
    assert coverage_of_matrices(one_tree[10], 20) < 0.03
    assert coverage_of_matrices(one_tree[20], 20) > 1 - 1e-9


def test_evaluations_of_sweeps_counts_the_deepest_run() -> None:
    """Of a run whose every visit expands a leaf in both queues: 1 + 4 (1 + 2 + 3 + 3)."""
    assert family_evaluations_of_sweeps(4, 3, 2, refine=False) == 37
    assert family_evaluations_of_sweeps(4, 3, 2) == 2 * 37 + 6
    assert family_evaluations_of_sweeps(4, 3, 2, classes=1, refine=False) == 19


def test_a_missing_gap_is_an_error() -> None:
    with pytest.raises(ValueError, match="there are 2 trees, but 1 gaps"):
        family_regret_bound(
            lambda x: x[:, 0], 0.0, 1.0, np.ones((2, 1, 1)), K=3, R=1.0, h_max=2, gaps=[0.0]
        )
