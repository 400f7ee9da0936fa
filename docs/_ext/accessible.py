"""A repair of the theme for readers who do not see: the captions of the sidebar get a level.

``_static/site.js`` does what depends on the size of the window.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

CAPTION = 'role="heading"'


def level(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Say which level the captions of the sidebar have; Sphinx leaves it out."""
    for name in ("furo_navigation_tree", "body"):  # a table of contents within the text, too
        text = context.get(name) or ""
        context[name] = text.replace(f"{CAPTION}>", f'{CAPTION} aria-level="2">')


def setup(app: Sphinx) -> dict[str, Any]:
    """Act after the theme has made its sidebar."""
    app.connect("html-page-context", level, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
