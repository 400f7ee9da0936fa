"""``{specification} FILE``: the tests of a file as sentences, in order.

A sentence is the name of a test. Below it stand the first paragraph of its docstring and the claims
that it is evidence for. The sentence links to the test.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from listings import address_of_test
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
IDENTIFIERS = ("nu_min", "h_max", "f_star", "as_json", "from_json", "projection_of")
"""The identifiers with an underscore that names of tests contain."""
KNOWN = re.compile(rf"(?<![a-z])({'|'.join(IDENTIFIERS)})(?![a-z])")
LITERAL = re.compile(r"`([^`]+)`")


class Stated(NamedTuple):
    """One test: its name, its sentence, what its docstring adds, its claims."""

    name: str
    sentence: str
    more: str
    claims: tuple[str, ...]


def sentence(name: str) -> str:
    """Return the name of a test as a sentence; identifiers stand in backticks."""
    parts = KNOWN.split(name.removeprefix("test_"))
    text = "".join(f"`{p}`" if k % 2 else p.replace("_", " ") for k, p in enumerate(parts))
    return f"{text[0].upper()}{text[1:]}."


def stated(text: str) -> Iterator[Stated]:
    """Yield the tests of a file, given its text, in order."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            more = (ast.get_docstring(node) or "").split("\n\n")[0]
            claims = [
                str(argument.value)
                for mark in node.decorator_list
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.claim"
                for argument in mark.args
                if isinstance(argument, ast.Constant)  # and not *LINES, all lines of the listing
            ]
            yield Stated(node.name, sentence(node.name), " ".join(more.split()), tuple(claims))


def inline(text: str) -> list[nodes.Node]:
    """Return text whose parts in backticks are literal."""
    return [
        nodes.literal(part, part) if k % 2 else nodes.Text(part)
        for k, part in enumerate(LITERAL.split(text))
        if part
    ]


class Specification(SphinxDirective):
    """The list of the tests of one file."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return one numbered list."""
        (path,) = self.arguments
        self.env.note_dependency(str(ROOT / path))
        items = nodes.enumerated_list(enumtype="arabic", prefix="", suffix=".")
        for test in stated((ROOT / path).read_text(encoding="utf-8")):
            uri = address_of_test(f"{path}::{test.name}")
            link = nodes.reference("", "", *inline(test.sentence), refuri=uri)
            item = nodes.list_item("", nodes.paragraph("", "", nodes.strong("", "", link)))
            if test.more:
                item += nodes.paragraph("", "", *inline(test.more))
            if test.claims:
                ids = ", ".join(f"{{claim}}`{id}`" for id in test.claims)
                item += self.parse_text_to_nodes(f"Claims: {ids}")
            items += item
        return [items]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("specification", Specification)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
