"""``{claims-graph}``: what rests on what, drawn by Graphviz, coloured by verdict.

The picture is put into the page itself: its links are links of the page, and its colours those of
the theme (``site.css``), light or dark. It is as wide as the page; ``site.js`` makes it larger and
smaller. The panels of an experiment of Figure 1 stand in one frame. Claims that neither rest on
another one nor carry one are listed below the picture.
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
PROBLEMS = "ellipsoid|fletcher-powell|rosenbrock|ackley"


def slug(verdict: str) -> str:
    """Return a verdict as the name of a CSS class."""
    return "v-" + re.sub(r"\W+", "-", verdict).strip("-")


def family(id: str) -> str:
    """Return the claim on which the whole family of a claim rests; its own id if it has none."""
    panel = re.fullmatch(rf"fig-1-(.+)-({PROBLEMS})", id)
    return f"table-1-{panel[1]}" if panel else id


def label(id: str) -> str:
    """Return what stands on a node."""
    if panel := re.fullmatch(rf"fig-1-.+-({PROBLEMS})", id):
        return panel[1]
    if re.fullmatch(r"(theorem|lemma|assumption|definition|eq)-\d", id):
        word, number = id.split("-")
        return f"Eq. ({number})" if word == "eq" else f"{word.capitalize()} {number}"
    return id.removeprefix("alg1-")


def alone(ids: list[str]) -> list[str]:
    """Return those of some claims that rest on no claim, and on which none of them rests."""
    found = verdicts().rows
    carrying = {d for id in ids for d in found[id]["depends"]}
    return [id for id in ids if not found[id]["depends"] and id not in carrying]


def dot(ids: list[str]) -> str:
    """Return the graph of some claims in Graphviz's language; dashed: what others they rest on."""
    found = verdicts().rows
    lines = [
        'digraph claims { rankdir=LR; bgcolor="transparent"; nodesep=0.1; ranksep=0.3;',
        'node [shape=box style=filled fontname="DejaVu Sans" fontsize=10 height=0.25',
        'margin="0.08,0.03"]; edge [arrowsize=0.5]; compound=true;',
    ]
    families: dict[str, list[str]] = {}
    carrying = [d for id in ids for d in found[id]["depends"]]
    for id in dict.fromkeys([*ids, *carrying]):
        verdict = found[id]["verdict"]
        classes = slug(verdict) + ("" if id in ids else " elsewhere")
        lines.append(
            f'"{id}" [label="{label(id)}" class="{classes}" href="#claim-{id}" '
            f'tooltip="{verdict}"];'
        )
        if family(id) != id:
            families.setdefault(family(id), []).append(id)
    for head, members in families.items():
        inside = "; ".join(f'"{id}"' for id in members)
        lines.append(f'subgraph "cluster_{head}" {{ style=rounded; margin=5; {inside} }}')
        lines.append(f'"{head}" -> "{members[len(members) // 2]}" [lhead="cluster_{head}"];')
    lines += [f'"{d}" -> "{id}";' for id in ids if family(id) == id for d in found[id]["depends"]]
    return "\n".join([*lines, "}"])


def svg(code: str) -> str:
    """Let Graphviz draw. Left out: what stands before the picture, and what `site.css` says."""
    drawn = subprocess.run(
        ["dot", "-Tsvg"], input=code, capture_output=True, text=True, check=True
    ).stdout
    drawn = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r' (id|font-family)="[^"]*"| (fill|stroke)="(?!none)[^"]*"', "", drawn)
    drawn = re.sub(r"(?<=[ ,A-Z])-?\d+\.\d+(?=[^>]*/>)", lambda n: f"{float(n[0]):.0f}", drawn)
    drawn = re.sub(r"<g>\s*(<a .*?</a>)\s*</g>", r"\1", drawn, flags=re.DOTALL)
    return drawn[drawn.index("<svg") :].replace("&#45;", "-")


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
        apart = alone(ids)
        try:
            picture = svg(dot([id for id in ids if id not in apart]))
        except (OSError, subprocess.CalledProcessError) as error:
            log.warning("the graph needs Graphviz: %s", error, location=self.get_location())
            return []
        what = f"What rests on what: a picture of {len(ids) - len(apart)} claims"
        html = f'<div class="claims-graph" tabindex="0" role="group" aria-label="{what}">'
        out: list[nodes.Node] = [nodes.raw("", f"{html}{picture}</div>", format="html")]
        if apart:
            line = nodes.paragraph("", "These rest on no other claim: ", classes=["claims-apart"])
            for id in apart:
                line += nodes.reference("", "", badge_of(id), refuri=f"claim:{id}")
                line += nodes.Text(" ")
            out.append(line)
        return out


def badge_of(id: str) -> nodes.inline:
    """Return the name of a claim in the colour of its verdict."""
    verdict = verdicts().rows[id]["verdict"]
    return nodes.inline("", label(id), classes=["verdict", slug(verdict)])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("claims-graph", ClaimsGraph)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
