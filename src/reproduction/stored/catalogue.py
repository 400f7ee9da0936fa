"""The parts of the stored results: the runs that a part has, and the function that makes one again.

Where a file has the runs of many methods, those of each method are a part.

To close a study, so that its results stay and its program leaves the tree: delete its entry here
and in `making`, and write the version that has the program in the column ``program`` of its lines
of ``docs/results/made.csv`` (see `headers`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from reproduction import coco, kept_runs, methods
from reproduction.benchmark import plan as benchmark_plan
from reproduction.benchmark import results
from reproduction.benchmark import runs as benchmark_runs
from reproduction.bounds import optimal_rule
from reproduction.figure_1 import plan, repeated
from reproduction.figure_1 import runs as figure_1_runs
from reproduction.figure_1.samples import cells_of
from reproduction.performance import benches
from reproduction.studies import forest_variants

RESULTS = kept_runs.RESULTS
COCO = coco.Setting()


class Kept(NamedTuple):
    """A study, each run of which is a line of the table of runs."""

    study: kept_runs.Study
    report: Callable[[kept_runs.Values], str] | None = None
    """Returns its page, ``study.md`` in its folder; None if it has none of its own."""


STUDIES: dict[str, Kept] = {
    "repeated": Kept(repeated),
    "forest-variants": Kept(forest_variants, forest_variants.report),
}
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
        *(_of_paper(name) for name in plan.algorithms_of("paper")),
        Part(
            "released",
            stored=lambda: _figure_1("released"),
            again=_figure_1_run,
            size=_size,
        ),
        *(_of_study(name, kept.study) for name, kept in STUDIES.items()),
        Part(
            "optimal-rule",
            stored=lambda: _optimal_rule(optimal_rule.read(RESULTS / "optimal-rule/numbers.csv")),
            again=lambda run: _optimal_rule(optimal_rule.rows_of(*run))[run],
            size=lambda run: optimal_rule.SAMPLES,
        ),
        *(_of_benchmark(name) for name in methods.in_benchmark()),
        Part("times"),
        *(Part(f"performance/{name}") for name in benches.BENCHES),
        *(_of_coco(name) for name in methods.in_coco()),
    ]  # fmt: skip
    return {part.name: part for part in listed}


def _of_paper(name: str) -> Part:
    return Part(
        f"paper/{name}",
        installed=methods.in_figure_1()[name].installed,
        stored=lambda: _figure_1("paper", name),
        again=_figure_1_run,
        size=_size,
    )


def _of_benchmark(name: str) -> Part:
    def stored() -> dict[Run, str]:
        return {
            plan.Task("compare", *cell, run): f"{value:.6g}"
            for cell, values in benchmark_cells(RESULTS).get(name, {}).items()
            for run, value in enumerate(values)
        }

    return Part(
        f"benchmark/{name}",
        installed=methods.METHODS[name].installed,
        stored=stored,
        again=lambda run: f"{benchmark_runs.perform(run)[-1]['value']:.6g}",
        size=lambda run: run.x,
    )


@cache
def benchmark_cells(folder: Path) -> dict[str, dict[results.Condition, tuple[float, ...]]]:
    """Return the stored cells of each method."""
    found: dict[str, dict[results.Condition, tuple[float, ...]]] = {}
    lines = kept_runs.kept(benchmark_plan.PART, folder)
    for cell, values in results.results_of(lines).items():
        found.setdefault(cell.method, {})[cell] = values
    return found


def _of_coco(name: str) -> Part:
    def stored() -> dict[Run, str]:
        found = coco_gaps().get(name, {})
        return {(name, *case): repr(gap) for case, gap in found.items()}

    return Part(
        f"coco/{name}",
        installed=methods.in_coco()[name].installed,
        stored=stored,
        again=_coco_again,
        size=lambda run: COCO.multiplier * run[2],
    )


def coco_gaps() -> dict[str, dict[coco.Case, float]]:
    """Return what is stored of each algorithm."""
    found: dict[str, dict[coco.Case, float]] = {}
    columns = ("method", "function", "d_e", "run")
    values = kept_runs.values_of(kept_runs.kept("coco", RESULTS), columns)
    for (name, function, k, instance), gap in values.items():
        found.setdefault(name, {})[int(function[1:]), k, instance] = gap
    return {name: found[name] for name in methods.in_coco() if name in found}


def _coco_again(run: Run) -> str:
    name, function, k, instance = run
    with TemporaryDirectory() as folder:
        records = coco.benchmark(Path(folder), name, COCO, [function], [instance], [k])
        return repr(coco.gaps(records)[function, k, instance])


def _figure_1(profile: plan.Profile, *algorithms: str) -> dict[Run, str]:
    cells = cells_of(kept_runs.kept(profile, RESULTS))
    return {
        task: " ".join(
            repr(float(cells[task.experiment][task.problem, task.algorithm, x][task.run]))
            for x in task.xs()
        )
        for task in plan.tasks(plan.EXPERIMENTS, profile, algorithms=algorithms or None)
    }


def _figure_1_run(task: plan.Task) -> str:
    return " ".join(repr(line["value"]) for line in figure_1_runs.perform(task))


def _size(task: plan.Task) -> float:
    return plan.EXPERIMENTS[task.experiment].parameters(task.xs()[-1]).v


def _of_study(name: str, study: kept_runs.Study) -> Part:
    def stored() -> dict[Run, str]:
        values = kept_runs.values_of_study(kept_runs.kept(name, RESULTS), study)
        runs = {tuple(map(str, run)): run for run in study.plan()}
        return {runs[names]: repr(value) for names, value in values.items()}

    return Part(
        name,
        stored=stored,
        again=lambda run: repr(study.perform(run)),
        size=lambda run: getattr(run, "v", 10_000),
    )


def _optimal_rule(rows: Iterable[optimal_rule.RuleNumbers]) -> dict[Run, str]:
    texts: dict[Run, str] = {}
    for row in rows:
        numbers = [f"{cell:.7g}" if isinstance(cell, float) else str(cell) for cell in row[1:]]
        texts[row.function,] = " ".join([*texts.get((row.function,), "").split(), *numbers])
    return texts
