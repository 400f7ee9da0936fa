"""What stands under each statement of the paper, ``{evidence} lemma-1``, and a table of them.

The box has the computed verdict and the evidence of a claim, as in the table of all claims (see
`claims_table`), and the items of the errata that name it. ``{claims-glance} lemma-1 lemma-2`` is a
table of links: the first piece of evidence of each kind stands for all. A claim of the theory that
no page states is a warning.
"""

from typing import Any

from claim_links import code_of
from claims_data import MEANING, checked_at, errata_items, verdicts
from claims_table import Table, badge, link_to_claim
from docutils import nodes
from links import link, note
from listings import address_of_object, address_of_test, address_of_theorem
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reproduction.claims.verdict import functions
from reproduction.tables import table


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


class Glance(SphinxDirective):
    """``{claims-glance} ID ID ...``: some claims, each with one link of each kind."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        self.env.note_reread()
        lines = [self.line(verdicts()[id]) for id in self.arguments[0].split()]
        found = self.parse_text_to_nodes(
            table(["Paper", "Verdict", "Code", "Test", "Proof"], lines)
        )
        found[0]["classes"].append("glance")
        return found

    def line(self, row: dict[str, Any]) -> list[str]:
        """Return the cells of a claim."""
        tests = functions(row["tests"]) + [n for n in row["counterexample"] if "::" in n]
        proofs = [n for n in (*row["proof"], *row["counterexample"]) if "::" not in n]
        code = address_of_object(*code_of(row["python"][0])) if row["python"] else None
        return [
            statement(row),
            f"{{verdict}}`{row['id']}`",
            f'[code]({code} "{row["python"][0]}")' if code else "–",
            f'[test]({address_of_test(tests[0])} "{tests[0]}")' if tests else "–",
            f'[proof]({address_of_theorem(proofs[0])} "{proofs[0]}")' if proofs else "–",
        ]


def statement(row: dict[str, Any]) -> str:
    """Return a link to a numbered statement; to the row of a claim that has no number."""
    place = row["place"].partition(",")[0]
    numbered = place[-1].isdigit()
    return f"{{prf:ref}}`{place} <{row['id']}>`" if numbered else f"{{claim}}`{row['id']}`"


def note_errata(app: Sphinx, doctree: nodes.document) -> None:
    """Note the items of the errata, by number, and its parts."""
    if app.env.docname == "errata":
        for section in doctree.findall(nodes.section):
            name = section[0].astext().replace("\u2019", "'").partition(".")[0]
            note(app.env, f"errata-{name}", section["ids"][0])


def setup(app: Sphinx) -> None:
    """Register the directives."""
    app.setup_extension("claims_table")
    app.add_directive("evidence", Evidence)
    app.add_directive("claims-glance", Glance)
    app.add_css_file("statements.css")
    app.connect("doctree-read", note_errata)
