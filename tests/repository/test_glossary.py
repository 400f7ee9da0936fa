"""The glossary defines every parameter, and the reference shows every public name."""

import dataclasses
import re
from pathlib import Path

import embedded_hunter
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings

DOCS = Path(__file__).parents[2] / "docs"


def test_every_parameter_is_defined() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^`?(\w+)`?$", text, re.MULTILINE)
    parameters = {
        field.name for kind in (Settings, ForestSettings) for field in dataclasses.fields(kind)
    }
    assert parameters - set(terms) == set()


def test_every_public_name_is_imported_and_described() -> None:
    """As one imports it, and with a link to where it is defined."""
    text = (DOCS / "api" / "index.md").read_text(encoding="utf-8")
    imported = ", ".join(re.findall(r"^from embedded_hunter import (.*)$", text, re.MULTILINE))
    public = {name for name in embedded_hunter.__all__ if not name.startswith("__")}
    assert set(imported.split(", ")) == public
    links = {found.rpartition(".")[2] for found in re.findall(r"{py:\w+}`[^`]*?([\w.]+)>?`", text)}
    assert public - links == set()
