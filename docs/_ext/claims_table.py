"""The claims on the site, from the package's own registry and rules: nothing is typed.

- ``{claims-summary}``: how many claims have each verdict, and for which code;
- ``{claims-table}``: every claim with statement, verdict, code, proofs, tests and what it rests on;
- ``{evidence} lemma-1``: below a statement of the paper, the same of its claim;
- ``{erratum} lemma-1 sweep-expands``: below an item of the errata, the same in short of its claims;
- ``{verdict}`lemma-1```: the verdict of a claim, as it is computed;
- ``{claim}`lemma-1```: a link to its row; literal text that is the id of a claim becomes one too.

Links lead to places that pages note: ``claim-lemma-1`` is a row, ``stated-lemma-1`` a statement or
a line of the listing, ``errata-16`` an item of the errata. A claim of the theory that no page
states is a warning.

Writes ``claims.json``, what ``python -m reproduction claims --json`` prints, beside the pages.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from claim_links import code_of
from claims_data import (
    MEANING,
    assumptions,
    checked_at,
    errata_items,
    judged,
    origin,
    sections,
    slug,
    used_by,
    verdicts,
)
from docutils import nodes
from links import PLACE, escaped, link, note
from listings import address, address_of_object, address_of_test, address_of_theorem, file_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from reproduction.claims.registry import GRADES, defects, resolve
from reproduction.claims.verdict import functions

SHOWN = 4  # more tests, or theorems, are folded


def paragraph(*parts: nodes.Node, classes: Sequence[str] = ()) -> nodes.paragraph:
    """Return a paragraph of nodes."""
    return nodes.paragraph("", "", *parts, classes=[*classes])


def badge(verdict: str) -> nodes.inline:
    """Return a verdict as a coloured word."""
    return nodes.inline("", verdict, classes=["verdict", slug(verdict)])


def link_to_claim(id: str, inner: nodes.Node | None = None) -> addnodes.pending_xref:
    """Return a link to a claim's row: its id, or what is given."""
    return link(f"claim-{id}", inner or nodes.literal("", id))


class Summary(SphinxDirective):
    """The counts, by verdict."""

    def run(self) -> list[nodes.Node]:
        """Return a list, and where the verdicts come from."""
        self.env.note_reread()
        found = judged()
        lines = [f"{len(found)} claims; verdicts {origin()}.", ""]
        counts = Counter(row.verdict for row in found)
        for word, meaning in MEANING.items():
            if counts[word]:
                lines.append(f"- **{counts[word]}** [{word}]{{.verdict .{slug(word)}}} {meaning}.")
        grades = Counter(row.claim.grade for row in found)
        distinct = defects(row.claim for row in found)
        lines += [
            "",
            f"Those that do not hold as printed have {distinct} distinct defects, because "
            "some repeat the defect of another. Each has a grade:",
            "",
        ]
        lines += [f"- **{grades[word]}** {word}: {meaning}." for word, meaning in GRADES.items()]
        panels = sum(row.claim.id.startswith("fig-1-") for row in found)
        lines += [
            "",
            f"{panels} of the empirical ones are panels of Figure 1: in all cells but one their "
            "numbers are those of the authors' program, as re-created.",
        ]
        said = self.parse_text_to_nodes("\n".join(lines))
        return [nodes.container("", *said, classes=["claims-summary"])]


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
        body = nodes.tbody()
        for id in ids:
            note(self.env, f"claim-{id}", f"claim-{id}")
            claim = verdicts()[id]
            cells = [nodes.entry("", *self.head(claim)), nodes.entry("", *self.text(claim))]
            body += nodes.row("", *cells, ids=[f"claim-{id}"])
        heads = (nodes.entry("", paragraph(nodes.Text(said)))
                 for said in ("Claim", "What became of it"))  # fmt: skip
        widths = (nodes.colspec(colwidth=width) for width in (25, 75))
        group = nodes.tgroup("", *widths, nodes.thead("", nodes.row("", *heads)), body, cols=2)
        section += nodes.table("", group, classes=["claims"])
        return section

    def head(self, row: dict[str, Any]) -> list[nodes.Node]:
        """Return id, verdict and place."""
        place = paragraph(nodes.Text(row["place"]), classes=["place"])
        return [paragraph(link_to_claim(row["id"])), paragraph(badge(row["verdict"])), place]

    def text(self, row: dict[str, Any]) -> list[nodes.Node]:
        """Return the statement, and every piece of evidence with a link to it."""
        cell: list[nodes.Node] = [paragraph(*self.words(row["statement"]))]
        if row["correction"]:
            cell.append(paragraph(nodes.strong("", "What holds: "), *self.words(row["correction"])))
        if row["grade"]:
            cell.append(
                paragraph(nodes.strong("", f"{row['grade']}: "), *self.words(row["reason"]))
            )
        if row["same_as"]:
            cell.append(
                paragraph(nodes.Text("The same defect as that of "), link_to_claim(row["same_as"]))
            )
        if row["undecided"]:
            cell.append(paragraph(nodes.strong("", "Not decided: "), *self.words(row["undecided"])))
        if row["verdict"] != row["rule"]:
            text = f"With all its evidence: {row['rule']}."
            cell.append(paragraph(nodes.Text(text), classes=["evidence"]))
        if said := checked_at(row):
            cell.append(paragraph(nodes.Text(said), classes=["evidence"]))
        return [
            *cell,
            *self.line("Read", self.prose(row), fold=False),
            nodes.raw("", "<details><summary>Evidence</summary>", format="html"),
            *self.evidence(row),
            nodes.raw("", "</details>", format="html"),
        ]

    def words(self, text: str) -> list[nodes.Node]:
        """Return the nodes of a text: prose, formulas, and code."""
        said, _ = self.parse_inline(escaped(text), lineno=self.lineno)
        return said

    def evidence(self, row: dict[str, Any]) -> list[nodes.Node]:
        """Return the place of a claim in the graph, and a line for each kind of evidence."""
        refuting = [name for name in row["counterexample"] if "::" not in name]
        others = [n for n in row["theorems"] if n not in (*row["proof"], *refuting)]
        return [
            *self.line("Rests on", [link_to_claim(id) for id in row["depends"]], fold=False),
            *self.line("Used by", [link_to_claim(id) for id in used_by()[row["id"]]]),
            *self.line("Code", [self.code(name) for name in row["python"]], fold=False),
            *self.line("Proof", [self.theorem(n, row) for n in row["proof"]]),
            *self.line("Refuted by", [self.refutation(n, row) for n in row["counterexample"]]),
            *self.line("Theorems", [self.theorem(n, row) for n in others]),
            *self.line("Tests", [self.test(n, row) for n in functions(row["tests"])]),
        ]

    def prose(self, row: dict[str, Any]) -> list[nodes.Node]:
        """Return links to where prose is about a claim: statement, errata."""
        id, stated = row["id"], nodes.inline("", "statement")
        experiment = row["kind"] == "empirical"
        found = [link("/results", stated, "doc") if experiment else link(f"stated-{id}", stated)]
        for number in errata_items().get(id, []):
            text = f"errata, item {number}" if number.isdigit() else "errata"
            found.append(link(f"errata-{number}", nodes.inline("", text)))
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
        listed = module.startswith("embedded_hunter.") and hasattr(resolve(name), "__qualname__")
        if private or not listed:
            uri = address_of_object(module, path) or address(file_of(module))
            return nodes.reference("", "", inner, refuri=uri)
        return link(f"{module}.{path}", inner, "obj", "py")

    def theorem(self, name: str, row: dict[str, Any]) -> nodes.inline:
        """Return a link to a theorem, with what it assumes."""
        inner = nodes.literal("", name.partition(".")[2])
        made = nodes.reference("", "", inner, refuri=address_of_theorem(name))
        state = row["theorems"].get(name, "missing")
        elsewhere = state == "missing" and not row["run_here"]
        said = assumptions().get(name) if state == "there" or elsewhere else state
        return nodes.inline("", "", made, nodes.Text(f" ({said})" if said else ""))

    def test(self, name: str, row: dict[str, Any]) -> nodes.inline:
        """Return a link to a test; one that did not pass says so, or is missing here only."""
        inner = nodes.literal("", name.partition("::")[2])
        made = nodes.reference("", "", inner, refuri=address_of_test(name))
        states = {s for test, s in row["tests"].items() if test.partition("[")[0] == name}
        states = states or {"missing"}
        seen = ("failed",) if not row["run_here"] else ("failed", "missing")
        worst = next((s for s in seen if s in states), "")
        return nodes.inline("", "", made, nodes.Text(f" ({worst})" if worst else ""))

    def refutation(self, name: str, row: dict[str, Any]) -> nodes.inline:
        """Return a link to a counterexample, a test or a theorem."""
        return self.test(name, row) if "::" in name else self.theorem(name, row)


class Evidence(Table):
    """``{evidence} ID``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the box."""
        self.env.note_reread()
        id = self.arguments[0]
        row = verdicts()[id]
        note(self.env, f"stated-{id}", f"evidence-{id}")
        said = nodes.Text(f" {checked_at(row)} ")
        box = nodes.container(classes=["evidence-box"], ids=[f"evidence-{id}"])
        # The search puts index entries first: "lemma-1" and "lemma 1" find this section.
        at = next(iter(self.state_machine.node["ids"]), f"evidence-{id}")
        index = [("single", n, at, "main", None) for n in sorted({id, id.replace("-", " ")})]
        box += nodes.line(
            "", "", nodes.inline("", "Verdict ", classes=["what"]), badge(row["verdict"]), said,
            nodes.Text("Claim "), link_to_claim(id), classes=["evidence"],
        )  # fmt: skip
        box += self.evidence(row)
        items = [link(f"errata-{n}", nodes.inline("", f"item {n}" if n.isdigit() else n))
                 for n in errata_items().get(id, [])]  # fmt: skip
        box += self.line("Errata", items)
        return [addnodes.index(entries=index), box]


class Erratum(Table):
    """``{erratum} ID ID ...``."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the box."""
        self.env.note_reread()
        box = nodes.container(classes=["evidence-box"])
        for id in self.arguments[0].split():
            row = verdicts()[id]
            said = nodes.Text(" ".join(["", row["grade"] or "", f"({row['place']})", ""]))
            box += nodes.line(
                "", "", link_to_claim(id), nodes.Text(" "), badge(row["verdict"]), said,
                classes=["evidence"],
            )  # fmt: skip
            box += self.line("Refuted by", [self.refutation(n, row) for n in row["counterexample"]])
            box += self.line("Proof", [self.theorem(n, row) for n in row["proof"]])
        return [box]


def note_errata(app: Sphinx, doctree: nodes.document) -> None:
    """Note the items of the errata, by number, and its parts."""
    if app.env.docname == "errata":
        for section in doctree.findall(nodes.section):
            name = section[0].astext().replace("\u2019", "'").partition(".")[0]
            note(app.env, f"errata-{name}", section["ids"][0])


class ClaimRole(SphinxRole):
    """A link to a claim's row."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link."""
        return [link_to_claim(self.text)], []


class VerdictRole(SphinxRole):
    """The verdict of a claim, linked to its row."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the word."""
        self.env.note_reread()
        return [link_to_claim(self.text, badge(verdicts()[self.text]["verdict"]))], []


def link_ids(app: Sphinx, doctree: nodes.document) -> None:
    """Turn literal text that is the id of a claim into a link to it."""
    for literal in list(doctree.findall(nodes.literal)):
        inside = literal.parent
        if isinstance(inside, nodes.reference | addnodes.pending_xref | nodes.title):
            continue
        if literal.astext() in verdicts():
            literal.replace_self(link_to_claim(literal.astext()))


def write(app: Sphinx, error: Exception | None) -> None:
    """Write ``claims.json`` beside the pages."""
    if error is None and app.builder.format == "html":
        text = json.dumps(list(verdicts().values()), ensure_ascii=False)
        (Path(app.outdir) / "claims.json").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Register directives and roles."""
    app.add_directive("claims-summary", Summary)
    app.add_directive("claims-table", Table)
    app.add_directive("evidence", Evidence)
    app.add_directive("erratum", Erratum)
    app.add_css_file("statements.css")
    app.connect("doctree-read", note_errata)
    app.add_role("claim", ClaimRole())
    app.add_role("verdict", VerdictRole())
    app.add_object_type(PLACE, PLACE)
    app.registry.domain_object_types["std"][PLACE].attrs["searchprio"] = -1  # not searched
    app.connect("builder-inited", lambda app: verdicts(), priority=0)  # once for all processes
    app.connect("doctree-read", link_ids, priority=110)
    app.connect("build-finished", write)
