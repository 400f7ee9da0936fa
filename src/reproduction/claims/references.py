"""Find where the project's files name a claim: in docstrings and Rocq comments.

pytest finds the tests that carry the id of a claim (see `collector`), because markers are Python
expressions.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from reproduction.claims.registry import CONFORMANCE, Claim

_ID = r"(?:``)?[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:``)?"
IN_DOCSTRING = re.compile(rf"[(;]\s*claims?\s+({_ID}(?:(?:,|,?\s+and)\s+{_ID})*)\s*[);.]")
"""``(claim eq-3)``, ``(claims eq-3 and coverage)``, ``(equation (2); claim eq-2)``."""
IN_COMMENT = re.compile(r"Claims?((?:[\s,]*(?:and\s+)?\[[a-z0-9-]+\])+)")
"""``Claim [eq-3].``, ``Claims [eq-3] [coverage].``"""
HEADLINES = "proofs/headline.txt"
"""The list of all theorems, in lines ``name | file | ids | sentence``. ``make -C proofs`` checks
that it agrees with the sources."""


def ids_of_docstrings(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the ids that docstrings and comments in src name, each with its file."""
    for path in sorted((root / "src").rglob("*.py")):
        for match in IN_DOCSTRING.finditer(path.read_text(encoding="utf-8")):
            for word in re.split(r",?\s+and\s+|,\s+", match[1]):
                yield word.strip("`"), str(path.relative_to(root))


def ids_of_rocq(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the ids that the Rocq files and the list of theorems name, each with its place."""
    for path in sorted((root / "proofs").rglob("*.v")):
        for named in IN_COMMENT.finditer(path.read_text(encoding="utf-8")):
            for id in re.findall(r"\[([a-z0-9-]+)\]", named[1]):
                yield id, str(path.relative_to(root))
    for name, ids in theorems(root).items():
        for id in ids:
            yield id, name


def theorems(root: Path) -> dict[str, list[str]]:
    """Return the ids of each theorem of a checkout, by its name ``File.theorem``."""
    return theorems_of((root / HEADLINES).read_text(encoding="utf-8"))


def theorems_of(text: str) -> dict[str, list[str]]:
    """Return the same for a text of `HEADLINES`."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, file, ids, _ = (part.strip() for part in line.split("|", 3))
            found[f"{file}.{name}"] = ids.split()
    return found


def test_functions(root: Path) -> set[str]:
    """Return every test function at the top level of a test file, as ``file::function``."""
    return {
        f"{path.relative_to(root)}::{node.name}"
        for path in sorted((root / "tests").rglob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def dangling_ids(claims: Mapping[str, Claim], named: Sequence[tuple[str, str]]) -> list[str]:
    """Return an error for each named id that the registry does not contain.

    `named` contains pairs of an id and the place that names it.
    """
    return sorted({f"{place}: no claim {id}" for id, place in named if id not in claims})


def missing_sources(
    claims: Mapping[str, Claim],
    theorems: Mapping[str, Sequence[str]],
    tests: set[str],
    tests_of: Mapping[str, Sequence[str]],
) -> list[str]:
    """Return an error for each theorem or test that the registry lacks, and each untested claim.

    A theorem or test that a claim names must also carry the id of the claim.

    Parameters
    ----------
    claims, theorems, tests
        The results of `registry.load`, `theorems` and `test_functions`.
    tests_of
        For each id the tests that carry it, as ``file::function``.
    """
    errors = []
    for claim in claims.values():
        for name in claim.theorems:
            if name not in theorems:
                errors.append(f"claim {claim.id}: no theorem {name}")
            elif claim.id not in theorems[name]:
                errors.append(f"claim {claim.id}: theorem {name} does not carry its id")
        for name in claim.refuting_tests:
            if name not in tests:
                errors.append(f"claim {claim.id}: no test {name}")
            elif name not in tests_of.get(claim.id, ()):
                errors.append(f"claim {claim.id}: test {name} does not carry its id")
        supporting = set(tests_of.get(claim.id, ())) - set(claim.refuting_tests)
        by_tests = claim.rule in ("tested", "implemented", "corrected (tested)")
        if by_tests and not supporting and claim.kind != "empirical":
            what = "its correction" if claim.counterexample else "it"
            errors.append(f"claim {claim.id}: no test of {what} carries its id")
        elif claim.proof and claim.python and not supporting:
            errors.append(f"claim {claim.id}: no test of its Python objects carries its id")
        elif (
            claim.proof
            and claim.modelled
            and not any(test.startswith(CONFORMANCE) for test in supporting)
        ):
            errors.append(f"claim {claim.id}: no test in {CONFORMANCE} carries its id")
    return errors
