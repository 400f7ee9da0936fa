"""``{modules} PATTERN ...``: a table of modules, and a page for every module of the library.

The pages are written to ``docs/api/generated`` when the build begins. Of what only a checkout has,
the table leads to the source. A pattern is that of
`fnmatch` on the name below ``embedded_hunter.``, or on a name that begins with ``reproduction``.
"""

import ast
import pkgutil
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path

from docutils import nodes
from listings import ROOT, address, anchors, file_of
from rooms import LIBRARY, PACKAGES, short
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import FileAvoidWrite

from reproduction.tables import table

HERE = Path(__file__).parents[1] / "api"
PAGE = """\
{title}
{line}

.. automodule:: {module}
   :{members}:
"""
BESIDE = {
    "embedded_hunter.run.minimize": (
        "embedded_hunter.forest.settings.ForestSettings",
        "embedded_hunter.settings.Settings",
    )
}
"""Classes that the page of a module shows once more: the parameters of `minimize` are theirs."""
AGAIN = """
.. autoclass:: {name}
   :no-index:
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


def summary(module: str) -> str:
    """Return the first paragraph of a module's docstring."""
    text = (ROOT / file_of(module)).read_text(encoding="utf-8")
    return " ".join((ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].split())


def write_pages(app: Sphinx) -> None:
    """Write a page for each module; one that is right is left alone, one too many is removed."""
    folder = HERE / "generated"
    folder.mkdir(exist_ok=True)
    library = [module for module in modules() if referenced(module)]
    for path in folder.glob("*.rst"):
        if path.stem not in library:
            path.unlink()
    for module in library:
        title = short(module)
        members = "members" if anchors(file_of(module)) else "no-members"
        text = PAGE.format(title=title, line="=" * len(title), module=module, members=members)
        text += "".join(AGAIN.format(name=name) for name in BESIDE.get(module, ()))
        with FileAvoidWrite(folder / f"{module}.rst") as file:
            file.write(text)


class Modules(SphinxDirective):
    """A table: module, and what its docstring begins with."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the table, in the order of the patterns."""
        self.env.note_reread()
        patterns = self.arguments[0].split()
        found = [m for p in patterns for m in modules() if fnmatchcase(short(m), p)]
        lines = [[self.link(m), summary(m)] for m in dict.fromkeys(found)]
        made = self.parse_text_to_nodes(table(["module", "what it is"], lines))
        made[0]["classes"].append("modules")
        return made

    def link(self, module: str) -> str:
        """Return a link to the page of a module, or to its source."""
        uri = f"generated/{module}.rst" if referenced(module) else address(file_of(module))
        return f"[`{short(module)}`]({uri})"


def setup(app: Sphinx) -> None:
    """Register the directive; write the pages before Sphinx looks for them."""
    app.add_directive("modules", Modules)
    app.connect("builder-inited", write_pages)
