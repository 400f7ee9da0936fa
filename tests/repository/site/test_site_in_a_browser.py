"""The site as a reader's browser shows it: formulas, widths, colours, pictures, search."""

import re
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

import pytest

from repository.site.html_pages import WIDE, WIDTHS, pages, samples

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.docs
# Pages that were written are looked at, and of those that a program makes of the source files the
# samples, which together have every class of the site, and two with names of many modules.
MADE = ("api/generated/", "source/")
PACKAGES = [f"{MADE[0]}embedded_hunter{name}.html" for name in ("", ".run")]
SEEN = [page for page in pages() if not page.startswith(MADE) or page in samples() + PACKAGES]
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
# The formulas that were not typeset, and those that were as errors (unknown commands are red).
TYPESET = """async () => {
  const formulas = [...document.querySelectorAll(".math")];
  if (!formulas.length) return [];
  await MathJax.startup.promise;
  const bad = "mjx-merror, [data-mjx-error], [data-mml-node=merror], mjx-container [fill=red]";
  return formulas.filter(e => !e.querySelector("mjx-container") || e.querySelector(bad))
    .map(e => e.textContent);
}"""
# What is not laid out well: formulas, cells of tables and lines of Algorithm 1 that are wider than
# what is shown of them (on a phone they may scroll); equations under their number; corrections that
# do not stand beside what is printed, on a phone below it; names of modules on two lines.
FAULTS = """() => {
  const desk = innerWidth > 1000;
  const all = (s) => [...document.querySelectorAll(s)];
  const box = (e) => e.getBoundingClientRect();
  const cut = all("div.math, mjx-container, td, th, .algorithm pre, .algorithm .listed").filter(
    e => e.clientWidth && e.scrollWidth > e.clientWidth + 1
      && (desk || !e.closest(".scrolls") && getComputedStyle(e).overflowX !== "auto"));
  const under = all("div.math > .eqno").filter(
    e => box(e.parentElement.querySelector("svg")).right > box(e).left + 1);
  const apart = all(".pair").filter(
    e => (box(e.children[0]).right <= box(e.children[1]).left) !== desk);
  const broken = all("table.autosummary td:first-child code").filter(
    e => desk && e.getClientRects().length > 1);
  return Object.entries({cut, under, apart, broken}).flatMap(([fault, found]) =>
    found.map(e => `${fault}: ${e.textContent.trim().slice(0, 80)}`));
}"""
# The lightness of the background, and the contrast of the text.
CONTRAST = """() => {
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map(v => {
      v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const text = light(getComputedStyle(document.querySelector("article, main")).color);
  const back = light(getComputedStyle(document.body).backgroundColor);
  return [back, (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05)];
}"""
# What axe-core finds, of the two grave kinds. MathJax answers for the formulas that it draws; the
# frame around the text is the same on all pages, and the rows of a table are alike.
AXE = """async ([rules, frame]) => {
  if (!frame) document.querySelectorAll(".sidebar-drawer, .toc-drawer").forEach(e => e.remove());
  document.querySelectorAll("mjx-container, tbody tr:nth-child(n+9)").forEach(e => e.remove());
  const found = await axe.run({...rules, resultTypes: ["violations"], preload: false});
  return found.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v =>
    [v.id, v.nodes.length, ...v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))]);
}"""
RULES = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}


@pytest.mark.parametrize("address", SEEN)
def test_a_page_is_whole(page: "Page", axe: str, address: str) -> None:
    """Formulas are typeset and shown, nothing scrolls sideways, text has contrast.

    In the samples axe-core finds no fault either, in a light window, nor in the colours of a dark
    one.
    """
    page.goto(address, wait_until="load")
    assert page.evaluate(TYPESET) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(WIDE) == [], f"sideways at {width}"
        assert page.evaluate(FAULTS) == [], f"at {width}"
    page.set_viewport_size({"width": 1280, "height": 900})
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        back, contrast = page.evaluate(CONTRAST)
        assert contrast > 7, f"text on its background, {scheme}"
        assert back > 0.8 if scheme == "light" else back < 0.1
        if address in samples():
            page.evaluate(axe)
            assert page.evaluate(AXE, [RULES[scheme], address == "index.html"]) == [], scheme


@pytest.mark.parametrize("formula", [r"\undefined{x}", r"\frac{1}"])
def test_a_formula_that_is_wrong_or_untypeset_is_seen(page: "Page", formula: str) -> None:
    """The power of the check above: formulas that MathJax never saw, or cannot set."""
    page.goto("algorithm.html")
    assert page.evaluate(TYPESET) == []
    add = "text => { document.querySelector('article').innerHTML += `<i class=math>${text}</i>` }"
    page.evaluate(add, rf"\({formula}\)")
    assert len(page.evaluate(TYPESET)) == 1
    page.evaluate("MathJax.typesetPromise([document.querySelector('i.math')])")
    assert page.locator("i.math mjx-container").count() == 1
    assert len(page.evaluate(TYPESET)) == 1


def searched(page: "Page", words: str, wanted: str = "li") -> list[str]:
    """Search for words; return the first addresses found, the best first, when one is wanted."""
    page.goto(f"search.html?q={quote(words)}")
    page.wait_for_selector(f"#search-results {wanted} a")
    found = page.eval_on_selector_all(
        "#search-results li a", "all => all.map(a => a.getAttribute('href'))"
    )
    return [re.sub(r"\?[^#]*", "", address) for address in found]


@pytest.mark.parametrize(
    ("words", "inside"),
    [
        ("Lemma 1", "evidence-lemma-1"),
        ("lemma-1", "evidence-lemma-1"),
        ("Theorem 2", "evidence-theorem-2"),
        ("evaluation cap", "evidence-evaluation-cap"),
        ("line 9", "line-9"),
        ("forest", "paper/forest.html"),
        ("minimize", "embedded_hunter.run.minimize.minimize"),
    ],
)
def test_the_search_finds_first(page: "Page", words: str, inside: str) -> None:
    """The first address is that page, or leads to that element or to the section that has it."""
    address, _, anchor = searched(page, words)[0].partition("#")
    if inside not in (address, anchor):
        page.goto(address)
        assert page.evaluate(
            "ids => { const [e, found] = ids.map(id => document.getElementById(id));"
            " return e.closest('section section').contains(found); }",
            [anchor, inside],
        )


PEOPLE_TYPE = {
    "install": "use/install",
    "resume": "use/resume",
    "checkpoint": "use/resume",
    "parallel": "use/parallel",
    "asynchronous": "use/ask-and-tell",
    "callback": "use/callbacks",
    "timeout": "use/callbacks",
    "constraint": "use/constraints",
    "maximise": "use/constraints",
    "integer": "use/integers",
    "noise": "use/noise",
    "simulator": "use/external-program",
    "importance": "use/which-variables",
    "which variables": "use/which-variables",
    "plot": "use/plots",
    "seed": "use/install",
    "memory": "performance",
    "Optuna": "platforms",
    "which method": "guide",
    "baseline": "baseline",
    "cite": "cite",
}


@pytest.mark.parametrize(("words", "wanted"), PEOPLE_TYPE.items())
def test_the_search_finds_the_page_of_a_word_that_people_type(
    page: "Page", words: str, wanted: str
) -> None:
    """Among the first three pages found, no matter at which of their sections."""
    found = [address.partition("#")[0] for address in searched(page, words)]
    assert f"{wanted}.html" in list(dict.fromkeys(found))[:3]


def test_what_the_search_shows_has_no_latex(page: "Page") -> None:
    """Titles and the texts below them, of a search that finds formulas in both."""
    page.goto("index.html")
    page.fill("input[name=q]", "is constant from depth 1 on")
    page.press("input[name=q]", "Enter")
    page.wait_for_function("document.querySelectorAll('#search-results p.context').length > 5")
    said = page.locator("#search-results").inner_text()
    assert "τ is constant from depth 1 on" in said
    assert "\\" not in said


@pytest.mark.parametrize("address", ["pictures.html", "benchmark.html", "notebooks/tour.html"])
def test_a_dark_page_has_dark_pictures(page: "Page", address: str) -> None:
    """A picture is light in its corner, and a dark page shows it inverted."""
    corner = """e => { const c = document.createElement("canvas"); c.width = c.height = 1;
        const x = c.getContext("2d"); x.filter = getComputedStyle(e).filter;
        x.fillStyle = "white"; x.fillRect(0, 0, 1, 1);
        x.drawImage(e, 0, 0, 4, 4, 0, 0, 1, 1);
        return Math.max(...x.getImageData(0, 0, 1, 1).data.slice(0, 3)); }"""
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    page.evaluate("document.querySelectorAll('img').forEach(e => { e.loading = 'eager'; })")
    page.wait_for_load_state("networkidle")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        images = [e for e in page.locator("article img").all() if e.is_visible()]
        assert images
        for image in images:
            light = image.evaluate(corner)
            assert light > 200 if scheme == "light" else light < 60, image.get_attribute("src")
