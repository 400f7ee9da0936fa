"""The parts of the stored results: the runs that a part has, and the function that makes one again.

Where a file has the runs of many methods, those of each method are a part.

To close a study, so that its results stay and its program leaves the tree: delete its part here
and its maker in `making`, and write ``none`` in the column ``today`` of its lines of
``docs/results/made.csv`` (see `headers`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reproduction import kept_runs, methods
from reproduction.benchmark import plan as benchmark_plan
from reproduction.benchmark import results
from reproduction.figure_1 import plan
from reproduction.figure_1.runs import perform
from reproduction.figure_1.samples import cells_of

RESULTS = kept_runs.RESULTS
NEEDS = {"bbob": "cocoex", "real": "sklearn"}
"""The optional modules that the functions of parts of the benchmark import."""

Run = tuple[Any, ...]


@dataclass(frozen=True)
class Part:
    """Some runs of the stored results."""

    name: str
    """A name, or ``result/method``."""
    stored: Callable[[], Mapping[Run, str]] = dict
    """Returns the values of each run, as the files have them. Empty for measurements of time."""
    again: Callable[[Any], str] = str
    """Makes a run and returns its values in the same form."""
    size: Callable[[Any], float] = len
    """Returns the number of evaluations of a run, about."""
    installed: bool = True
    """Whether the optional modules that its runs import are there."""

    @property
    def result(self) -> str:
        """The name of what is made together."""
        return self.name.partition("/")[0]

    @property
    def is_time(self) -> bool:
        """Tell whether the part is a measurement of time: it has no runs to make again."""
        return self.again is str


def parts() -> dict[str, Part]:
    """Return all parts by name."""
    listed = [
        *(_of_paper(name) for name in plan.all_algorithms()),
        *(
            _of_benchmark(part, name)
            for part, sets in benchmark_plan.PARTS.items()
            for name, method in methods.METHODS.items()
            if {*sets} & {*method.sets}
        ),
        Part("costs"),
    ]  # fmt: skip
    return {part.name: part for part in listed}


def _of_paper(name: str) -> Part:
    def stored() -> dict[Run, str]:
        cells = cells_of(kept_runs.kept(plan.PART, RESULTS))
        return {
            task: repr(float(cells[task.experiment][task.problem, name, task.x][task.run]))
            for task in plan.tasks(plan.EXPERIMENTS, algorithms=[name])
        }

    return Part(
        f"{plan.PART}/{name}",
        installed=methods.in_figure_1()[name].installed,
        stored=stored,
        again=lambda task: repr(perform(task)[0]["value"]),
        size=lambda task: task.parameters.v,
    )


def _of_benchmark(part: str, name: str) -> Part:
    def stored() -> dict[Run, str]:
        return {
            benchmark_plan.Start(
                benchmark_plan.function_of(cell.problem_set, cell.problem),
                cell.method,
                cell.v,
                run,
            ): f"{value:.6g}"
            for cell, values in benchmark_cells(RESULTS, part).get(name, {}).items()
            for run, value in enumerate(values)
        }

    return Part(
        f"{part}/{name}",
        installed=methods.METHODS[name].installed
        and (part not in NEEDS or find_spec(NEEDS[part]) is not None),
        stored=stored,
        again=lambda run: f"{benchmark_plan.perform(run)[-1]['value']:.6g}",
        size=lambda run: run.v,
    )


@cache
def benchmark_cells(
    folder: Path, part: str
) -> dict[str, dict[results.Condition, tuple[float, ...]]]:
    """Return the stored cells of each method in a part of the benchmark."""
    found: dict[str, dict[results.Condition, tuple[float, ...]]] = {}
    lines = kept_runs.kept(part, folder)
    for cell, values in results.results_of(lines).items():
        found.setdefault(cell.method, {})[cell] = values
    return found
