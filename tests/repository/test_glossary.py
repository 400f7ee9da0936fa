"""The glossary defines every public name and every parameter."""

import dataclasses
import re
from pathlib import Path

import embedded_hunter
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"


def test_every_public_name_and_every_parameter_is_defined() -> None:
    terms = re.findall(r"^`?(\w+)`?$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    public = {name for name in embedded_hunter.__all__ if not name.startswith("__")}
    parameters = {
        field.name for kind in (Settings, ForestSettings) for field in dataclasses.fields(kind)
    }
    assert (public | parameters) - set(terms) == set()
