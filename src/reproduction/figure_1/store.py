"""Finished runs in a file of JSON lines: what is stored is never run again.

The first line has the facts that determine the results, every other line a task. A process that is
killed leaves at most a line without its end, which is not read.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from reproduction import csv_files
from reproduction.figure_1.plan import EXPERIMENTS, PROBLEM_NAMES, Task, algorithms_of
from reproduction.figure_1.runs import BestAt, Outcome

STORE = "campaign.jsonl"


class Store:
    """The results of one campaign, in the file ``campaign.jsonl`` of its folder.

    Parameters
    ----------
    folder
        Made if it is not there.
    facts
        What determines the results (profile, full rows or not, version). A folder with other facts
        is refused.

    Attributes
    ----------
    facts
        Those of the file.
    outcomes
        What is stored, by task.

    Raises
    ------
    ValueError
        If the folder holds a campaign with other facts, or a file that cannot be used.
    OSError
        If the folder cannot be made, or the file cannot be read.
    """

    def __init__(self, folder: str | os.PathLike[str], facts: dict[str, str]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path = self.folder / STORE
        self.facts = dict(facts)
        self.outcomes: dict[Task, Outcome] = {}
        self._cut = False
        if not self.path.exists() or self.path.stat().st_size == 0:
            return
        try:
            self._read(self.path.read_text(encoding="utf-8"))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise ValueError(
                f"{self.path} cannot be used: it is not what a campaign has written"
            ) from None
        for key, value in facts.items():
            if self.facts.get(key) != value:
                raise ValueError(
                    f"{self.folder} holds a campaign whose {key} is {self.facts.get(key)!r}, "
                    f"not {value!r}: choose another folder"
                )

    def _read(self, text: str) -> None:
        self._cut = not text.endswith("\n")
        header, *lines = text.splitlines()
        self.facts = dict(json.loads(header).items())
        for line in lines:
            if line.endswith("}"):
                stored = json.loads(line)
                best_values = tuple(BestAt(*pair) for pair in stored["best_values"])
                task = Task(*stored["task"])
                self.outcomes[task] = Outcome(
                    task, best_values, stored["evaluations"], stored["seconds"]
                )

    def add(self, outcome: Outcome) -> None:
        """Store a task, whole."""
        line = json.dumps(outcome._asdict()) + "\n"
        with self.path.open("a", encoding="utf-8") as file:
            if file.tell() == 0:
                line = json.dumps(self.facts) + "\n" + line
            file.write("\n" * self._cut + line)
        self._cut = False
        self.outcomes[outcome.task] = outcome

    def rows(self, experiment: str) -> list[tuple[str, str, str, int, int, float]]:
        """Return (experiment, problem, algorithm, x, run, best value) in the published order.

        That is the paper's order of problems and algorithms (ours after them), then x, then run.
        """
        order = {name: k for k, name in enumerate((*PROBLEM_NAMES, *algorithms_of("paper")))}
        rows = [
            (experiment, task.problem, task.algorithm, best.x, task.run, best.best_value)
            for task, outcome in self.outcomes.items()
            if task.experiment == experiment
            for best in outcome.best_values
        ]
        return sorted(rows, key=lambda row: (order[row[1]], order[row[2]], row[3:]))

    def cost(self) -> tuple[int, float]:
        """Return the evaluations and the seconds of all stored tasks."""
        evaluations = sum(outcome.evaluations for outcome in self.outcomes.values())
        return evaluations, sum(self.seconds().values())

    def seconds(self) -> dict[str, float]:
        """Return the seconds of all stored tasks of each algorithm."""
        found: dict[str, float] = {}
        for task, outcome in self.outcomes.items():
            found[task.algorithm] = found.get(task.algorithm, 0.0) + outcome.seconds
        return found

    def made(self) -> dict[str, str]:
        """Return how the runs were made: the facts that determine them, and their cost."""
        evaluations, seconds = self.cost()
        cost = f"{len(self.outcomes):,} runs, {evaluations:,} evaluations, {seconds:,.0f} seconds"
        return {**self.facts, "cost": f"{cost} of processor time"}

    def write_csv(self, experiments: Iterable[str]) -> None:
        """Write ``<experiment>.csv`` files, in the format of the published ones."""
        for name in experiments:
            columns = (
                "experiment", "problem", "algorithm", EXPERIMENTS[name].axis, "run", "best_value"
            )  # fmt: skip
            csv_files.write(self.folder / f"{name}.csv", columns, self.rows(name))
