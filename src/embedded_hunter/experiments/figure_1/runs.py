"""One run of a campaign, a pure function of its task.

Only the effective rows of the matrices are made (design: effective coordinates), or all n with
`full`. The algorithms of the profile ``paper``:

embedded_hunter, embedded_hunter_indexed
    Algorithm 1 under the policies `fresh` and `indexed`.
resoo, sresoo
    The baselines, on cells that tile.
uniform_random_search
    Uniform on the cube.
radial_random_search
    x = P_X(s z) with the best fixed s among those that Algorithm 1 can reach, s <= sigma R sqrt(d),
    chosen with knowledge of the function from draws of its own: the best that one fixed radius can
    do.
radial_random_search_uniform
    The same with s uniform on [0, sigma R sqrt(d)]: no knowledge at all.

The knowledge experiment searches Y = [-d_e/eta, d_e/eta]^10: with R' in the place of R = d/eta a
run depends on sigma R' and M R' alone, so sigma and M are scaled by R'/R. Its SRESOO searches
[-1, 1]^10 as Table 1 says, where the other experiments have [-1, 1]^(d+1).
"""

import math
from functools import cache
from time import process_time
from typing import NamedTuple

import numpy as np

from embedded_hunter.baselines.random_search import Radial, Uniform, hunt_nothing
from embedded_hunter.baselines.resoo import hunt_resoo
from embedded_hunter.baselines.sresoo import sresoo_parts
from embedded_hunter.experiments.figure_1.plan import EXPERIMENTS, Parameters, Task, seed_of
from embedded_hunter.experiments.released.hunter import Record, embedded_hunter_released
from embedded_hunter.experiments.released.problems import released_problems
from embedded_hunter.experiments.released.resoo import resoo_released, sresoo_released
from embedded_hunter.problems.hidden import PROBLEMS, Problem
from embedded_hunter.projection import Floats, projection_of
from embedded_hunter.run.drive import Values, drive
from embedded_hunter.run.search import Search, search_of
from embedded_hunter.settings import Settings

ETA = 0.3
PILOT = 100_000
"""Draws for each scale from which the best one is chosen."""

FEW = 4
"""So many points are cheaper evaluated one by one than together."""


class Reading(NamedTuple):
    """What a run gives at one x."""

    x: int
    best_value: float


class Outcome(NamedTuple):
    """What a task gives, and what it took in seconds of processor time."""

    task: Task
    readings: tuple[Reading, ...]
    evaluations: int
    seconds: float


def perform(task: Task, full: bool = False) -> Outcome:
    """Make the run."""
    start = process_time()
    rows, evaluations = (_released if task.profile == "released" else _paper)(task, full)
    return Outcome(task, rows, evaluations, process_time() - start)


def _paper(task: Task, full: bool) -> tuple[tuple[Reading, ...], int]:
    assert task.x is not None
    at = EXPERIMENTS[task.experiment].parameters(task.x)
    # One instance for each problem and effective dimension, whatever n, v and M.
    problem = PROBLEMS[task.problem](
        max(at.n, at.d_e) if full else at.d_e,
        at.d_e,
        rng=np.random.default_rng(seed_of("paper", task.problem, at.d_e)),
    )
    rng = np.random.default_rng(task.seed())
    search = _search(task, at, problem, rng)
    visits = drive(search, lambda x: _values(problem, x))
    values = [value for _, values in visits for value in values]
    return (Reading(task.x, min(values)),), len(values)


def _search(task: Task, at: Parameters, problem: Problem, rng: np.random.Generator) -> Search:
    """Return the search that a task names."""
    knowledge = task.experiment == "effective-dimension-knowledge"
    rows = problem.n
    scale = at.d_e / at.d if knowledge else 1.0  # R'/R
    sigma = scale / math.sqrt(at.n)
    reach = sigma * at.d / ETA * math.sqrt(at.d)

    def settings(policy: str = "fresh", d: int = at.d, sigma: float = sigma) -> Settings:
        return Settings(
            max(at.n, d + 1),
            d,
            at.v,
            eta=ETA,
            M=at.M * scale,
            sigma=sigma,
            policy="indexed" if policy == "indexed" else "fresh",
        )

    match task.algorithm:
        case "embedded_hunter":
            return search_of(settings(), rng, rows)
        case "embedded_hunter_indexed":
            return search_of(settings("indexed"), rng, rows)
        case "resoo":
            indexed = settings("indexed")
            return Search(hunt_resoo(indexed, at.M), projection_of(indexed, rng, rows))
        case "sresoo":
            d = at.d - 1 if knowledge else at.d
            return Search(*sresoo_parts(settings(d=d, sigma=1 / math.sqrt(at.n)), at.M, rng, rows))
        case "uniform_random_search":
            return Search(hunt_nothing(at.v), Uniform(rng, rows))
        case "radial_random_search":
            s = best_scale(task.problem, at.d_e, at.v, reach)
            return Search(hunt_nothing(at.v), Radial(rng, rows, s, "fixed"))
        case "radial_random_search_uniform":
            return Search(hunt_nothing(at.v), Radial(rng, rows, reach, "uniform"))
        case other:
            raise ValueError(f"no algorithm {other!r}")


def _values(problem: Problem, x: Floats) -> Values:
    """Return the values at some points, given by all coordinates or by the effective ones."""
    if problem.n > problem.d_e:
        x = x[:, problem.coordinates]
    if len(x) <= FEW:
        return [float(problem.effective(point)) for point in x]
    return np.asarray(problem.effective(x.T))


@cache
def best_scale(name: str, d_e: int, v: int, reach: float) -> float:
    """Return the s <= reach with the least E[best of v], estimated on a grid of scales."""
    rng = np.random.default_rng(seed_of("scale", name, d_e))
    problem = PROBLEMS[name](d_e, d_e, rng=np.random.default_rng(seed_of("paper", name, d_e)))
    draws = max(2_000, min(PILOT, 4_000_000 // d_e))
    z: Floats = rng.standard_normal((d_e, draws))
    weights = _weights_of_the_best(v, draws)
    grid = [s for s in np.geomspace(1e-3, 3.0, 36) if s < reach] + [reach]

    def expected_best(s: float) -> float:
        values = np.sort(np.asarray(problem.effective(np.clip(s * z, -1.0, 1.0))))
        return float(values @ weights)

    return float(min(grid, key=expected_best))


def _weights_of_the_best(v: int, draws: int) -> Floats:
    """Weights of the order statistics in the mean of the least of v of them, with replacement."""
    survival = (1.0 - np.arange(draws + 1) / draws) ** v
    return np.asarray(survival[:-1] - survival[1:])


def _released(task: Task, full: bool) -> tuple[tuple[Reading, ...], int]:
    experiment = EXPERIMENTS[task.experiment]
    shared = task.x is None
    xs = (experiment.values[-1],) if task.x is None else experiment.values
    cells = [experiment.parameters(x) for x in xs]
    rngs = [
        np.random.default_rng(seed_of("released", task.experiment, task.problem, x)) for x in xs
    ]
    problems = released_problems(task.problem, [(at.n, at.d_e) for at in cells], rngs, full=full)
    place = 0 if task.x is None else xs.index(task.x)
    problem, at = problems[place], cells[place]
    rng = np.random.default_rng(task.seed())
    common = {"n": at.n, "d": at.d, "v": at.v, "M": at.M}
    program = {
        "embedded_hunter": embedded_hunter_released,
        "resoo": resoo_released,
        "sresoo": sresoo_released,
    }[task.algorithm]
    record: Record = program(problem, rng=rng, **common)
    if shared:
        rows = tuple(Reading(v, record.at(v)) for v in experiment.values)
    else:
        rows = (Reading(xs[place], record.best),)
    return rows, record.evaluations
