"""Stored results on a page: what is in docs/results is shown, nothing is copied by hand.

- ``{campaign} paper``: the figure and the verdicts of docs/results/paper;
- ``{measurement} costs``: the table of docs/results/costs.csv;
- ``{made} forest``: how a result was made, by its lines of docs/results/made.csv.
"""

import re
from pathlib import Path
from typing import Any

from reproduction import costs
from reproduction.stored import headers
from reproduction.tables import table

RESULTS = Path(__file__).parents[1] / "results"
EXPERIMENT = re.compile(r"^### ([a-z-]+)\n\n(\d+) of (\d+) cells differ", re.MULTILINE)
SENTENCE = re.compile(r"^- \*\*(.+?)\*\* \(([^)]+)\): (.+)$")


def campaign(profile: str, results: Path = RESULTS) -> str:
    """Return Markdown: how a campaign was made, its figure, what differs, what became of sentences.

    Parameters
    ----------
    profile
        Name of the folder below `results`.
    """
    folder = results / profile
    text = (folder / "report.md").read_text(encoding="utf-8")
    made_by = text.partition("\n## ")[0].partition("\n")[2]
    verdicts = judged(text)
    columns = list(dict.fromkeys(by for found in verdicts.values() for by in found))
    parts = [
        made_by.strip(),
        f"![Figure 1, profile {profile}](results/{profile}/figure-1.svg)",
        table(
            ("against the published runs", "cells", "cells that differ"),
            [(f"`{name}`", cells, differ) for name, differ, cells in EXPERIMENT.findall(text)],
        ),
        table(
            ('sentence of "Results & Discussion"', *columns),
            [
                (
                    f"{sentence} (`{claim}`)".replace("|", r"\|"),
                    *(f"**{found[by]}**" if by in found else "" for by in columns),
                )
                for (sentence, claim), found in verdicts.items()
            ],
        ),
        f"All numbers behind it: [the whole report](results/{profile}/report.md), every cell and "
        f"every sentence with its numbers; the runs are the part `{profile}` of the "
        "[data](data.md).",
    ]
    return "\n\n".join(parts)


def made(name: str) -> str:
    """Return Markdown: how a result, or each of its parts, was made."""
    return headers.sentences(name, headers.read(RESULTS))


def judged(report: str) -> dict[tuple[str, str], dict[str, str]]:
    """Return the verdicts of a report: by sentence and claim, then by whose runs they rest on."""
    verdicts: dict[tuple[str, str], dict[str, str]] = {}
    by = ""
    for line in report.splitlines():
        if line.startswith("#"):
            by = line.lstrip("# ").lower()
        elif found := SENTENCE.fullmatch(line):
            verdict, claim, sentence = found.groups()
            verdicts.setdefault((sentence, claim), {})[by] = verdict
    return verdicts


def measurement(name: str) -> str:
    """Return Markdown: the table of a measurement, and how it was made."""
    return f"{costs.table_of(costs.read(RESULTS))}\n\n{made(name)}"


def setup(app: Any) -> None:
    """Add the three directives."""
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

    app.add_directive("campaign", directive(campaign))
    app.add_directive("measurement", directive(measurement))
    app.add_directive("made", directive(made))
