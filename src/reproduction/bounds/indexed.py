"""Random runs of the policy indexed, compared with their computable regret bound at every step.

A trial is a random Lipschitz function with random matrices. After every sweep, every iteration and
every evaluation `follow` compares the regret with the bound, which is computed before the run from
the function and the matrices alone (claims indexed-regret-bound, lemma-1, theorem-2). It also
checks that each node of the optimal branch is expanded within its ``S_h`` sweeps, and that the
value of each expanded node is the one predicted without a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from embedded_hunter.hunter import Evaluation, Hunt, Visit, hunt
from embedded_hunter.projection import Indexed
from embedded_hunter.regret import (
    RegretBound,
    base_points,
    evaluations_of_nodes,
    indexed_node_values,
    indexed_regret_bound,
    optimal_branch,
)
from embedded_hunter.run.drive import next_visit
from embedded_hunter.settings import Settings, exact
from reproduction.bounds.lipschitz import FAMILIES, FloatArray, LipschitzFunction

Project = Callable[[Sequence[Evaluation]], FloatArray]

ROUNDING = 1e-9
"""Largest rounding error allowed in a regret, relative to the size of the values."""


@dataclass(frozen=True)
class Trial:
    """A function, the effective blocks B_1, B_2, ..., and the parameters of a run.

    Attributes
    ----------
    f : LipschitzFunction
        The function of the effective coordinates.
    blocks : ndarray, shape (P, d_e, d)
        Effective rows of the matrices.
    settings : Settings
        Parameters of the run.
    reference : ndarray, shape (d,)
        The point of Y whose branch is checked.
    project : callable
        Returns the points of the evaluations of a visit, shape (k, d_e).
    """

    f: LipschitzFunction
    blocks: FloatArray
    settings: Settings
    reference: FloatArray
    project: Project

    @property
    def gap(self) -> float:
        """``g_1(y) - f*`` at the reference point y."""
        x = np.clip(self.blocks[0] @ self.reference, -1, 1)
        return float(self.f.excess(x[None, :])[0])

    def bound(self) -> RegretBound:
        """Compute the bound from f and the matrices alone."""
        s = self.settings
        return indexed_regret_bound(
            self.f,
            self.f.f_star,
            self.f.lipschitz,
            self.blocks,
            K=s.K,
            R=s.radius,
            M=Fraction(exact(s.M)),
            h_max=s.h_max,
            gap=self.gap,
        )


@dataclass
class Report:
    """The comparisons of one run with its bound.

    Attributes
    ----------
    violations : list of str
        Each failed comparison, in words.
    comparisons : int
        The number of comparisons of a regret with its bound.
    reached : int
        The number of optimal nodes, of all depths, whose ``S_h`` sweeps were completed.
    """

    violations: list[str] = field(default_factory=list)
    comparisons: int = 0
    reached: int = 0

    def check(self, what: str, regret: float, bound: float, size: float) -> None:
        """Note a violation if the regret exceeds the bound."""
        self.comparisons += 1
        if regret > bound + ROUNDING * size:
            self.violations.append(f"{what}: regret {regret} > bound {bound}")


def matrices_needed(settings: Settings) -> int:
    """Return the greatest number of evaluations of one base point down to depth h_max + 1."""
    s = settings
    h = s.h_max + 1
    return int(evaluations_of_nodes(h, s.d, s.K, s.radius, Fraction(exact(s.M))).max())


def steps(
    run: Hunt, project: Project, f: LipschitzFunction
) -> Iterator[tuple[Visit, list[float], Visit | None]]:
    """Run a search; yield each visit, its values, and the next visit (None at the end).

    `run.drive` leaves out the visits that evaluate nothing, but the bounds hold for these too.
    """
    visit: Visit | None = next(run)
    while visit is not None:
        asked = visit.evaluations
        values: list[float] = f(project(asked)).tolist() if asked else []
        following = next_visit(run, values)
        yield visit, values, following
        visit = following


def follow(trial: Trial, bound: RegretBound | None = None) -> Report:
    """Run the search on the trial and compare it with its bound at every step.

    The visit that uses up the budget may be cut. Then it is not a complete iteration, and no bound
    in iterations applies to it.

    Parameters
    ----------
    trial : Trial
        The trial.
    bound : RegretBound, optional
        The bound to compare with; by default the trial's own.
    """
    s, f = trial.settings, trial.f
    bound, report = bound or trial.bound(), Report()
    size = max(1.0, abs(f.f_star), f.lipschitz)
    branch = optimal_branch(trial.reference, s.h_max, s.K, s.radius)
    expanded: dict[tuple[int, int], tuple[int, int]] = {}
    predicted: dict[int, FloatArray] = {}
    after_sweep: list[float] = [math.inf]  # one more for each complete sweep

    def check_values(h: int, i: int, value: float) -> None:
        if h not in predicted:
            predicted[h] = indexed_node_values(
                f, trial.blocks, h, s.K, s.radius, Fraction(exact(s.M))
            )
        if not abs(predicted[h][i] - value) <= ROUNDING * size:
            report.violations.append(f"value of node {h, i}: {value}, not {predicted[h][i]}")

    best, count = math.inf, 0
    for visit, values, following in steps(hunt(s), trial.project, f):
        for value in values:
            count, best = count + 1, min(best, value)
            report.check(
                f"evaluation {count}", best - f.f_star, bound.after_evaluations(count), size
            )
        for leaf, _ in visit.expansions:
            expanded[leaf.h, leaf.i] = visit.sweep, visit.t
            check_values(leaf.h, leaf.i, leaf.f_star)
        if count < s.v:
            after = bound.after_iterations(visit.t)
            report.check(f"iteration {visit.t}", best - f.f_star, after, size)
        complete = count < s.v if following is None else following.sweep > visit.sweep >= 1
        if complete:
            after_sweep.append(best - f.f_star)

    for sweeps, regret in enumerate(after_sweep):
        if sweeps:
            report.check(f"sweep {sweeps}", regret, bound.after_sweeps(sweeps), size)
    for h, S in enumerate(bound.sweeps):
        found = expanded.get((h, branch[h]))
        if found is None and len(after_sweep) > S:
            report.violations.append(f"the optimal node of depth {h} waits longer than {S} sweeps")
        if found is not None and (found[0] > S or found[1] > bound.iterations[h]):
            report.violations.append(f"the optimal node of depth {h}: {found}, S_h = {S}")
        report.reached += len(after_sweep) > S
    return report


def random_trial(
    rng: np.random.Generator, budgets: Sequence[int] = (50, 500, 3000, 10_000)
) -> Trial:
    """Draw a trial: d is 1 to 4; d_e is below, equal to or above d; n is up to 10^6.

    The function is from one of six families. With probability 3/4, the minimiser is the projection
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
