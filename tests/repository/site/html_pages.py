"""The built site as files: its pages, their links, ids and what they would fetch."""

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[3]
SITE = ROOT / "docs" / "_build" / "html"
LINKED = {"a": "href", "area": "href", "object": "data", "iframe": "src", "form": "action"}
FETCHED = {"img": "src", "script": "src", "link": "href", "source": "src", "video": "src"}

WIDTHS = (1920, 1280, 390)
"""Of the windows in which pages are looked at, in pixels."""
WIDE = """() => {
  const columns = document.querySelectorAll("html, .page, .main, .content");
  if (![...columns].some(e => e.scrollWidth > e.clientWidth + 1)) return [];
  const edge = document.documentElement.clientWidth;
  return ["too wide", ...[...document.querySelectorAll("body *")]
    .filter(e => e.getBoundingClientRect().right > edge)
    .slice(0, 5).map(e => e.tagName + "." + e.getAttribute("class"))];
}"""
"""JavaScript: what is wider than the window, or than the column of text, and does not scroll by
itself."""


class Parsed(HTMLParser):
    """What one page defines, what it points at, and the alternative texts of its pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.pictures: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the ids and addresses of an element."""
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag in LINKED and LINKED[tag] in given:
            self.links.append(given[LINKED[tag]])
        elif "xlink:href" in given:
            self.links.append(given["xlink:href"])
        if tag in FETCHED and FETCHED[tag] in given:
            self.fetched.append(given[FETCHED[tag]])
        if tag == "img":
            self.pictures.append(given.get("alt"))


VERSION = re.compile(r"\d+\.\d+/")
"""The folder of a version (`make -C docs versioned`)."""
CLASSES = re.compile(r"""\bclass=["']([\w\s-]+)["']""")
STYLED = re.compile(r"\.([A-Za-z][\w-]*)")


@cache
def pages() -> list[str]:
    """Return the pages of the site, by their addresses in it, without the copies of versions."""
    static = ("_static/", "_downloads/", "_sources/")
    found = (path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
    return sorted(page for page in found if not page.startswith(static) and not VERSION.match(page))


@cache
def classes(page: str) -> set[str]:
    """Return the classes of the elements of a page."""
    text = (SITE / page).read_text(encoding="utf-8")
    return {name for names in CLASSES.findall(text) for name in names.split()}


@cache
def samples() -> list[str]:
    """Return a few pages that together have every class of the site that has a style."""
    sheets = "".join(path.read_text(encoding="utf-8") for path in SITE.rglob("*.css"))
    missing = {name for page in pages() for name in classes(page)} & set(STYLED.findall(sheets))
    found = []
    while missing:
        found.append(max(pages(), key=lambda page: len(classes(page) & missing)))
        missing -= classes(found[-1])
    return found


@cache
def parsed(page: str) -> Parsed:
    """Read a page."""
    reader = Parsed()
    reader.feed((SITE / page).read_text(encoding="utf-8"))
    return reader


@cache
def files() -> set[str]:
    """Return all files of the site, by their addresses in it."""
    return {path.relative_to(SITE).as_posix() for path in SITE.rglob("*") if path.is_file()}


def target(page: str, link: str) -> tuple[str, str]:
    """Return the address in the site, and the anchor, to which a link of a page leads."""
    parts = urlsplit(link)
    if not parts.path:
        return page, unquote(parts.fragment)
    address = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
    if parts.path.endswith("/"):
        address = posixpath.normpath(f"{address}/index.html")
    return address, unquote(parts.fragment)


def internal(link: str) -> bool:
    """Tell whether a link stays on the site."""
    parts = urlsplit(link)
    return not parts.scheme and not parts.netloc


def broken(page: str) -> Iterator[str]:
    """Yield the links of a page that lead to no page, no file or no anchor."""
    for link in {*parsed(page).links, *parsed(page).fetched}:
        if not internal(link):
            continue
        address, anchor = target(page, link)
        if address not in files():
            yield f"{page}: {link} leads to no page"
        elif anchor and address.endswith(".html") and anchor not in parsed(address).ids:
            yield f"{page}: {link}: {address} has no {anchor}"
