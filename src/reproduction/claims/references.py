"""The theorems of the project, with the ids of their claims, and its test functions.

pytest finds the tests that carry the id of a claim (see `report`), because markers are Python
expressions.
"""

import ast
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


def test_functions(root: Path) -> set[str]:
    """Return every test function at the top level of a test file, as ``file::function``."""
    return {
        f"{path.relative_to(root)}::{node.name}"
        for path in sorted((root / "tests").rglob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
