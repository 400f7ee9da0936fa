"""Repairs of the pages for their readers; ``_static/site.js`` does what depends on the window.

For those who do not see: the captions of the sidebar get a level, lists of references lose a role
that their entries do not fit, and the links of the gallery get a name.

In tables: long names may break anywhere, so that no page scrolls sideways. In a narrow column this
would break ``forest`` as well. Literal text of at most `LENGTH` characters therefore has the class
``short``, to which ``site.css`` gives ``white-space: nowrap``. d_e has its index below, and no line
ends within ``v = 1,000``.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LENGTH = 12
CAPTION = 'role="heading"'
THUMBNAIL = re.compile(
    r'(<a class="reference internal" href="plot_\w+\.html")(><span class="doc">)([^<"]+)'
)
"""A link of the gallery's index, whose text its style hides."""


def repair(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Repair the sidebar and the text of a page."""
    for name in ("furo_navigation_tree", "body"):  # a table of contents within the text, too
        text = context.get(name) or ""
        text = text.replace(f"{CAPTION}>", f'{CAPTION} aria-level="2">')
        text = text.replace('<div role="list" class="citation-list">', "<div>")
        context[name] = THUMBNAIL.sub(r'\1 aria-label="\3"\2\3', text)


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Give short literal text in the cells of tables the class ``short``; set d_e and "v = "."""
    for entry in doctree.findall(nodes.entry):
        for text in list(entry.findall(nodes.Text)):
            if re.search("d_e| = ", text) and not isinstance(
                text.parent, nodes.literal | nodes.math
            ):
                whole = text.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
                parts = enumerate(re.split(r"(?<=\bd)_(e)\b", whole))  # every second one an index
                made = [nodes.subscript("", p) if k % 2 else nodes.Text(p) for k, p in parts]
                text.parent.replace(text, made)
        for literal in entry.findall(nodes.literal):
            if len(literal.astext()) <= LENGTH:
                literal["classes"].append("short")


def setup(app: Sphinx) -> None:
    """Act on what has been read, and after the theme has made its sidebar."""
    app.connect("doctree-read", mark)
    app.connect("html-page-context", repair, priority=900)
