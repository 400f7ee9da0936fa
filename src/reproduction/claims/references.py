"""The theorems of the project, with the ids of their claims."""

import re
from pathlib import Path
from typing import NamedTuple

STATEMENTS = "proofs/statements.txt"
"""The list of all theorems. Each has a line ``File.theorem | ids | assumptions | sentence``; what
Rocq prints of it follows. ``make -C proofs`` compares the list with the sources and with Rocq."""


class Headline(NamedTuple):
    """The entry of a theorem in the list."""

    ids: list[str]
    """Those of its claims."""
    assumptions: str
    """Its assumptions, as Rocq prints them."""
    sentence: str


def headlines(root: Path) -> dict[str, Headline]:
    """Return the headlines of the theorems of a checkout, by their names ``File.theorem``."""
    text = (root / STATEMENTS).read_text(encoding="utf-8")
    lines = re.findall(r"^(\S+) \| (.*?) \| (.*?) \| (.*)$", text, re.MULTILINE)
    return {name: Headline(ids.split(), assumed, said) for name, ids, assumed, said in lines}


def theorems(root: Path) -> dict[str, list[str]]:
    """Return the ids of each theorem of a checkout."""
    return {name: headline.ids for name, headline in headlines(root).items()}
