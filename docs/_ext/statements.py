"""What stands under each statement of the paper: ``{evidence} lemma-1``.

A box with the computed verdict and the evidence of a claim, as in the table of all claims (see
`claims_table`), and the items of the errata that name it. ``{verdicts} lemma-1 lemma-2`` is a short
table of numbered statements. A claim of the theory that no page states is a warning, and so is an
equation ``eq-N`` that did not get the paper's number N.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from claims_data import MEANING, errata_items, verdicts
from claims_table import Table, badge, link
from docutils import nodes
from formulas import markdown
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from reproduction.tables import table

log = logging.getLogger(__name__)
ROOT = Path(__file__).parents[2]
ELSEWHERE = {"algorithm": "algorithm", "empirical": "results"}
"""Kinds of claims that have pages of their own: Algorithm 1, Table 1 and Figure 1."""


class Evidence(Table):
    """``{evidence} ID``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the box."""
        self.env.note_reread()
        id = self.arguments[0]
        row = verdicts().rows.get(id)
        if row is None:
            log.warning("no claim %s", id, location=self.get_location(), type="statements")
            return []
        shown(self.env).setdefault(self.env.docname, set()).add(id)
        said = nodes.Text(f" {MEANING[row['verdict']]}. ")
        box = nodes.container(classes=["evidence-box"], ids=[f"evidence-{id}"])
        # The search puts index entries first: "lemma-1" and "lemma 1" find this section.
        at = next(iter(self.state_machine.node["ids"]), f"evidence-{id}")
        index = [("single", n, at, "main", None) for n in sorted({id, id.replace("-", " ")})]
        box += nodes.line(
            "", "", nodes.inline("", "Verdict ", classes=["what"]), badge(row["verdict"]), said,
            nodes.Text("Claim "), link(id), classes=["evidence"],
        )  # fmt: skip
        box += self.evidence(row)
        items = [nodes.reference("", f"item {n}" if n.isdigit() else n, refuri=f"errata:{n}")
                 for n in errata_items().get(id, [])]  # fmt: skip
        box += self.line("Errata", items)
        return [addnodes.index(entries=index), box]


class Statements(SphinxDirective):
    """``{verdicts} ID ID ...``: what became of the numbered statements."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        self.env.note_reread()
        lines = []
        for id in self.arguments[0].split():
            row = verdicts().rows[id]
            place = row["place"].partition(",")[0]
            lines.append(
                [f"{{prf:ref}}`{place} <{id}>`", markdown(row["statement"]), f"{{verdict}}`{id}`"]
            )
        return self.parse_text_to_nodes(table(["", "says", "verdict"], lines))


def shown(env: BuildEnvironment) -> dict[str, set[str]]:
    """Return the claims that each page states."""
    if not hasattr(env, "statements_shown"):
        env.statements_shown = {}  # type: ignore[attr-defined]
    return env.statements_shown  # type: ignore[attr-defined, no-any-return]


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Lead ``errata:N`` to item N of the errata, ``stated:ID`` to where a page states the claim."""
    for node in doctree.findall(nodes.reference):
        kind, _, name = node.get("refuri", "").partition(":")
        if kind == "errata":
            page, anchor = "errata", errata_anchors(app)[name]
        elif kind == "stated":
            page, anchor = stated_at(app.env, name)
        else:
            continue
        uri = app.builder.get_relative_uri(docname, page)
        node["refuri"] = f"{uri}#{anchor}" if anchor else uri
        node["internal"] = True


def stated_at(env: BuildEnvironment, id: str) -> tuple[str, str]:
    """Return the page and the anchor of the statement of a claim."""
    pages = sorted(page for page, ids in shown(env).items() if id in ids)
    if pages:
        return pages[0], f"evidence-{id}"
    line = re.fullmatch(r"alg1-(line-\d+)", id)
    page = ELSEWHERE.get(verdicts().rows[id]["kind"], "claims")
    return page, line[1] if line else ""


@cache
def errata_anchors(app: Sphinx) -> dict[str, str]:
    """Return the anchor of each item of the errata."""
    sections = app.env.get_doctree("errata").findall(nodes.section)
    return {
        section[0].astext().replace("\u2019", "'").partition(".")[0]: section["ids"][0]
        for section in sections
    }


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of claims that are stated nowhere, and of equations with another number."""
    stated = set().union(*shown(env).values())
    for id, row in verdicts().rows.items():
        if row["kind"] not in ELSEWHERE and id not in stated:
            log.warning("claim %s is stated on no page", id, type="statements")
    for text in misnumbered(env.get_domain("math").data["objects"], env.toc_fignumbers):
        log.warning(text, type="statements")


def misnumbered(
    equations: Mapping[str, tuple[str, int]],
    numbers: Mapping[str, Mapping[str, Mapping[str, tuple[int, ...]]]],
) -> Iterator[str]:
    """Yield the equations ``eq-N`` that have another number than N, or none.

    Parameters
    ----------
    equations
        Sphinx's labelled equations: by label the page.
    numbers
        Sphinx's numbers, by page, kind and label.
    """
    for label, (docname, _) in equations.items():
        if paper := re.fullmatch(r"eq-(\d)", label):
            given = numbers.get(docname, {}).get("displaymath", {}).get(f"equation-{label}", ())
            if given != (int(paper[1]),):
                yield f"equation {label} has the number {'.'.join(map(str, given)) or 'none'}"


def purged(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget what a page showed."""
    shown(env).pop(docname, None)


def merged(app: Sphinx, env: BuildEnvironment, docnames: list[str], other: Any) -> None:
    """Take over what another process read."""
    shown(env).update({name: ids for name, ids in shown(other).items() if name in docnames})


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives, and what checks them."""
    app.setup_extension("claims_table")
    app.add_directive("evidence", Evidence)
    app.add_directive("verdicts", Statements)
    app.add_css_file("statements.css")
    app.connect("env-purge-doc", purged)
    app.connect("env-merge-info", merged)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", resolve)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
