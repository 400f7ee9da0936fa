"""Links between the pages, and the texts of the registry, with formulas in ``$`` and code.

A link leads to a place that a page has noted, or to an object that Sphinx knows.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment

PLACE = "place"
"""A kind of object of Sphinx's standard domain, which `claims_table` registers."""


def link(
    target: str, inner: nodes.Node, kind: str = PLACE, domain: str = "std"
) -> addnodes.pending_xref:
    """Return a link to a place that a page has noted, or to an object that Sphinx knows."""
    return addnodes.pending_xref(
        "", inner, refdomain=domain, reftype=kind, reftarget=target, refexplicit=True, refwarn=True
    )


def note(env: BuildEnvironment, name: str, anchor: str) -> None:
    """Note a place of the page that is read; Sphinx warns of a link to what no page has noted."""
    env.domains.standard_domain.note_object(PLACE, name, anchor)


def escaped(text: str) -> str:
    """Return a text as Markdown: what is neither a formula nor code is not marked up."""
    parts = re.split(r"(\$[^$]*\$|`[^`]+`)", text)
    return "".join(
        part if k % 2 else re.sub(r"([|*_`$<>\[\]])", r"\\\1", part) for k, part in enumerate(parts)
    )
