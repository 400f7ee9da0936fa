"""Make the missing runs of the benchmark, and write its tables and its figure.

As in `reproduce`, every run is stored as soon as it is finished. A campaign that was stopped
continues with the runs that are missing.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from embedded_hunter.version import __version__
from reproduction.benchmark import figure, overhead, pages, report, results
from reproduction.benchmark.methods import method_of
from reproduction.benchmark.plan import BUDGETS, PROFILE
from reproduction.benchmark.runs import perform
from reproduction.figure_1.campaign import add_runs
from reproduction.figure_1.plan import Task
from reproduction.figure_1.store import Store


def make_runs(wanted: Sequence[Task], folder: str | os.PathLike[str], *, jobs: int = 1) -> Store:
    """Make the runs that are missing and write ``results.csv``.

    Cells of an earlier ``results.csv`` of the folder that the store does not have are kept, so that
    a campaign can add to results whose store is not there.

    Returns
    -------
    Store
        It holds these runs and all earlier ones of its folder.

    Raises
    ------
    ValueError
        If the folder holds another campaign.
    """
    store = Store(folder, {"profile": PROFILE, "version": __version__})
    add_runs(store, [task for task in wanted if not _is_done(task, store)], perform, jobs)
    there = (Path(folder) / results.NAME).exists()
    earlier = results.read(folder) if there else {}
    results.write({**earlier, **results.of_runs(store.outcomes.values())}, folder)
    return store


def _is_done(task: Task, store: Store) -> bool:
    """Whether a run is stored, or a longer run of an anytime method."""
    assert task.x is not None
    longer = [v for v in BUDGETS if v > task.x] if method_of(task.algorithm).anytime else []
    return any(task._replace(x=v) in store.outcomes for v in (task.x, *longer))


def present(
    folder: str | os.PathLike[str],
    picture: bool = True,
    files: Iterable[str | os.PathLike[str]] = (),
) -> list[Path]:
    """Write the tables and, if wanted, the figure, from the files of a folder.

    Parameters
    ----------
    picture
        Whether to draw the figure.
    files
        Markdown files whose tables and numbers are brought up to date (see `pages`). Without any,
        all tables are written into ``tables.md``.

    Raises
    ------
    ValueError
        If the folder holds no results, or a page asks for what is not there.
    RuntimeError
        If matplotlib is missing.
    """
    found = results.read(folder)
    tables = report.blocks(found, overhead.read(folder))
    written = list(map(Path, files))
    for page in written:
        pages.update(page, tables, found)
    if not written:
        written = [Path(folder) / "tables.md"]
        written[0].write_text(report.document(tables), encoding="utf-8")
    return [*written, *(figure.draw(found, folder) if picture else [])]
