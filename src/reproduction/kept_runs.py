"""Runs kept in a CSV file: names and value, a line for each. A run that the file has is not made.

A run is a tuple of names, such as a method, a function and a number. `stored.catalogue.STUDIES`
lists the studies whose runs are kept in this way.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from reproduction import csv_files

Run = TypeVar("Run", bound=tuple[Any, ...])
Values = dict[tuple[str, ...], float]
"""The value of each run, by its names as the file has them."""


class Study(Protocol):
    """A module that says what is run and how a run is made."""

    @property
    def COLUMNS(self) -> tuple[str, ...]:
        """Names of the parts of a run, and of the value."""

    @property
    def plan(self) -> Callable[[], Iterable[Any]]:
        """Returns all runs that are kept, in the order of the file."""

    @property
    def perform(self) -> Callable[[Any], float]:
        """Makes a run and returns its value."""


def read(path: Path, columns: Sequence[str]) -> Values:
    """Return what a file has; nothing if there is no file. A line that was cut is left out.

    Raises
    ------
    ValueError
        If the file has other columns.
    """
    if not path.exists():
        return {}
    rows = csv_files.read(path, columns)
    return {tuple(row[:-1]): float(row[-1]) for row in rows if len(row) == len(columns)}


def complete(
    path: Path,
    columns: Sequence[str],
    runs: Iterable[Run],
    perform: Callable[[Run], float],
    say: Callable[[str], object] = lambda text: None,
) -> Values:
    """Make the runs that a file lacks, and add each to it; return all values.

    Parameters
    ----------
    columns
        Names of the parts of a run, and of the value.
    runs
        All that the file shall have.
    perform
        Makes a run and returns its value.
    say
        Called with a line about each finished run.

    Raises
    ------
    ValueError
        If the file has other columns.
    """
    values = read(path, columns)
    missing = [run for run in runs if tuple(map(str, run)) not in values]
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if path.stat().st_size == 0:
            writer.writerow(columns)
        elif not path.read_bytes().endswith(b"\n"):
            file.write("\n")  # after a line that a kill has cut
        for k, run in enumerate(missing, 1):
            names = tuple(map(str, run))
            values[names] = perform(run)
            writer.writerow([*names, repr(values[names])])
            file.flush()
            say(f"{k} of {len(missing)}: {', '.join(names)}: {values[names]:.3g}")
    return values
