"""The page of the specification: every test of the core, in order, as a sentence."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
pytest.importorskip("sphinx", reason="Sphinx is not installed: pip install -e '.[docs]'")
specification = import_module("specification")

SOURCE = "\n".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "src" / "embedded_hunter").glob("*.py")
)
SHOWN = re.findall(
    r"^```\{specification\} (\S+)$",
    (ROOT / "docs" / "specification.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def test_the_page_shows_the_tests_of_the_five_files_of_the_paper() -> None:
    folder = ROOT / "tests" / "spec" / "algorithm"
    expected = [
        path.relative_to(ROOT).as_posix()
        for part in ("settings", "node", "tree", "hunter", "projection")
        for path in sorted(folder.glob(f"test_{part}*.py"))
    ]
    assert expected == SHOWN


@pytest.mark.parametrize("path", SHOWN)
def test_every_test_is_stated_once_in_order(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    stated = list(specification.stated(text))
    names = re.findall(r"^def (test_\w+)", text, re.MULTILINE)
    assert [test.name for test in stated] == names
    claims = [id for test in stated for id in test.claims]
    marked = re.findall(r"^@pytest\.mark\.claim\((.*?)\)$", text, re.MULTILINE | re.DOTALL)
    assert claims == [id for ids in marked for id in re.findall(r'"([^"]+)"', ids)]


def test_a_name_becomes_a_sentence() -> None:
    assert specification.sentence("test_after_a_visit_nu_min_is_least") == (
        "After a visit `nu_min` is least."
    )
    assert specification.sentence("test_h_max_is_kept") == "`h_max` is kept."
    assert (
        specification.sentence("test_equation_3_leaves_the_cube") == "Equation 3 leaves the cube."
    )


@pytest.mark.parametrize("name", specification.IDENTIFIERS)
def test_the_identifiers_are_those_of_the_code(name: str) -> None:
    assert re.search(rf"\b{name}\b", SOURCE)
