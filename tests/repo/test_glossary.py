"""The glossary defines each word once, and every word that is linked, public or a parameter."""

import dataclasses
import re
from collections import Counter
from pathlib import Path

import embedded_hunter
from embedded_hunter.forest.settings import ForestSettings
from embedded_hunter.settings import Settings

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GLOSSARY = DOCS / "glossary.md"
SKIPPED = {"_build", "_static", "auto_gallery", "generated", "results"}
LINK = re.compile(r"(?:\{term\}|:term:)`(?:[^`<]*<([^`>]+)>|([^`<]+))`")
"""A link to a term, on a page or in a docstring: the term is in one of the two groups."""


def terms_of(text: str) -> list[str]:
    """The terms of a page, without the backticks of code, in their order."""
    blocks = re.findall(r"^```\{glossary\}\n(.*?)^```$", text, flags=re.M | re.S)
    return [
        line.strip("`")
        for block in blocks
        for line in block.splitlines()
        if line and line[0] != " "
    ]


def linked_in(text: str) -> list[str]:
    return [" ".join((target or plain).split()) for target, plain in LINK.findall(text)]


def used_in(term: str, text: str) -> bool:
    """Whether a text has the term, or its plural, as words of their own."""
    stem, end = (term[:-1], "(?:y|ies)") if term.endswith("y") else (term, "(?:e?s|ren)?")
    words = r"\s+".join(map(re.escape, stem.split()))
    return re.search(rf"(?<!\w){words}{end}(?!\w)", text, flags=re.IGNORECASE) is not None


def pages() -> list[Path]:
    """The pages and modules in which a term may be used."""
    found = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *DOCS.glob("*.toml")]
    found += (ROOT / "src").rglob("*.py")
    return [path for path in found if not SKIPPED & set(path.parts) and path != GLOSSARY]


TERMS = terms_of(GLOSSARY.read_text(encoding="utf-8"))


def test_a_page_is_read_as_it_is_written() -> None:
    page = (
        "# A\n\n```{glossary}\nnode\n  A {term}`cell`.\n\n`h_max`\n  Depth.\n```\n\n```\nno\n```\n"
    )
    assert terms_of(page) == ["node", "h_max"]
    assert linked_in("{term}`cells <cell>`, {term}`base\npoint`; :term:`visit`") == [
        "cell",
        "base point",
        "visit",
    ]
    assert used_in("child", "its children")
    assert used_in("policy", "Policies")
    assert used_in("base point", "base\npoints")
    assert not used_in("floor", "flooring")


def test_each_term_is_defined_once() -> None:
    assert len(TERMS) > 60
    assert [term for term, count in Counter(TERMS).items() if count > 1] == []


def test_what_is_linked_is_defined() -> None:
    undefined = {
        f"{path.relative_to(ROOT)}: {term}"
        for path in [*pages(), GLOSSARY]
        for term in linked_in(path.read_text(encoding="utf-8"))
        if term not in TERMS
    }
    assert undefined == set()


def test_what_is_defined_is_used() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages())
    assert [term for term in TERMS if not used_in(term, text)] == []


def test_every_public_name_and_every_parameter_is_defined() -> None:
    public = {name for name in embedded_hunter.__all__ if not name.startswith("__")}
    parameters = {
        field.name for kind in (Settings, ForestSettings) for field in dataclasses.fields(kind)
    }
    assert (public | parameters) - set(TERMS) == set()


def test_the_important_pages_lead_to_the_glossary() -> None:
    """By a link to a term, or to the page."""
    for name in ("index", "notation", "algorithm", "claims", "paper/index", "paper/forest"):
        text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        assert linked_in(text) or "glossary.md" in text, name
