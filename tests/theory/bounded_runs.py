"""Random runs of the policy indexed, compared with their regret bounds at every step.

A trial is a random Lipschitz function with random matrices. `follow` compares the regret with the
bound, which is computed before the run from the function and the matrices alone. It does so after
every evaluation, sweep and iteration. It also checks that each node of the optimal branch is
expanded within its ``S_h`` sweeps, and that the value of each expanded node is the one predicted
without a run.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from embedded_hunter.common.arguments import exact
from embedded_hunter.forest.constants import SHARES
from embedded_hunter.forest.trees import Forest
from embedded_hunter.hunter import hunt
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node
from embedded_hunter.projection import Indexed, next_visit
from embedded_hunter.run.policy import AnyHunt, AnyVisit
from embedded_hunter.settings import Settings
from reproduction.theory.finite_time import RegretBound, iterations_of_sweeps
from reproduction.theory.geometry import base_points, evaluations_of_nodes
from reproduction.theory.indexed import indexed_node_values, indexed_regret_bound, optimal_branch
from theory.lipschitz_families import FAMILIES, LipschitzFunction


class OneQueue(Forest):
    """All leaves of a depth are one class."""

    def rank_of(self, node: Node) -> int:
        """Return 0."""
        return 0


def forest_evaluations_of_sweeps(
    sweeps: int, K: int, h_max: int, *, P: int = 1, local_search: int = 0
) -> int:
    """Evaluations after which `sweeps` sweeps of the forest are complete, or the forest is full.

    S sweeps of a forest with one class for each depth and queue make at most ``E(S) = 1 + (K - 1)
    sum_{s <= S} min(s, h_max + 1)`` evaluations. Before sweep S ends, a local search that makes at
    most B evaluations each time it is asked has made at most ``3 E(S - 1) + B - 1`` under rule F6,
    and none if ``S <= P``. The result is one more than their sum.
    With P = 1 it is valid for any number of trees.
    """
    most = 1 + (K - 1) * iterations_of_sweeps(sweeps, h_max)
    if local_search > 0 and sweeps > P:
        before = 1 + (K - 1) * iterations_of_sweeps(sweeps - 1, h_max)
        most += (SHARES.each - 1) * before + local_search - 1
    return 1 + most


Project = Callable[[Sequence[Any]], Floats]
"""Returns the points of the evaluations of a visit, shape (k, d_e)."""
OptimalNodes = Iterator[tuple[tuple[int, int], int, float]]
"""Nodes (h, i) of an optimal branch, and in how many sweeps and iterations each is expanded."""
ROUNDING = 1e-9
"""Largest rounding error allowed in a regret, relative to the size of the values."""


@dataclass(frozen=True)
class Trial:
    """A function, the effective blocks B_1, B_2, ..., and the parameters of a run of ``indexed``.

    The blocks have the shape (P, d_e, d). The reference, shape (d,), is the point of Y whose branch
    is checked.
    """

    f: LipschitzFunction
    blocks: Floats
    settings: Settings
    reference: Floats
    project: Project

    @property
    def gap(self) -> float:
        """``g_1(y) - f*`` at the reference point y."""
        x = np.clip(self.blocks[0] @ self.reference, -1, 1)
        return float(self.f.excess(x[None, :])[0])

    def bound(self) -> RegretBound:
        s, f = self.settings, self.f
        return indexed_regret_bound(
            f, f.f_star, f.lipschitz, self.blocks,
            K=s.K, R=s.radius, M=Fraction(exact(s.M)), h_max=s.h_max, gap=self.gap,
        )  # fmt: skip

    def run(self) -> AnyHunt:
        return hunt(self.settings)

    def values_at(self, h: int) -> Floats:
        s = self.settings
        return indexed_node_values(self.f, self.blocks, h, s.K, s.radius, Fraction(exact(s.M)))

    def optimal_nodes(self, bound: RegretBound) -> OptimalNodes:
        s = self.settings
        branch = optimal_branch(self.reference, s.h_max, s.K, s.radius)
        for h, sweeps in enumerate(bound.sweeps):
            yield (h, branch[h]), sweeps, bound.iterations[h]


@dataclass
class Report:
    """The comparisons of one run with its bound."""

    violations: list[str] = field(default_factory=list)
    """Each failed comparison, in words."""
    comparisons: int = 0
    """The number of comparisons of a regret with its bound."""
    reached: int = 0
    """The number of optimal nodes, of all depths, whose ``S_h`` sweeps were completed."""

    def check(self, what: str, regret: float, bound: float, size: float) -> None:
        """Note a violation if the regret exceeds the bound."""
        self.comparisons += 1
        if regret > bound + ROUNDING * size:
            self.violations.append(f"{what}: regret {regret} > bound {bound}")


def steps(trial: Trial) -> Iterator[tuple[AnyVisit, list[float], AnyVisit | None]]:
    """Run a search; yield each visit, its values, and the next visit (None at the end).

    `projection.drive` leaves out visits that evaluate nothing, but the bounds hold for these, too.
    """
    run = trial.run()
    visit: AnyVisit | None = next(run)
    while visit is not None:
        asked = visit.evaluations
        values: list[float] = trial.f(trial.project(asked)).tolist() if asked else []
        following = next_visit(run, values)
        yield visit, values, following
        visit = following


def follow(trial: Trial, bound: RegretBound | None = None) -> Report:
    """Run a trial and compare it with a bound at every step; by default its own.

    The visit that uses up the budget may be cut. Then it is not a complete iteration, and no bound
    in iterations applies to it.
    """
    s, f = trial.settings, trial.f
    bound, report = bound or trial.bound(), Report()
    size = max(1.0, abs(f.f_star), f.lipschitz)
    values_at = cache(trial.values_at)
    expanded: dict[tuple[int, int], tuple[int, int]] = {}
    after_sweep = [math.inf]  # one more for each complete sweep
    best, count = math.inf, 0
    for visit, values, following in steps(trial):
        for value in values:
            count, best = count + 1, min(best, value)
            limit = bound.after_evaluations(count)
            report.check(f"evaluation {count}", best - f.f_star, limit, size)
        for leaf, _ in visit.expansions:
            expanded[leaf.h, leaf.i] = visit.sweep, visit.t
            told = values_at(leaf.h)[leaf.i]
            if not abs(told - leaf.f_star) <= ROUNDING * size:
                report.violations.append(f"value of {leaf.h, leaf.i}: {leaf.f_star}, not {told}")
        if count < s.v:
            limit = bound.after_iterations(visit.t)
            report.check(f"iteration {visit.t}", best - f.f_star, limit, size)
        complete = count < s.v if following is None else 1 <= visit.sweep < following.sweep
        if complete:
            after_sweep.append(best - f.f_star)
    for sweeps, regret in enumerate(after_sweep[1:], 1):
        report.check(f"sweep {sweeps}", regret, bound.after_sweeps(sweeps), size)
    for node, sweeps, iterations in trial.optimal_nodes(bound):
        found = expanded.get(node)
        if found is None and len(after_sweep) > sweeps:
            report.violations.append(f"the optimal node {node} waits longer than {sweeps} sweeps")
        if found is not None and (found[0] > sweeps or found[1] > iterations):
            report.violations.append(f"the optimal node {node}: {found}, S_h = {sweeps}")
        report.reached += len(after_sweep) > sweeps
    return report


def random_trial(
    rng: np.random.Generator, budgets: Sequence[int] = (50, 500, 3000, 10_000)
) -> Trial:
    """Draw a trial: d is 1 to 4; d_e is below, equal to or above d; n is up to 10^6.

    The function is from one of four families. With probability 3/4, the minimiser is the projection
    of a point of Y (the coverage event). Otherwise it is anywhere in the cube, and the reference is
    the best base point of depth h_max.
    """
    d, d_e = int(rng.integers(1, 5)), int(rng.integers(1, 6))
    K = int(rng.choice([3, 3, 5]))
    h_max = int(rng.integers(0, 8 if K == 3 else 5))
    n = max(d, d_e, int(rng.choice([1, 10, 10**2, 10**4, 10**6])))
    sigma = None if rng.random() < 0.5 else float(np.exp(rng.uniform(-4, 0.5)))
    settings = Settings(
        n,
        d,
        int(rng.choice(budgets)),
        eta=float(rng.choice([0.05, 0.3, 0.5, 0.9])),
        K=K,
        M=Fraction(int(rng.integers(0, 9)), int(rng.choice([1, 2, 10]))),
        h_max=h_max,
        sigma=sigma,
        policy="indexed",
    )
    project = Indexed(settings, rng, rows=d_e)
    blocks = np.array([project.matrix(p) for p in range(1, matrices_needed(settings) + 1)])
    R = float(settings.radius)
    covered = rng.random() < 0.75
    reference = rng.uniform(-R, R, d) * rng.uniform(0, 1)
    x_star = np.clip(blocks[0] @ reference, -1, 1) if covered else rng.uniform(-1, 1, d_e)
    f = FAMILIES[int(rng.integers(len(FAMILIES)))](rng, x_star)
    if not covered:
        points = base_points(h_max, d, K, R)
        reference = points[int(np.argmin(f.excess(np.clip(points @ blocks[0].T, -1, 1))))]
    return Trial(f, blocks, settings, reference, project.project)


def matrices_needed(settings: Settings) -> int:
    """Return the greatest number of evaluations of one base point down to depth h_max + 1."""
    s = settings
    M = Fraction(exact(s.M))
    return int(evaluations_of_nodes(s.h_max + 1, s.d, s.K, s.radius, M).max())
