"""Who may import whom in the package: the core knows nothing of what is built on it."""

import ast
import sys
from pathlib import Path

import embedded_hunter

SOURCE = Path(embedded_hunter.__file__).parent
PACKAGE = "embedded_hunter"
CORE = ["settings", "node", "tree", "hunter"]
SEARCH = [
    *CORE,
    "projection",
    "refinement",
    "forest",
    "quadratic",
    "grown",
    "planted",
    "box",
    "evaluators",
    "asktell",
    "minimize",
    "trace",
]
NOT_OF_THE_SEARCH = {"regret", "experiments", "baselines", "cli", "problems", "practice"}
RUNTIME = {"numpy", "scipy"}


def imports_of(path: Path, *, at_import_time: bool = False) -> set[str]:
    """Absolute names of the modules that a file imports, all or only those at its top level."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if at_import_time else list(ast.walk(tree))
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write absolute imports"
            assert node.module is not None
            names.add(node.module)
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def own(names: set[str]) -> set[str]:
    """The first part below the package of each name of ours."""
    parts = [name.split(".") for name in names]
    return {part[1] for part in parts if part[0] == PACKAGE and len(part) > 1}


def test_the_core_is_a_chain() -> None:
    for k, module in enumerate(CORE):
        assert own(imports_of(SOURCE / f"{module}.py")) & set(SEARCH) <= set(CORE[:k])


def test_projection_knows_nothing_of_tree_and_hunter() -> None:
    assert not own(imports_of(SOURCE / "projection.py")) & {"tree", "hunter", "asktell", "minimize"}


def test_the_search_imports_nothing_built_on_it() -> None:
    seen = 0
    for module in SEARCH:
        path = SOURCE / f"{module}.py"
        if path.exists():
            seen += 1
            assert not own(imports_of(path)) & NOT_OF_THE_SEARCH, module
    assert seen >= 9


def test_importing_the_package_needs_only_numpy_and_scipy() -> None:
    """Extras are imported inside the functions that use them."""
    checked = 0
    for path in SOURCE.rglob("*.py"):
        if path.name == "strategies.py":  # an optional import as a whole
            continue
        for name in imports_of(path, at_import_time=True):
            root = name.split(".")[0]
            assert root in RUNTIME | {PACKAGE} | set(sys.stdlib_module_names), (
                f"{path.name}: {name}"
            )
            checked += 1
    assert checked > 50
