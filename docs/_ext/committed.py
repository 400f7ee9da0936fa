"""Stored results on a page: what is in docs/results is shown, nothing is copied by hand.

- ``{measurement} costs``: the table of docs/results/costs.csv;
- ``{made} forest``: how a result was made, by its lines of docs/results/made.csv.
"""

from pathlib import Path
from typing import Any

from reproduction import costs
from reproduction.stored import headers

RESULTS = Path(__file__).parents[1] / "results"


def made(name: str) -> str:
    """Return Markdown: how a result, or each of its parts, was made."""
    return headers.sentences(name, headers.read(RESULTS))


def measurement(name: str) -> str:
    """Return Markdown: the table of a measurement, and how it was made."""
    return f"{costs.table_of(costs.read(RESULTS))}\n\n{made(name)}"


def setup(app: Any) -> None:
    """Add the directives."""
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective

    def directive(text_of: Any) -> type:
        class Stored(SphinxDirective):
            required_arguments = 1

            def run(self) -> list[nodes.Node]:
                for path in RESULTS.rglob("*"):
                    if path.suffix in (".md", ".csv"):
                        self.env.note_dependency(str(path))
                found: list[nodes.Node] = self.parse_text_to_nodes(text_of(self.arguments[0]))
                return found

        return Stored

    app.add_directive("measurement", directive(measurement))
    app.add_directive("made", directive(made))
