"""One table of all runs: campaigns and studies add lines to it, pages are made from it.

A table is a CSV file with the columns `COLUMNS`, a line for each best value of a run. A run that is
read at several budgets has a line for each of them. `RunFile` is the file of a campaign, to which
lines are only ever added; `KEPT` has all runs that the project keeps. ``pandas.read_csv`` reads
both.
"""

from __future__ import annotations

import csv
import io
import itertools
import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas as pd


RESULTS = Path(__file__).parents[2] / "docs" / "results"
KEPT = "runs.csv.gz"
"""The file of all kept runs in `RESULTS`."""
FILE = "runs.csv"
"""The table of a campaign in its folder."""

INTEGERS = ("n", "d", "d_e", "M", "v", "run", "evaluations")
FLOATS = ("value", "seconds")
COLUMNS = (
    "part", "set", "method", "variant", "version", "policy", "told", "function", "kind",
    "n", "d", "d_e", "M", "v", "run", "seed", "value", "evaluations", "seconds",
)  # fmt: skip
"""The columns; `docs/data.md` describes them. Empty: it does not apply."""
NAMES = (
    "part", "set", "method", "variant", "function", "kind", "n", "d", "d_e", "M", "v", "run"
)  # fmt: skip
"""The columns that name a line. Of several lines with the same names the last one counts."""

Line: TypeAlias = dict[str, Any]
"""Some columns of a line by name; the others are empty."""
Name: TypeAlias = tuple[str, ...]


def name_of(line: Line) -> Name:
    """Return what names a line."""
    return tuple(str(line.get(column, "")) for column in NAMES)


def read(path: str | os.PathLike[str], **where: str) -> pd.DataFrame:
    """Return the lines of a table whose columns have the given texts.

    A last line that was cut is left out. Values are read to their last bit.

    Raises
    ------
    ValueError
        If the file is something else.
    """
    path = Path(path)
    at = path.stat()
    found = _read(path, at.st_mtime_ns, at.st_size)
    for column, text in where.items():
        found = found[found[column] == text]
    return found.reset_index(drop=True)


@lru_cache(maxsize=2)
def _read(path: Path, changed: int, size: int) -> pd.DataFrame:
    """Read a table once as long as its file does not change."""
    try:
        found = _parsed(path if path.suffix == ".gz" else io.BytesIO(_whole_lines(path)))
    except ValueError:
        raise ValueError(f"{path} cannot be used: it is not a table of runs") from None
    return found.drop_duplicates([*NAMES], keep="last")


def _whole_lines(path: Path) -> bytes:
    text = path.read_bytes()
    return text[: text.rfind(b"\n") + 1]


def _parsed(source: Path | io.BytesIO) -> pd.DataFrame:
    import pandas

    found = pandas.read_csv(
        source,
        dtype={column: "Int64" if column in INTEGERS else str for column in COLUMNS},
        keep_default_na=False,
        na_values={column: [""] for column in INTEGERS},
    )
    if tuple(found.columns) != COLUMNS:
        raise ValueError
    for column in FLOATS:  # Python reads them to the last bit, whatever the version of pandas
        found[column] = [float(text or "nan") for text in found[column]]
    if found["value"].isna().any():
        raise ValueError
    return found


def kept(part: str, results: Path | None = None) -> pd.DataFrame:
    """Return the kept runs of a part."""
    return read((results or RESULTS) / KEPT, part=part)


def keep(part: str, lines: pd.DataFrame, results: Path | None = None, **where: str) -> None:
    """Replace the kept runs of a part by lines, or of those with the given texts.

    If this is stopped, the earlier file stays as it is.
    """
    path = (results or RESULTS) / KEPT
    there = read(path)
    replaced = there["part"] == part
    for column, text in where.items():
        replaced &= there[column] == text
    import pandas

    write(path, pandas.concat([there[~replaced], lines]))


def write(path: Path, lines: pd.DataFrame) -> None:
    """Write a compressed table, in the order of the parts. Equal lines give equal files."""
    draft = path.with_name(f"{path.name}.new")
    lines.sort_values("part", kind="stable").to_csv(
        draft, columns=[*COLUMNS], index=False, lineterminator="\n",
        compression={"method": "gzip", "mtime": 0},
    )  # fmt: skip
    draft.replace(path)


def frame(lines: Iterable[Line]) -> pd.DataFrame:
    """Return lines as `read` does."""
    return _parsed(io.BytesIO(_text(COLUMNS, lines).encode()))


def _text(header: Sequence[str], lines: Iterable[Line]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if header:
        writer.writerow(header)
    writer.writerows([line.get(column, "") for column in COLUMNS] for line in lines)
    return text.getvalue()


def names_of(lines: pd.DataFrame) -> Iterable[Name]:
    """Return what names each line."""
    texts = lines[[*NAMES]].astype(object)
    texts = texts.where(lines[[*NAMES]].notna(), "").map(str)
    names: Iterable[Name] = texts.itertuples(index=False, name=None)
    return names


def samples_of(
    lines: pd.DataFrame, columns: Sequence[str]
) -> dict[tuple[Any, ...], tuple[float, ...]]:
    """Return the values of runs 0, 1, .. of each cell, up to the first gap."""
    found: dict[tuple[Any, ...], dict[int, float]] = {}
    keys = lines[[*columns, "run"]].itertuples(index=False, name=None)
    for (*names, run), value in zip(keys, map(float, lines["value"]), strict=True):
        found.setdefault(tuple(names), {})[run] = value
    samples = {}
    for cell, runs in found.items():
        count = next(run for run in itertools.count() if run not in runs)
        if count:
            samples[cell] = tuple(runs[run] for run in range(count))
    return samples


class RunFile:
    """The table of a campaign, to which lines are added as soon as a run is finished.

    Parameters
    ----------
    path
        The file. Its folder is made when the first line is written.
    facts
        What all lines have in common, by column. A file with other lines is refused.

    Raises
    ------
    ValueError
        If the file has lines of another campaign, or is something else.
    """

    def __init__(self, path: str | os.PathLike[str], **facts: str) -> None:
        self.path = Path(path)
        self._facts = facts
        there = self.lines()
        for column, text in facts.items():
            if others := sorted(set(there[column]) - {text}):
                raise ValueError(
                    f"{self.path} holds a campaign whose {column} is {others[0]!r}, not {text!r}: "
                    "choose another folder"
                )
        self._there = set(names_of(there))

    def lines(self) -> pd.DataFrame:
        """Return what the file has."""
        there = self.path.exists() and _whole_lines(self.path)
        return read(self.path) if there else frame([])

    def __contains__(self, line: Line) -> bool:
        """Whether the file has a line with these names."""
        return name_of({**line, **self._facts}) in self._there

    def add(self, lines: Sequence[Line]) -> None:
        """Add the lines of a run. A last line that a kill has cut is removed before."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [{**line, **self._facts} for line in lines]
        with self.path.open("ab") as file:
            whole = len(_whole_lines(self.path))
            file.truncate(whole)
            file.write(_text(() if whole else COLUMNS, lines).encode())
        self._there.update(map(name_of, lines))

    def cost(self) -> tuple[int, float]:
        """Return the evaluations and the seconds of all runs.

        The line of a run at its greatest budget has both, the others have none.
        """
        there = self.lines()
        return int(there["evaluations"].sum()), float(there["seconds"].sum())
