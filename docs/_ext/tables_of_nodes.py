"""Tables whose cells are docutils nodes; those of plain text are `reproduction.tables`."""

from collections.abc import Iterable, Sequence

from docutils import nodes

Cells = Sequence[Sequence[nodes.Node]]


def row(cells: Cells, **attributes: object) -> nodes.row:
    """Return a line of a table; each cell is the list of its paragraphs."""
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells), **attributes)


def paragraph(*parts: nodes.Node, classes: Sequence[str] = ()) -> nodes.paragraph:
    """Return a paragraph of nodes."""
    return nodes.paragraph("", "", *parts, classes=[*classes])


def table(
    heads: Sequence[str], widths: Sequence[int], rows: Iterable[nodes.row], name: str
) -> nodes.table:
    """Return a table with the class `name`; without heads it has no line of them."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=w) for w in widths), cols=len(widths))
    if heads:
        group += nodes.thead("", row([[paragraph(nodes.Text(head))] for head in heads]))
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=[name])
