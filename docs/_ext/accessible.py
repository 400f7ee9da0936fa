"""Repairs for readers who do not see: the captions of the sidebar get a level, lists of references
lose a role that their entries do not fit, and the links of the gallery get a name.

``_static/site.js`` does what depends on the size of the window.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

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


def setup(app: Sphinx) -> dict[str, Any]:
    """Act after the theme has made its sidebar."""
    app.connect("html-page-context", repair, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
