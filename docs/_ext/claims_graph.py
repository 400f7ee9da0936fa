"""``{claims-graph}``: what rests on what, drawn by Graphviz, coloured by verdict.

The picture is put into the page itself: its links are links of the page, and its colours those of
the theme (``site.css``), light or dark. It is as wide as the page; ``site.js`` makes it larger and
smaller.
"""

import re
import subprocess

from claims_data import sections, verdicts
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def slug(verdict: str) -> str:
    """Return a verdict as the name of a CSS class."""
    return "v-" + re.sub(r"\W+", "-", verdict).strip("-")


def label(id: str) -> str:
    """Return what stands on a node."""
    if re.fullmatch(r"(theorem|lemma|assumption|definition|eq)-\d", id):
        word, number = id.split("-")
        return f"Eq. ({number})" if word == "eq" else f"{word.capitalize()} {number}"
    return id.removeprefix("alg1-").removeprefix("fig-1-")


def dot(ids: list[str]) -> str:
    """Return the graph of some claims in Graphviz's language; dashed: what others they rest on."""
    found = verdicts()
    lines = [
        'digraph claims { rankdir=LR; bgcolor="transparent"; nodesep=0.1; ranksep=0.3;',
        'node [shape=box style=filled fontname="DejaVu Sans" fontsize=10 height=0.25',
        'margin="0.08,0.03"]; edge [arrowsize=0.5];',
    ]
    carrying = [d for id in ids for d in found[id]["depends"]]
    for id in dict.fromkeys([*ids, *carrying]):
        verdict = found[id]["verdict"]
        classes = slug(verdict) + ("" if id in ids else " elsewhere")
        lines.append(
            f'"{id}" [label="{label(id)}" class="{classes}" href="#claim-{id}" '
            f'tooltip="{verdict}"];'
        )
    lines += [f'"{d}" -> "{id}";' for id in ids for d in found[id]["depends"]]
    return "\n".join([*lines, "}"])


def svg(code: str) -> str:
    """Let Graphviz draw. Left out: what stands before the picture, and what `site.css` says."""
    command = ["dot", "-Tsvg"]
    drawn = subprocess.run(command, input=code, capture_output=True, text=True, check=True).stdout
    drawn = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r' (id|font-family)="[^"]*"| (fill|stroke)="(?!none)[^"]*"', "", drawn)
    drawn = re.sub(r"(?<=[ ,A-Z])-?\d+\.\d+(?=[^>]*/>)", lambda n: f"{float(n[0]):.0f}", drawn)
    drawn = re.sub(r"<g>\s*(<a .*?</a>)\s*</g>", r"\1", drawn, flags=re.DOTALL)
    return drawn[drawn.index("<svg") :].replace("&#45;", "-")


class ClaimsGraph(SphinxDirective):
    """The graph of the sections whose titles match a regular expression."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the picture."""
        ids = [
            id
            for title, claims in sections().items()
            for id in claims
            if re.search(self.arguments[0], title)
        ]
        what = f"What rests on what: a picture of {len(ids)} claims"
        html = f'<div class="claims-graph" tabindex="0" role="group" aria-label="{what}">'
        return [nodes.raw("", f"{html}{svg(dot(ids))}</div>", format="html")]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("claims-graph", ClaimsGraph)
