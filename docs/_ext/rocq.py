"""The Rocq development on the site: the list of theorems, and coqdoc's pages.

- ``{rocq-theorems}``: every theorem by subject, a sentence each, from ``proofs/headline.txt``, with
  what it assumes (``proofs/assumptions.txt``) and a link to its steps where they are recorded;
- ``{rocq-files}``: the files in reading order, from ``proofs/_CoqProject``;
- ``proofs/coqdoc/FILE.html``: coqdoc's HTML inside the theme, if coqdoc and the compiled proofs
  (``make -C proofs``) are there when the site is built.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from docutils import nodes
from goals import RECORDED
from listings import address, address_of_theorem, rocq_file
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
NONE = "Closed under the global context"
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
IDS = re.compile(r'<a id="([^"]+)"')
LINKS = re.compile(r'<a class="idref" href="(EmbeddedHunter[^"]*)">(.*?)</a>', re.DOTALL)


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
def assumed() -> dict[str, str]:
    """Return for each theorem what it assumes, in words."""
    lines = (PROOFS / "assumptions.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(": ") for line in lines if ": " in line and not line.startswith("#"))
    return {name: "no axioms" if rest == NONE else "axioms of the reals" for name, _, rest in pairs}


@cache
def first_sentence(module: str) -> str:
    """Return the title of a file, the first heading of its first comment."""
    text = (ROOT / rocq_file(module)).read_text(encoding="utf-8")
    found = re.match(r"\(\*\*\s+\*\s*(.*?)(?:\n\s*\n|\*\))", text, re.DOTALL)
    return re.sub(r"\s+", " ", found[1]).strip().rstrip(".") if found else ""


def coqdoc_is_there() -> bool:
    """Tell whether coqdoc can be run on compiled proofs."""
    files = (ROOT / rocq_file(module) for modules in parts().values() for module in modules)
    globs = all(file.with_suffix(".glob").is_file() for file in files)
    return globs and shutil.which("coqdoc") is not None


def _text(sentence: str) -> list[nodes.Node]:
    """Set what stands in brackets as code, as coqdoc does."""
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
        line += nodes.inline("", f" ({assumed().get(full, 'not checked')})", classes=["assumes"])
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
                if coqdoc_is_there():
                    page = f"proofs/coqdoc/{module}"
                    there = self.env.app.builder.get_relative_uri(self.env.docname, page)
                    line += nodes.Text(" (")
                    line += nodes.reference("", "coqdoc", refuri=there, internal=True)
                    line += nodes.Text(")")
                line += nodes.Text(f": {first_sentence(module)}.")
                items += nodes.list_item("", line)
            out.append(items)
        return out


def coqdoc_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield coqdoc's page of each file."""
    if not coqdoc_is_there():
        return
    modules = [module for modules in parts().values() for module in modules]
    files = {module: Path(rocq_file(module)).relative_to("proofs") for module in modules}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["coqdoc", "--html", "--body-only", "--no-index", "--utf8", "-Q", ".", "EmbeddedHunter",
             "-d", folder, *map(str, files.values())],
            cwd=PROOFS, check=True, capture_output=True,
        )  # fmt: skip
        bodies = {
            module: (Path(folder) / library(file)).read_text(encoding="utf-8")
            for module, file in files.items()
        }
        known = {f"{library(files[module])}#{id}"
                 for module, body in bodies.items() for id in IDS.findall(body)}  # fmt: skip
        for module, body in bodies.items():
            title = f"{module}.v"
            source = app.builder.get_relative_uri(
                f"proofs/coqdoc/{module}", f"source/{rocq_file(module)}"
            )
            head = f'<h1>{title}</h1><p class="trail"><a href="{source}">plain source</a></p>'
            yield (
                f"proofs/coqdoc/{module}",
                {"title": title, "body": f'{head}<div class="coqdoc">{fit(body, known)}</div>'},
                "page.html",
            )


def library(file: Path) -> str:
    """Return the name that coqdoc gives to the page of a file."""
    return f"EmbeddedHunter.{'.'.join(file.with_suffix('').parts)}.html"


def fit(body: str, known: set[str]) -> str:
    """Return coqdoc's HTML as a part of a page: one title, links among the pages, headings below.

    coqdoc links local names to anchors that it does not make; these lose their link.
    """
    body = re.sub(r'<h1 class="libtitle">.*?</h1>', "", body)
    body = re.sub(r"<(/?)h([1-4])\b", lambda m: f"<{m[1]}h{int(m[2]) + 1}", body)
    body = LINKS.sub(lambda m: m[0] if unquote(unescape(m[1])) in known else m[2], body)
    body = re.sub(r'href="EmbeddedHunter\.\w+\.', 'href="', body)
    return body.replace("http://coq.inria.fr", "https://coq.inria.fr")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives and the pages."""
    app.add_directive("rocq-theorems", Theorems)
    app.add_directive("rocq-files", Files)
    app.add_css_file("coqdoc.css")
    app.connect("html-collect-pages", coqdoc_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
