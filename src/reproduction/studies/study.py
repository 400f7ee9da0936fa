"""A study of the policy ``forest``: many runs, of which each finished one is kept.

The folder of a study holds ``runs.csv``, with one line for each finished run, and ``study.md``, the
report. A run that ``runs.csv`` has is not repeated.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from scipy.stats import binomtest

from reproduction.kept_runs import Values, complete


class Task(NamedTuple):
    """A run of the study."""

    cell: str
    function: str
    rotated: bool
    v: int
    run: int

    @property
    def names(self) -> tuple[str, ...]:
        """The task as ``runs.csv`` has it."""
        return (self.cell, self.function, str(self.rotated), str(self.v), str(self.run))


COLUMNS = (*Task._fields, "value")
SOLVED = 1e-12
"""In comparisons, values up to this count as this: the least value of every function is 0."""


class Study(Protocol):
    """What is run, and how it is reported: the modules `forest_defaults`, `forest_constants` and
    `forest_members`.
    """

    def tasks(self, runs: int) -> list[Task]:
        """Return all runs of the study."""

    def value_of(self, task: Task) -> float:
        """Run a task; return its best value."""

    def report(self, values: Mapping[tuple[str, ...], float], runs: int) -> str:
        """Return the study in words and tables, Markdown."""


def conduct(
    study: Study,
    folder: Path,
    runs: int = 20,
    say: Callable[[str], object] = lambda text: None,
) -> Values:
    """Run what is missing, and write the report; return all values.

    Parameters
    ----------
    study
        Makes the tasks, their values and the report.
    folder
        Made if it is not there.
    runs
        Number of runs; the study says of what.
    say
        Called with a line about each finished run.

    Raises
    ------
    ValueError
        If ``runs.csv`` of the folder is something else.
    """
    folder.mkdir(parents=True, exist_ok=True)
    values = complete(folder / "runs.csv", COLUMNS, study.tasks(runs), study.value_of, say)
    (folder / "study.md").write_text(study.report(values, runs), encoding="utf-8")
    return values


def sign_test(better: int, of: int) -> str:
    """Return the p-value of the sign test in words; it is 1 without a pair that differs."""
    p = float(binomtest(better, of).pvalue) if of else 1.0
    return "p < .001" if p < 0.001 else f"p = {p:.2g}"
