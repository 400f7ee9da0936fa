"""``{paper-sentences}``: every sentence of the paper with its claims and their verdicts.

The sentences are those of ``docs/paper/sentences.toml``, each by its first words. A claim that the
registry does not contain is a warning.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claims_data import verdicts
from claims_table import badge, link
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

log = logging.getLogger(__name__)
FILE = Path(__file__).parents[2] / "docs" / "paper" / "sentences.toml"
SHOWN = 5
"""More claims than these of one sentence are folded."""


class Sentences(SphinxDirective):
    """The reasons, and one section with a table for each part of the paper."""

    def run(self) -> list[nodes.Node]:
        """Return the list of reasons and the sections."""
        self.env.note_reread()
        self.env.note_dependency(str(FILE))
        found = tomllib.loads(FILE.read_text(encoding="utf-8"))
        reasons = nodes.bullet_list()
        for reason, meaning in found["reasons"].items():
            text = nodes.paragraph("", "", nodes.emphasis("", reason), nodes.Text(f": {meaning}"))
            reasons += nodes.list_item("", text)
        self.named: set[str] = set()
        return [reasons, *map(self.section, found["part"])]

    def section(self, part: dict[str, Any]) -> nodes.section:
        """Return a heading and the table of a part."""
        name = nodes.fully_normalize_name(part["name"].replace("$", ""))
        section = nodes.section("", nodes.title("", "", *_words(part["name"])), names=[name])
        self.state.document.note_implicit_target(section)
        body = nodes.tbody()
        for sentence in part["sentences"]:
            begins = nodes.entry("", nodes.paragraph("", "", *_words(sentence["begins"] + " …")))
            said = nodes.entry("", *self.said(sentence))
            first = [id for id in sentence.get("claims", ()) if id not in self.named]
            self.named.update(first)
            body += nodes.row("", begins, said, ids=[f"sentence-{id}" for id in first])
        columns = [nodes.colspec(colwidth=width) for width in (40, 60)]
        names = [nodes.entry("", nodes.paragraph(t, t)) for t in ("Sentence", "Claims")]
        group = nodes.tgroup("", *columns, nodes.thead("", nodes.row("", *names)), body, cols=2)
        section += nodes.table("", group, classes=["sentences"])
        return section

    def said(self, sentence: dict[str, Any]) -> Iterator[nodes.Node]:
        """Yield the claims of a sentence with their verdicts, or the reason why it makes none."""
        if "reason" in sentence:
            yield nodes.paragraph("", "", nodes.emphasis("", sentence["reason"]))
            return
        ids = sentence["claims"]
        for id in ids:
            if id not in verdicts().rows:
                log.warning("no claim %s", id, location=self.get_location(), type="sentences")
                return
        lines = [self.claim(id) for id in ids]
        if len(lines) <= SHOWN:
            yield from lines
        else:
            summary = f"<details><summary>{len(lines)} claims</summary>"
            yield nodes.raw("", summary, format="html")
            yield from lines
            yield nodes.raw("", "</details>", format="html")

    def claim(self, id: str) -> nodes.paragraph:
        """Return a link to a claim with its verdict."""
        verdict = badge(verdicts().rows[id]["verdict"])
        return nodes.paragraph("", "", link(id), nodes.Text(" "), verdict)


def _words(text: str) -> Iterator[nodes.Node]:
    """Yield a text with its formulas."""
    for piece in re.split(r"(\$[^$]*\$)", text):
        if piece.startswith("$"):
            yield nodes.math("", piece.strip("$"))
        elif piece:
            yield nodes.Text(piece)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("paper-sentences", Sentences)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
