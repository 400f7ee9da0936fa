"""How each stored result is made again: ``python -m reproduction results --make``.

Finished runs are kept in a folder for each result and commit, outside ``docs``. A stopped command
goes on from there. When all runs of a result are there, its files in ``docs/results``, the tables
of the pages and the headers of its parts are written.
"""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from embedded_hunter.common.extras import extra
from embedded_hunter.version import __version__
from reproduction import coco, costs, kept_runs
from reproduction.benchmark import plan, report, results
from reproduction.figure_1.plan import EXPERIMENTS, Profile
from reproduction.figure_1.report import present
from reproduction.figure_1.runs import reproduce
from reproduction.figure_1.samples import published_cells
from reproduction.provenance import provenance
from reproduction.stored import catalogue, headers
from reproduction.stored.catalogue import Part
from reproduction.stored.headers import Header

FEWER = {"settings": 10}
"""Runs of a cell of the benchmark, where these are not 20."""
RUNS = 20


class Work(NamedTuple):
    """The arguments of a maker."""

    folder: Path
    """Keeps the finished runs."""
    parts: Sequence[Part]
    """The parts to make. Makers that make all parts at once ignore it."""
    jobs: int
    """Parallel workers of a campaign."""
    cluster: str | None
    """Address of the Dask cluster that makes its runs, if any."""
    published: Path | None
    """Folder of the published raw results, which are not part of this project."""


def make(result: str, work: Work) -> None:
    """Make the runs of a result that are missing, its files and the headers of its parts.

    Raises
    ------
    ValueError
        If what the result needs is missing.
    """
    work.folder.mkdir(parents=True, exist_ok=True)
    MAKERS[result](work)
    made = provenance(f"python -m reproduction results --make {result}")
    now = {part.name: Header(made, __version__) for part in work.parts}
    headers.write(headers.read(catalogue.RESULTS) | now, catalogue.RESULTS)


def _figure_1(work: Work, profile: Profile) -> None:
    if work.published is None:
        raise ValueError("the report on Figure 1 needs --published, the folder of published curves")
    file = reproduce(
        EXPERIMENTS, work.folder, profile=profile, jobs=work.jobs, cluster=work.cluster
    )
    kept_runs.keep(profile, file.lines(), catalogue.RESULTS)
    present(
        catalogue.RESULTS / profile,
        kept_runs.kept(profile, catalogue.RESULTS),
        published_cells(work.published),
        made=f"```{{made}} {profile}\n```",
        note=f"python -m reproduction results --make {profile}",
    )


def _methods(work: Work) -> list[str]:
    """Return the methods whose parts are to be made."""
    if missing := [part.name for part in work.parts if not part.installed]:
        raise ValueError(f"not installed: what {', '.join(missing)} need")
    return [part.name.partition("/")[2] for part in work.parts]


PAGES = ("benchmark.md", "guide.md", "results/benchmark/tables.md")
"""Pages with tables and numbers of the benchmark."""


def _benchmark(work: Work) -> None:
    names = _methods(work)
    wanted = [
        task
        for problem_set, of_set in plan.SETS.items()
        for task in plan.tasks(
            [problem_set], of_set.budgets, FEWER.get(problem_set, RUNS), names
        )
    ]  # fmt: skip
    lines = plan.make_runs(wanted, work.folder, jobs=work.jobs, cluster=work.cluster).lines()
    lines["value"] = [float(f"{value:.6g}") for value in lines["value"]]
    for name in names:
        mine = lines[lines["method"] == name]
        kept_runs.keep(plan.PART, mine, catalogue.RESULTS, method=name)
    docs = catalogue.RESULTS.parent
    files = [docs / name for name in PAGES]
    found = results.results_of(kept_runs.kept(plan.PART, catalogue.RESULTS))
    report.present(found, catalogue.RESULTS / "benchmark", files=files)


def _coco(work: Work) -> None:
    """Make what COCO records of each algorithm, and two of cocopp's figures.

    An algorithm of which the records are not complete is begun again.
    """
    for module in ("cocoex", "cocopp"):
        extra(module, "coco")
    methods = _methods(work)
    for name in methods:
        done, records = work.folder / f"{name}.done", work.folder / name
        if not done.exists():
            shutil.rmtree(records, ignore_errors=True)
            coco.benchmark(records, name, catalogue.COCO)
            done.touch()
    folders = {name: next((work.folder / name / "exdata").iterdir()) for name in methods}
    there = catalogue.RESULTS / "benchmark"
    found = {name: coco.gaps(folder) for name, folder in folders.items()}
    lines = [
        {**coco.line_of(name, case, catalogue.COCO), "version": __version__, "value": gap}
        for name, gaps in found.items()
        for case, gap in sorted(gaps.items())
    ]
    kept_runs.keep(coco.PART, kept_runs.frame(lines), catalogue.RESULTS)
    coco.render(list(folders.values()), work.folder / "ppdata")
    for k in coco.DIMENSIONS:
        (picture,) = (work.folder / "ppdata").rglob(f"pprldmany_{k:02}D_noiselessall.svg")
        shutil.copy(picture, there / f"coco-{k:02}.svg")


MAKERS: dict[str, Callable[[Work], None]] = {
    "paper": lambda work: _figure_1(work, "paper"),
    "released": lambda work: _figure_1(work, "released"),
    "benchmark": _benchmark,
    "coco": _coco,
    "costs": lambda work: costs.write(costs.measure(), catalogue.RESULTS),
}  # fmt: skip
"""Each result, and what makes it."""
TOGETHER = ("paper", "coco")
"""Results all of whose parts are made together."""
