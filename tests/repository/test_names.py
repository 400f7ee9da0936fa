"""A name means one thing: no two classes share one; "EmbeddedHunter" is the paper's algorithm."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import embedded_hunter
from reproduction.methods import METHODS

SOURCE = Path(embedded_hunter.__file__).parents[1]
KIT = SOURCE / "embedded_hunter" / "traces" / "kit"
"""Its programs stand alone, and name things as the library does."""


def test_a_class_name_occurs_once() -> None:
    places = defaultdict(set)
    for path in sorted(SOURCE.rglob("*.py")):
        if KIT not in path.parents:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].add(path.relative_to(SOURCE).as_posix())
    assert len(places) > 100
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_embedded_hunter_is_the_name_of_the_papers_algorithm_alone() -> None:
    """Of methods in tables, legends and on pages; `docs/baseline.md` asks readers for the same."""
    labels = {method.label for method in METHODS.values()}
    assert METHODS["fresh"].label == "EmbeddedHunter"
    assert {label for label in labels if re.search("EmbeddedHunter|EH", label)} == {
        "EmbeddedHunter"
    }
    docs = SOURCE.parent / "docs"
    files = [path for kind in ("md", "svg") for path in docs.rglob(f"*.{kind}")]
    files += [*docs.rglob("*.py"), *SOURCE.rglob("*.py")]
    other = re.compile(r"EmbeddedHunter, (policy )?(forest|indexed)|\bEH-(forest|index|fresh)")
    found = {
        path.relative_to(SOURCE.parent).as_posix()
        for path in files
        if "_build" not in path.parts and other.search(path.read_text(encoding="utf-8"))
    }
    assert found == set()
