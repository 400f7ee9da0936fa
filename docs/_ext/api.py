"""``{modules} PATTERN ...``: a table of modules, and a page for every module of the library.

The pages are written to ``docs/api/generated`` when the build begins. Of what only a checkout has,
the table leads to the source. A pattern is that of
`fnmatch` on the name below ``embedded_hunter.``, or on a name that begins with ``reproduction``;
``rest`` stands for what no other table names.
"""

import ast
import pkgutil
import re
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docutils import nodes
from listings import ROOT, address
from rooms import LIBRARY, PACKAGES, short
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from tables_of_nodes import paragraph, row, table

HERE = Path(__file__).parents[1] / "api"
PAGE = """\
{title}
{line}

.. automodule:: {module}
   :{members}:
"""


@cache
def modules() -> list[str]:
    """Return the names of all public modules, each package's own first."""
    names: list[str] = []
    for package in PACKAGES:
        path = import_module(package).__path__
        found = [m.name for m in pkgutil.walk_packages(path, package + ".")]
        names += [package, *sorted(name for name in found if "._" not in name)]
    return names


def referenced(module: str) -> bool:
    """Tell whether a module has a page of the reference: those of the library have."""
    return module.partition(".")[0] == LIBRARY


@cache
def parsed(module: str) -> tuple[str, ast.Module]:
    """Return the path of a module in the repository, and its syntax tree."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin)
    return path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def summary(module: str) -> str:
    """Return the first sentence of a module's docstring."""
    text = ast.get_docstring(parsed(module)[1]) or ""
    return " ".join(text.partition("\n\n")[0].split())


def defines(module: str) -> bool:
    """Tell whether a module defines functions or classes, and does not only pass them on."""
    return any(isinstance(n, ast.FunctionDef | ast.ClassDef) for n in parsed(module)[1].body)


def write_pages(app: Sphinx) -> None:
    """Write a page for each module; one that is right is left alone, one too many is removed."""
    folder = HERE / "generated"
    folder.mkdir(exist_ok=True)
    wanted = {}
    for module in filter(referenced, modules()):
        title = short(module)
        members = "members" if defines(module) else "no-members"
        text = PAGE.format(title=title, line="=" * len(title), module=module, members=members)
        wanted[f"{module}.rst"] = text
    for path in folder.glob("*.rst"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


class Modules(SphinxDirective):
    """A table: module, and what its docstring begins with."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the table, in the order of the patterns."""
        self.env.note_reread()
        rows = []
        for module in self.chosen():
            said, _ = self.parse_inline(summary(module), lineno=self.lineno)
            rows.append(row([[paragraph(self.link(module))], [paragraph(*said)]]))
        return [table((), (30, 70), rows, "modules")]

    def link(self, module: str) -> nodes.Element:
        """Return a link to the page of a module, or to its source."""
        inner = nodes.literal("", short(module))
        if not referenced(module):
            return nodes.reference("", "", inner, refuri=address(parsed(module)[0]))
        return addnodes.pending_xref(
            "", inner, refdomain="std", reftype="doc", reftarget=f"/api/generated/{module}",
            refexplicit=True, refwarn=True, refdoc=self.env.docname,
        )  # fmt: skip

    def chosen(self) -> list[str]:
        """Return the modules that the patterns name."""
        patterns = self.arguments[0].split()
        if patterns != ["rest"]:
            found = [m for p in patterns for m in modules() if fnmatchcase(short(m), p)]
            return list(dict.fromkeys(found))
        text = (HERE / "index.md").read_text(encoding="utf-8")
        named = " ".join(re.findall(r"^```\{modules\}((?:.|\n)*?)```", text, re.MULTILINE)).split()
        return [m for m in modules() if not any(fnmatchcase(short(m), p) for p in named)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; write the pages before Sphinx looks for them."""
    app.add_directive("modules", Modules)
    app.connect("builder-inited", write_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
