"""``{specification} FILE``: the tests of a file as sentences, in order.

A sentence is the name of a test. Below it stand the first paragraph of its docstring and the claims
that it is evidence for. The sentence links to the test.
"""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from docutils import nodes
from links import escaped
from listings import ROOT, address_of_test
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

IDENTIFIERS = ("nu_min", "h_max", "f_star", "as_json", "from_json")
"""The identifiers with an underscore that names of tests contain."""
KNOWN = re.compile(rf"(?<![a-z])({'|'.join(IDENTIFIERS)})(?![a-z])")


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


class Specification(SphinxDirective):
    """The list of the tests of one file."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return one numbered list."""
        (path,) = self.arguments
        self.env.note_dependency(str(ROOT / path))
        lines = []
        for test in stated((ROOT / path).read_text(encoding="utf-8")):
            uri = address_of_test(f"{path}::{test.name}")
            lines += [f"1. **[{test.sentence}]({uri})**", ""]
            if test.more:
                lines += [f"   {escaped(test.more)}", ""]
            if test.claims:
                lines += ["   Claims: " + ", ".join(f"{{claim}}`{id}`" for id in test.claims), ""]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_directive("specification", Specification)
