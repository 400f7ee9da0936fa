"""Stored results on a page: what is in docs/results is shown, nothing is copied by hand.

- ``{costs}``: the table of docs/results/costs.csv;
- ``{made} forest``: how a result was made, by its lines of docs/results/made.csv.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from reproduction import costs
from reproduction.stored import headers

RESULTS = Path(__file__).parents[1] / "results"


class Made(SphinxDirective):
    """The provenance of a result, or of each of its parts."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the sentences."""
        self.env.note_dependency(str(RESULTS / "made.csv"))
        found = headers.sentences(self.arguments[0], headers.read(RESULTS))
        return self.parse_text_to_nodes(found)


class Costs(SphinxDirective):
    """Time and memory of the methods."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        self.env.note_dependency(str(RESULTS / "costs.csv"))
        return self.parse_text_to_nodes(costs.table_of(costs.read(RESULTS)))


def setup(app: Sphinx) -> None:
    """Add the directives."""
    app.add_directive("made", Made)
    app.add_directive("costs", Costs)
