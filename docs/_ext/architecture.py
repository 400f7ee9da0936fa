"""``{house} PACKAGE``: a package's rooms and their imports, drawn by Graphviz from the source.

Boxes are the folders and single files of the package; the five files of the paper are a frame of
their own. An arrow leads from what imports to what is imported. An arrow that follows from
others is left out: where `run` imports `forest` and `forest` the paper, none leads from `run` to
the paper (Graphviz's program ``tred``). The imports are those of `rooms`, the words in a box the
beginning of the docstring.
"""

import html
import textwrap
from pathlib import Path

from api import summary
from claims_graph import graphviz, svg
from docutils import nodes
from listings import ROOT
from rooms import LIBRARY, PAPER, between_rooms, graph
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ASIDE = {"__init__", "__main__", "version", "extras"}
"""Not drawn: what only passes on names, and two small files that any room may use."""


def drawn(package: Path) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return the arrows between a package's rooms, and those between the files of the paper."""
    ours, start = {}, "" if package.name == LIBRARY else f"{package.name}."
    for name, others in between_rooms(package.parent).items():
        inside = {x.removeprefix(start) for x in others if x.startswith(start)} - ASIDE
        own = name.removeprefix(start)
        if name.startswith(start) and "." not in own and own not in ASIDE:
            ours[own] = inside
    files = graph(package.parent) if package.name == LIBRARY else {}
    return ours, {name: files[name] & set(PAPER) for name in PAPER if files}


def purpose(module: str) -> str:
    """Return how the docstring of a module begins."""
    first = summary(module).replace("`", "")
    sentence = first.partition(". ")[0].rstrip(".:")
    return sentence if len(sentence) <= 80 else sentence.partition(": ")[0]


def box(name: str, root: Path, base: str) -> str:
    """Return a node of the graph, in Graphviz's language; it links to the page of its source."""
    path = root / name
    lines = "<br/>".join(
        html.escape(line) for line in textwrap.wrap(purpose(f"{root.name}.{name}"), 27)
    )
    shown = name + ("/" if path.is_dir() else ".py")
    page = f"{base}/{name}{'' if path.is_dir() else '.py'}.html"
    label = f'<b>{shown}</b><br/><font point-size="9">{lines}</font>'
    return f'"{name}" [label=<{label}> href="{page}" tooltip="{shown}"];'


def dot(root: Path, base: str) -> str:
    """Return the graph in Graphviz's language; `base` is the address of the page of `root`."""
    rooms, files = drawn(root)
    lines = [
        'digraph house { compound=true; bgcolor="transparent"; nodesep=0.2; ranksep=0.35;',
        'node [shape=box style="rounded,filled" fontname="DejaVu Sans" fontsize=11 height=0.3',
        'margin="0.1,0.05"]; edge [arrowsize=0.6];',
        'subgraph cluster_paper { label="the paper" fontname="DejaVu Sans" fontsize=11;',
        *(box(name, root, base) for name in files),
        *(f'"{name}" -> "{other}";' for name in files for other in sorted(files[name])),
        "}",
        *(box(name, root, base) for name in rooms if name != "paper"),
    ]
    for name, others in rooms.items():
        lines += [
            f'"{name}" -> "hunter" [lhead=cluster_paper];'
            if other == "paper"
            else f'"{name}" -> "{other}";'
            for other in sorted(others)
        ]
    return "\n".join([*lines, "}"])


class House(SphinxDirective):
    """The picture."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return it, as a part of the page."""
        self.env.note_reread()
        source = f"src/{self.arguments[0]}"
        page = self.env.app.builder.get_relative_uri(self.env.docname, f"source/{source}")
        picture = svg(graphviz("tred", dot(ROOT / source, page.removesuffix(".html"))))
        label = f"The rooms of {self.arguments[0]}; arrows lead to what is imported."
        frame = f'<div class="claims-graph house" tabindex="0" role="img" aria-label="{label}">'
        return [nodes.raw("", f"{frame}{picture}</div>", format="html")]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("house", House)
