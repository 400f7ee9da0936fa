"""The built site, served on this machine, and a browser to look at it with.

Without a build, Playwright or chromium these tests are skipped and say why; where the environment
variable EMBEDDED_HUNTER_REQUIRE_SITE is set (in .ci/run) that is a failure.
"""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from repository.site.html_pages import ROOT, SITE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

AXE = ROOT / "docs/_build/node_modules/axe-core/axe.min.js"
OPTIONS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]  # fmt: skip


def missing(what: str) -> NoReturn:
    """Skip, or fail where the site is required."""
    if os.environ.get("EMBEDDED_HUNTER_REQUIRE_SITE"):
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """Ask for a build."""
    if not (SITE / "index.html").is_file():
        missing("the site has not been built: make -C docs")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Files, without a log."""

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def base(built: None) -> Iterator[str]:
    """Serve the site; its address."""
    handler = functools.partial(Quiet, directory=str(SITE))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def browser(built: None) -> "Iterator[Browser]":
    """Start chromium without a window."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        missing("no chromium on this machine: apt-get install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright is not installed: pip install -e '.[docs]'")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def windows(browser: "Browser", base: str) -> "Iterator[BrowserContext]":
    """Keep the files that have been loaded for all tests, and nothing that a page has stored."""
    opened = browser.new_context(base_url=base, color_scheme="light")
    opened.add_init_script("localStorage.clear()")
    opened.set_default_timeout(120_000)  # milliseconds
    yield opened
    opened.close()


@pytest.fixture
def page(windows: "BrowserContext", base: str, tmp_path: Path) -> "Iterator[Page]":
    """Open a window; in the end nothing has failed, and nothing was asked of another host."""
    problems: list[str] = []
    opened = windows.new_page()
    opened.set_viewport_size({"width": 1280, "height": 900})
    here = (base, tmp_path.as_uri(), "data:", "blob:")

    def note(wrong: bool, what: str) -> None:
        if wrong:
            problems.append(what)

    opened.on("request", lambda r: note(not r.url.startswith(here), f"another host: {r.url}"))
    opened.on("response", lambda r: note(r.status >= 400, f"{r.status}: {r.url}"))
    opened.on(
        "console",
        lambda said: note(
            said.type == "error" and "Failed to load" not in said.text, f"console: {said.text}"
        ),
    )
    opened.on("pageerror", lambda error: problems.append(f"error: {error}"))
    yield opened
    opened.close()
    assert problems == []


@pytest.fixture(scope="session")
def axe() -> str:
    """Return axe-core, a program that looks for faults of accessibility; npm fetches it."""
    if not AXE.is_file():
        missing("axe-core is not here: make -C docs check fetches it with npm")
    return AXE.read_text(encoding="utf-8")
