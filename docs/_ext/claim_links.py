"""Links from the evidence back to the claims: on listings, and in the reference.

The line of a listing that defines the code, a test or a theorem of a claim ends with a link to the
claim, whether its text names the claim or not. Where a listing does name a claim, as evidence does
(``@pytest.mark.claim("lemma-1")``, ``Claim [lemma-1]``, ``# Alg. 1, line 6``), the name is a link.
An object of the reference that embodies a claim says so below its docstring.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from claims_data import verdicts
from listings import ROOT, anchors, rocq_file
from sphinx.application import Sphinx

from reproduction.claims import registry

LISTED = "docs/claims.toml"
"""The file in which every quoted id is the name of a claim."""
ALGORITHM = re.compile(r"# Alg\. 1, lines? (\d+)(?:-(\d+))?")


def code_of(name: str) -> tuple[str, str]:
    """Return module and path of an object where it is defined; the registry may name another."""
    module, _, path = name.partition(":")
    value = registry.resolve(name)
    if not hasattr(value, "__qualname__"):  # a property or a constant
        return module, path
    return value.__module__, value.__qualname__


@cache
def defined() -> dict[str, dict[str, list[str]]]:
    """Return the claims of every name that is evidence: by file and by name."""
    found: dict[str, dict[str, list[str]]] = {}

    def note(file: str, name: str, id: str) -> None:
        ids = found.setdefault(file, {}).setdefault(name, [])
        if id not in ids:
            ids.append(id)

    for id, row in verdicts().rows.items():
        for name in row["python"]:
            module, path = code_of(name)
            for file in (f"src/{module.replace('.', '/')}{end}" for end in (".py", "/__init__.py")):
                if (ROOT / file).is_file():
                    note(file, path, id)
        for name in (*row["tests"], *row["counterexample"], *row["proof"], *row["theorems"]):
            file, apart, test = name.partition("[")[0].partition("::")
            if apart:
                note(file, test, id)
            else:
                file, _, theorem = name.partition(".")
                note(rocq_file(file), theorem, id)
    return found


@cache
def at_lines(path: str) -> dict[int, list[str]]:
    """Return the claims whose evidence a file defines, by the number of the line."""
    lines = anchors(path)
    found: dict[int, list[str]] = {}
    for name, ids in defined().get(path, {}).items():
        here = found.setdefault(lines.get(name, 1), [])
        here += [id for id in ids if id not in here]
    return found


def _link(base: str, id: str, text: str) -> str:
    return f'<a class="claim" href="{base}#claim-{id}">{text}</a>'


def at_end(path: str, number: int, base: str) -> str:
    """Return links to the claims whose evidence begins at a line, as HTML.

    ``base`` is the address of the page of the claims.
    """
    links = " ".join(_link(base, id, id) for id in at_lines(path).get(number, ()))
    return f' <span class="of-claims">{links}</span>' if links else ""


@cache
def _names() -> str:
    return "|".join(sorted(map(re.escape, verdicts().rows), key=len, reverse=True))


def named(path: str, line: str, base: str) -> str:
    """Turn the names of claims in a line of HTML into links, where they are meant as such."""

    def put(match: re.Match[str]) -> str:
        return f"{match[1]}{_link(base, match[2], match[2])}"

    if mark := ALGORITHM.search(line):
        id = f"alg1-line-{mark[1]}"
        if id in verdicts().rows:
            return line[: mark.start()] + _link(base, id, mark[0]) + line[mark.end() :]
    if path == LISTED or "claim" in line.lower() or '<span class="nd">' in line:
        line = re.sub(rf"(&quot;|&#39;|`|\[)({_names()})(?=&quot;|&#39;|`|\])", put, line)
    return line


def in_docstrings(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Add the claims of an object to its docstring."""
    module, qualified = getattr(obj, "__module__", None), getattr(obj, "__qualname__", None)
    if not module or not qualified:
        return
    path = Path("src", *module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if ids := defined().get(file.as_posix(), {}).get(qualified):
            lines += ["", "Claims: " + ", ".join(f":claim:`{id}`" for id in ids), ""]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler, after napoleon's."""
    app.connect("autodoc-process-docstring", in_docstrings, priority=700)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
