"""``{paper-sentences}``: every sentence of the paper: what it claims, its verdict, its first words.

The sentences are those of ``docs/paper/sentences.toml``. A claim is said in full where it is named
first. One that the registry does not contain is a warning.
"""

import tomllib
from itertools import groupby
from pathlib import Path
from typing import Any

from claims_data import verdicts
from docutils import nodes
from links import escaped, note
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reproduction.tables import table

FILE = Path(__file__).parents[2] / "docs" / "paper" / "sentences.toml"
SHORT = 5
"""If a sentence makes more claims than these, they are not said."""


class Sentences(SphinxDirective):
    """A section for each section of the paper, and one with the reasons for no claim."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        self.env.note_reread()
        self.env.note_dependency(str(FILE))
        found = tomllib.loads(FILE.read_text(encoding="utf-8"))
        self.named: set[str] = set()
        lines = []
        for name, parts in groupby(found["part"], lambda part: part["name"].partition(", ")[0]):
            lines.append(f"## {name}\n")
            for part in parts:
                if rest := part["name"].partition(", ")[2]:
                    lines.append(f"### {rest}\n")
                rows = [[self.said(s), escaped(f"{s['begins']} …")] for s in part["sentences"]]
                lines.append(table(["what it says", "it begins with"], rows) + "\n")
        lines.append("## Why a sentence makes no claim\n")
        lines += [f"- *{reason}*: {meaning}" for reason, meaning in found["reasons"].items()]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)

    def said(self, sentence: dict[str, Any]) -> str:
        """Return the claims of a sentence with their verdicts, or the reason why it makes none."""
        ids = sentence.get("claims", ())
        said = [self.claim(id, len(ids) <= SHORT) for id in ids]
        return "<br>".join(said) or f"*{sentence['reason']}*"

    def claim(self, id: str, in_full: bool) -> str:
        """Return a link to a claim, its verdict, and where it is new an anchor and its text."""
        text = f"{{claim}}`{id}` {{verdict}}`{id}`"
        if id in self.named:
            return text
        self.named.add(id)
        row = verdicts().get(id, {})
        note(self.env, f"sentence-{id}", f"sentence-{id}")
        said = f" {escaped(row['statement'])}" if row and in_full else ""
        return f'<span id="sentence-{id}"></span>{text}{said}'


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("paper-sentences", Sentences)
