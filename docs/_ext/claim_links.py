"""Links from the evidence back to the claims: on listings, and in the reference.

The line of a listing that defines the code, a test or a theorem of a claim, or that names a claim
(``@pytest.mark.claim("lemma-1")``, ``Claim [lemma-1]``, ``# Alg. 1, line 6``), ends with a link to
the claim. An object of the reference that embodies a claim says so below its docstring.
"""

import re
from functools import cache

from claims_data import verdicts
from listings import ROOT, anchors, file_of, rocq_file
from sphinx.application import Sphinx

from reproduction.claims import registry

NAMED = re.compile(r"""(?<=["'`\[])[a-z][a-z0-9-]*(?=["'`\]])""")
ALGORITHM = re.compile(r"# Alg\. 1, lines? (\d+)")


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

    for id, row in verdicts().items():
        for name in row["python"]:
            module, path = code_of(name)
            note(file_of(module), path, id)
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
    """Return the claims that a line of a file is about, by the number of the line."""
    lines = anchors(path)
    found: dict[int, list[str]] = {}
    for name, ids in defined().get(path, {}).items():
        found.setdefault(lines.get(name, 1), []).extend(ids)
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
        named = [f"alg1-line-{k}" for k in ALGORITHM.findall(line)]
        if path == registry.PATH or "claim" in line.lower():
            named += NAMED.findall(line)
        found.setdefault(number, []).extend(id for id in named if id in verdicts())
    return {number: list(dict.fromkeys(ids)) for number, ids in found.items()}


def at_end(path: str, number: int, base: str) -> str:
    """Return links to the claims whose evidence begins at a line, as HTML.

    ``base`` is the address of the page of the claims.
    """
    found = at_lines(path).get(number, ())
    links = " ".join(f'<a class="claim" href="{base}#claim-{id}">{id}</a>' for id in found)
    return f' <span class="of-claims">{links}</span>' if links else ""


def in_docstrings(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """Add the claims of an object to its docstring."""
    module, qualified = getattr(obj, "__module__", None), getattr(obj, "__qualname__", None)
    if not module or not qualified:
        return
    if ids := defined().get(file_of(module), {}).get(qualified):
        lines += ["", "Claims: " + ", ".join(f":claim:`{id}`" for id in ids), ""]


def setup(app: Sphinx) -> None:
    """Register the handler, after napoleon's."""
    app.connect("autodoc-process-docstring", in_docstrings, priority=700)
