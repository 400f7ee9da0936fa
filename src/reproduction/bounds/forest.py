"""Random runs of the policy forest, compared with their regret bound at every step.

A trial is a random Lipschitz function with random matrices, with or without refinement. `follow`
compares the regret with the least of the P bounds, which are computed before the run from the
function and the matrices alone (claims forest-regret-bound, forest-lemma-1, forest-theorem-2). It
does so after every sweep and every evaluation, and without refinement also after every iteration.
It also checks that each node of each tree's optimal branch is expanded within its ``S_h`` sweeps,
and it checks the value of each expanded node.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from embedded_hunter.forest.constants import CONSTANTS
from embedded_hunter.forest.points import ForestPoints
from embedded_hunter.forest.search import ForestVisit, hunt_forest
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.regret.forest import ForestBound, forest_node_values, forest_regret_bound
from embedded_hunter.regret.geometry import base_points
from embedded_hunter.regret.indexed import optimal_branch
from reproduction.bounds.indexed import ROUNDING, Project, Report, steps
from reproduction.bounds.lipschitz import FAMILIES, FloatArray, LipschitzFunction


@dataclass(frozen=True)
class ForestTrial:
    """A function, the effective rows of P embeddings, and the parameters of a run.

    Attributes
    ----------
    f : LipschitzFunction
        The function of the effective coordinates.
    blocks : ndarray, shape (P, d_e, d)
        Effective rows of the embeddings.
    settings : Settings
        Parameters of the run, of policy ``forest``.
    references : list of P ndarrays, shapes (d,)
        For each tree, the point of Y whose branch is checked.
    key : list of int
        The key of the run's streams.
    project : callable
        Returns the points of the evaluations of a visit, shape (k, d_e).
    """

    f: LipschitzFunction
    blocks: list[FloatArray]
    settings: ForestSettings
    references: list[FloatArray]
    key: list[int]
    project: Project

    def bound(self) -> ForestBound:
        """Compute the bound from f and the matrices alone."""
        s, f = self.settings, self.f
        return forest_regret_bound(
            f, f.f_star, f.lipschitz, self.blocks, self.references,
            K=s.K, R=[tree.radius for tree in s.trees], h_max=s.h_max,
        )  # fmt: skip


def follow(trial: ForestTrial, bound: ForestBound | None = None) -> Report:
    """Run the policy on the trial and compare it with its bound at every step.

    Parameters
    ----------
    trial : ForestTrial
        The trial.
    bound : ForestBound, optional
        The bound to compare with; by default the trial's own.
    """
    s, f = trial.settings, trial.f
    bound, report = bound or trial.bound(), Report()
    size = max(1.0, abs(f.f_star), f.lipschitz)
    local_search = CONSTANTS.generation if s.refine else 0
    radii = [tree.radius for tree in s.trees]
    values_at = {
        h: forest_node_values(f, trial.blocks, h, s.K, radii).ravel() for h in range(s.h_max + 1)
    }
    expanded: dict[tuple[int, int], int] = {}  # node: its sweep
    after_sweep = [math.inf]  # one more for each complete sweep
    best, count = math.inf, 0
    run = hunt_forest(s, trial.key)
    for visit, values, following in steps(run, trial.project, f):
        assert isinstance(visit, ForestVisit)
        for value in values:
            count, best = count + 1, min(best, value)
            limit = bound.after_evaluations(count, local_search=local_search)
            report.check(f"evaluation {count}", best - f.f_star, limit, size)
        if visit.local is None:
            for leaf, _ in visit.expansions:
                expanded[leaf.h, leaf.i] = visit.sweep
                told = values_at[leaf.h][leaf.i]
                if not abs(told - leaf.f_star) <= ROUNDING * size:
                    report.violations.append(
                        f"value of {leaf.h, leaf.i}: {leaf.f_star}, not {told}"
                    )
        if count < s.v and not s.refine:
            limit = bound.after_iterations(visit.t)
            report.check(f"iteration {visit.t}", best - f.f_star, limit, size)
        if following is None:
            complete = count < s.v
        else:
            assert isinstance(following, ForestVisit)
            ended = following.sweep > visit.sweep or following.local is not None
            complete = visit.sweep >= 1 and visit.local is None and ended
        if complete:
            after_sweep.append(best - f.f_star)
    _compare_sweeps(trial, bound, report, after_sweep, expanded)
    return report


def _compare_sweeps(
    trial: ForestTrial,
    bound: ForestBound,
    report: Report,
    after_sweep: Sequence[float],
    expanded: dict[tuple[int, int], int],
) -> None:
    """Compare the regret after each sweep, and when each optimal node was expanded."""
    s, f = trial.settings, trial.f
    size = max(1.0, abs(f.f_star), f.lipschitz)
    for sweeps, regret in enumerate(after_sweep):
        if sweeps:
            report.check(f"sweep {sweeps}", regret, bound.after_sweeps(sweeps), size)
    for t, tree in enumerate(bound.trees):
        branch = optimal_branch(trial.references[t], s.h_max, s.K, s.trees[t].radius)
        for h, S in enumerate(tree.sweeps):
            found = expanded.get((h, t * s.K**h + branch[h]))
            if found is None and len(after_sweep) > S:
                report.violations.append(f"tree {t}: o_{h} waits longer than {S} sweeps")
            if found is not None and found > S:
                report.violations.append(f"tree {t}: o_{h} in sweep {found}, S_h = {S}")
            report.reached += len(after_sweep) > S


def random_trial(rng: np.random.Generator, budgets: Sequence[int] = (50, 500, 3000)) -> ForestTrial:
    """Draw a trial: d is 1 to 3, or two of these in turns; d_e is 1 to 4; P is 1 to 4.

    The function is from one of six families. With probability 3/4, one embedding covers the
    minimiser. The references of the other trees are their best base points of depth h_max.
    """
    dimensions = sorted({int(rng.integers(1, 4)), int(rng.integers(1, 4))})
    d_e, P = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    K = int(rng.choice([3, 3, 5]))
    settings = ForestSettings(
        5,
        int(rng.choice(budgets)),
        dimensions=dimensions,
        evolve=False,
        eta=float(rng.choice([0.05, 0.3, 0.9])),
        K=K,
        h_max=int(rng.integers(0, 7 if K == 3 else 4)),
        scale=float(np.exp(rng.uniform(-3, 1))),
        n_embeddings=P,
        refine=bool(rng.random() < 0.5),
    )
    projection = ForestPoints(settings, rng, d_e)
    blocks = [projection.matrix(p) for p in range(1, P + 1)]
    radii = [float(tree.radius) for tree in settings.trees]
    points = [
        base_points(settings.h_max, tree.d, K, R)
        for tree, R in zip(settings.trees, radii, strict=True)
    ]
    t = int(rng.integers(P))
    reference = rng.uniform(-radii[t], radii[t], settings.trees[t].d) * rng.uniform(0, 1)
    covered = rng.random() < 0.75
    x_star = np.clip(blocks[t] @ reference, -1, 1) if covered else rng.uniform(-1, 1, d_e)
    f = FAMILIES[int(rng.integers(len(FAMILIES)))](rng, x_star)
    references = [
        of_tree[int(np.argmin(f.excess(np.clip(of_tree @ B.T, -1, 1))))]
        for of_tree, B in zip(points, blocks, strict=True)
    ]
    if covered:
        references[t] = reference
    return ForestTrial(f, blocks, settings, references, projection.key, projection.project)
