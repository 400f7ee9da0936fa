"""Make the runs of a campaign that are missing, in parallel, never one twice.

This process stores every run as soon as it is finished; the workers only compute. Kill it at any
moment and start it again: it goes on with what is missing and ends with the same numbers.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from reproduction.kept_runs import Line, RunFile

Job = TypeVar("Job")


class WorkersDied(RuntimeError):
    """A worker of a campaign died; what was finished is stored."""


def complete(
    file: RunFile,
    wanted: Sequence[Job],
    lines_of: Callable[[Job], Sequence[Line]],
    perform: Callable[[Job], list[Line]],
    *,
    jobs: int = 1,
) -> None:
    """Make the runs that a file lacks and add them to it; a terminal sees how many are made.

    Parameters
    ----------
    lines_of
        Returns the names of the lines of a run.
    perform
        Makes a run, returns its lines.
    jobs
        Parallel workers on this machine; -1: one for each processor.

    Raises
    ------
    WorkersDied
        If a worker died; what was finished is stored.
    """
    missing = [job for job in wanted if not all(line in file for line in lines_of(job))]
    for number, lines in enumerate(performed(missing, perform, jobs), 1):
        file.add(lines)
        if sys.stderr.isatty():
            end = "\n" if number == len(missing) else ""
            print(f"\r{number} of {len(missing)} runs", end=end, file=sys.stderr, flush=True)


def performed(
    missing: Sequence[Job], perform: Callable[[Job], list[Line]], jobs: int = 1
) -> Iterator[list[Line]]:
    """Make runs, in the order in which they end."""
    if jobs == 1:
        yield from map(perform, missing)
        return
    import joblib
    from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError

    pool = joblib.Parallel(jobs, return_as="generator_unordered", batch_size=1)
    try:
        yield from pool(joblib.delayed(perform)(job) for job in missing)
    except (TerminatedWorkerError, BrokenProcessPool) as error:
        raise WorkersDied("a worker died; start again to go on") from error
