"""What can be seen of the site without a browser: links, anchors, and the way to any evidence."""

import json
from functools import cache

import pytest
from html_pages import ROOT, SITE, broken, internal, pages, parsed, target

from embedded_hunter.claims import registry

pytestmark = pytest.mark.docs
NUMBERED = ("theorem-1", "lemma-1", "lemma-2", "theorem-2", "eq-3", "eq-7", "coverage")


def test_every_internal_link_and_anchor_resolves() -> None:
    assert len(pages()) > 200
    assert sum(len(parsed(page).links) for page in pages()) > 10_000
    assert [problem for page in pages() for problem in broken(page)] == []


def test_nothing_that_a_page_loads_is_on_another_host() -> None:
    fetched = [(page, address) for page in pages() for address in parsed(page).fetched]
    assert len(fetched) > 1000
    assert [(p, a) for p, a in fetched if not internal(a) and not a.startswith("data:")] == []


@cache
def within(clicks: int) -> set[tuple[str, str]]:
    """Return page and anchor of all that can be reached from the start page by that many clicks."""
    reached: set[tuple[str, str]] = {("index.html", "")}
    for _ in range(clicks):
        here = {page for page, _ in reached if page.endswith(".html")}
        reached |= {
            target(page, link) for page in here for link in parsed(page).links if internal(link)
        }
    return reached


@pytest.mark.parametrize("id", NUMBERED)
def test_two_clicks_from_the_start_lead_to_code_test_and_proof(id: str) -> None:
    claim = registry.load(ROOT)[id]
    reached = within(2)
    for name in (*claim.proof, *claim.refuting_theorems):
        file, _, theorem = name.partition(".")
        assert (f"source/proofs/{file}.v.html", theorem) in reached
    for name in claim.refuting_tests:
        path, _, test = name.partition("::")
        assert (f"source/{path}.html", test) in reached
    for name in claim.python:
        path = name.partition(":")[2]
        assert any(
            address.startswith(("api/", "source/src/")) and anchor.endswith(path)
            for address, anchor in reached
        ), name
    assert ("claims.html", f"claim-{id}") in reached


def test_every_module_has_a_page_of_the_reference() -> None:
    modules = {
        path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".")
        for path in (ROOT / "src" / "embedded_hunter").rglob("*.py")
        if not path.stem.startswith("_") and path.parent.name != "kit"  # a program, no module
    }
    assert len(modules) > 50
    named = {page.removeprefix("api/generated/").removesuffix(".html") for page in pages()}
    assert modules <= named


def test_every_claim_has_a_verdict() -> None:
    """From the evidence of the checkout, or of the release."""
    rows = json.loads((SITE / "claims.json").read_text(encoding="utf-8"))
    assert len(rows) > 100
    assert [row["id"] for row in rows if row["verdict"] == "unchecked"] == []
