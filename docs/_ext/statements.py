"""The evidence under each statement of the paper, ``{evidence} lemma-1``, and of the errata.

The box has the computed verdict and the evidence of a claim, as in the table of all claims (see
`claims_table`), and the items of the errata that name it. A claim of the theory that no page states
is a warning. ``{erratum} lemma-1 sweep-expands`` has the place, verdict, grade, counterexamples
and proof of each of its claims.
"""

from claims_data import MEANING, checked_at, errata_items, verdicts
from claims_table import Table, badge, link_to_claim
from docutils import nodes
from links import link, note
from sphinx import addnodes
from sphinx.application import Sphinx


class Evidence(Table):
    """``{evidence} ID``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the box."""
        self.env.note_reread()
        id = self.arguments[0]
        row = verdicts()[id]
        note(self.env, f"stated-{id}", f"evidence-{id}")
        said = nodes.Text(" ".join(["", f"{MEANING[row['verdict']]}.", checked_at(row), ""]))
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


def setup(app: Sphinx) -> None:
    """Register the directives."""
    app.add_directive("evidence", Evidence)
    app.add_directive("erratum", Erratum)
    app.add_css_file("statements.css")
    app.connect("doctree-read", note_errata)
