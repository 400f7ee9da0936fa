"""The theorems of the project, with the ids of their claims, and its test functions.

pytest finds the tests that carry the id of a claim (see `collector`), because markers are Python
expressions.
"""

import ast
from pathlib import Path

HEADLINES = "proofs/headline.txt"
"""The list of all theorems, in lines ``name | file | ids | sentence``. ``make -C proofs`` checks
that it agrees with the sources."""


def theorems(root: Path) -> dict[str, list[str]]:
    """Return the ids of each theorem of a checkout, by its name ``File.theorem``."""
    return theorems_of((root / HEADLINES).read_text(encoding="utf-8"))


def theorems_of(text: str) -> dict[str, list[str]]:
    """Return the same for a text of `HEADLINES`."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, file, ids, _ = (part.strip() for part in line.split("|", 3))
            found[f"{file}.{name}"] = ids.split()
    return found


def test_functions(root: Path) -> set[str]:
    """Return every test function at the top level of a test file, as ``file::function``."""
    return {
        f"{path.relative_to(root)}::{node.name}"
        for path in sorted((root / "tests").rglob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
