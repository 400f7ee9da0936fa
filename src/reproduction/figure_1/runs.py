"""One run of the experiments, a pure function of its task, and all runs of a campaign.

The methods are those of the registry, `reproduction.methods`. Only the effective rows of the
matrices are made (claim ``n-invariance``).

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
from reproduction.figure_1.plan import PART, RUNS, Task, tasks
from reproduction.kept_runs import FILE, Line, RunFile
from reproduction.methods import in_figure_1
from reproduction.optimizers.black_box import ProblemInfo, black_box
from reproduction.problems.registry import OF_PAPER, PROBLEMS
from reproduction.seeds import seed_of


def perform(task: Task) -> list[Line]:
    """Make the run; return its line."""
    start = process_time()
    method, at = in_figure_1()[task.algorithm], task.parameters
    # One instance for each problem and effective dimension, whatever n, v and M.
    problem = PROBLEMS[task.problem](
        max(at.n, at.d_e) if method.full else at.d_e,
        at.d_e,
        rng=np.random.default_rng(seed_of(PART, task.problem, at.d_e)),
    )
    box = black_box(problem, at.v)
    method.minimize(box, info_of(task), np.random.default_rng(task.seed()))
    seconds = process_time() - start
    return [{**task.line(), "value": box.best, "evaluations": box.evaluations, "seconds": seconds}]


def info_of(task: Task) -> ProblemInfo:
    """Return what a method is told in a run."""
    at = task.parameters
    info = ProblemInfo(at.n, at.d_e, at.d, at.M, sigma_n=at.n, function=task.problem)
    if task.experiment != "effective-dimension-knowledge":
        return info
    return replace(info, box_scale=at.d_e / at.d, d_sresoo=at.d - 1)


def reproduce(
    names: Iterable[str],
    folder: str | os.PathLike[str],
    *,
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
    runs
        Runs of each cell.
    problems, algorithms
        Which ones; all unless given.
    values
        Which values of the x axes; all unless given.
    jobs
        As of `campaign.complete`.

    Raises
    ------
    ValueError
        For an unknown name, or a folder that holds another campaign or a file that is damaged.
    campaign.WorkersDied
        If a worker died; what was finished is stored.
    """
    wanted = tasks(names, runs, problems, algorithms, values)
    file = RunFile(Path(folder) / FILE, part=PART, version=__version__)
    complete(file, wanted, lambda task: [task.line()], perform, jobs=jobs)
    return file
