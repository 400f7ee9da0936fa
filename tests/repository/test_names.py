"""A name means one thing and is explained; an option and a name on a page exist."""

import ast
import doctest
import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import embedded_hunter
import embedded_hunter.cli
import reproduction.cli
from embedded_hunter.commands.program import Parser, Program
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.run import asktell, minimize
from embedded_hunter.run.policies import POLICIES
from embedded_hunter.settings import Settings
from reproduction.methods import METHODS

SOURCE = Path(embedded_hunter.__file__).parents[1]
ROOT = SOURCE.parent
DOCS = ROOT / "docs"
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
    files = [path for kind in ("md", "svg", "py") for path in DOCS.rglob(f"*.{kind}")]
    files += SOURCE.rglob("*.py")
    other = re.compile(r"EmbeddedHunter, (policy )?(forest|indexed)|\bEH-(forest|index|fresh)")
    found = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if "_build" not in path.parts and other.search(path.read_text(encoding="utf-8"))
    }
    assert found == set()


# --- the reference ------------------------------------------------------------------------------


def test_every_public_name_is_imported_and_described() -> None:
    """As one imports it, and with a link to where it is defined."""
    text = (DOCS / "api" / "index.md").read_text(encoding="utf-8")
    imported = ", ".join(re.findall(r"^from embedded_hunter import (.*)$", text, re.MULTILINE))
    public = {name for name in embedded_hunter.__all__ if not name.startswith("__")}
    assert set(imported.split(", ")) == public
    links = {found.rpartition(".")[2] for found in re.findall(r"{py:\w+}`[^`]*?([\w.]+)>?`", text)}
    assert public - links == set()


# --- docstrings ----------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [minimize, asktell], ids=lambda module: module.__name__)
def test_the_examples_of_a_docstring_show_what_they_say(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried >= 4
    assert failed == 0


def listed(described: object) -> set[str]:
    """Return the parameters that a docstring explains, each by itself."""
    text = (inspect.getdoc(described) or "").partition("Parameters\n---")[2]
    found = re.findall(r"^([\w, ]+)$\n {4}", text, re.MULTILINE)
    return {name for names in found for name in names.split(", ")}


@pytest.mark.parametrize(
    "front_door", [minimize.minimize, asktell.Search, Settings, ForestSettings]
)
def test_every_parameter_is_explained_by_itself(front_door: Callable[..., object]) -> None:
    assert {*inspect.signature(front_door).parameters} - {"parameters"} <= listed(front_door)


def test_minimize_leads_from_each_parameter_of_a_policy_to_where_it_is_explained() -> None:
    text = inspect.getdoc(minimize.minimize) or ""
    text = text.partition("**parameters")[2].partition("\nrng")[0]
    of_matrices, _, of_the_forest = text.partition("Settings`. Those of")
    for name_of_policy, policy in POLICIES.items():
        of_a_forest = name_of_policy == "forest"
        explained = listed(policy.settings)
        for name in policy.parameters:
            assert re.search(rf"\b{name}\b", of_the_forest if of_a_forest else of_matrices), name
            assert name in explained | {"d"}


# --- options -------------------------------------------------------------------------------------

OPTION = r"(?<![\w-])--[a-z][a-z-]+"
ELSEWHERE = {"--durations", "--is-ancestor", "--strict"}
"""Options of other programs."""


def options_of(program: Program) -> set[str]:
    """The options of all commands of a program, from their help texts."""
    help_text = program.parser(None).format_help()
    for command in program.commands.values():
        parser = Parser()
        importlib.import_module(command.module).add_arguments(parser)
        help_text += parser.format_help()
    return set(re.findall(OPTION, help_text))


def test_every_option_that_is_named_exists() -> None:
    known = ELSEWHERE | options_of(embedded_hunter.cli.PROGRAM)
    known |= options_of(reproduction.cli.PROGRAM)
    for path in (
        ROOT / "tests" / "conftest.py",
        SOURCE / "reproduction" / "claims" / "report.py",
    ):
        declared = re.findall(rf'addoption\(\s*"({OPTION})"', path.read_text(encoding="utf-8"))
        assert declared
        known |= {*declared}
    pages = {*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs/use").glob("*.md")}
    pages |= {ROOT / "tests" / "README.md"}
    pages -= {ROOT / "CHANGELOG.md"}  # of versions that had others
    messages = {
        *(SOURCE / "embedded_hunter").rglob("*.*"),
        *(SOURCE / "reproduction" / "commands").glob("*.py"),
        *(SOURCE / "reproduction" / "stored").glob("*.py"),
    }
    unknown, named = {}, set()
    for path in pages | {p for p in messages if p.suffix in {".py", ".md"}}:
        here = set(re.findall(OPTION, path.read_text(encoding="utf-8")))
        named |= here
        if here - known:
            unknown[path.relative_to(ROOT).as_posix()] = here - known
    assert len(named) > 30
    assert unknown == {}
