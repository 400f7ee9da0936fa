"""``{rocq-theorems}`` and ``{hypotheses}``: the Rocq theorems by file, and by claim.

The files and their order are those of ``proofs/_CoqProject``, the theorems, their sentences and
what they assume those of ``proofs/statements.txt``. A theorem whose steps are recorded has a link
to them. By claim, each theorem is followed by its statement as Rocq prints it, and each claim by
the theorems of ``proofs/instances`` that name it: data that satisfy all hypotheses.
"""

import re
from functools import cache
from html import escape
from pathlib import Path
from textwrap import dedent

from claims_data import assumptions, sections, verdicts
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


@cache
def printed() -> dict[str, str]:
    """Return what Rocq prints of each theorem."""
    text = (PROOFS / "statements.txt").read_text(encoding="utf-8")
    found = re.findall(r"^(\S+) \|.*\n((?: .*\n)+)", text, re.MULTILINE)
    return {name: dedent(said.replace(":", " ", 1)).strip() for name, said in found}


@cache
def canaries() -> dict[str, list[str]]:
    """Return for each claim the theorems about instances that name it."""
    found: dict[str, list[str]] = {}
    modules = {path.stem for path in (PROOFS / "instances").glob("*.v")}
    for name, ids in references.theorems(ROOT).items():
        for id in ids if name.partition(".")[0] in modules else ():
            found.setdefault(id, []).append(name)
    return found


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
            folder = "" if self.env.docname.startswith("proofs/") else "../proofs/"
            said += f' · <a href="{folder}{PAGES[full]}.html#goals-{name}">step by step</a>'
        return said


class Hypotheses(Theorems):
    """Every claim with a theorem of its own, or with an instance: a line ``id: instance``."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a section for each section of the registry, and in it one for each claim."""
        self.env.note_reread()
        typed = dict(line.split(": ", 1) for line in self.content if line)
        lines = []
        for title, ids in sections().items():
            shown = [id for id in ids if verdicts()[id]["proof"] or id in typed or id in canaries()]
            lines += [f"## {title}", ""] if shown else []
            for id in shown:
                lines += self.entry(id, typed.pop(id, ""))
        if typed:
            raise self.error(f"no such claims: {', '.join(typed)}")
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)

    def entry(self, id: str, instance: str) -> list[str]:
        """Return what a claim says, its theorems, and data that satisfy their hypotheses."""
        row, said = verdicts()[id], references.headlines(ROOT)
        found = canaries().get(id, [])
        cited = [name for name in (*row["proof"], *row["counterexample"]) if name in said]
        named = cited or [name for name, headline in said.items() if id in headline.ids]
        text = escaped(row["correction"] or row["statement"])
        lines = [f"### {id}", "", f"{{verdict}}`{id}` {text}", ""]
        for name in named:
            if name not in found:
                lines += [self.item(*name.split("."), said[name].sentence), "", self.fold(name), ""]
        lines += [f"Instance: {instance}", ""] if instance else []
        for name in found:
            lines += [f"Instance: {{rocq}}`{name}` {prose(said[name].sentence)}", ""]
        return lines

    def fold(self, name: str) -> str:
        """Return what Rocq prints of a theorem, folded."""
        text = escape(printed()[name]).replace("\n", "\n  ")
        return f"  <details><summary>in Rocq</summary><pre>{text}</pre></details>"


def setup(app: Sphinx) -> None:
    """Register the directives."""
    app.add_directive("rocq-theorems", Theorems)
    app.add_directive("hypotheses", Hypotheses)
