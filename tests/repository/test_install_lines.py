"""Every line that says how to install something works from a checkout."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOLDERS = ("src", "docs", "tests", "proofs", ".ci")
TEXTS = {
    path.relative_to(ROOT): path.read_text(encoding="utf-8")
    for path in (
        *ROOT.glob("*.md"),
        ROOT / ".ci" / "run",
        *(path for name in FOLDERS for path in (ROOT / name).rglob("*")),
    )
    if path.suffix in (".md", ".py", ".toml", ".rst", "") and path.is_file()
    if path != Path(__file__) and not {"_build", "auto_gallery", "generated"} & set(path.parts)
}
INSTALL = re.compile(r"pip install (?:-\S+ )*(?:'([^']+)'|(\S+))")


def test_what_is_installed_is_the_checkout_or_another_project() -> None:
    """There is no distribution of that name to be had."""
    found = [
        (str(path), quoted or plain)
        for path, text in TEXTS.items()
        for quoted, plain in INSTALL.findall(text)
    ]
    assert len(found) > 20
    assert [(path, what) for path, what in found if re.match(r"embedded[-_.]hunter", what)] == []


def test_the_extras_that_are_named_exist() -> None:
    named = {
        name
        for text in TEXTS.values()
        for names in re.findall(r"pip install [^\n]*?'\.\[([a-z,]+)\]'", text)
        for name in names.split(",")
    }
    assert {"experiments", "test", "docs", "coco", "compare"} <= named <= set(EXTRAS)


PLACEHOLDER = "https://example.org/embedded-hunter"
"""The address until a person who publishes fills it in, in pyproject.toml first."""


def test_the_address_is_the_same_everywhere() -> None:
    """Once it is filled in, this test lists the places that still have the placeholder."""
    address = PROJECT["urls"]["Repository"]
    left = [
        str(path)
        for path in (*TEXTS, Path("CITATION.cff"), Path(".zenodo.json"), Path("pyproject.toml"))
        if PLACEHOLDER in (ROOT / path).read_text(encoding="utf-8") and path.name != "checklists.md"
    ]
    assert address == PLACEHOLDER or left == []
    assert {"Documentation", "Issues"} <= {
        name for name, url in PROJECT["urls"].items() if url.startswith(f"{address}/")
    }
    for name in ("README.md", "SUPPORT.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert f"Get it from <{address}>" in text
        assert "not on Windows or macOS" in text
