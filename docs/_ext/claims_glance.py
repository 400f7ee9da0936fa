"""``{claims-glance} lemma-1 ...``: some claims, each with its verdict and one link of each kind."""

from typing import Any

from claims_data import verdicts
from claims_table import Table, badge, link
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from tables_of_nodes import paragraph, row, table

from reproduction.claims.verdict import functions


class Glance(Table):
    """A table: claim, verdict, code, test, proof."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        self.env.note_reread()
        heads = ("Paper", "Verdict", "Code", "Test", "Proof")
        found = [verdicts().rows[id] for id in self.arguments[0].split()]
        rows = (row([[paragraph(part)] for part in self.parts(claim)]) for claim in found)
        return [table(heads, [20] * 5, rows, "glance")]

    def parts(self, row: dict[str, Any]) -> list[nodes.Node]:
        """Return the cells of a claim; the first piece of evidence of each kind stands for all."""
        proofs = [n for n in (*row["proof"], *row["counterexample"]) if "::" not in n]
        tests = functions(row["tests"]) or [n for n in row["counterexample"] if "::" in n]
        place = row["place"].partition(",")[0].replace(" in the paper", "")
        verdict = nodes.reference("", "", badge(row["verdict"]), refuri=f"claim:{row['id']}")
        nothing = nodes.inline("", "–")
        return [
            self.statement(row["id"], place),
            verdict,
            self.word("code", self.code(row["python"][0])) if row["python"] else nothing,
            self.word("test", self.test(tests[0], row)) if tests else nothing.deepcopy(),
            self.word("proof", self.theorem(proofs[0], row)) if proofs else nothing.deepcopy(),
        ]

    def word(self, word: str, made: nodes.Node) -> nodes.Node:
        """Return a link with a word in the place of its long name, which becomes its title."""
        (literal,) = made.findall(nodes.literal)
        reference = literal.parent
        reference["reftitle"] = literal.astext()
        reference.replace(literal, nodes.inline("", word))
        return reference

    def statement(self, id: str, place: str) -> nodes.Node:
        """Return a link to the statement; to the claim's row if the paper does not number it."""
        if id == "coverage":
            return link(id, "Coverage")
        return addnodes.pending_xref(
            "", nodes.inline("", place), refdomain="prf", reftype="ref", reftarget=id,
            refexplicit=True, refwarn=True, refdoc=self.env.docname,
        )  # fmt: skip


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("claims-glance", Glance)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
