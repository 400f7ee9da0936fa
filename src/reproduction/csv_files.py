"""CSV files of results, as the project writes them: a header, then a line for each row."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path


def write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a file. If this is stopped, an earlier file stays as it is."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    draft.replace(path)


def read(path: Path, columns: Sequence[str]) -> list[list[str]]:
    """Return the rows of a file, without its header.

    Raises
    ------
    ValueError
        If the header does not begin with these columns.
    """
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    if header[: len(columns)] != [*columns]:
        raise ValueError(f"{path} does not begin with the columns {', '.join(columns)}")
    return rows
