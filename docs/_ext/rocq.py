"""``{rocq-theorems}``: the Rocq development, file by file in reading order.

The files and their order are those of ``proofs/_CoqProject``, the theorems, their sentences and
what they assume those of ``proofs/statements.txt``. A theorem whose steps are recorded has a link
to them.
"""

import re
from functools import cache
from pathlib import Path

from claims_data import assumptions
from docutils import nodes
from goals import PAGES
from links import escaped
from listings import ROOT, address, rocq_file
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reproduction.claims import references

PROOFS = ROOT / "proofs"


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
    for full, headline in references.headlines(ROOT).items():
        module, name = full.split(".")
        found.setdefault(module, {})[name] = headline.sentence
    return found


@cache
def first_sentence(module: str) -> str:
    """Return the title of a file, the first heading of its first comment."""
    text = (ROOT / rocq_file(module)).read_text(encoding="utf-8")
    found = re.match(r"\(\*\*\s+\*\s*(.*?)(?:\n\s*\n|\*\))", text, re.DOTALL)
    return re.sub(r"\s+", " ", found[1]).strip().rstrip(".") if found else ""


def prose(sentence: str) -> str:
    """Return a sentence as Markdown; what stands in brackets is code, as in comments in Rocq."""
    return escaped(re.sub(r"(?<!\w)\[([^\[\]]+)\]", r"`\1`", sentence))


class Theorems(SphinxDirective):
    """Every file and every theorem, by subject."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each subject."""
        self.env.note_reread()
        lines = []
        for title, modules in parts().items():
            lines.append(f"## {title}")
            for module in modules:
                file = f"[`{module}.v`]({address(rocq_file(module))})"
                items = [self.item(module, *said) for said in headlines().get(module, {}).items()]
                lines += ["", f"{file}: {prose(first_sentence(module))}.", "", *items]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)

    def item(self, module: str, name: str, sentence: str) -> str:
        """Return a theorem."""
        full = f"{module}.{name}"
        said = f"- {{rocq}}`{full}` {prose(sentence)} [({assumptions()[full]})]{{.assumes}}"
        if full in PAGES:
            said += f' · <a href="{PAGES[full]}.html#goals-{name}">step by step</a>'
        return said


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("rocq-theorems", Theorems)
