"""How each stored result is made again: ``python -m reproduction results --make``.

Finished runs are kept in a folder for each result and commit, outside ``docs``. A stopped command
goes on from there. When all runs of a result are there, its files in ``docs/results``, the tables
of the pages and the headers of its parts are written.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from embedded_hunter.version import __version__
from reproduction import costs, kept_runs
from reproduction.benchmark import pages, plan, report, results
from reproduction.figure_1.plan import EXPERIMENTS, PART
from reproduction.figure_1.report import present
from reproduction.figure_1.runs import reproduce
from reproduction.provenance import provenance
from reproduction.stored import catalogue, headers
from reproduction.stored.catalogue import Part
from reproduction.stored.headers import Header


class Work(NamedTuple):
    """The arguments of a maker."""

    folder: Path
    """Keeps the finished runs."""
    parts: Sequence[Part]
    """The parts to make. Makers that make all parts at once ignore it."""
    jobs: int
    """Parallel workers of a campaign."""


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


def _paper(work: Work) -> None:
    file = reproduce(EXPERIMENTS, work.folder, jobs=work.jobs)
    kept_runs.keep(PART, file.lines(), catalogue.RESULTS)
    present(
        catalogue.RESULTS / PART,
        kept_runs.kept(PART, catalogue.RESULTS),
        made=f"```{{made}} {PART}\n```",
        note=f"python -m reproduction results --make {PART}",
    )


def _methods(work: Work) -> list[str]:
    """Return the methods whose parts are to be made."""
    if missing := [part.name for part in work.parts if not part.installed]:
        raise ValueError(f"not installed: what {', '.join(missing)} need")
    return [part.name.partition("/")[2] for part in work.parts]


PAGES = ("benchmark.md", "guide.md", "results/benchmark/tables.md")
"""Pages with tables and numbers of the benchmark."""


def _benchmark(work: Work, part: str) -> None:
    names = _methods(work)
    wanted = plan.tasks(names, plan.PARTS[part])
    lines = plan.make_runs(wanted, work.folder, part=part, jobs=work.jobs).lines()
    lines["value"] = [float(f"{value:.6g}") for value in lines["value"]]
    for name in names:
        mine = lines[lines["method"] == name]
        kept_runs.keep(part, mine, catalogue.RESULTS, method=name)
    found = results.kept_results(catalogue.RESULTS)
    tables = report.blocks(found)
    for name in PAGES:
        pages.update(catalogue.RESULTS.parent / name, tables, found)


MAKERS: dict[str, Callable[[Work], None]] = {
    PART: _paper,
    **{part: partial(_benchmark, part=part) for part in plan.PARTS},
    "costs": lambda work: costs.write(costs.measure(), catalogue.RESULTS),
}  # fmt: skip
"""Each result, and what makes it."""
TOGETHER = (PART,)
"""Results all of whose parts are made together."""
