"""The imports between the files of the two packages, read from the source.

A file's name is that below ``embedded_hunter``, such as "run.box", or with its package,
such as "reproduction.claims.verdict". Its room is the folder, or the file at the top of its
package: the first part of that name, "run", and with ``reproduction`` the first two.
"""

import ast
from functools import cache
from pathlib import Path

LIBRARY, CHECKOUT = PACKAGES = ("embedded_hunter", "reproduction")
"""The library, which is installed, and what only a checkout has."""
PAPER = ["settings", "node", "tree", "hunter", "projection"]
"""The five files of the paper; between rooms they count as one."""


def short(module: str) -> str:
    """Return the name of a module, as this file has it, from its name in Python."""
    return module.removeprefix(LIBRARY + ".")


def modules(source: Path) -> dict[str, Path]:
    """Return every module of both packages by its name; `source` is the folder ``src``."""
    names = {}
    for package in PACKAGES:
        for path in sorted((source / package).rglob("*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            if parts[-1] == "__init__" and len(parts) > 2:
                parts = parts[:-1]
            names[short(".".join(parts))] = path
    return names


def room_of(module: str) -> str:
    """Return the room of a module."""
    parts = module.split(".")
    return ".".join(parts[: 2 if parts[0] == CHECKOUT else 1])


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


def graph(source: Path) -> dict[str, set[str]]:
    """Return for each module the modules of both packages that it imports, anywhere in the file."""
    known = modules(source)
    return {
        name: {found for found in map(short, imports_of(path)) if found in known} - {name}
        for name, path in known.items()
    }


def between_rooms(source: Path) -> dict[str, set[str]]:
    """Return for each room the other rooms that it imports, the paper's files as one: "paper"."""

    def room(module: str) -> str:
        found = room_of(module)
        return "paper" if found in PAPER else found

    rooms: dict[str, set[str]] = {}
    for module, imported in graph(source).items():
        rooms.setdefault(room(module), set()).update(room(other) for other in imported)
    return {name: others - {name} for name, others in rooms.items()}
