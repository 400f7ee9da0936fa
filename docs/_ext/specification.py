"""``{specification} ID ...``: the tests of ``tests/paper`` that carry one of these claims.

Above the list stands the paper's line, if the first id is one of the listing, then the claims with
their verdicts and some of the theorems. A sentence is the name of a test, with the first paragraph
of its docstring and the number of instances on which it is tried. It links to the test.
"""

import re
import sys
import tomllib
from functools import cache
from importlib import import_module
from itertools import chain
from math import prod
from types import FunctionType
from typing import Any, NamedTuple

from claims_data import verdicts
from docutils import nodes
from links import escaped
from listings import ROOT, address_of_test
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

KNOWN = re.compile(r"(?<![a-z])(nu_min|h_max|f_star)(?![a-z])")
"""The identifiers with an underscore that names of tests contain."""
WHOLE = 10
"""A test with more claims than this compares whole runs; it stands with the last section alone."""
SHOWN = 3
"""Number of theorems of a claim that are named."""


class Stated(NamedTuple):
    """One test: its place, its sentence, what its docstring adds, its instances, its claims."""

    place: str
    sentence: str
    more: str
    tried: str
    claims: tuple[str, ...]


def sentence(name: str) -> str:
    """Return the name of a test as a sentence; identifiers stand in backticks."""
    parts = KNOWN.split(name.removeprefix("test_"))
    text = "".join(f"`{p}`" if k % 2 else p.replace("_", " ") for k, p in enumerate(parts))
    return f"{text[0].upper()}{text[1:]}."


def instances(test: Any, marks: list[Any]) -> str:
    """Say on how many instances a test is tried, where it is run with the profile ``ci``."""
    chosen = prod(len(mark.args[1]) for mark in marks if mark.name == "parametrize")
    if not hasattr(test, "hypothesis"):
        return f"{chosen} cases" if chosen > 1 else "1 case"
    text = (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8")
    (count,) = re.findall(r'register_profile\("ci", max_examples=(\d+)', text)
    given = len(getattr(test, "hypothesis_explicit_examples", ()))
    return f"{int(count) * chosen} random instances" + f" and {given} chosen" * (given > 0)


@cache
def stated() -> list[Stated]:
    """Return the tests of the folder, in the order in which pytest runs them."""
    sys.path.insert(0, str(ROOT / "tests"))
    found = []
    for part in import_module("paper.conftest").ORDER:
        module = import_module(f"paper.test_{part}")
        for name, test in vars(module).items():
            if name.startswith("test_") and isinstance(test, FunctionType):
                marks = getattr(test, "pytestmark", [])
                found.append(
                    Stated(
                        f"tests/paper/test_{part}.py::{name}",
                        sentence(name),
                        " ".join((test.__doc__ or "").split("\n\n")[0].split()),
                        instances(test, marks),
                        tuple(chain(*(m.args for m in reversed(marks) if m.name == "claim"))),
                    )
                )
    return found


def listed(ids: list[str]) -> list[Stated]:
    """Return the tests that a section lists; those of whole runs where the last id asks for it."""
    return [
        test
        for test in stated()
        if set(test.claims) & set(ids) and (len(test.claims) <= WHOLE or ids == ["one-run"])
    ]


def line_of(id: str) -> str:
    """Return the text of a line of the listing."""
    (algorithm,) = tomllib.loads((ROOT / "docs" / "algorithm.toml").read_text())["algorithm"]
    text: str = algorithm["lines"][int(id.rpartition("-")[2]) - 1]["text"]
    return text.strip()


class Specification(SphinxDirective):
    """The sentences about some claims."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the paper's lines, the claims, and one numbered list."""
        ids = self.arguments[0].split()
        self.env.note_reread()
        lines = []
        for id in ids:
            if id.startswith("alg1-line-"):
                lines += [f"> {id.rpartition('-')[2]}: {line_of(id)}", ">"]
        lines += [""]
        theorems = list(dict.fromkeys(chain(*(verdicts()[id]["theorems"] for id in ids))))
        said = ", ".join(f"{{claim}}`{id}` ({{verdict}}`{id}`)" for id in ids)
        lines += [f"Claims: {said}.", ""]
        if theorems:
            names = ", ".join(f"{{rocq}}`{name}`" for name in theorems[:SHOWN])
            more = len(theorems) - SHOWN
            lines += [f"Theorems: {names}{f', and {more} more' if more > 0 else ''}.", ""]
        for test in listed(ids):
            lines += [f"1. **[{test.sentence}]({address_of_test(test.place)})**"]
            lines += [f"   {escaped(test.more)}"] * bool(test.more)
            lines += [f"   *({test.tried})*", ""]
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app: Sphinx) -> None:
    """Add the directive."""
    app.add_directive("specification", Specification)
