"""The header of each part of the stored results: a line of ``docs/results/made.csv``.

It has the version, the command, the commit, the date, the machine and the libraries with which the
runs of the part were made. Its column ``today`` says what the program of this checkout does:

- ``same``: it gives the same bits. The tests make drawn runs again and fail otherwise.
- ``other``: it has changed since and makes other runs.
- ``none``: it no longer has a program for the part.

Making a part sets ``same``. Whoever changes the runs of a part and does not make it again sets
``other`` by hand. Then the pages say so, and no run of the part is made again.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from reproduction.provenance import Provenance

FILE = "made.csv"
COLUMNS = ("part", "version", "today", *Provenance._fields)
SAME, OTHER, NONE = "same", "other", "none"


class Header(NamedTuple):
    """How a part was made, and what the program of this checkout makes of it."""

    made: Provenance
    version: str
    today: str = SAME

    @property
    def commit(self) -> str:
        """The last commit with which runs of the part were made."""
        return self.made.commit.split(", ")[-1]


def read(folder: Path) -> dict[str, Header]:
    """Return the headers by the names of their parts."""
    import pandas

    rows = pandas.read_csv(folder / FILE, dtype=str, keep_default_na=False)
    return {
        name: Header(Provenance(*made), version, today)
        for name, version, today, *made in rows[[*COLUMNS]].itertuples(index=False)
    }


def write(headers: Mapping[str, Header], folder: Path) -> None:
    """Write the headers."""
    import pandas

    rows = [
        [name, header.version, header.today, *header.made]
        for name, header in sorted(headers.items())
    ]
    pandas.DataFrame(rows, columns=[*COLUMNS]).to_csv(folder / FILE, index=False)


def sentence(header: Header) -> str:
    """Say in Markdown how a part was made, and if so that this checkout does not make it again."""
    made = header.made
    by = f" by `{made.command}`" if made.command else ""
    said = f"at commit {made.commit}, {made.date}; "
    said += "; ".join(filter(None, (made.machine, made.versions))) + "."
    if header.today == SAME:
        return f"Made{by} with version {header.version} {said}"
    why = {
        OTHER: "the program has changed since and makes other runs",
        NONE: "this version no longer has the program",
    }[header.today]
    return f"**Of version {header.version}**: {why}. Made{by} {said}"


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
