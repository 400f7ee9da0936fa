"""Finished runs in an SQLite file: what is stored is never run again.

One process writes. Each task is one transaction: if the process is killed, no task is stored in
part.
"""

import csv
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reproduction.figure_1.plan import (
    EXPERIMENTS,
    PROBLEM_NAMES,
    Profile,
    Task,
    algorithms_of,
)
from reproduction.figure_1.runs import Outcome

STORE = "campaign.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS campaign (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS result (
  profile TEXT, experiment TEXT, problem TEXT, algorithm TEXT, x INTEGER, run INTEGER,
  best_value REAL NOT NULL,
  PRIMARY KEY (profile, experiment, problem, algorithm, x, run)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS task (
  name TEXT PRIMARY KEY, evaluations INTEGER NOT NULL, seconds REAL NOT NULL
) WITHOUT ROWID;
"""


class Store:
    """The results of one campaign, in the file ``campaign.sqlite`` of its folder.

    Parameters
    ----------
    folder
        Made if it is not there.
    facts
        What determines the results (profile, full rows or not, version). A folder with other facts
        is refused.

    Raises
    ------
    ValueError
        If the folder holds a campaign with other facts, or a file that cannot be used. The methods
        raise it too.
    OSError
        If the folder cannot be made.
    """

    def __init__(self, folder: str | os.PathLike[str], facts: dict[str, str]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._usable():
            self._connection = sqlite3.connect(
                self.folder / STORE, isolation_level=None, timeout=60
            )
        try:
            self._begin(facts)
        except ValueError:
            self.close()
            raise

    def _begin(self, facts: dict[str, str]) -> None:
        self._execute("PRAGMA journal_mode=WAL")
        self._execute("PRAGMA synchronous=NORMAL")
        with self._usable():
            self._connection.executescript(SCHEMA)
        for key, value in facts.items():
            self._execute("INSERT OR IGNORE INTO campaign VALUES (?, ?)", key, value)
        stored = self.facts()
        for key, value in facts.items():
            if stored[key] != value:
                raise ValueError(
                    f"{self.folder} holds a campaign whose {key} is {stored[key]!r}, "
                    f"not {value!r}: choose another folder"
                )

    @contextmanager
    def _usable(self) -> Iterator[None]:
        """Turn any error of SQLite into a ValueError that names the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise ValueError(f"{self.folder / STORE} cannot be used: {error}") from None

    def _execute(self, sql: str, *parameters: object) -> list[Any]:
        with self._usable():
            return self._connection.execute(sql, parameters).fetchall()

    def facts(self) -> dict[str, str]:
        """Return the facts that determine the results."""
        return dict(self._execute("SELECT key, value FROM campaign"))

    def done(self) -> set[str]:
        """Return the names of the tasks that are stored."""
        return {name for (name,) in self._execute("SELECT name FROM task")}

    def add(self, outcome: Outcome) -> None:
        """Store a task, whole."""
        task = outcome.task
        self._execute("BEGIN IMMEDIATE")
        with self._usable():
            self._connection.executemany(
                "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(*task[:4], row.x, task.run, row.best_value) for row in outcome.best_values],
            )
        self._execute(
            "INSERT OR REPLACE INTO task VALUES (?, ?, ?)",
            name_of(task), outcome.evaluations, outcome.seconds,
        )  # fmt: skip
        self._execute("COMMIT")

    def values(self, experiment: str) -> list[tuple[str, str, int, int, float]]:
        """Return (problem, algorithm, x, run, best value) for every row of an experiment."""
        return self._execute(
            "SELECT problem, algorithm, x, run, best_value FROM result WHERE experiment = ?",
            experiment,
        )

    def rows(self, experiment: str) -> list[dict[str, str | int | float]]:
        """Return the rows of an experiment under the names of the published files, in their order.

        That is the paper's order of problems and algorithms (ours after them), then x, then run.
        """
        axis = EXPERIMENTS[experiment].axis
        names = ("experiment", "problem", "algorithm", axis, "run", "best_value")
        found = self._execute(
            "SELECT experiment, problem, algorithm, x, run, best_value FROM result "
            "WHERE experiment = ? ORDER BY x, run",
            experiment,
        )
        order = {name: k for k, name in enumerate((*PROBLEM_NAMES, *algorithms_of("paper")))}
        rows = [dict(zip(names, row, strict=True)) for row in found]
        return sorted(rows, key=lambda row: (order[row["problem"]], order[row["algorithm"]]))

    def experiments(self) -> list[str]:
        """Return the experiments of which something is stored, in the order of Table 1."""
        found = {name for (name,) in self._execute("SELECT DISTINCT experiment FROM result")}
        return [name for name in EXPERIMENTS if name in found]

    def cost(self) -> tuple[int, float]:
        """Return the evaluations and the seconds of all stored tasks."""
        ((evaluations, seconds),) = self._execute("SELECT SUM(evaluations), SUM(seconds) FROM task")
        return int(evaluations or 0), float(seconds or 0.0)

    def seconds(self) -> dict[str, float]:
        """Return the seconds of all stored tasks of each algorithm."""
        found: dict[str, float] = {}
        for name, seconds in self._execute("SELECT name, seconds FROM task"):
            algorithm = name.split("/")[3]
            found[algorithm] = found.get(algorithm, 0.0) + seconds
        return found

    def made(self) -> dict[str, str]:
        """Return how the runs were made: the facts that determine them, and their cost."""
        evaluations, seconds = self.cost()
        cost = f"{len(self.done()):,} runs, {evaluations:,} evaluations, {seconds:,.0f} seconds"
        return {**self.facts(), "cost": f"{cost} of processor time"}

    def write_csv(self, experiments: Iterable[str]) -> list[Path]:
        """Write ``<experiment>.csv`` files, in the format of the published ones."""
        written = []
        for experiment in experiments:
            rows = self.rows(experiment)
            path = self.folder / f"{experiment}.csv"
            draft = path.with_suffix(".csv.new")
            with draft.open("w", encoding="utf-8", newline="") as file:
                if rows:
                    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(rows)
            draft.replace(path)
            written.append(path)
        return written

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def name_of(task: Task) -> str:
    """Return the name under which a task is stored."""
    return "/".join(map(str, task))


def facts_of(profile: Profile, full: bool, version: str) -> dict[str, str]:
    """Return the facts that determine a campaign's results."""
    return {"profile": profile, "rows": "full" if full else "effective", "version": version}
