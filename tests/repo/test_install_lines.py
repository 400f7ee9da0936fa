"""Every line that says how to install something works from a checkout."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
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
