"""The shipped evidence, ``docs/evidence.json``, from which a fresh clone shows its verdicts.

In a fresh clone no test was run and no proof was built. Until that is done, `shown` takes the
verdicts from this file. ``python -m reproduction claims --release`` writes it after a run of all
tests and a build of the proofs. The file names the commit and the contents (`evidence.Code`) of
that run. It lies outside `evidence.SOURCES`, so that writing it does not make the evidence stale.

A verdict from this file is marked with the commit. It is also marked as stale if the evidence that
it requires was obtained for other contents. ``claims --check`` ignores the file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reproduction.claims import reading, references
from reproduction.claims.evidence import (
    Code,
    Suite,
    Theorems,
    code_of,
    hashes_of_parts,
    read_tests,
    read_theorems,
)
from reproduction.claims.registry import fingerprint, load
from reproduction.claims.verdict import BAD, SLOW, ClaimVerdict, as_read, function, judge, rows

PATH = "docs/evidence.json"
ABOUT = "Written by `python -m reproduction claims --release`; see reproduction.claims.shipped."
NOT_RUN = "[not run]"
"""Suffix of a name that stands for those cases of a test function that were slow or skipped."""


class ShippedError(ValueError):
    """The shipped evidence cannot be read, or the present evidence must not be shipped."""


@dataclass(frozen=True)
class Shipped:
    """The content of the file."""

    code: Code
    parts: Mapping[str, str]
    """The hash of each of `evidence.SOURCES`."""
    tests: Suite
    """All cases of a test function that passed are one test; so are those that were not run."""
    theorems: Theorems
    claims: Mapping[str, str] = field(default_factory=dict)
    """The fingerprint of each claim's entry in the registry; empty if the file has none."""


def read(root: Path) -> Shipped | None:
    """Read the file of a checkout. Return None if there is no file.

    Raises
    ------
    ShippedError
        If the file does not have the format of `write`.
    """
    try:
        found: Any = json.loads((root / PATH).read_text(encoding="utf-8"))
        code = Code(found["commit"], found["sources"], found["proofs"])
        tests = Suite()
        passed = {test: ids.split() for test, ids in found["passed"].items()}
        not_run = {test + NOT_RUN: ids.split() for test, ids in found["not run"].items()}
        tests.collect(code, passed | not_run)
        tests.record(code, dict.fromkeys(passed, "passed"))
        assumed = {
            name: frozenset(axioms.split())
            for axioms, names in found["theorems"].items()
            for name in names
        }
        proved = Theorems(code.proofs, code.commit, assumed)
        return Shipped(code, dict(found["parts"]), tests, proved, dict(found.get("claims", {})))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ShippedError(
            f"{PATH} does not have the format of python -m reproduction claims --release: {error!r}"
        ) from None


def write(root: Path) -> Shipped:
    """Write the file from the evidence of this checkout.

    Raises
    ------
    ShippedError
        If the code differs from its commit, if a test of a claim was not run with this code (slow
        tests may be missing), or if a claim is failing, open or unchecked. Then the file is not
        changed.
    """
    code, tests, proved = code_of(root), read_tests(root), read_theorems(root)
    claims = load(root)
    if code.commit.endswith("+"):
        raise ShippedError(f"the code differs from commit {code.commit[:-1]}: commit it first")
    if bad := [row.claim.id for row in rows(root) if row.verdict in BAD]:
        raise ShippedError(f"these claims are failing, open or unchecked: {', '.join(bad)}")
    outcomes = {
        test: tests.outcomes[test]["outcome"]
        for test, ids in tests.collected.items()
        if tests.valid(test, code, fingerprint(claims, ids))
    }
    needed = [test for test, ids in tests.collected.items() if SLOW not in ids]
    if left_out := [test for test in needed if test not in outcomes]:
        raise ShippedError(
            f"{len(left_out)} tests of claims were not run, the first is {left_out[0]}"
        )
    content = {
        "about": ABOUT,
        **vars(code),
        "parts": hashes_of_parts(root),
        "claims": {id: fingerprint(claims, [id]) for id in claims},
        "passed": _by_function({t: i for t, i in tests.collected.items() if _passed(t, outcomes)}),
        "not run": _by_function(
            {t: i for t, i in tests.collected.items() if not _passed(t, outcomes)}
        ),
        "theorems": _by_axioms(proved),
    }
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    (root / PATH).write_text(text, encoding="utf-8")
    found = read(root)
    assert found is not None
    return found


def _passed(test: str, outcomes: Mapping[str, str]) -> bool:
    return outcomes.get(test) == "passed"


def _by_function(tests: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the ids of the cases of each test function, with `SLOW` if all cases are slow."""
    found: dict[str, list[list[str]]] = {}
    for test, ids in sorted(tests.items()):
        found.setdefault(function(test), []).append(ids)
    return {
        name: " ".join(
            sorted({id for ids in cases for id in ids if id != SLOW})
            + [SLOW] * all(SLOW in ids for ids in cases)
        )
        for name, cases in found.items()
    }


def _by_axioms(proved: Theorems) -> dict[str, list[str]]:
    """Return the theorems that assume exactly a set of axioms, for each such set."""
    found: dict[str, list[str]] = {}
    for name, assumed in sorted(proved.assumptions.items()):
        found.setdefault(" ".join(sorted(assumed)), []).append(name)
    return found


def shown(root: Path) -> list[ClaimVerdict]:
    """Return every claim with its verdict.

    The verdict is computed from the evidence of the checkout. If that evidence is missing, the
    shipped evidence is used.

    Raises
    ------
    ShippedError
        If the shipped evidence cannot be read.
    """
    own, shipped = rows(root), read(root)
    if shipped is None:
        return own
    code, then = code_of(root), rows_of_release(root, shipped)
    problems = reading.problems(root, load(root), None)
    now = as_read(_judged(root, shipped, code), problems)
    return [
        replace(old, stale=current.verdict == "unchecked")
        if row.verdict == "unchecked" and old.shipped
        else row
        for row, old, current in zip(own, then, now, strict=True)
    ]


def rows_of_release(root: Path, shipped: Shipped) -> list[ClaimVerdict]:
    """Return every claim with its verdict from the shipped evidence, for the code of that evidence.

    If this evidence does not decide a claim, for example because the claim is newer, the verdict is
    "unchecked", and no commit is given.
    """
    return [
        replace(row, verdict="unchecked")
        if row.verdict in BAD
        else replace(row, shipped=shipped.code.commit)
        for row in _judged(root, shipped, shipped.code)
    ]


def _judged(root: Path, shipped: Shipped, code: Code) -> list[ClaimVerdict]:
    """Judge the claims by the shipped evidence. It is missing for a claim with a new entry."""
    claims, tests = load(root), Suite(shipped.tests.collected, shipped.tests.collected_at)
    for test, record in shipped.tests.outcomes.items():
        prints = fingerprint(claims, tests.collected[test])
        tests.outcomes[test] = record | {"claims": prints}
    judged = judge(claims, references.theorems(root), tests, shipped.theorems, code)
    changed = [
        id for id in claims
        if shipped.claims and shipped.claims.get(id) != fingerprint(claims, [id])
    ]  # fmt: skip
    return as_read(judged, {id: ["its entry has changed since the release"] for id in changed})


def changed_since(root: Path, shipped: Shipped) -> list[str]:
    """Return those of `evidence.SOURCES` that have changed since the shipped evidence."""
    return [part for part, hash in hashes_of_parts(root).items() if shipped.parts.get(part) != hash]
