"""Links between the pages: to the places that pages note, and to objects that Sphinx knows."""

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
