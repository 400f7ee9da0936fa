"""One run of a comparison, a pure function of its task; all runs of one, and what shows them.

A function of d_e known coordinates sees only d_e rows of an embedding, and rows are independent:
if a method treats each coordinate independently of the others, the other coordinates are left out.
The law of the run stays the same (claim ``n-invariance``; the rows of a count sketch are
independent too). Methods marked `full`, and all of them on rotated problems,
get all n coordinates.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time

import numpy as np

from embedded_hunter.version import __version__
from reproduction.benchmark import figure, overhead, pages, report
from reproduction.benchmark.plan import (
    PART,
    SETS,
    lines_of,
    problem_of,
    read_at,
    seed_of_method,
)
from reproduction.benchmark.results import Results, results_of
from reproduction.campaign import complete
from reproduction.figure_1.plan import Task
from reproduction.kept_runs import FILE, Line, RunFile, read
from reproduction.methods import D_E, METHODS
from reproduction.optimizers.black_box import ProblemInfo, black_box


def perform(task: Task) -> list[Line]:
    """Make the run; return its lines. The last one has what it took in all."""
    start = process_time()
    method, problem_set = METHODS[task.algorithm], SETS[task.experiment]
    assert task.x is not None
    problem = problem_of(task, n=None if method.full or problem_set.rotated else D_E)
    box = black_box(problem, task.x, read_at(task))
    info = ProblemInfo(problem_set.n, D_E)
    method.minimize(box, info, np.random.default_rng(seed_of_method(task)))
    lines = [{**line, "value": box.best_at.get(line["v"], box.best)} for line in lines_of(task)]
    lines[-1] |= {"evaluations": box.evaluations, "seconds": process_time() - start}
    return lines


def make_runs(
    wanted: Sequence[Task],
    folder: str | os.PathLike[str],
    *,
    jobs: int = 1,
    cluster: str | None = None,
) -> RunFile:
    """Make the runs that are missing; return the table of the comparison.

    Parameters
    ----------
    folder
        Where the table is, ``runs.csv``.
    jobs, cluster
        As of `campaign.complete`.

    Raises
    ------
    ValueError
        If the folder holds another campaign.
    """
    file = RunFile(Path(folder) / FILE, part=PART, version=__version__)
    complete(file, wanted, lines_of, perform, jobs=jobs, cluster=cluster)
    return file


def present(
    folder: str | os.PathLike[str],
    picture: bool = True,
    files: Iterable[str | os.PathLike[str]] = (),
    found: Results | None = None,
) -> list[Path]:
    """Write the tables and, if wanted, the figure, from the files of a folder.

    Parameters
    ----------
    picture
        Whether to draw the figure.
    files
        Markdown files whose tables and numbers are brought up to date (see `pages`). Without any,
        all tables are written into ``tables.md``.
    found
        The results; those of the table of the folder unless given.

    Raises
    ------
    ValueError
        If the folder holds no results, or a page asks for what is not there.
    RuntimeError
        If matplotlib is missing.
    """
    if found is None:
        path = Path(folder) / FILE
        if not path.exists():
            raise ValueError(
                f"{folder} holds no {FILE}: run `python -m reproduction compare` first"
            )
        found = results_of(read(path, part=PART))
    tables = report.blocks(found, overhead.read(folder))
    written = list(map(Path, files))
    for page in written:
        pages.update(page, tables, found)
    if not written:
        written = [Path(folder) / "tables.md"]
        written[0].write_text(report.document(tables), encoding="utf-8")
    return [*written, *(figure.draw(found, folder) if picture else [])]
