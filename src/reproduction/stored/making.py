"""How each stored result is made again: ``python -m reproduction results --make``.

Finished runs are kept in a folder for each result and commit, outside ``docs``. A stopped command
goes on from there. When all runs of a result are there, its files in ``docs/results``, the tables
of the pages and the headers of its parts are written.
"""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from embedded_hunter.extras import extra
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.version import __version__
from reproduction import coco, kept_runs
from reproduction.benchmark import overhead, pages, plan, results
from reproduction.benchmark import runs as benchmark_runs
from reproduction.bounds import optimal_rule
from reproduction.campaign import complete_study
from reproduction.figure_1.figures import figure as figure_1
from reproduction.figure_1.plan import EXPERIMENTS, Profile
from reproduction.figure_1.report import report as report_1
from reproduction.figure_1.runs import reproduce
from reproduction.figure_1.samples import cells_of, published_cells
from reproduction.kept_runs import FILE, RunFile
from reproduction.methods import METHODS
from reproduction.performance.benches import BENCHES
from reproduction.provenance import provenance
from reproduction.stored import catalogue, headers
from reproduction.stored.catalogue import Part
from reproduction.stored.headers import Header

FEWER = {"settings": 10, "pilot": 3}
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
    there = headers.read(catalogue.RESULTS)
    headers.write(there | {part.name: Header(made) for part in work.parts}, catalogue.RESULTS)


def _figure_1(work: Work, profile: Profile) -> None:
    if work.published is None:
        raise ValueError("the report on Figure 1 needs --published, the folder of published curves")
    file = reproduce(
        EXPERIMENTS, work.folder, profile=profile, jobs=work.jobs, cluster=work.cluster
    )
    kept_runs.keep(profile, file.lines(), catalogue.RESULTS)
    there = catalogue.RESULTS / profile
    ours = cells_of(kept_runs.kept(profile, catalogue.RESULTS))
    theirs = published_cells(work.published)
    figure_1(there, ours, theirs, f"python -m reproduction results --make {profile}")
    text = report_1(ours, theirs, f"```{{made}} {profile}\n```", profile)
    (there / "report.md").write_text(text, encoding="utf-8")


def kept(name: str) -> Callable[[Work], None]:
    """Return the maker of a study of `catalogue.STUDIES`."""

    def maker(work: Work) -> None:
        study, report = catalogue.STUDIES[name]
        file = RunFile(work.folder / FILE, part=name, version=__version__)
        complete_study(file, study, work.jobs, work.cluster)
        kept_runs.keep(name, file.lines(), catalogue.RESULTS)
        if report is not None:
            values = kept_runs.values_of_study(file.lines(), study)
            folder = catalogue.RESULTS / name
            folder.mkdir(exist_ok=True)
            (folder / "study.md").write_text(report(values), encoding="utf-8")

    return maker


def _optimal_rule(work: Work) -> None:
    path = work.folder / "numbers.csv"
    there = {row[:2]: row for row in (optimal_rule.read(path) if path.exists() else [])}
    for name in sorted(PROBLEMS):
        if not any(function == name for function, _ in there):
            there |= {row[:2]: row for row in optimal_rule.rows_of(name)}
            optimal_rule.write(path, [there[key] for key in sorted(there)])
    shutil.copy(path, catalogue.RESULTS / "optimal-rule")
    tables = {"optimal-rule": optimal_rule.table_of(optimal_rule.read(path)) + "\n"}
    pages.update(catalogue.RESULTS.parent / "paper/ours.md", tables, {})


def _methods(work: Work) -> list[str]:
    """Return the methods whose parts are to be made."""
    if missing := [part.name for part in work.parts if not part.installed]:
        raise ValueError(f"not installed: what {', '.join(missing)} need")
    return [part.name.partition("/")[2] for part in work.parts]


def _benchmark(work: Work) -> None:
    names = _methods(work)
    wanted = [
        task
        for problem_set, of_set in plan.SETS.items()
        for task in plan.tasks(
            [problem_set], of_set.budgets, FEWER.get(problem_set, RUNS), names
        )
    ]  # fmt: skip
    lines = benchmark_runs.make_runs(
        wanted, work.folder, jobs=work.jobs, cluster=work.cluster
    ).lines()
    lines["value"] = [float(f"{value:.6g}") for value in lines["value"]]
    for name in names:
        mine = lines[lines["method"] == name]
        kept_runs.keep(plan.PART, mine, catalogue.RESULTS, method=name)
    _present_benchmark()


def _times(work: Work) -> None:
    """Measure the methods of the main sets that are installed."""
    names = [name for name in plan.available() if set(METHODS[name].sets) & set(plan.MAIN)]
    overhead.write(overhead.measure(names), catalogue.RESULTS / "benchmark")
    _present_benchmark()


def _present_benchmark() -> None:
    """Draw the figure, and bring the tables and numbers of the pages up to date."""
    docs = catalogue.RESULTS.parent
    files = [docs / name for name in ("benchmark.md", "guide.md")]
    found = results.results_of(kept_runs.kept(plan.PART, catalogue.RESULTS))
    benchmark_runs.present(catalogue.RESULTS / "benchmark", files=files, found=found)


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


def _performance(work: Work) -> None:
    for part in work.parts:
        name = part.name.partition("/")[2]
        measure, switches = BENCHES[name]
        found = measure(**({"large": True} if "large" in switches else {}))
        path = catalogue.RESULTS / "performance" / f"{name}.json"
        path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


MAKERS: dict[str, Callable[[Work], None]] = {
    **{name: kept(name) for name in catalogue.STUDIES},
    "paper": lambda work: _figure_1(work, "paper"),
    "released": lambda work: _figure_1(work, "released"),
    "optimal-rule": _optimal_rule,
    "benchmark": _benchmark,
    "times": _times,
    "coco": _coco,
    "performance": _performance,
}  # fmt: skip
"""Each result, and what makes it."""
TOGETHER = ("paper", "coco", "performance")
"""Results all of whose parts are made together."""
