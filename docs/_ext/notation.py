"""``{notation}``: the symbols of ``docs/notation.toml``; names that do not exist are warnings."""

import ast
import importlib
import inspect
import re
import textwrap
import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from listings import address, rocq_file, source_of_object
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from tables_of_nodes import paragraph, row, table

log = logging.getLogger(__name__)
ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "notation.toml"
KEYS = {"tex", "meaning", "python", "rocq", "place"}


def symbols() -> list[dict[str, str]]:
    """Return the rows of the table."""
    found: list[dict[str, str]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["symbol"]
    return found


def python_problem(name: str) -> str | None:
    """Say what is wrong with ``module:object`` or ``module:callable:name``; None if it exists.

    The third part is a parameter of the callable, or a variable that its body binds.
    """
    module, path, *inside = name.split(":")
    try:
        value: Any = importlib.import_module(module)
        for part in path.split("."):
            fields = getattr(value, "__annotations__", {})
            value = getattr(value, part) if hasattr(value, part) else fields[part]
    except (ImportError, AttributeError, KeyError):
        return f"no Python object {module}:{path}"
    if not inside or inside[0] in inspect.signature(value).parameters:
        return None
    tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
    bound = {node.id for node in ast.walk(tree)
             if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
    return None if inside[0] in bound else f"{module}:{path} has no {inside[0]}"


def rocq_line(name: str) -> int | None:
    """Return the line that defines ``File.name``: as a definition, a field or a variable."""
    file, _, word = name.partition(".")
    path = ROOT / rocq_file(file)
    if not path.is_file():
        return None
    binding = re.compile(
        r"^\s*(?:(?:Theorem|Lemma|Corollary|Definition|Fixpoint|Record|Inductive|Let|Variables?|"
        rf"Hypothesis|Context)\s+[({{]?)?{re.escape(word)}(?=\s|:)"
    )
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if binding.match(line):
            return number
    return None


class Notation(SphinxDirective):
    """The table."""

    def run(self) -> list[nodes.Node]:
        """Return it, after looking every name up."""
        self.env.note_dependency(str(FILE))
        heads = ("Symbol", "Meaning", "Python", "Rocq", "First in the paper")
        found = table(heads, (16, 32, 20, 17, 15), map(self.line, symbols()), "notation")
        return [nodes.container("", found, classes=["table-wrapper"])]

    def line(self, symbol: dict[str, str]) -> nodes.row:
        """Return one symbol."""
        formula = nodes.math(symbol["tex"], symbol["tex"])
        cells = (
            formula, nodes.Text(symbol["meaning"]), self.python(symbol["python"]),
            self.rocq(symbol["rocq"]), nodes.Text(symbol["place"]),
        )  # fmt: skip
        return row([[paragraph(cell)] for cell in cells])

    def python(self, name: str) -> nodes.Node:
        """Return a link to a Python object."""
        if wrong := python_problem(name):
            log.warning("notation: %s", wrong, location=self.get_location(), type="notation")
            return nodes.Text(name)
        module, path, *inside = name.split(":")
        shown = inside[0] if inside else path
        owner = path.rpartition(".")[0]
        uri = source_of_object(ROOT, module, path) or (
            source_of_object(ROOT, module, owner) if owner else None
        )
        uri = uri or address(f"src/{module.replace('.', '/')}.py")
        return nodes.reference("", "", nodes.literal("", shown), refuri=uri)

    def rocq(self, name: str) -> nodes.Node:
        """Return a link to a Rocq definition."""
        if not name:
            return nodes.Text("\N{EM DASH}")
        line = rocq_line(name)
        if line is None:
            log.warning("notation: no %s", name, location=self.get_location(), type="notation")
            return nodes.Text(name)
        file, _, word = name.partition(".")
        uri = address(rocq_file(file), f"L{line}")
        return nodes.reference("", "", nodes.literal("", word), refuri=uri)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("notation", Notation)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
