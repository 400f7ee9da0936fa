"""The pages of the claims as a reader's browser shows them: verdicts, graph, filters."""

import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

from repository.site.html_pages import ROOT, SITE
from reproduction.claims.registry import GRADES, load

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.docs


@cache
def verdicts_of_the_package() -> dict[str, str]:
    command = [sys.executable, "-m", "reproduction", "claims", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {row["id"]: row["verdict"] for row in json.loads(done.stdout)}


def test_the_claims_are_those_of_the_package(page: "Page") -> None:
    """Row by row, in the counts, and in ``claims.json``, the same as ``claims --json``."""
    expected = verdicts_of_the_package()
    page.goto("claims.html")
    rows = page.eval_on_selector_all(
        "table.claims tbody tr",
        "all => all.map(r => [r.id, r.querySelector('.verdict').textContent])",
    )
    assert {id.removeprefix("claim-"): verdict for id, verdict in rows} == expected
    counts = page.eval_on_selector_all(
        ".claims-summary ul:first-of-type li",
        "all => all.map(i => [i.querySelector('.verdict').textContent, "
        "Number(i.querySelector('strong').textContent)])",
    )
    assert dict(counts) == Counter(expected.values())
    grades = Counter(claim.grade for claim in load(ROOT).values())
    lines = page.locator(".claims-summary ul:last-of-type li").all_inner_texts()
    assert [line.partition(":")[0] for line in lines] == [f"{grades[g]} {g}" for g in GRADES]
    written = json.loads((SITE / "claims.json").read_text(encoding="utf-8"))
    assert {row["id"]: row["verdict"] for row in written} == expected


def test_every_verdict_has_a_colour_of_its_own(page: "Page") -> None:
    page.goto("claims.html")
    seen = page.eval_on_selector_all(
        "table.claims tbody .verdict",
        "all => all.map(v => [v.textContent, v.className, getComputedStyle(v).borderTopColor])",
    )
    assert {verdict for verdict, _, _ in seen} == set(verdicts_of_the_package().values())
    colours = {verdict: colour for verdict, _, colour in seen}
    assert len(set(colours.values())) == len(colours)
    for verdict, classes, colour in seen:
        slug = re.sub(r"\W+", "-", verdict).strip("-")
        assert f"v-{slug}" in classes.split()
        assert colour == colours[verdict]


# Of each page with a filter: its rows, or what takes their place, and one of them by its anchor.
FILTERED = {
    "claims.html": ("table.claims tbody tr", "claim-eq-1"),
    "paper/hypotheses.html": ("article > section section section", "zero-vector-once"),
    "results/benchmark/tables.html": (".family tbody tr", "rotated"),
    "results/paper/report.html": (".family tbody tr", "resoo"),
}
SHOWN = "all => all.map(e => e.checkVisibility())"


@pytest.mark.parametrize("address", FILTERED)
def test_a_page_of_long_tables_is_short_until_it_is_opened(page: "Page", address: str) -> None:
    """Closed at first; a text leaves what contains it; a link into a fold opens it."""
    selector, anchor = FILTERED[address]
    page.goto(address)
    rows, text = page.locator(selector), page.locator(".filter input")
    assert rows.count() > 50
    assert not any(rows.evaluate_all(SHOWN))
    page.locator(".filter button").click()
    assert all(rows.evaluate_all(SHOWN))
    words = rows.evaluate_all("all => all.map(e => e.textContent.toLowerCase())")
    asked = words[-1].split()[0]
    text.fill(asked.upper())
    assert rows.evaluate_all(SHOWN) == [asked in word for word in words]
    text.fill("no row has this text")
    assert not any(rows.evaluate_all(SHOWN))
    assert page.locator(".family").locator("visible=true").count() == 0
    page.evaluate("id => { location.hash = id; }", anchor)
    page.wait_for_function("id => document.getElementById(id).checkVisibility()", arg=anchor)
    page.goto(f"{address}?again#{anchor}")
    assert page.evaluate("id => document.getElementById(id).checkVisibility()", anchor)
    page.wait_for_function("scrollY > 0")  # the page scrolls smoothly, also to an anchor


def test_rows_are_filtered_by_verdict(page: "Page") -> None:
    page.goto("claims.html")
    rows = page.locator(FILTERED["claims.html"][0])
    verdicts = rows.evaluate_all(
        "all => all.map(r => [...r.querySelectorAll('.verdict')].map(e => e.textContent))"
    )
    chosen: set[str] = set()
    for verdict in page.locator(".claims-summary button").all_inner_texts()[:2]:
        chosen.add(verdict)
        button = page.get_by_role("button", name=verdict, exact=True)
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
        expected = [not chosen.isdisjoint(found) for found in verdicts]
        assert rows.evaluate_all(SHOWN) == expected
        assert any(expected)


def test_without_a_script_every_claim_is_shown(browser: "Browser", base: str) -> None:
    page = browser.new_page(java_script_enabled=False, base_url=base)
    page.goto("claims.html")
    assert page.locator("table.claims tbody tr").first.is_visible()
    assert page.locator("table.claims tbody tr").last.is_visible()
    page.close()
