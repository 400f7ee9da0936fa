"""One run of a campaign, a pure function of its task.

Only the effective rows of the matrices are made (claim ``n-invariance``), or all n with `full`. The
profile ``paper`` runs the methods of the registry, `reproduction.methods`; the profile ``released``
the behaviour of the authors' program.

The knowledge experiment searches Y = [-d_e/eta, d_e/eta]^10 in the place of the cube of half-width
R = d/eta. Its SRESOO searches [-1, 1]^10 as Table 1 says, where the other experiments have
[-1, 1]^(d+1).
"""

from dataclasses import replace
from time import process_time
from typing import NamedTuple

import numpy as np

from embedded_hunter.problems.hidden import PROBLEMS
from reproduction.figure_1.plan import EXPERIMENTS, Parameters, Task
from reproduction.methods import in_figure_1
from reproduction.optimizers.black_box import ProblemInfo, black_box
from reproduction.released.hunter import Record, embedded_hunter_released
from reproduction.released.problems import released_problems
from reproduction.released.resoo import resoo_released, sresoo_released
from reproduction.seeds import seed_of


class BestAt(NamedTuple):
    """The best value of a run at one x."""

    x: int
    best_value: float


class Outcome(NamedTuple):
    """What a task gives, and what it took in seconds of processor time."""

    task: Task
    best_values: tuple[BestAt, ...]
    evaluations: int
    seconds: float


def perform(task: Task, full: bool = False) -> Outcome:
    """Make the run."""
    start = process_time()
    rows, evaluations = (_released if task.profile == "released" else _paper)(task, full)
    return Outcome(task, rows, evaluations, process_time() - start)


def _paper(task: Task, full: bool) -> tuple[tuple[BestAt, ...], int]:
    assert task.x is not None
    method = in_figure_1()[task.algorithm]
    at = EXPERIMENTS[task.experiment].parameters(task.x)
    # One instance for each problem and effective dimension, whatever n, v and M.
    problem = PROBLEMS[task.problem](
        max(at.n, at.d_e) if full or method.full else at.d_e,
        at.d_e,
        rng=np.random.default_rng(seed_of("paper", task.problem, at.d_e)),
    )
    box = black_box(problem, at.v)
    method.minimize(box, info_of(task, at), np.random.default_rng(task.seed()))
    return (BestAt(task.x, box.best),), box.evaluations


def info_of(task: Task, at: Parameters) -> ProblemInfo:
    """Return what a method is told in a run of the profile ``paper``."""
    info = ProblemInfo(at.n, at.d_e, at.d, at.M, sigma_n=at.n, function=task.problem)
    if task.experiment != "effective-dimension-knowledge":
        return info
    return replace(info, box_scale=at.d_e / at.d, d_sresoo=at.d - 1)


def _released(task: Task, full: bool) -> tuple[tuple[BestAt, ...], int]:
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
        rows = tuple(BestAt(v, record.at(v)) for v in experiment.values)
    else:
        rows = (BestAt(xs[place], record.best),)
    return rows, record.evaluations
