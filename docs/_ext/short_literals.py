"""Short literal text in tables stays on one line, and d_e there has its index below.

Long names may break anywhere, so that no page scrolls sideways. In a narrow column this would break
``forest`` as well. Literal text of at most `LENGTH` characters therefore has the class ``short``,
to which ``site.css`` gives ``white-space: nowrap``.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LENGTH = 12


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Give short literal text in the cells of tables the class ``short``; set d_e."""
    for entry in doctree.findall(nodes.entry):
        for text in list(entry.findall(nodes.Text)):
            if "d_e" in text and not isinstance(text.parent, nodes.literal | nodes.math):
                parts = enumerate(re.split(r"(?<=\bd)_(e)\b", text))  # every second one an index
                made = [nodes.subscript("", p) if k % 2 else nodes.Text(p) for k, p in parts]
                text.parent.replace(text, made)
        for literal in entry.findall(nodes.literal):
            if len(literal.astext()) <= LENGTH:
                literal["classes"].append("short")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler."""
    app.connect("doctree-read", mark)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
