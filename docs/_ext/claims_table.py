"""The claims on the site, from the package's own registry and rules: nothing is typed.

- ``{claims-summary}``: how many claims have each verdict, and for which code;
- ``{claims-table}``: every claim with statement, verdict, code, proofs, tests and what it rests on;
- ``{verdict}`lemma-1```: the verdict of a claim, as it is computed;
- ``{claim}`lemma-1```: a link to its row; literal text that is the id of a claim becomes one too.

Writes ``claims.json``, what ``python -m reproduction claims --json`` prints, beside the pages.
"""

import json
import re
from pathlib import Path
from typing import Any

from api import referenced
from claim_links import code_of
from claims_data import (
    MEANING,
    assumptions,
    errata_items,
    pictures,
    sections,
    sentences_of,
    used_by,
    verdicts,
)
from claims_graph import slug
from docutils import nodes
from formulas import words
from listings import address, address_of_test, address_of_theorem, anchors
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from tables_of_nodes import paragraph, row, table

from reproduction.claims.registry import resolve
from reproduction.claims.verdict import functions

log = logging.getLogger(__name__)
SCHEME = "claim:"
PAGE = "claims"
SHOWN = 4  # more tests, or theorems, are folded


def badge(verdict: str) -> nodes.inline:
    """Return a verdict as a coloured word."""
    return nodes.inline("", verdict, classes=["verdict", slug(verdict)])


def link(id: str, text: str = "") -> nodes.reference:
    """Return a link to a claim's row."""
    inner = nodes.inline("", text) if text else nodes.literal("", id)
    return nodes.reference("", "", inner, refuri=SCHEME + id)


class Summary(SphinxDirective):
    """The counts, by verdict."""

    def run(self) -> list[nodes.Node]:
        """Return a list, and where the verdicts come from."""
        self.env.note_reread()
        found = verdicts()
        items = nodes.bullet_list(classes=["claims-summary"])
        for word, count in found.counts.items():
            text = nodes.paragraph(
                "", "", nodes.strong("", str(count)), nodes.Text(" "), badge(word),
                nodes.Text(f" {MEANING[word]}."),
            )  # fmt: skip
            items += nodes.list_item("", text, classes=[slug(word)])
        head = f"{len(found.rows)} claims; verdicts {found.origin}."
        out: list[nodes.Node] = [nodes.paragraph(head, head, classes=["claims-origin"]), items]
        if missing := found.counts.get("unchecked"):
            text = (
                f"For {missing} claims there was no evidence for this code when this page was "
                "made, and no verdict of the release. Run pytest --long and make -C proofs, and "
                "build again."
            )
            out.insert(1, nodes.warning("", nodes.paragraph(text, text)))
        return out


class Table(SphinxDirective):
    """Every claim, in the sections of the registry."""

    def run(self) -> list[nodes.Node]:
        """Return one section with a table for each section of the registry."""
        self.env.note_reread()
        return [self.section(title, ids) for title, ids in sections().items()]

    def section(self, title: str, ids: list[str]) -> nodes.section:
        """Return a heading and a table of two columns."""
        section = nodes.section("", nodes.title(title, title))
        self.state.document.note_implicit_target(section)
        found = [verdicts().rows[id] for id in ids]
        rows = (
            row([self.head(claim), self.text(claim)], ids=[f"claim-{claim['id']}"])
            for claim in found
        )
        section += table(("Claim", "What became of it"), (25, 75), rows, "claims")
        return section

    def head(self, row: dict[str, Any]) -> list[nodes.Node]:
        """Return id, verdict and place."""
        place = paragraph(nodes.Text(row["place"]), classes=["place"])
        return [paragraph(link(row["id"])), paragraph(badge(row["verdict"])), place]

    def text(self, row: dict[str, Any]) -> list[nodes.Node]:
        """Return the statement, and every piece of evidence with a link to it."""
        cell: list[nodes.Node] = [paragraph(*words(row["statement"]))]
        if row["correction"]:
            cell.append(paragraph(nodes.strong("", "What holds: "), *words(row["correction"])))
        if row["verdict"] != row["rule"]:
            text = f"With all its evidence: {row['rule']}."
            cell.append(paragraph(nodes.Text(text), classes=["evidence"]))
        if row.get("release"):
            text = f"The verdict of the release, commit {row['release']}"
            text += "; the code has changed since." if row["stale"] else "."
            cell.append(paragraph(nodes.Text(text), classes=["evidence"]))
        return [
            *cell,
            *self.line("Read", self.prose(row["id"]), fold=False),
            nodes.raw("", "<details><summary>Evidence</summary>", format="html"),
            *self.evidence(row),
            nodes.raw("", "</details>", format="html"),
        ]

    def evidence(self, row: dict[str, Any]) -> list[nodes.Node]:
        """Return the place of a claim in the graph, and a line for each kind of evidence."""
        refuting = [name for name in row["counterexample"] if "::" not in name]
        others = [n for n in row["theorems"] if n not in (*row["proof"], *refuting)]
        return [
            *self.line("Rests on", [link(id) for id in row["depends"]], fold=False),
            *self.line("Used by", [link(id) for id in used_by()[row["id"]]]),
            *self.line("Code", [self.code(name) for name in row["python"]], fold=False),
            *self.line("Proof", [self.theorem(n, row) for n in row["proof"]]),
            *self.line("Refuted by", [self.refutation(n, row) for n in row["counterexample"]]),
            *self.line("Theorems", [self.theorem(n, row) for n in others]),
            *self.line("Tests", [self.test(n, row) for n in functions(row["tests"])]),
        ]

    def prose(self, id: str) -> list[nodes.Node]:
        """Return links to where prose is about a claim: statement, sentence, errata, picture."""
        found: list[nodes.Node] = [nodes.reference("", "statement", refuri=f"stated:{id}")]
        if id in sentences_of():
            found.append(nodes.reference("", "sentence", refuri=f"sentence:{id}"))
        for number in errata_items().get(id, []):
            text = f"errata, item {number}" if number.isdigit() else "errata"
            found.append(nodes.reference("", text, refuri=f"errata:{number}"))
        if id in pictures():
            found.append(nodes.reference("", "picture", refuri=f"picture:{id}"))
        return found

    def line(self, title: str, parts: list[nodes.Node], fold: bool = True) -> list[nodes.Node]:
        """Return the parts below a title; the many are folded."""
        if not parts:
            return []
        line = [node for part in parts for node in (nodes.Text(", "), part)]
        line[0] = nodes.inline("", f"{title} ", classes=["what"])
        if fold and len(parts) > SHOWN:
            summary = f"<details><summary>{title} ({len(parts)})</summary>"
            line[0] = nodes.raw("", summary, format="html")
            line.append(nodes.raw("", "</details>", format="html"))
        # A line, which is a <div>, and not a paragraph: <details> does not stand in one.
        return [nodes.line("", "", *line, classes=["evidence"])]

    def code(self, name: str) -> nodes.Node:
        """Return a link to a Python object: to its reference, or to its source if it has none."""
        module, path = code_of(name)
        inner = nodes.literal("", name.partition(":")[2])
        private = "_" in {part[0] for part in path.split(".")}
        if private or not referenced(module) or not hasattr(resolve(name), "__qualname__"):
            file = f"src/{module.replace('.', '/')}.py"
            return nodes.reference(
                "", "", inner, refuri=address(file, path if path in anchors(file) else "")
            )
        return addnodes.pending_xref(
            "", inner, refdomain="py", reftype="obj", refexplicit=True, refwarn=True,
            reftarget=f"{module}.{path}", refdoc=self.env.docname,
        )  # fmt: skip

    def theorem(self, name: str, row: dict[str, Any]) -> nodes.inline:
        """Return a link to a theorem, with what it assumes."""
        inner = nodes.literal("", name.partition(".")[2])
        made = nodes.reference("", "", inner, refuri=address_of_theorem(name))
        state = row["theorems"].get(name, "missing")
        said = assumptions().get(name) if state == "there" else state
        return nodes.inline("", "", made, nodes.Text(f" ({said})" if said else ""))

    def test(self, name: str, row: dict[str, Any]) -> nodes.inline:
        """Return a link to a test; whatever did not pass says so."""
        inner = nodes.literal("", name.partition("::")[2])
        made = nodes.reference("", "", inner, refuri=address_of_test(name))
        states = {s for test, s in row["tests"].items() if test.partition("[")[0] == name}
        states = states or {"missing"}
        worst = next((s for s in ("failed", "missing") if s in states), "")
        return nodes.inline("", "", made, nodes.Text(f" ({worst})" if worst else ""))

    def refutation(self, name: str, row: dict[str, Any]) -> nodes.inline:
        """Return a link to a counterexample, a test or a theorem."""
        return self.test(name, row) if "::" in name else self.theorem(name, row)


class ClaimRole(SphinxRole):
    """A link to a claim's row."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link."""
        return [link(self.text)], []


class VerdictRole(SphinxRole):
    """The verdict of a claim, linked to its row."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the word."""
        self.env.note_reread()
        row = verdicts().rows.get(self.text)
        if row is None:
            log.warning("no claim %s", self.text, location=self.get_location(), type="claims")
            return [nodes.literal("", self.text)], []
        inner = badge(row["verdict"])
        return [nodes.reference("", "", inner, refuri=SCHEME + self.text)], []


def link_ids(app: Sphinx, doctree: nodes.document) -> None:
    """Turn literal text that is the id of a claim into a link to it."""
    for literal in list(doctree.findall(nodes.literal)):
        inside = literal.parent
        if isinstance(inside, nodes.reference | addnodes.pending_xref | nodes.title):
            continue
        if literal.astext() in verdicts().rows:
            literal.replace_self(link(literal.astext()))


def resolve_links(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Make the links relative to the page; warn of claims that there are not."""
    for node in doctree.findall(nodes.reference):
        uri = node.get("refuri", "")
        kind, _, name = uri.partition(":")
        if kind == "sentence":
            page = app.builder.get_relative_uri(docname, "paper/sentences")
            node["refuri"] = f"{page}#sentence-{name}"
        elif kind == "picture":
            node["refuri"] = app.builder.get_relative_uri(docname, pictures()[name])
        if uri.startswith(SCHEME):
            id = uri.removeprefix(SCHEME)
            if id not in verdicts().rows:
                log.warning("no claim %s", id, location=(docname, node.line), type="claims")
            node["refuri"] = app.builder.get_relative_uri(docname, PAGE) + f"#claim-{id}"


def _first_word(found: re.Match[str]) -> str:
    return found[0].partition(" ")[0]


def lean(html: str) -> str:
    """Leave out what Sphinx writes around literal text and links and no style of the site reads."""
    html = html.replace("docutils literal notranslate", "literal")
    html = re.sub('math notranslate nohighlight|<tr class="row-(even|odd)"', _first_word, html)
    html = re.sub(r'<a class="reference (?:in|ex)ternal" (href="[^"]*")[^>]*>', r"<a \1>", html)
    return re.sub('<span class="pre">([^<]*)</span>', r"\1", html)


def shorten(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Shorten the page of the claims, which has thousands of links."""
    if page == PAGE:
        context["body"] = lean(context["body"])


def write(app: Sphinx, error: Exception | None) -> None:
    """Write ``claims.json`` beside the pages."""
    if error is None and app.builder.format == "html":
        text = json.dumps(list(verdicts().rows.values()), indent=1, ensure_ascii=False)
        (Path(app.outdir) / "claims.json").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register directives and roles."""
    app.add_directive("claims-summary", Summary)
    app.add_directive("claims-table", Table)
    app.add_role("claim", ClaimRole())
    app.add_role("verdict", VerdictRole())
    app.connect("doctree-read", link_ids, priority=110)
    app.connect("doctree-resolved", resolve_links, priority=900)
    app.connect("html-page-context", shorten)
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
