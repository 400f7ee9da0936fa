"""`python -m reproduction reproduce`: all runs of some experiments, in parallel, never one twice.

The parent stores every run as soon as it is finished; the workers only compute. Kill it at any
moment and start it again: it goes on with what is missing and ends with the same numbers.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from embedded_hunter.version import __version__
from reproduction.figure_1.plan import EXPERIMENTS, PROBLEM_NAMES, RUNS, Profile, Task, tasks
from reproduction.figure_1.runs import Outcome, perform
from reproduction.figure_1.store import Store

ATTEMPTS = 5
"""How often the pool is started anew after a worker died."""


class WorkersDied(RuntimeError):
    """The processes of a campaign keep dying; what was finished is stored."""


def reproduce(
    names: Iterable[str],
    folder: str | os.PathLike[str],
    *,
    profile: Profile = "paper",
    runs: int = RUNS,
    problems: Iterable[str] = PROBLEM_NAMES,
    algorithms: Iterable[str] | None = None,
    values: Iterable[int] | None = None,
    jobs: int = 1,
    full: bool = False,
) -> Store:
    """Run what is missing of some experiments; write their CSV files.

    Parameters
    ----------
    names
        Experiments of Table 1 (`plan.EXPERIMENTS`).
    folder
        Where results are stored.
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
        Parallel workers; -1: one for each processor.
    full
        Make all n rows of the matrices in the place of the effective ones.

    Returns
    -------
    Store
        It holds these runs and all earlier ones of its folder.

    Raises
    ------
    ValueError
        For an unknown name, or a folder that holds another campaign or a file that is damaged.
    WorkersDied
        If workers keep dying; what was finished is stored.
    """
    wanted = list(tasks(names, profile, runs, problems, algorithms, values))
    rows = "full" if full else "effective"
    store = Store(folder, {"profile": profile, "rows": rows, "version": __version__})
    missing = [task for task in wanted if task not in store.outcomes]
    add_runs(store, missing, partial(perform, full=full), jobs)
    made = {task.experiment for task in wanted}
    store.write_csv(name for name in EXPERIMENTS if name in made)
    return store


def add_runs(store: Store, missing: list[Task], work: Callable[[Task], Outcome], jobs: int) -> None:
    """Do tasks, store each; on a terminal, say after each how many of them are done."""
    for number, outcome in enumerate(outcomes(missing, work, jobs), 1):
        store.add(outcome)
        if sys.stderr.isatty():
            end = "\n" if number == len(missing) else ""
            print(f"\r{number} of {len(missing)} runs", end=end, file=sys.stderr, flush=True)


def outcomes(
    missing: list[Task], work: Callable[[Task], Outcome], jobs: int = 1
) -> Iterator[Outcome]:
    """Do tasks; when a worker dies, begin again with those that have no outcome yet."""
    if jobs == 1:
        yield from map(work, missing)
        return
    import joblib
    from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

    left = set(missing)
    for _ in range(ATTEMPTS):
        try:
            pool = joblib.Parallel(jobs, return_as="generator_unordered", batch_size=1)
            calls = [joblib.delayed(work)(task) for task in missing if task in left]
            for outcome in pool(calls):
                left.remove(outcome.task)
                yield outcome
        except (TerminatedWorkerError, BrokenProcessPool) as error:
            reason = error
        else:
            return
    raise WorkersDied(f"workers died {ATTEMPTS} times; start again to go on") from reason
