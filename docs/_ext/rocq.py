"""The Rocq development on the site: the list of theorems, and that of the files.

- ``{rocq-theorems}``: every theorem by subject, a sentence each, from ``proofs/headline.txt``, with
  what it assumes (``proofs/assumptions.txt``) and a link to its steps where they are recorded;
- ``{rocq-files}``: the files in reading order, from ``proofs/_CoqProject``.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from claims_data import assumptions
from docutils import nodes
from goals import RECORDED
from listings import address, address_of_theorem, rocq_file
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
PAGES = {
    "Sweep": "lemma-1",
    "Lemma1": "lemma-1",
    "Theorem2": "theorem-2",
    "Theorem2Paper": "theorem-2",
    "CounterexampleLemma1": "counterexample",
    "RunsEvaluations": "zero-vector",
    "Ceiling": "ceiling",
}
"""The page of ``docs/proofs`` that shows the recorded steps of a file."""


@cache
def parts() -> dict[str, list[str]]:
    """Return the subjects of ``_CoqProject``, each with its files in reading order."""
    found: dict[str, list[str]] = {}
    title = ""
    for line in (PROOFS / "_CoqProject").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            title = line.lstrip("# ")
        elif line.endswith(".v"):
            found.setdefault(title, []).append(Path(line).stem)
    return found


@cache
def headlines() -> dict[str, dict[str, str]]:
    """Return for each file its theorems, each with the sentence that says it."""
    found: dict[str, dict[str, str]] = {}
    for line in (PROOFS / "headline.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, module, _, sentence = (field.strip() for field in line.split("|", 3))
            found.setdefault(module, {})[name] = sentence
    return found


@cache
def first_sentence(module: str) -> str:
    """Return the title of a file, the first heading of its first comment."""
    text = (ROOT / rocq_file(module)).read_text(encoding="utf-8")
    found = re.match(r"\(\*\*\s+\*\s*(.*?)(?:\n\s*\n|\*\))", text, re.DOTALL)
    return re.sub(r"\s+", " ", found[1]).strip().rstrip(".") if found else ""


def _text(sentence: str) -> list[nodes.Node]:
    """Set what stands in brackets as code, as comments in Rocq have it."""
    out: list[nodes.Node] = []
    for k, piece in enumerate(re.split(r"(?<!\w)\[([^\[\]]+)\]", sentence)):
        out.append(nodes.literal(piece, piece) if k % 2 else nodes.Text(piece))
    return out


class Theorems(SphinxDirective):
    """Every theorem, by subject."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each subject."""
        for name in ("headline.txt", "assumptions.txt", "_CoqProject"):
            self.env.note_dependency(str(PROOFS / name))
        return [self.section(title, modules) for title, modules in parts().items()
                if any(module in headlines() for module in modules)]  # fmt: skip

    def section(self, title: str, modules: list[str]) -> nodes.section:
        """Return a subject: its files, each with its theorems."""
        section = nodes.section("", nodes.title(title, title))
        self.state.document.note_implicit_target(section)
        for module in modules:
            if module not in headlines():
                continue
            file = nodes.literal("", f"{module}.v")
            link = nodes.reference("", "", file, refuri=address(rocq_file(module)))
            about = nodes.Text(f": {first_sentence(module)}.")
            section += nodes.paragraph("", "", link, about, classes=["rocq-file"])
            section += nodes.bullet_list(
                "", *(self.item(module, *pair) for pair in headlines()[module].items())
            )
        return section

    def item(self, module: str, name: str, sentence: str) -> nodes.list_item:
        """Return a theorem."""
        full = f"{module}.{name}"
        link = nodes.reference("", "", nodes.literal("", name), refuri=address_of_theorem(full))
        line = nodes.paragraph("", "", link, nodes.Text(" "), *_text(sentence))
        line += nodes.inline("", f" ({assumptions()[full]})", classes=["assumes"])
        if name in RECORDED.get(module, []):
            page = self.env.app.builder.get_relative_uri(
                self.env.docname, f"proofs/{PAGES[module]}"
            )
            line += nodes.Text(" · ")
            line += nodes.reference(
                "", "step by step", refuri=f"{page}#goals-{name}", internal=True
            )
        return nodes.list_item("", line)


class Files(SphinxDirective):
    """The files, in reading order."""

    def run(self) -> list[nodes.Node]:
        """Return a list for each subject."""
        self.env.note_reread()
        out: list[nodes.Node] = []
        for title, modules in parts().items():
            out.append(nodes.paragraph("", "", nodes.strong("", title)))
            items = nodes.bullet_list()
            for module in modules:
                file = nodes.literal("", f"{module}.v")
                line = nodes.paragraph(
                    "", "", nodes.reference("", "", file, refuri=address(rocq_file(module)))
                )
                line += nodes.Text(f": {first_sentence(module)}.")
                items += nodes.list_item("", line)
            out.append(items)
        return out


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    app.add_directive("rocq-theorems", Theorems)
    app.add_directive("rocq-files", Files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
