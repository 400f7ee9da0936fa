"""A class name stands once in the house: it means one thing."""

import ast
from collections import defaultdict
from pathlib import Path

import embedded_hunter

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
