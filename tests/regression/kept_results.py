"""The runs that are kept in docs/results, and what was published, cell by cell."""

import csv
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

from reproduction.figure_1.plan import EXPERIMENTS, Task
from reproduction.figure_1.samples import Cell, Cells, cells_of
from reproduction.kept_runs import FILE, RunFile, kept
from reproduction.statistics import Sample

DOCS = Path(__file__).parents[2] / "docs"
RESULTS = DOCS / "results"
RATE = 0.05


class Summary(NamedTuple):
    """A published cell: runs, and mean and standard deviation of values and of logarithms."""

    runs: int
    mean: float
    sd: float
    log_mean: float
    log_sd: float


def page(name: str) -> str:
    """The text of a page, with one blank for each break."""
    return " ".join((DOCS / name).read_text(encoding="utf-8").split())


def table_rows(text: str) -> list[list[str]]:
    """The cells of the lines of the tables of a text, without the rules below their heads."""
    lines = [line.strip().strip("|").split("|") for line in text.splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in line] for line in lines if "---" not in line[0]]


def write_campaign(folder: Path, experiment: str, cells: Mapping[Cell, Iterable[float]]) -> None:
    """Write the runs of some cells as a campaign does."""
    file = RunFile(folder / FILE, part="paper", version="1.0.0")
    for (problem, algorithm, x), values in cells.items():
        for run, value in enumerate(values):
            line = Task(experiment, problem, algorithm, x, run).line()
            file.add([{**line, "value": value, "evaluations": 10, "seconds": 0.5}])


@cache
def kept_cells(profile: str) -> dict[str, Cells]:
    """The best values of each cell of a profile, by experiment."""
    return cells_of(kept(profile))


def samples(profile: str, experiment: str) -> Cells:
    """The best values of each cell of an experiment."""
    return kept_cells(profile)[experiment]


@cache
def published(experiment: str) -> dict[Cell, Summary]:
    """What was published of an experiment."""
    found = {}
    with (RESULTS / "published-summary.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["experiment"] == experiment:
                key = (row["problem"], row["algorithm"], int(row["x"]))
                numbers = [float(row[name]) for name in Summary._fields[1:]]
                found[key] = Summary(int(row["runs"]), *numbers)
    return found


def p_value(theirs: Summary, ours: Sample) -> float:
    """Welch's test of the means of logarithms, two-sided."""
    logs = np.log(ours)
    test = stats.ttest_ind_from_stats(
        theirs.log_mean, theirs.log_sd, theirs.runs,
        logs.mean(), logs.std(ddof=1), len(logs), equal_var=False,
    )  # fmt: skip
    return float(test.pvalue)


@cache
def differing(
    profile: str, label: Callable[[str], str] = lambda algorithm: algorithm
) -> set[tuple[str, str, str, int]]:
    """The (experiment, problem, algorithm, x) of which ours differ from the published ones.

    The false discovery rate over all cells is `RATE`. `label` says under which of our algorithms'
    labels a published algorithm is looked up.
    """
    keys, p = [], []
    for experiment in EXPERIMENTS:
        ours = samples(profile, experiment)
        for (problem, algorithm, x), cell in published(experiment).items():
            keys.append((experiment, problem, algorithm, x))
            p.append(p_value(cell, ours[problem, label(algorithm), x]))
    adjusted = stats.false_discovery_control(p)
    return {key for key, q in zip(keys, adjusted, strict=True) if q <= RATE}
