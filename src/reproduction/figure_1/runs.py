"""One run of the experiments, a pure function of its task, and all runs of a campaign.

Only the effective rows of the matrices are made (claim ``n-invariance``). The profile ``paper``
runs the methods of the registry, `reproduction.methods`; the profile ``released`` the behaviour of
the authors' program.

The knowledge experiment searches Y = [-d_e/eta, d_e/eta]^10 instead of the cube of half-width
R = d/eta. Its SRESOO searches [-1, 1]^10 as Table 1 says, where the other experiments have
[-1, 1]^(d+1).
"""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

from embedded_hunter.version import __version__
from reproduction.campaign import complete
from reproduction.figure_1.plan import EXPERIMENTS, RUNS, AxisPoint, Profile, Task, tasks
from reproduction.kept_runs import FILE, Line, RunFile
from reproduction.methods import in_figure_1
from reproduction.optimizers.black_box import ProblemInfo, black_box
from reproduction.problems.registry import OF_PAPER, PROBLEMS
from reproduction.released.hunter import Record, embedded_hunter_released
from reproduction.released.problems import released_problems
from reproduction.released.resoo import resoo_released, sresoo_released
from reproduction.seeds import seed_of


def perform(task: Task) -> list[Line]:
    """Make the run; return its lines. The last one has what it took in all."""
    start = process_time()
    values, evaluations = (_released if task.profile == "released" else _paper)(task)
    lines = [{**line, "value": value} for line, value in zip(task.lines(), values, strict=True)]
    lines[-1] |= {"evaluations": evaluations, "seconds": process_time() - start}
    return lines


def reproduce(
    names: Iterable[str],
    folder: str | os.PathLike[str],
    *,
    profile: Profile = "paper",
    runs: int = RUNS,
    problems: Iterable[str] = OF_PAPER,
    algorithms: Iterable[str] | None = None,
    values: Iterable[int] | None = None,
    jobs: int = 1,
) -> RunFile:
    """Make the runs of some experiments that are missing; return the table of the campaign.

    Parameters
    ----------
    names
        Experiments of Table 1 (`plan.EXPERIMENTS`).
    folder
        Where the table is, ``runs.csv``.
    profile
        ``"paper"``: the paper's text; ``"released"``: the behaviour of the authors' program.
    runs
        Runs of each cell.
    problems, algorithms
        Which ones; all unless given.
    values
        Which values of the x axes; all unless given. In the profile ``"released"`` one run of the
        convergence experiment gives all its values, which cannot be chosen.
    jobs
        As of `campaign.complete`.

    Raises
    ------
    ValueError
        For an unknown name, or a folder that holds another campaign or a file that is damaged.
    campaign.WorkersDied
        If workers keep dying; what was finished is stored.
    """
    wanted = list(tasks(names, profile, runs, problems, algorithms, values))
    file = RunFile(Path(folder) / FILE, part=profile, version=__version__)
    complete(file, wanted, lambda task: task.lines(), perform, jobs=jobs)
    return file


def _paper(task: Task) -> tuple[list[float], int]:
    assert task.x is not None
    method = in_figure_1()[task.algorithm]
    at = EXPERIMENTS[task.experiment].parameters(task.x)
    # One instance for each problem and effective dimension, whatever n, v and M.
    problem = PROBLEMS[task.problem](
        max(at.n, at.d_e) if method.full else at.d_e,
        at.d_e,
        rng=np.random.default_rng(seed_of("paper", task.problem, at.d_e)),
    )
    box = black_box(problem, at.v)
    method.minimize(box, info_of(task, at), np.random.default_rng(task.seed()))
    return [box.best], box.evaluations


def info_of(task: Task, at: AxisPoint) -> ProblemInfo:
    """Return what a method is told in a run of the profile ``paper``."""
    info = ProblemInfo(at.n, at.d_e, at.d, at.M, sigma_n=at.n, function=task.problem)
    if task.experiment != "effective-dimension-knowledge":
        return info
    return replace(info, box_scale=at.d_e / at.d, d_sresoo=at.d - 1)


def _released(task: Task) -> tuple[list[float], int]:
    experiment = EXPERIMENTS[task.experiment]
    xs = (experiment.values[-1],) if task.x is None else experiment.values
    cells = [experiment.parameters(x) for x in xs]
    rngs = [
        np.random.default_rng(seed_of("released", task.experiment, task.problem, x)) for x in xs
    ]
    problems = released_problems(task.problem, [(at.n, at.d_e) for at in cells], rngs)
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
    if task.x is None:
        return [record.at(v) for v in experiment.values], record.evaluations
    return [record.best], record.evaluations
