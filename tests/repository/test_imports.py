"""Who may import whom: the rooms of both packages, from the paper at the bottom to the commands.

A file's name is that below ``embedded_hunter``, such as "run.box", or with its package,
such as "reproduction.claims.verdict". Its room is the folder, or the file at the top of its
package: the first part of that name, "run", and with ``reproduction`` the first two.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import embedded_hunter

# --- reading the source --------------------------------------------------------------------------

SOURCE = Path(embedded_hunter.__file__).parents[1]
LIBRARY, CHECKOUT = PACKAGES = ("embedded_hunter", "reproduction")
"""The library, which is installed, and what only a checkout has."""
PAPER = ["settings", "node", "tree", "hunter", "projection"]
"""The five files of the paper; between rooms they count as one."""


def short(module: str) -> str:
    """Return the name of a module, as this file has it, from its name in Python."""
    return module.removeprefix(LIBRARY + ".")


def modules() -> dict[str, Path]:
    """Return every module of both packages by its name."""
    names = {}
    for package in PACKAGES:
        for path in sorted((SOURCE / package).rglob("*.py")):
            parts = path.relative_to(SOURCE).with_suffix("").parts
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


def graph() -> dict[str, set[str]]:
    """Return for each module the modules of both packages that it imports, anywhere in the file."""
    known = modules()
    return {
        name: {found for found in map(short, imports_of(path)) if found in known} - {name}
        for name, path in known.items()
    }


# --- the rules -----------------------------------------------------------------------------------

RUNTIME = {"numpy", "scipy"}

LEAVES = ["version", "common", "matrices"]
BELOW = [*PAPER, *LEAVES, "forest", "run"]
ALL = [*BELOW, "traces"]


def checkout(*rooms: str) -> list[str]:
    """Return the names of rooms that only a checkout has."""
    return [f"{CHECKOUT}.{room}" for room in rooms]


SHARED = checkout("seeds", "statistics", "tables", "kept_runs", "campaign", "problems")
METHODS = checkout("methods", "optimizers", "baselines")
FIGURE_1 = [*ALL, *SHARED, *METHODS, "reproduction.released"]
STUDIES = [*FIGURE_1, *checkout("figure_1", "benchmark", "theory")]
MAY_IMPORT = {
    # The five files of the paper.
    "settings": ["common"],
    "node": ["settings"],
    "tree": ["node"],
    "hunter": ["settings", "node", "tree"],
    "projection": ["settings", "node", "matrices"],
    # The rooms.
    "forest": [*PAPER, "common", "matrices"],
    "run": [*PAPER, *LEAVES, "forest"],
    "traces": BELOW,
    "adapters": BELOW,
    "plots": ALL,
    "commands": [*ALL, "plots"],
    # The entrances.
    "cli": ["commands"],
    "__main__": ["cli"],
    "__init__": [*BELOW, "plots"],
    "version": [],
    "common": [],
    "matrices": [],
    # What only a checkout has.
    "reproduction.seeds": [],
    "reproduction.arithmetic": [],
    "reproduction.statistics": [],
    "reproduction.tables": [],
    "reproduction.provenance": ["reproduction.arithmetic"],
    "reproduction.kept_runs": [],
    "reproduction.campaign": ["reproduction.kept_runs"],
    "reproduction.growth": [*ALL, "plots"],
    "reproduction.claims": [],
    "reproduction.problems": ["common", "matrices", "reproduction.seeds"],
    "reproduction.baselines": [*PAPER, "matrices"],
    "reproduction.released": ["common", "matrices", "run", "reproduction.problems"],
    "reproduction.optimizers": [*ALL, *checkout("seeds", "problems", "baselines")],
    "reproduction.methods": ["reproduction.optimizers"],
    "reproduction.theory": [*ALL, "reproduction.baselines"],
    "reproduction.figure_1": FIGURE_1,
    "reproduction.benchmark": [*FIGURE_1, "reproduction.figure_1", "reproduction.provenance"],
    "reproduction.costs": [*ALL, *SHARED, *METHODS],
    "reproduction.stored": [*STUDIES, *checkout("costs", "provenance")],
    "reproduction.commands": [
        "commands",
        *STUDIES,
        *checkout("claims", "provenance", "stored", "arithmetic"),
    ],
    "reproduction.cli": ["commands", "reproduction.commands"],
    "reproduction.__main__": ["reproduction.cli"],
    "reproduction.__init__": [],
}
"""Room: the rooms that it imports, besides itself."""


def breaches() -> Iterator[str]:
    """The imports that no rule allows, in words."""
    for module, imported in graph().items():
        room = room_of(module)
        allowed = {room, *MAY_IMPORT.get(room, [])}
        for other in sorted(imported):
            if room_of(other) not in allowed:
                yield f"{module} imports {other}: {room} may import {', '.join(allowed - {room})}"


def between_files() -> dict[str, set[str]]:
    """The imports between files.

    A package's __init__ passes on what its files define: it counts as importing them, not they it.
    """
    packages = {name for name, path in modules().items() if path.name == "__init__.py"}
    return {name: imported - packages for name, imported in graph().items()}


def circle(edges: dict[str, set[str]]) -> list[str]:
    """A circle of imports, empty if there is none."""
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_room_has_its_rule_and_its_place_on_the_page() -> None:
    assert {room_of(name) for name in modules()} == set(MAY_IMPORT)
    page = (SOURCE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = page.partition("## The rooms")[2].partition("## What flows")[0]
    named = set(re.findall(r"`(\w+)(?:\.py)?`", rooms)) | {*PAPER, "cli"}
    assert {room.removeprefix("reproduction.") for room in MAY_IMPORT} <= named


def test_the_library_imports_nothing_that_only_a_checkout_has() -> None:
    """No rule allows it, so that the test of the rules finds it."""
    for room, others in MAY_IMPORT.items():
        if not room.startswith("reproduction."):
            assert [name for name in others if name.startswith("reproduction.")] == []


def test_rooms_import_only_what_lies_below_them() -> None:
    assert list(breaches()) == []


def test_there_is_no_circle_of_files() -> None:
    assert circle(between_files()) == []


def test_there_is_no_circle_of_rooms() -> None:
    """In the rules, which all imports obey, with the files of the paper as one room."""
    rules: dict[str, set[str]] = {}
    for room, others in MAY_IMPORT.items():
        name = "paper" if room in PAPER else room
        found = {"paper" if other in PAPER else other for other in others}
        rules.setdefault(name, set()).update(found - {name})
    assert circle(rules) == []


def test_importing_the_packages_needs_only_numpy_and_scipy() -> None:
    """Extras are imported inside the functions that use them."""
    checked = 0
    for path in modules().values():
        if path.name == "optuna.py":  # optional as a whole
            continue
        for name in imports_of(path, at_import_time=True):
            root = name.split(".")[0]
            assert root in RUNTIME | {*PACKAGES} | set(sys.stdlib_module_names), (
                f"{path.name}: {name}"
            )
            checked += 1
    assert checked > 50
