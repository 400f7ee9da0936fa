"""Summaries of the published raw results, so that others can check what they are compared with.

The raw results are the authors', one file ``<experiment>.csv`` for each experiment. They are not
part of this project. From a folder that has them, ``python -m
reproduction.figure_1.published FOLDER docs/results`` writes two files:

- ``published-summary.csv``: for each cell the number of runs, and the mean and standard deviation
  of the best values and of their logarithms, to eight digits;
- ``published-files.csv``: for each file its number of runs and its SHA-256 hash.
"""

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reproduction import csv_files
from reproduction.figure_1.samples import Cells, published_cells

SUMMARY, FILES = "published-summary.csv", "published-files.csv"
COLUMNS = ("experiment", "problem", "algorithm", "x", "runs", "mean", "sd", "log_mean", "log_sd")


def summaries(experiment: str, cells: Cells) -> list[list[str]]:
    """Return the lines of the summary of an experiment."""
    lines = []
    for (problem, algorithm, x), values in cells.items():
        logs = np.log(values)
        numbers = (np.mean(values), np.std(values, ddof=1), logs.mean(), logs.std(ddof=1))
        names = [experiment, problem, algorithm, str(x), str(len(values))]
        lines.append([*names, *(f"{number:.8g}" for number in numbers)])
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Write both files."""
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.figure_1.published", description=main.__doc__
    )
    parser.add_argument("folder", type=Path, help="the folder of the published raw results")
    parser.add_argument("out", type=Path, help="the folder of the two files")
    args = parser.parse_args(argv)
    summary, files = [], []
    for name, cells in published_cells(args.folder).items():
        path = args.folder / f"{name}.csv"
        summary += summaries(name, cells)
        files.append(
            [
                path.name,
                sum(map(len, cells.values())),
                hashlib.sha256(path.read_bytes()).hexdigest(),
            ]
        )
    csv_files.write(args.out / SUMMARY, COLUMNS, summary)
    csv_files.write(args.out / FILES, ("file", "runs", "sha256"), files)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
