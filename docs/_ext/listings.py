"""Source files as pages of the site, with an anchor for each line and each name.

``source/tests/paper/test_hunter.py.html#test_x`` shows a test,
``source/proofs/theory/Lemma1.v.html#name`` a theorem. Pages link to them by
``source:PATH#ANCHOR``, which this extension turns into an address; a file or an anchor that does
not exist is a warning. Files with evidence of a claim have a page; links to others lead to the
repository. Four ways lead there:

- the roles ``{source}`src/embedded_hunter/hunter.py#hunt``` and ``{rocq}`Lemma1.theorem``` (a
  theorem or any definition of ``proofs/``), and links: ``[the tree](source:PATH#ANCHOR)``;
- literal text that is the name of a test or of a theorem, or the path of a file;
- Markdown links to files of the repository, as a reader of the bare files sees them;
- ``[source]`` beside an object of the API reference (sphinx.ext.linkcode).
"""

import ast
import html
import posixpath
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole

log = logging.getLogger(__name__)
ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REPOSITORY = f"{PROJECT['urls']['Repository']}/blob/v{PROJECT['version']}"
SCHEME = "source:"
READ = (
    "docs/paper/sentences.toml", "proofs/forest/Forest.v", "proofs/model/Model.v",
    "proofs/search/Search.v", "proofs/specification/Spec.v", "proofs/specification/SpecForest.v",
    "src/embedded_hunter/traces/kit/hunter.py",
)  # fmt: skip
"""Files that have a page although no claim rests on them."""
PATTERNS = {
    "src/**/*.py": "python",
    "src/**/*.md": "markdown",
    "tests/**/*.py": "python",
    "docs/_ext/*.py": "python",
    "docs/conf.py": "python",
    "docs/gallery/*.py": "python",
    "docs/optunahub/**/*.md": "markdown",
    "docs/optunahub/**/*.py": "python",
    "docs/*.toml": "toml",
    "docs/paper/*.toml": "toml",
    "proofs/*/*.v": "coq",
    "tests/**/*.v": "coq",
    "proofs/statements.txt": "text",
    "proofs/_CoqProject": "text",
    "proofs/Makefile": "make",
    "proofs/**/*.py": "python",
    "proofs/*.sh": "bash",
    "*.md": "markdown",
    "tests/**/*.md": "markdown",
    "proofs/*.md": "markdown",
    "pyproject.toml": "toml",
    "constraints.txt": "text",
    "CITATION.cff": "yaml",
    "LICENSE": "text",
    "LICENSE-DATA": "text",
    ".ci/run": "bash",
}
ROCQ = re.compile(
    r"^\s*(?:(?:Local|Global|#\[\w+\])\s+)?(?:Theorem|Corollary|Lemma|Definition|Fixpoint|Record|"
    r"Inductive|Example|Fact|Remark|Proposition|Variable|Hypothesis|Let|Instance|Notation)\s+"
    r"([A-Za-z_][\w']*)|^ +([a-z]\w*) : ",
    re.MULTILINE,
)
"""What defines a name in Rocq: a sentence, or the line of a field in a record."""
PLAIN = re.compile(r'<span class="(?:n|nn|p|w|o|mi)">([^<]*)</span>')
"""Names, signs, numbers and white space: they look like the text around them."""


@cache
def files() -> dict[str, str]:
    """Return the files that can have a page, with their languages, by path in the repository."""
    return {
        path.relative_to(ROOT).as_posix(): language
        for pattern, language in PATTERNS.items()
        for path in sorted(ROOT.glob(pattern))
        if path.is_file() and "__pycache__" not in path.parts
    }


@cache
def folders() -> set[str]:
    """Return the folders of these files."""
    found = {""}
    for path in files():
        while path := posixpath.dirname(path):
            found.add(path)
    return found


@cache
def anchors(path: str) -> dict[str, int]:
    """Return the names that a file defines, each with the number of its line."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".py"):
        return dict(_definitions(ast.parse(text)))
    if path.endswith(".v"):
        return {m[1] or m[2]: text.count("\n", 0, m.end()) + 1 for m in ROCQ.finditer(text)}
    return {}


def _definitions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield prefix + node.target.id, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield prefix + node.name, min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if isinstance(node, ast.ClassDef):
                yield from _definitions(node, f"{prefix}{node.name}.")


@cache
def rocq_file(module: str) -> str:
    """Return the path in the repository of a Rocq file, which its base name tells."""
    ending = f"/{module}.v"
    return next((path for path in files() if path.endswith(ending)), f"proofs/{module}.v")


def address(path: str, anchor: str = "") -> str:
    """Return the address of a file, for the ``refuri`` of a reference."""
    return f"{SCHEME}{path}#{anchor}" if anchor else SCHEME + path


def address_of_test(test: str) -> str:
    """Return the address of ``file::function`` (what follows a ``[`` is dropped)."""
    path, _, name = test.partition("[")[0].partition("::")
    return address(path, name)


def address_of_theorem(theorem: str) -> str:
    """Return the address of ``File.theorem``."""
    file, _, name = theorem.partition(".")
    return address(rocq_file(file), name)


def file_of(module: str) -> str:
    """Return the path in the repository of a Python module of the packages."""
    path = f"src/{module.replace('.', '/')}"
    return f"{path}.py" if f"{path}.py" in files() else f"{path}/__init__.py"


def address_of_object(module: str, name: str) -> str | None:
    """Return the address of what a module of the packages defines; None if it is not found."""
    path = file_of(module)
    return address(path, name) if path in files() and name in anchors(path) else None


def problem(target: str) -> str | None:
    """Say what is wrong with an address; None if it leads somewhere."""
    path, _, anchor = target.removeprefix(SCHEME).partition("#")
    if path in folders():
        return None
    if path not in files():
        return f"there is no {path}"
    if not anchor or anchor in anchors(path) or re.fullmatch(r"L\d+", anchor):
        return None
    return f"{path} does not define {anchor}"


# ---------------------------------------------------------------- what leads to the pages


class SourceRole(ReferenceRole):
    """``text <target>`` or a target alone: a file with or without an anchor, or a theorem."""

    def __init__(self, *, rocq: bool) -> None:
        super().__init__()
        self.rocq = rocq

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return one reference; whether it leads somewhere is looked at in the end."""
        uri = address_of_theorem(self.target) if self.rocq else SCHEME + self.target
        name = self.target.partition(".")[2] if self.rocq else self.target
        inner = nodes.inline("", self.title) if self.has_explicit_title else nodes.literal("", name)
        node = nodes.reference("", "", inner, refuri=uri, classes=["source"])
        self.set_source_info(node)
        return [node], []


def link_files(app: Sphinx, doctree: nodes.document) -> None:
    """Turn Markdown links to files of the repository, and literal names, into references."""
    page = Path(app.env.doc2path(app.env.docname))
    for node in list(doctree.findall(addnodes.download_reference)):
        if path := _in_repository(page.parent, node["reftarget"]):
            _replace(node, address(path))
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node.get("reftype") == "myst" and node["reftarget"] not in app.env.found_docs:
            target = node["reftarget"].partition("#")[0]
            if node.get("refdomain") == "doc":  # a Markdown file that is no page
                target += ".md"
            if target and (path := _in_repository(page.parent, target)):
                _replace(node, address(path))
    for literal in list(doctree.findall(nodes.literal)):
        inside = literal.parent
        linked = isinstance(inside, nodes.reference | addnodes.pending_xref | nodes.title)
        if not linked and (uri := _meaning(literal.astext())):
            name = nodes.literal("", literal.astext().rpartition("::")[2])
            literal.replace_self(nodes.reference("", "", name, refuri=uri))


def _in_repository(folder: Path, target: str) -> str | None:
    """Return the path in the repository of a link's target, also of an included file's link."""
    there = (folder / target).resolve()
    if ROOT in there.parents:
        path = there.relative_to(ROOT).as_posix()
        if path in files() or path in folders():
            return path
    ends = [path for path in (*files(), *folders()) if path.endswith("/" + target.strip("/"))]
    return ends[0] if len(ends) == 1 else None


def _meaning(text: str) -> str | None:
    """Return the address of what a literal text names: a test, a theorem, or a file."""
    if re.fullmatch(r"tests/[\w/]+\.py::\w+", text):
        return address_of_test(text)
    if text.rstrip("/") in files() or ("/" in text and text.rstrip("/") in folders()):
        return address(text.rstrip("/"))
    if re.fullmatch(r"[A-Z]\w+\.v", text) and (file := rocq_file(text[:-2])) in files():
        return address(file)
    if re.fullmatch(r"[A-Z]\w+\.[a-z][\w']*", text):
        uri = address_of_theorem(text)
        return uri if problem(uri) is None else None
    return None


def _replace(node: nodes.Element, uri: str) -> None:
    node.replace_self(nodes.reference("", "", *node.children, refuri=uri, classes=["source"]))


@cache
def shown() -> list[str]:
    """Return the files that have a page, in the order of `files`."""
    from claim_links import defined

    return [path for path in files() if path in READ or path in defined()]


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Turn addresses into those of pages or of the repository; warn of what leads nowhere."""
    listed = set(shown())
    for node in doctree.findall(nodes.reference):
        uri = node.get("refuri", "")
        if uri.startswith(SCHEME):
            if wrong := problem(uri):
                log.warning(wrong, location=(docname, node.line), type="listings")
            path, apart, anchor = uri.removeprefix(SCHEME).partition("#")
            if path in listed:
                base = app.builder.get_relative_uri(docname, f"source/{path}")
                node["refuri"] = base + apart + quote(anchor)
            else:
                named = anchors(path).get(anchor) if path in files() else None
                line = f"L{named}" if named else anchor
                node["refuri"] = f"{REPOSITORY}/{quote(path)}{'#' * bool(line)}{line}"


# ---------------------------------------------------------------- the pages themselves


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield the page of each file."""
    with get_context("fork").Pool(app.parallel) as pool:
        for path, text in zip(shown(), pool.imap(listing, shown()), strict=True):
            up = "../" * path.count("/") + "../"
            head = f'<p><a href="{up}index.html">{app.config.project}</a></p><h1>{path}</h1>'
            yield f"source/{path}", {"title": path, "body": head + text}, "source.html"


def without_sidebar(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Spare the theme the work on a sidebar that these pages do not show."""
    if template == "source.html":
        del context["toctree"]


def listing(path: str) -> str:
    """Return a file as HTML, each line with its number, ``L12``, and the names it defines.

    The line of some evidence ends with links to its claims.
    """
    from claim_links import at_end

    text = (ROOT / path).read_text(encoding="utf-8")
    lexer = get_lexer_by_name(files()[path], stripnl=False, ensurenl=True)
    lines = PLAIN.sub(r"\1", highlight(text, lexer, HtmlFormatter(nowrap=True))).splitlines()
    names: dict[int, list[str]] = {}
    for name, line in anchors(path).items():
        names.setdefault(line, []).append(name)
    claims = "../" * path.count("/") + "../claims.html"
    rows = []
    for number, line in enumerate(lines, 1):
        ids = "".join(f'<i id="{html.escape(name)}"></i>' for name in names.get(number, ()))
        end = at_end(path, number, claims)
        rows.append(f'{ids}<span id="L{number}">{line}{end}</span>\n')
    code = "".join(rows)
    return f'<div class="highlight listing"><pre tabindex="0">{code}</pre></div>'


def setup(app: Sphinx) -> None:
    """Register the roles and the pages."""
    app.add_role("source", SourceRole(rocq=False))
    app.add_role("rocq", SourceRole(rocq=True))
    # Before Sphinx looks for files to download.
    app.connect("doctree-read", link_files, priority=100)
    app.connect("doctree-resolved", resolve, priority=900)
    app.connect("html-collect-pages", pages)
    app.connect("html-page-context", without_sidebar, priority=100)
