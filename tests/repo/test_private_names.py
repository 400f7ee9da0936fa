"""The tests use the packages as a reader would: no test names what the package keeps to itself."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import embedded_hunter

TESTS = Path(__file__).parents[1]
SOURCE = Path(embedded_hunter.__file__).parents[1]
"""The folder of both packages."""
PROTOCOLS = {"_repr_html_"}
"""Names that another library calls: IPython's display."""


def is_private(name: str) -> bool:
    """Return whether a name begins with one underscore, and is more than underscores."""
    return name[:1] == "_" != name[1:2] and len(name) > 1 and name not in PROTOCOLS


def defined(tree: ast.AST) -> set[str]:
    """Return the names that a file binds: functions, classes, variables, attributes of self."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return names


@cache
def private_names(source: Path) -> set[str]:
    """Return the private names that the files below a folder define."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in source.rglob("*.py"))
    return {name for tree in trees for name in defined(tree) if is_private(name)}


def named(text: str, private: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines at which a test names one of the private names, each with the name.

    It may name it as an attribute, in an import, or as a string, for `monkeypatch`. Names that the
    test file itself defines do not count.
    """
    tree = ast.parse(text)
    wanted = private - defined(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found = [(node.lineno, node.attr)]
        elif isinstance(node, ast.ImportFrom):
            found = [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.Constant) and re.fullmatch(r"[\w.]+", str(node.value)):
            found = [(node.lineno, str(node.value))]
        else:
            continue
        yield from (pair for pair in found if pair[1].rpartition(".")[2] in wanted)


def files_that_name(folder: Path, private: set[str]) -> dict[str, list[tuple[int, str]]]:
    """Return for each file below a folder the private names in it, if there are any."""
    found = {
        str(path.relative_to(folder)): list(named(path.read_text(encoding="utf-8"), private))
        for path in sorted(folder.rglob("*.py"))
    }
    return {name: lines for name, lines in found.items() if lines}


def test_no_test_names_what_is_private() -> None:
    assert files_that_name(TESTS, private_names(SOURCE)) == {}


@pytest.mark.parametrize(
    "text",
    [
        "print(hunter._values)",
        "from embedded_hunter.regret.sphere import _legendre",
        "monkeypatch.setattr(module, '_commit', None)",
        "monkeypatch.setattr('reproduction.commands.provenance._commit', None)",
    ],
)
def test_a_private_name_is_found(text: str) -> None:
    assert len(list(named(text, private_names(SOURCE)))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Player(root)._repr_html_()",
        "row._replace(x=1)",
        "Fault('no class', 'tree', 'in self._norms', 'in []')",
        "class Twin:\n    def __init__(self):\n        self._values = []\nprint(Twin()._values)",
    ],
)
def test_other_names_are_not_found(text: str) -> None:
    assert list(named(text, private_names(SOURCE))) == []
