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
    if re.fullmatch(r"(theorem|lemma|assumption|definition|eq)-\d", id):
        word, number = id.split("-")
        return f"Eq. ({number})" if word == "eq" else f"{word.capitalize()} {number}"
    return id.removeprefix("alg1-")


def dot(ids: list[str]) -> str:
    """Return the graph of some claims in Graphviz's language; dashed: what others they rest on."""
    found = verdicts().rows
    edges = [(d, id) for id in ids for d in found[id]["depends"]]
    lines = [
        'digraph claims { rankdir=LR; bgcolor="transparent"; nodesep=0.1; ranksep=0.35;',
        'node [shape=box style="rounded,filled" fontname="DejaVu Sans" fontsize=10 height=0.25',
        'margin="0.08,0.03"]; edge [arrowsize=0.5];',
    ]
    for id in dict.fromkeys([*ids, *(d for d, _ in edges)]):
        verdict = found[id]["verdict"]
        classes = slug(verdict) + ("" if id in ids else " elsewhere")
        lines.append(
            f'"{id}" [label="{label(id)}" class="{classes}" href="#claim-{id}" '
            f'tooltip="{id}: {verdict}"];'
        )
    return "\n".join([*lines, *(f'"{d}" -> "{id}";' for d, id in edges), "}"])


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
        html = f'<div class="claims-graph" tabindex="0" role="img">{picture}</div>'
        return [nodes.raw("", html, format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("claims-graph", ClaimsGraph)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
