"""Where the project's files name a claim: docstrings, Rocq comments, test functions.

The tests that carry an id are not found here but by pytest itself (see `collector`), because
markers are Python expressions.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from embedded_hunter.claims.registry import Claim

_ID = r"(?:``)?[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:``)?"
IN_DOCSTRING = re.compile(rf"[(;]\s*claims?\s+({_ID}(?:(?:,|,?\s+and)\s+{_ID})*)\s*[);.]")
"""``(claim eq-3)``, ``(claims eq-3 and coverage)``, ``(equation (2); claim eq-2)``."""
IN_COMMENT = re.compile(r"Claims?((?:[\s,]*(?:and\s+)?\[[a-z0-9-]+\])+)")
"""``Claim [eq-3].``, ``Claims [eq-3] [coverage].``"""
HEADLINES = "proofs/headline.txt"
"""Every theorem: ``name | file | ids | sentence``; ``make -C proofs`` holds it to the sources."""


def ids_of_docstrings(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the ids that docstrings and comments of src name, each with its file."""
    for path in sorted((root / "src").rglob("*.py")):
        for match in IN_DOCSTRING.finditer(path.read_text(encoding="utf-8")):
            for word in re.split(r",?\s+and\s+|,\s+", match[1]):
                yield word.strip("`"), str(path.relative_to(root))


def ids_of_rocq(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the ids that the Rocq files and their list of theorems name, each with its place."""
    for path in sorted((root / "proofs").glob("*.v")):
        for named in IN_COMMENT.finditer(path.read_text(encoding="utf-8")):
            for id in re.findall(r"\[([a-z0-9-]+)\]", named[1]):
                yield id, f"proofs/{path.name}"
    for name, ids in theorems(root).items():
        for id in ids:
            yield id, name


def theorems(root: Path) -> dict[str, list[str]]:
    """Return every theorem of the proofs, as ``File.theorem``, with the ids that it carries."""
    found: dict[str, list[str]] = {}
    for line in (root / HEADLINES).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, file, ids, _ = (part.strip() for part in line.split("|", 3))
            found[f"{file}.{name}"] = ids.split()
    return found


def test_functions(root: Path) -> set[str]:
    """Return every test function at the top level of a file of tests, as ``file::function``."""
    return {
        f"{path.relative_to(root)}::{node.name}"
        for path in sorted((root / "tests").rglob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def dangling_ids(claims: Mapping[str, Claim], named: Sequence[tuple[str, str]]) -> list[str]:
    """Name the ids that are in no registry, `named` being pairs of an id and its place."""
    return sorted({f"{where}: no claim {id}" for id, where in named if id not in claims})


def missing_sources(
    claims: Mapping[str, Claim],
    theorems: Mapping[str, Sequence[str]],
    tests: set[str],
    tests_of: Mapping[str, Sequence[str]],
) -> list[str]:
    """Name what the registry points at and does not exist, and the claims without any source.

    Parameters
    ----------
    claims, theorems, tests
        From `registry.load`, `theorems` and `test_functions`.
    tests_of
        For each id the tests that carry it, as ``file::function``.
    """
    wrong = []
    marked = {test for carrying in tests_of.values() for test in carrying}
    for claim in claims.values():
        for name in (*claim.proof, *claim.refuting_theorems):
            if name not in theorems:
                wrong.append(f"claim {claim.id}: no theorem {name}")
        for name in claim.refuting_tests:
            if name not in tests:
                wrong.append(f"claim {claim.id}: no test {name}")
            elif name not in marked:
                wrong.append(f"claim {claim.id}: test {name} carries no claim: it is not recorded")
        supporting = set(tests_of.get(claim.id, ())) - set(claim.refuting_tests)
        by_tests = claim.rule in ("tested", "implemented", "corrected (tested)")
        if by_tests and not supporting and claim.kind != "empirical":
            what = "the correction" if claim.counterexample else "it"
            wrong.append(f"claim {claim.id}: uncovered, no test of {what} carries its id")
    return wrong
