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
from reproduction import coco, csv_files, kept_runs
from reproduction.benchmark import campaign, overhead, pages, plan, results
from reproduction.benchmark.methods import method_of
from reproduction.bounds import optimal_rule
from reproduction.figure_1.campaign import reproduce
from reproduction.figure_1.figures import figure as figure_1
from reproduction.figure_1.plan import EXPERIMENTS, Profile
from reproduction.figure_1.report import report as report_1
from reproduction.performance.benches import BENCHES
from reproduction.provenance import provenance
from reproduction.stored import catalogue, headers
from reproduction.stored.catalogue import Part
from reproduction.stored.headers import Header

FEWER = {"settings": 10, "pilot": 3}
"""Runs of a cell of the benchmark, where these are not 20."""
RUNS = 20


class Work(NamedTuple):
    """What a maker is given."""

    folder: Path
    """Keeps the finished runs."""
    parts: Sequence[Part]
    """What to make. Makers that make all parts at once ignore it."""
    jobs: int
    """Parallel workers of a campaign."""
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
    _require_published(work)
    reproduce(EXPERIMENTS, work.folder, profile=profile, jobs=work.jobs)
    there = catalogue.RESULTS / profile
    for name in EXPERIMENTS:
        shutil.copy(work.folder / f"{name}.csv", there)
    _report_figure_1(work, profile)


def _report_figure_1(work: Work, profile: Profile) -> None:
    there = catalogue.RESULTS / profile
    command = f"python -m reproduction results --make {profile}"
    figure_1(there, work.published, command)
    text = report_1(there, work.published, f"```{{made}} {profile}\n```", profile)
    (there / "report.md").write_text(text, encoding="utf-8")


def _require_published(work: Work) -> None:
    if work.published is None:
        raise ValueError("the report on Figure 1 needs --published, the folder of published curves")


def kept(name: str) -> Callable[[Work], None]:
    """Return the maker of a study of `catalogue.STUDIES`."""

    def maker(work: Work) -> None:
        study, place, report = catalogue.STUDIES[name]
        there = catalogue.RESULTS / place
        path = work.folder / there.name
        values = kept_runs.complete(path, study.COLUMNS, study.plan(), study.perform, print)
        there.parent.mkdir(exist_ok=True)
        shutil.copy(path, there)
        if report is not None:
            there.with_name("study.md").write_text(report(values), encoding="utf-8")

    return maker


def _repeated(work: Work) -> None:
    _require_published(work)
    kept("repeated")(work)
    _report_figure_1(work, "released")


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
    there = catalogue.RESULTS / "benchmark"
    wanted = [
        task
        for problem_set, of_set in plan.SETS.items()
        for task in plan.tasks(
            [problem_set], of_set.budgets, FEWER.get(problem_set, RUNS), names
        )
    ]  # fmt: skip
    store = campaign.make_runs(wanted, work.folder, jobs=work.jobs)
    made = results.of_runs(store.outcomes.values())
    others = {cell: v for cell, v in results.read(there).items() if cell.method not in names}
    results.write(others | {cell: v for cell, v in made.items() if cell.method in names}, there)
    _present_benchmark()


def _times(work: Work) -> None:
    """Measure the methods of the main sets that are installed."""
    names = [name for name in plan.available() if set(method_of(name).sets) & set(plan.MAIN)]
    overhead.write(overhead.measure(names), catalogue.RESULTS / "benchmark")
    _present_benchmark()


def _present_benchmark() -> None:
    """Draw the figure, and bring the tables and numbers of the pages up to date."""
    docs = catalogue.RESULTS.parent
    files = [docs / name for name in ("benchmark.md", "guide.md")]
    campaign.present(catalogue.RESULTS / "benchmark", files=files)


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
            coco.benchmark(
                records, catalogue.COCO, instances=catalogue.COCO_INSTANCES,
                dimensions=catalogue.COCO_DIMENSIONS, algorithms=[name], report=print,
            )  # fmt: skip
            done.touch()
    folders = {name: next((work.folder / name / "exdata").iterdir()) for name in methods}
    there = catalogue.RESULTS / "benchmark"
    found = {name: coco.gaps(folder) for name, folder in folders.items()}
    rows = [[name, *case, gap] for name in found for case, gap in sorted(found[name].items())]
    csv_files.write(there / "coco.csv", catalogue.COCO_COLUMNS, rows)
    coco.render(list(folders.values()), work.folder / "ppdata")
    for k in catalogue.COCO_DIMENSIONS:
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
    "repeated": _repeated,
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
