"""Short literal text in tables stays on one line.

Long names may break anywhere, so that no page scrolls sideways. In a narrow column this would break
``forest`` as well. Literal text of at most `LENGTH` characters therefore has the class ``short``,
to which ``site.css`` gives ``white-space: nowrap``.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LENGTH = 12


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Give short literal text in the cells of tables the class ``short``."""
    for entry in doctree.findall(nodes.entry):
        for literal in entry.findall(nodes.literal):
            if len(literal.astext()) <= LENGTH:
                literal["classes"].append("short")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler."""
    app.connect("doctree-read", mark)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
