"""``{claims-graph}``: what rests on what, drawn by Graphviz, coloured by verdict.

The picture is put into the page itself: its links are links of the page, and its colours those of
the theme (``site.css``), light or dark.
"""

import re
import subprocess
from typing import Any, ClassVar

from claims_data import sections, verdicts
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

log = logging.getLogger(__name__)


def slug(verdict: str) -> str:
    """Return a verdict as the name of a CSS class."""
    return "v-" + re.sub(r"\W+", "-", verdict).strip("-")


def label(id: str) -> str:
    """Return what stands on a node."""
    place = re.match(
        r"(?:Theorem|Lemma|Assumption|Definition) \d|Eq\. \(\d\)", verdicts().rows[id]["place"]
    )
    return place[0] if place and id not in ("theorem-1-sharp",) else id.replace("alg1-", "")


def dot(ids: list[str]) -> str:
    """Return the graph of some claims in Graphviz's language."""
    lines = [
        'digraph claims { rankdir=LR; bgcolor="transparent"; nodesep=0.12; ranksep=0.4;',
        'node [shape=box style="rounded,filled" fontname="DejaVu Sans" fontsize=11 height=0.3',
        'margin="0.1,0.04"]; edge [arrowsize=0.5];',
    ]
    for id in ids:
        row = verdicts().rows[id]
        lines.append(
            f'"{id}" [label="{label(id)}" class="{slug(row["verdict"])}" href="#claim-{id}" '
            f'tooltip="{id}: {row["verdict"]}"];'
        )
    lines += [f'"{d}" -> "{id}";' for id in ids for d in verdicts().rows[id]["depends"] if d in ids]
    return "\n".join([*lines, "}"])


def svg(code: str) -> str:
    """Let Graphviz draw; what it writes before the picture is left out."""
    drawn = subprocess.run(
        ["dot", "-Tsvg"], input=code, capture_output=True, text=True, check=True
    ).stdout
    return drawn[drawn.index("<svg") :]


class ClaimsGraph(SphinxDirective):
    """The graph of the sections whose titles match a regular expression."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"without": str}

    def run(self) -> list[nodes.Node]:
        """Return the picture."""
        without = self.options.get("without", "(?!)")
        ids = [
            id
            for title, claims in sections().items()
            for id in claims
            if re.search(self.arguments[0], title) and not re.search(without, id)
        ]
        try:
            picture = svg(dot(ids))
        except (OSError, subprocess.CalledProcessError) as error:
            log.warning("the graph needs Graphviz: %s", error, location=self.get_location())
            return []
        html = f'<div class="claims-graph" tabindex="0">{picture}</div>'
        return [nodes.raw("", html, format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("claims-graph", ClaimsGraph)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
