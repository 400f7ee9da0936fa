"""The site as a reader's browser shows it: formulas, widths, colours, pictures, search.

Two tests look at pages, the first itself, the second by axe-core: at every page that was
written, and at some of those that a program makes of the source files. The rest looks at single
pages.
"""

import re
from typing import TYPE_CHECKING, Literal

import pytest
from html_pages import CUT_OFF, SITE, WIDE, WIDTHS, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Response, Route

pytestmark = pytest.mark.docs
# One program makes all pages of each of these folders, so some stand for all: those that are linked
# most, and of the others those with the most text. Every other page is looked at.
REFERENCE, LISTINGS = "api/generated/", "source/"
SHOWN = [
    *(f"{REFERENCE}embedded_hunter.{name}.html" for name in ("hunter", "run.minimize")),
    "source/index.html",
    "source/src/embedded_hunter/hunter.py.html",
    "source/proofs/statements.txt.html",
    "source/docs/claims.toml.html",
]


def largest(folder: str, ending: str, number: int = 2) -> list[str]:
    """Return the addresses of the largest pages of a folder."""
    found = [page for page in pages() if page.startswith(folder) and page.endswith(ending)]
    return sorted(found, key=lambda page: (SITE / page).stat().st_size)[-number:]


SHOWN += largest(REFERENCE, ".html")
SHOWN += [page for kind in (".py", ".v", ".md") for page in largest(LISTINGS, f"{kind}.html")]
SEEN = [page for page in pages() if not page.startswith((REFERENCE, LISTINGS))]
SEEN += SHOWN
COLOURED = [page for page in SEEN if not page.startswith(REFERENCE)] + SHOWN[:2]
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
# Cells of Algorithm 1 that are cut: their text is wider than what is shown of it.
CUT = """() => [...document.querySelectorAll(".algorithm pre, .algorithm .listed")]
  .filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"""
CONTRAST = """() => {
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map(v => {
      v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const text = light(getComputedStyle(document.querySelector("article")).color);
  const back = light(getComputedStyle(document.body).backgroundColor);
  return [back, (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05)];
}"""


# What axe-core finds, of the two grave kinds. The frame around the text is the same on all pages,
# and the rows of a table have the same colours; all rows of the claims would take a minute.
AXE = """async ([rules, frame]) => {
  if (!frame) document.querySelectorAll(".sidebar-drawer, .toc-drawer").forEach(e => e.remove());
  if (rules.runOnly) document.querySelectorAll("tbody tr:nth-child(n+9)").forEach(e => e.remove());
  const found = await axe.run(document, {...rules, resultTypes: ["violations"], preload: false});
  return found.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v =>
    [v.id, v.nodes.length, ...v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))]);
}"""
COLOURS = {"runOnly": ["color-contrast"]}
NOT_COLOURS = {"rules": {"color-contrast": {"enabled": False}}}


def watched(browser: "Browser", base: str, problems: list[str]) -> "Page":
    """Open a window that notes errors, and requests that leave the machine or fail."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")

    def route(asked: "Route") -> None:
        url = asked.request.url
        if url.startswith((base, "data:", "blob:")):
            asked.continue_()
        else:
            problems.append(f"asks another host: {url}")
            asked.abort()

    def response(answer: "Response") -> None:
        if answer.status >= 400:
            problems.append(f"{answer.status}: {answer.url}")

    def console(message: "ConsoleMessage") -> None:
        if message.type == "error":
            problems.append(f"console: {message.text}")

    page.route("**/*", route)
    page.on("response", response)
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("console", console)
    return page


@pytest.mark.parametrize("address", SEEN)
def test_a_page_is_whole(browser: "Browser", base: str, address: str) -> None:
    """No foreign request, no error, every formula typeset and shown, no sideways scroll."""
    problems: list[str] = []
    page = watched(browser, base, problems)
    try:
        page.goto(base + address, wait_until="load")
        assert page.evaluate(TYPESET) == []
        assert page.locator(".system-message, .problematic").count() == 0
        backs = []
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate(WIDE) == [], f"sideways at {width}, {scheme}"
                assert page.evaluate(CUT_OFF) == [], f"cut off at {width}"
            if page.locator("article").count():
                back, contrast = page.evaluate(CONTRAST)
                backs.append(back)
                assert contrast > 7, f"text on its background, {scheme}"
        assert len(backs) in (0, 2)
        assert not backs or backs[0] > 0.8 > 0.1 > backs[1]
    finally:
        page.close()
    assert problems == []


@pytest.mark.parametrize("address", SEEN)
def test_axe_finds_no_serious_fault(browser: "Browser", base: str, axe: str, address: str) -> None:
    """Nor a critical one. Formulas are left as text: MathJax answers for what it draws."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page.route("**/tex-svg-full.js*", lambda asked: asked.abort())
    try:
        page.goto(base + address)
        page.evaluate(axe)
        frame = address == "index.html"
        assert page.evaluate(AXE, [NOT_COLOURS, frame]) == []
        for scheme in SCHEMES if address in COLOURED else ():
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(AXE, [COLOURS, frame]) == [], scheme
    finally:
        page.close()


def test_no_name_of_a_module_is_broken(browser: "Browser", base: str) -> None:
    """At the widths of a desk, in the tables of modules of two packages."""
    page = browser.new_page()
    for package in ("embedded_hunter", "embedded_hunter.run"):
        page.goto(base + f"api/generated/{package}.html")
        for width in WIDTHS[:2]:
            page.set_viewport_size({"width": width, "height": 900})
            rows = page.locator("table.autosummary td:first-child code").evaluate_all(
                "all => all.map(e => e.getClientRects().length)"
            )
            assert set(rows) == {1}, (package, width)
    page.close()


# Whether what is printed stands beside the correction; the numbers that lie on their formula.
PAIRS = """() => [...document.querySelectorAll(".pair")].map(pair => {
  const [printed, corrected] = [...pair.children].map(e => e.getBoundingClientRect());
  return printed.right <= corrected.left;
})"""
OVERLAPS = """async () => {
  await MathJax.startup.promise;
  return [...document.querySelectorAll("div.math > .eqno")].filter(e =>
    e.parentElement.querySelector("svg").getBoundingClientRect().right
    > e.getBoundingClientRect().left + 1).map(e => e.textContent);
}"""


@pytest.mark.parametrize("width", WIDTHS)
def test_a_correction_stands_beside_what_is_printed(
    browser: "Browser", base: str, width: int
) -> None:
    """On a phone it stands below it. No number of an equation lies on the equation."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    for name, pairs in (("problem", 3), ("tree", 6), ("analysis", 8)):
        page.goto(f"{base}paper/{name}.html", wait_until="load")
        assert page.evaluate(PAIRS) == [width >= 1000] * pairs, name
        assert page.evaluate(OVERLAPS) == [], name
    page.close()


def test_no_cell_of_algorithm_1_is_cut(browser: "Browser", base: str) -> None:
    """At 1280 pixels; a cell with a longer line is seen to be cut."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(base + "algorithm.html")
    assert page.evaluate(TYPESET) == []
    assert page.locator(".algorithm pre").count() == 2 * 13
    assert page.evaluate(CUT) == []
    page.evaluate("document.querySelector('.algorithm pre').textContent += 'x'.repeat(300)")
    assert len(page.evaluate(CUT)) == 1
    page.close()


def searched(page: "Page", base: str, words: str) -> list[str]:
    """Search for words; return the addresses found, from the root of the site, the best first."""
    page.goto(base + "index.html")
    page.fill("input[name=q]", words)
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("#search-results li a", timeout=60_000)
    page.wait_for_function("/matching|found/i.test(document.body.innerText)")
    found = page.eval_on_selector_all("#search-results li a", "all => all.map(a => a.href)")
    return [re.sub(r"\?[^#]*", "", url.removeprefix(base)) for url in found]


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
def test_the_search_finds_first(browser: "Browser", base: str, words: str, inside: str) -> None:
    """The first address is that page, or leads to that element or to the section that has it."""
    page = browser.new_page()
    address, _, anchor = searched(page, base, words)[0].partition("#")
    page.goto(base + address)
    assert inside in (address, anchor) or page.evaluate(
        "ids => { const [e, found] = ids.map(id => document.getElementById(id));"
        " return e.closest('section section').contains(found); }",
        [anchor, inside],
    )
    page.close()


def test_what_the_search_shows_has_no_latex(browser: "Browser", base: str) -> None:
    """Titles and the texts below them, of a search that finds formulas in both."""
    page = browser.new_page()
    searched(page, base, "is constant from depth 1 on")
    page.wait_for_function("document.querySelectorAll('#search-results p.context').length > 5")
    said = page.locator("#search-results").inner_text()
    assert "τ is constant from depth 1 on" in said
    assert "\\" not in said
    page.close()


@pytest.mark.parametrize("address", ["pictures.html", "benchmark.html", "notebooks/tour.html"])
def test_a_dark_page_has_dark_pictures(browser: "Browser", base: str, address: str) -> None:
    """A picture is light in its corner, and a dark page shows it inverted."""
    corner = """e => { const c = document.createElement("canvas"); c.width = c.height = 1;
        const x = c.getContext("2d"); x.filter = getComputedStyle(e).filter;
        x.fillStyle = "white"; x.fillRect(0, 0, 1, 1);
        x.drawImage(e, 0, 0, 4, 4, 0, 0, 1, 1);
        return Math.max(...x.getImageData(0, 0, 1, 1).data.slice(0, 3)); }"""
    page = browser.new_page(color_scheme="light")
    page.goto(base + address)
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
    page.close()


@pytest.mark.parametrize("words", ["coverage", "forest", "trace"])
def test_the_search_finds_prose_before_the_reference(
    browser: "Browser", base: str, words: str
) -> None:
    page = browser.new_page()
    addresses = searched(page, base, words)
    assert any(address.startswith("api/") for address in addresses)
    assert [address for address in addresses[:3] if address.startswith("api/")] == []
    page.close()
