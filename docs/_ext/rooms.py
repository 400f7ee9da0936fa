"""The imports between the files of the package, read from the source.

A file's name is that below ``embedded_hunter``, such as "regret.cone"; its room is the first part
of that name. `tests/repo/test_imports.py` states which room may import which, and the page
``architecture`` draws what is here.
"""

import ast
from functools import cache
from pathlib import Path

PACKAGE = "embedded_hunter"
PAPER = ["settings", "node", "tree", "hunter", "projection"]
"""The five files of the paper; in the picture they are one box."""


def modules(root: Path) -> dict[str, Path]:
    """Return every module below the package's folder by its name, such as "regret.cone"."""
    names = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)] = path
    return names


def imports_of(path: Path, *, at_import_time: bool = False) -> set[str]:
    """Return the absolute names that a file imports: all, or only those at its top level."""
    tree = _parsed(path.read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in tree.body if at_import_time else ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write absolute imports"
            assert node.module is not None
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def graph(root: Path) -> dict[str, set[str]]:
    """Return for each module the modules of the package that it imports, anywhere in the file."""
    known = modules(root)
    return {
        name: {
            found.removeprefix(PACKAGE + ".")
            for found in imports_of(path)
            if found.removeprefix(PACKAGE + ".") in known
        }
        - {name}
        for name, path in known.items()
    }


def between_rooms(root: Path) -> dict[str, set[str]]:
    """Return for each room the other rooms that it imports, the paper's files as one: "paper"."""

    def room(module: str) -> str:
        first = module.split(".")[0]
        return "paper" if first in PAPER else first

    rooms: dict[str, set[str]] = {}
    for module, imported in graph(root).items():
        rooms.setdefault(room(module), set()).update(room(other) for other in imported)
    return {name: others - {name} for name, others in rooms.items()}


def reached(edges: dict[str, set[str]], start: str) -> set[str]:
    """Return what can be reached from `start` along one edge or more."""
    found: set[str] = set()
    rest = set(edges[start])
    while rest:
        name = rest.pop()
        found.add(name)
        rest |= edges[name] - found
    return found


def reduced(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Leave out each edge that a longer path replaces; `edges` must have no circle."""
    return {
        name: {
            other
            for other in others
            if not any(other in reached(edges, between) for between in others - {other})
        }
        for name, others in edges.items()
    }
