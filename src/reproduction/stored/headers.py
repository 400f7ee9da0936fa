"""The header of each part of the stored results: a line of ``docs/results/made.csv``.

It has the command, the commit, the date, the machine and the versions with which the runs of the
part were made. The column ``program`` is empty as long as the program of this checkout makes these
runs, and gives the same bits (`drawn`). Otherwise somebody has written a version into it by hand,
such as 1.0.0: the runs stay, with the program of that version. Then the pages say so, and no run of
the part is made again.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from reproduction.provenance import Provenance

FILE = "made.csv"
COLUMNS = ("part", "program", *Provenance._fields)


class Header(NamedTuple):
    """How a part was made, and whether this checkout has its program."""

    made: Provenance
    program: str = ""
    """A version if the program of that version made the runs and this one does not."""


def read(folder: Path) -> dict[str, Header]:
    """Return the headers by the names of their parts."""
    import pandas

    rows = pandas.read_csv(folder / FILE, dtype=str, keep_default_na=False)
    return {
        name: Header(Provenance(*made), program)
        for name, program, *made in rows[[*COLUMNS]].itertuples(index=False)
    }


def write(headers: Mapping[str, Header], folder: Path) -> None:
    """Write the headers."""
    import pandas

    rows = [[name, headers[name].program, *headers[name].made] for name in sorted(headers)]
    pandas.DataFrame(rows, columns=[*COLUMNS]).to_csv(folder / FILE, index=False)


def sentence(header: Header) -> str:
    """Say in Markdown how a part was made, and if so that this checkout cannot make it again."""
    made, program = header
    by = f" by `{made.command}`" if made.command else ""
    said = f"Made{by} at commit {made.commit}, {made.date}; " + "; ".join(
        filter(None, (made.machine, made.versions))
    )
    if not program:
        return f"{said}."
    commit = made.commit.split(", ")[-1]
    return (
        f"**Of version {program}**, not made again since. {said}. "
        f"`git checkout {commit}` has the program."
    )


def sentences(name: str, headers: Mapping[str, Header]) -> str:
    """Return the sentences of a part, or of all parts of a result: one if all say the same."""
    said: dict[str, list[str]] = {}
    for part, header in headers.items():
        if name in (part, part.partition("/")[0]):
            said.setdefault(sentence(header), []).append(f"`{part.rpartition('/')[2]}`")
    if not said:
        raise KeyError(f"{FILE} has no line for {name}")
    if len(said) == 1:
        return next(iter(said))
    return "\n".join(f"- {', '.join(names)}: {text}" for text, names in said.items())
