"""What can be seen of the site without a browser: links, anchors, and the way to any evidence."""

import html
import json
import re
from functools import cache
from typing import Any

import pytest

from repository.site.html_pages import (
    ROOT,
    SITE,
    VERSION,
    Parsed,
    broken,
    classes,
    files,
    internal,
    pages,
    parsed,
    target,
)
from reproduction.claims import registry

pytestmark = pytest.mark.docs


def test_every_internal_link_and_anchor_resolves() -> None:
    assert len(pages()) > 200
    assert sum(len(parsed(page).links) for page in pages()) > 10_000
    assert [problem for page in pages() for problem in broken(page)] == []


def test_nothing_that_a_page_loads_is_on_another_host() -> None:
    fetched = [(page, address) for page in pages() for address in parsed(page).fetched]
    assert len(fetched) > 1000
    assert [(p, a) for p, a in fetched if not internal(a) and not a.startswith("data:")] == []


def test_every_picture_has_an_alternative_text() -> None:
    pictures = [(page, alt) for page in pages() for alt in parsed(page).pictures]
    assert len(pictures) > 20
    assert [page for page, alt in pictures if alt is None] == []


def test_no_page_shows_a_message_of_its_build() -> None:
    marks = {"system-message", "problematic"}
    assert [page for page in pages() if marks & classes(page)] == []


def test_the_search_knows_every_page() -> None:
    text = (SITE / "searchindex.js").read_text(encoding="utf-8")
    names = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))["docnames"]
    unknown = {"search.html"}
    written = {page for page in pages() if not page.startswith("source/")} - unknown
    assert {f"{name}.html" for name in names} == written


def test_no_page_is_large() -> None:
    """One megabyte, without pictures and scripts: the text of a page, its links and its graphs."""
    sizes = {page: (SITE / page).stat().st_size for page in pages()}
    assert {page: size for page, size in sizes.items() if size > 1_000_000} == {}


def test_statements_and_equations_have_the_numbers_of_the_paper() -> None:
    """Their pages number them in order; a claim's place says what the paper has."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(SITE.glob("paper/*.html")))
    shown = dict(re.findall(r'admonition" id="([\w-]+)">\s*<p [^>]+><span [^>]+>(\w+ \d+) <', text))
    places = {
        id: found[0]
        for id, claim in registry.load(ROOT).items()
        if (found := re.match(r"\w+ \d+\b", claim.place))
        and id == found[0].lower().replace(" ", "-")
    }
    assert len(places) == 10
    assert {id: shown.get(id) for id in places} == places
    equations = re.findall(r'id="equation-eq-(\d)">\s*<span class="eqno">\((\d+)\)', text)
    assert len(equations) >= 5
    assert [label for label, number in equations if label != number] == []


@cache
def rows() -> list[dict[str, Any]]:
    """Return the claims as the site has them in a file."""
    found: list[dict[str, Any]] = json.loads((SITE / "claims.json").read_text(encoding="utf-8"))
    return found


def links(text: str) -> list[str]:
    """Return the addresses that a piece of HTML leads to."""
    reader = Parsed()
    reader.feed(text)
    return reader.links


@cache
def errata_of(id: str) -> list[str]:
    """Return the lines of the errata that list a claim among those of an item."""
    text = (ROOT / "docs/errata.md").read_text(encoding="utf-8")
    lists = re.findall(r"^```\{erratum\} (.*)$", text, re.MULTILINE)
    return [line for line in lists if id in line.split()]


@cache
def rocq_file(module: str) -> str:
    """Return the path of a Rocq file in the repository."""
    return next((ROOT / "proofs").glob(f"*/{module}.v")).relative_to(ROOT).as_posix()


def hub(id: str) -> str:
    """Return the row of a claim in the table of all claims, as HTML."""
    text = claims_page()
    start = text.index(f'id="claim-{id}"')
    return text[start : text.index("</tr>", start)]


@cache
def claims_page() -> str:
    return (SITE / "claims.html").read_text(encoding="utf-8")


@cache
def lines_of(page: str) -> list[str]:
    return (SITE / page).read_text(encoding="utf-8").splitlines()


def leads_back(page: str, anchor: str, id: str) -> bool:
    """Tell whether the line of a listing that defines a name has a link to a claim."""
    (line,) = (line for line in lines_of(page) if f'<i id="{html.escape(anchor)}"></i>' in line)
    return f'claims.html#claim-{id}"' in line


@pytest.mark.parametrize("id", list(registry.load(ROOT)))
def test_from_any_of_five_to_any_other_in_two_clicks(id: str) -> None:
    """Claim, code, test, theorem and item of the errata: the claim's row is between them.

    One click leads from the row to each of the others, and one leads from each of them to the row:
    from the line that defines a test or a theorem, from the page of the reference that has the
    code, and from the item of the errata.
    """
    row = hub(id)
    leading = [target("claims.html", link) for link in links(row)]
    assert target("claims.html", f"#claim-{id}") in leading  # a link to itself, to be sent
    shown = next(r for r in rows() if r["id"] == id)
    for name in {*shown["tests"], *shown["counterexample"], *shown["theorems"], *shown["proof"]}:
        file, apart, test = name.partition("[")[0].partition("::")
        if not apart:
            module, _, test = name.partition(".")
            file = rocq_file(module)
        page = f"source/{file}.html"
        assert (page, test) in leading, name
        assert leads_back(page, test, id), name
    for name in shown["python"]:
        path = name.partition(":")[2]
        code = [
            (p, a) for p, a in leading if a.endswith(path) and p.startswith(("api/", "source/"))
        ]
        code = code or [(p, a) for p, a in leading if p.startswith("source/src/")]
        assert code, name
        assert any(f'claims.html#claim-{id}"' in "\n".join(lines_of(p)) for p, _ in code), name
    for page, anchor in leading:
        if page == "errata.html":
            item = "\n".join(lines_of(page)).partition(f'<section id="{anchor}">')[2]
            assert f'claims.html#claim-{id}"' in item.partition("</section>")[0]
    assert ("errata.html" in {page for page, _ in leading}) == bool(errata_of(id))


def test_every_module_of_the_library_is_in_the_reference() -> None:
    """On the page of its package, to which the index of the reference leads."""
    modules = {
        path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".")
        for path in (ROOT / "src" / "embedded_hunter").rglob("*.py")
        if not path.stem.startswith("_") and path.parent.name != "kit"  # a program, no module
    }
    assert len(modules) > 50
    listed = {
        target("api/index.html", link)[0]
        for link in links((SITE / "api/index.html").read_text(encoding="utf-8"))
    }
    for module in modules:
        page = f"api/generated/{module.rpartition('.')[0]}.html"
        assert page in listed
        assert f"module-{module}" in parsed(page).ids


def test_the_site_is_small() -> None:
    assert len(pages()) <= 350
    sizes = [(SITE / name).stat().st_size for name in files() if not VERSION.match(name)]
    assert sum(sizes) <= 25_000_000
