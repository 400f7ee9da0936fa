"""Who may import whom: the rooms of the package, from the paper at the bottom to the commands."""

import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import embedded_hunter

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "_ext"))

from rooms import PACKAGE, PAPER, between_rooms, graph, imports_of, modules, reached, reduced

SOURCE = Path(embedded_hunter.__file__).parent
RUNTIME = {"numpy", "scipy"}

LEAVES = ["version", "extras"]
BELOW = [*PAPER, *LEAVES, "forest", "run"]
ALL = [*BELOW, "regret", "claims", "problems", "traces", "baselines"]
MAY_IMPORT = {
    # The five files of the paper.
    "settings": [],
    "node": ["settings"],
    "tree": ["node"],
    "hunter": ["settings", "node", "tree"],
    "projection": ["settings", "node"],
    # The rooms.
    "forest": PAPER,
    "run": [*PAPER, *LEAVES, "forest"],
    "regret": [],
    "claims": LEAVES,
    "problems": [],
    "traces": BELOW,
    "baselines": BELOW,
    "testing": [*BELOW, "traces"],
    "adapters": [*BELOW, "baselines"],
    "experiments": ALL,
    "plots": ALL,
    "commands": [*ALL, "experiments", "plots"],
    # The entrances.
    "cli": ["commands", *LEAVES],
    "__main__": ["cli"],
    "__init__": [*BELOW],
    "version": [],
    "extras": [],
}
"""Room: the rooms that it imports, besides itself."""


def breaches(root: Path) -> Iterator[str]:
    """The imports that no rule allows, in words."""
    for module, imported in graph(root).items():
        room = module.split(".")[0]
        allowed = {room, *MAY_IMPORT.get(room, [])}
        for other in sorted(imported):
            if other.split(".")[0] not in allowed:
                yield f"{module} imports {other}: {room} may import {', '.join(allowed - {room})}"


def circle(root: Path) -> list[str]:
    """A circle of imports between files, empty if there is none.

    A package's __init__ passes on what its files define: it counts as importing them, not they it.
    """
    packages = {name for name, path in modules(root).items() if path.name == "__init__.py"}
    edges = {name: imported - packages for name, imported in graph(root).items()}
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_room_has_its_rule() -> None:
    assert {name.split(".")[0] for name in modules(SOURCE)} == set(MAY_IMPORT)


def test_rooms_import_only_what_lies_below_them() -> None:
    assert list(breaches(SOURCE)) == []


def test_the_picture_of_the_rooms_leaves_out_only_what_follows() -> None:
    """The page ``architecture`` draws `reduced`: the same is reached, and each arrow is needed."""
    rooms = between_rooms(SOURCE)
    arrows = reduced(rooms)
    assert {name: reached(arrows, name) for name in rooms} == {
        name: reached(rooms, name) for name in rooms
    }
    for name, others in arrows.items():
        assert others <= rooms[name]
        for other in others:
            fewer = {**arrows, name: others - {other}}
            assert other not in reached(fewer, name)


def test_there_is_no_circle() -> None:
    assert circle(SOURCE) == []


@pytest.mark.parametrize(
    ("module", "line", "says"),
    [
        ("settings", "from embedded_hunter.node import Node", "settings imports node"),
        ("tree", "import embedded_hunter.settings", "tree imports settings"),
        ("projection", "from embedded_hunter import hunter", "projection imports hunter"),
        ("forest.model", "from embedded_hunter.run import box", "forest.model imports run.box"),
        ("regret.cone", "from embedded_hunter.node import Node", "regret.cone imports node"),
        ("run.box", "from embedded_hunter.traces.check import check", "run.box imports traces"),
        ("plots.growth", "from embedded_hunter.cli import main", "plots.growth imports cli"),
    ],
)
def test_a_breach_is_named(tmp_path: Path, module: str, line: str, says: str) -> None:
    """In a package whose other files are empty."""
    for name, path in modules(SOURCE).items():
        copy = tmp_path / path.relative_to(SOURCE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = f"def _f():\n    {line}\n" if name == module else ""
        copy.write_text(text, encoding="utf-8")
    found = list(breaches(tmp_path))
    assert any(words.startswith(says) for words in found)
    assert all(words.startswith(f"{module} imports ") for words in found)


def test_a_circle_is_found(tmp_path: Path) -> None:
    for name, line in (
        ("a", "import embedded_hunter.b"),
        ("b", "from embedded_hunter import c"),
        ("c", "def f():\n    from embedded_hunter.a import g"),
    ):
        (tmp_path / f"{name}.py").write_text(line, encoding="utf-8")
    assert set(circle(tmp_path)) == {"a", "b", "c"}


def test_importing_the_package_needs_only_numpy_and_scipy() -> None:
    """Extras are imported inside the functions that use them."""
    checked = 0
    for path in SOURCE.rglob("*.py"):
        if path.name in ("testing.py", "optuna.py", "nevergrad.py"):  # optional as a whole
            continue
        for name in imports_of(path, at_import_time=True):
            root = name.split(".")[0]
            assert root in RUNTIME | {PACKAGE} | set(sys.stdlib_module_names), (
                f"{path.name}: {name}"
            )
            checked += 1
    assert checked > 50
