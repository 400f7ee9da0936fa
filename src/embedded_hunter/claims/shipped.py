"""The evidence that the repository ships, ``docs/evidence.json``: what a fresh clone shows.

A clone has run no test and built no proof. Until it has, `shown` takes the verdicts from this
file. It is made by ``embedded-hunter claims --release`` from a run of all tests and a build of the
proofs, and says of which commit, and of which contents (`evidence.Code`). It lies outside
`evidence.SOURCES`, so it is no part of what it was computed from.

A verdict from this file is marked with its commit, and as stale if the evidence that it needs was
obtained for other contents than those at hand. ``claims --check`` does not look at the file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from embedded_hunter.claims import references as sources
from embedded_hunter.claims.evidence import (
    Code,
    Suite,
    Theorems,
    code_of,
    hashes_of_parts,
    read_tests,
    read_theorems,
)
from embedded_hunter.claims.registry import load
from embedded_hunter.claims.verdict import BAD, SLOW, ClaimVerdict, function, judge, rows

PATH = "docs/evidence.json"
ABOUT = "Written by `embedded-hunter claims --release`; see embedded_hunter.claims.shipped."
NOT_RUN = "[not run]"
"""Ends the name that stands for the cases of a test function that were slow or skipped."""


class ShippedError(ValueError):
    """The shipped evidence cannot be read, or the evidence at hand is not fit to be shipped."""


@dataclass(frozen=True)
class Shipped:
    """The content of the file."""

    code: Code
    parts: Mapping[str, str]
    """The hash of each of `evidence.SOURCES`."""
    tests: Suite
    """By test function: its cases that passed are one, and so are those that were not run."""
    theorems: Theorems


def read(root: Path) -> Shipped | None:
    """Read the file of a checkout; None if there is none.

    Raises
    ------
    ShippedError
        If it is not what `write` writes.
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
        return Shipped(
            code, dict(found["parts"]), tests, Theorems(code.proofs, code.commit, assumed)
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ShippedError(
            f"{PATH} is not what embedded-hunter claims --release writes: {error!r}"
        ) from None


def write(root: Path) -> Shipped:
    """Write the file from the evidence of this checkout.

    Raises
    ------
    ShippedError
        If the code is not that of a commit, if a test of a claim was not run with it (slow ones
        need not be), or if a claim is failing, open or unchecked. The file stays as it was.
    """
    code, tests, proved = code_of(root), read_tests(root), read_theorems(root)
    if code.commit.endswith("+"):
        raise ShippedError(f"commit first: the code differs from {code.commit[:-1]}")
    if bad := [row.claim.id for row in rows(root) if row.verdict in BAD]:
        raise ShippedError(f"failing, open or unchecked: {', '.join(bad)}")
    outcomes = {
        test: record["outcome"]
        for test, record in tests.outcomes.items()
        if record["sources"] == code.sources
    }
    needed = [test for test, ids in tests.collected.items() if SLOW not in ids]
    if left_out := [test for test in needed if test not in outcomes]:
        raise ShippedError(f"{len(left_out)} tests of claims were not run, first {left_out[0]}")
    content = {
        "about": ABOUT,
        **vars(code),
        "parts": hashes_of_parts(root),
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
    """Return for each test function the ids of its cases; slow if all of them are."""
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
    """Return for each set of axioms the theorems that assume just these."""
    found: dict[str, list[str]] = {}
    for name, assumed in sorted(proved.assumptions.items()):
        found.setdefault(" ".join(sorted(assumed)), []).append(name)
    return found


def shown(root: Path) -> list[ClaimVerdict]:
    """Return every claim with its verdict: from own evidence, else from the shipped one.

    Raises
    ------
    ShippedError
        If there is shipped evidence that cannot be read.
    """
    own, shipped = rows(root), read(root)
    if shipped is None:
        return own
    code, then = code_of(root), rows_of_release(root, shipped)
    now = _judged(root, shipped, code)
    return [
        replace(old, stale=current.verdict == "unchecked")
        if row.verdict == "unchecked" and old.shipped
        else row
        for row, old, current in zip(own, then, now, strict=True)
    ]


def rows_of_release(root: Path, shipped: Shipped) -> list[ClaimVerdict]:
    """Return every claim with its verdict from the shipped evidence, for its own code.

    A claim that this evidence does not decide, because it is newer, is unchecked and not marked.
    """
    return [
        replace(row, verdict="unchecked")
        if row.verdict in BAD
        else replace(row, shipped=shipped.code.commit)
        for row in _judged(root, shipped, shipped.code)
    ]


def _judged(root: Path, shipped: Shipped, code: Code) -> list[ClaimVerdict]:
    return judge(load(root), sources.theorems(root), shipped.tests, shipped.theorems, code)


def changed_since(root: Path, shipped: Shipped) -> list[str]:
    """Return which of `evidence.SOURCES` differ from what the shipped evidence was obtained for."""
    return [part for part, hash in hashes_of_parts(root).items() if shipped.parts.get(part) != hash]
