"""`python -m reproduction reproduce`: all runs of some experiments, in parallel, never one twice.

The parent stores every run as soon as it is finished; the workers only compute. Kill it at any
moment and start it again: it goes on with what is missing and ends with the same numbers.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Literal

from embedded_hunter.version import __version__
from reproduction.figure_1.plan import (
    EXPERIMENTS,
    PROBLEM_NAMES,
    RUNS,
    Profile,
    Task,
    cost,
    tasks,
)
from reproduction.figure_1.runs import Outcome, perform
from reproduction.figure_1.store import Store, facts_of, name_of

Backend = Literal["loky", "dask"]
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
    backend: Backend = "loky",
    full: bool = False,
    progress: bool = True,
) -> Store:
    """Run what is missing of some experiments; write their CSV files and ``made.json``.

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
    backend
        joblib's: ``"loky"``, processes here; ``"dask"``, the cluster of the active Dask client.
    full
        Make all n rows of the matrices in the place of the effective ones.
    progress
        Whether to show a bar with the time left (on a terminal).

    Returns
    -------
    Store
        Open; it holds these runs and all earlier ones of its folder.

    Raises
    ------
    ValueError
        For an unknown name, or a folder that holds another campaign or a file that is damaged.
    WorkersDied
        If workers keep dying; what was finished is stored.
    """
    wanted = list(tasks(names, profile, runs, problems, algorithms, values))
    store = Store(folder, facts_of(profile, full, __version__))
    done = store.done()
    missing = [task for task in wanted if name_of(task) not in done]
    with _bar(len(wanted), wanted, missing, progress) as advance:
        for outcome in outcomes(missing, partial(perform, full=full), jobs, backend):
            store.add(outcome)
            advance(outcome.task)
    made = {task.experiment for task in wanted}
    store.write_csv(name for name in EXPERIMENTS if name in made)
    store.write_made()
    return store


def outcomes(
    missing: list[Task], work: Callable[[Task], Outcome], jobs: int = 1, backend: Backend = "loky"
) -> Iterator[Outcome]:
    """Do tasks; when a worker dies, begin again with those that have no outcome yet."""
    if jobs == 1 and backend == "loky":
        yield from map(work, missing)
        return
    joblib = _joblib()
    died = _died()
    left = {name_of(task): task for task in missing}
    for _ in range(ATTEMPTS):
        try:
            # The context, not an argument, is what makes joblib look for Dask's backend.
            with joblib.parallel_config(backend=backend, n_jobs=jobs):
                pool = joblib.Parallel(return_as="generator_unordered", batch_size=1)
                calls = [joblib.delayed(work)(task) for task in left.values()]
                for outcome in pool(calls):
                    del left[name_of(outcome.task)]
                    yield outcome
        except died as error:
            reason = error
        else:
            return
    raise WorkersDied(f"workers died {ATTEMPTS} times; start again to go on") from reason


def _joblib() -> Any:
    try:
        import joblib
    except ImportError as error:
        raise RuntimeError(
            "parallel campaigns need joblib: pip install -e '.[experiments]' in a checkout"
        ) from error
    return joblib


def _died() -> tuple[type[BaseException], ...]:
    from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

    return (TerminatedWorkerError, BrokenProcessPool)


def _bar(
    total: int, wanted: list[Task], missing: list[Task], progress: bool
) -> AbstractContextManager[Callable[[Task], object]]:
    """Return a context that gives a function to be called with each finished task."""
    if not progress or not sys.stderr.isatty():
        return nullcontext(lambda task: None)
    try:
        from tqdm import tqdm
    except ImportError:
        return nullcontext(lambda task: None)
    return _Bar(tqdm, wanted, missing)


class _Bar:
    """A bar over the cost of the tasks, so that its time left is not fooled by cheap ones."""

    def __init__(self, tqdm: Any, wanted: list[Task], missing: list[Task]) -> None:
        whole = sum(map(cost, wanted))
        begun = whole - sum(map(cost, missing))
        self._bar = tqdm(
            total=round(whole),
            initial=round(begun),
            unit="eval",
            unit_scale=True,
            desc=f"{len(missing)} runs",
        )

    def __enter__(self) -> Callable[[Task], object]:
        return lambda task: self._bar.update(round(cost(task)))

    def __exit__(self, *_: object) -> None:
        self._bar.close()
