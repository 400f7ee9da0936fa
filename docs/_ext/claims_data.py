"""The claims on the site: the registry, the verdicts, and where they come from.

Verdicts are those of ``python -m reproduction claims``: computed from the evidence in
``.evidence/`` for the code as it is. If there is none, they are those of the release, with complete
evidence, and the site says so.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from reproduction.claims import evidence, references, registry
from reproduction.claims.verdict import ClaimVerdict, rows, shown

ROOT = Path(__file__).parents[2]
MEANING = {
    "proved": "Rocq theorems say it; they assume at most the axioms of Rocq's real numbers",
    "tested": "every test that carries its id passed; a test is no proof",
    "implemented": "a definition or an instruction, neither true nor false; its tests passed",
    "refuted": "a counterexample to the printed form was checked",
    "corrected": "the printed form was refuted, and Rocq theorems say what holds in its place",
    "corrected (tested)": "the printed form was refuted; what holds in its place is tested, not "
    "proved",
    "not decided": "no experiment here decides it; the tests of what was measured passed",
    "open": "a statement about experiments for which there is no test",
    "unchecked": "evidence that its verdict needs was not there, or is for other code",
    "failing": "a test that carries its id failed, or a theorem assumes too much",
}


@cache
def judged() -> list[ClaimVerdict]:
    """Return every claim with its verdict, in the order of the registry."""
    return shown(rows(ROOT))


@cache
def verdicts() -> dict[str, dict[str, Any]]:
    """Return the verdicts by id, as ``python -m reproduction claims --json`` writes them."""
    return {row.claim.id: row.as_dict() for row in judged()}


def slug(verdict: str) -> str:
    """Return a verdict as the name of a CSS class."""
    return "v-" + re.sub(r"\W+", "-", verdict).strip("-")


def origin() -> str:
    """Say where the verdicts come from."""
    commit = evidence.commit_of(ROOT)
    if all(row.run_here for row in judged()):
        return f"computed from the evidence for {commit}"
    return f"of the release, with complete evidence; no claim was checked for {commit}"


def checked_at(row: dict[str, Any]) -> str:
    """Say where the verdict is from if the evidence was not obtained here; "" if it was."""
    return "" if row["run_here"] else "(of the release; not checked in this build)"


@cache
def assumptions() -> dict[str, str]:
    """Return, for each theorem, what it assumes, in words. ``make -C proofs`` checks the list."""
    return {
        name: "no axioms" if headline.assumptions == evidence.CLOSED else "axioms of the reals"
        for name, headline in references.headlines(ROOT).items()
    }


@cache
def sections() -> dict[str, list[str]]:
    """Return the sections of the registry, each with its claims."""
    found: dict[str, list[str]] = {}
    title = ""
    for line in (ROOT / registry.PATH).read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"# -{5,} (.+)", line):
            title = heading[1]
        elif id := re.fullmatch(r'id = "(.+)"', line):
            found.setdefault(title, []).append(id[1])
    return found


@cache
def used_by() -> dict[str, list[str]]:
    """Return for each claim those that rest on it."""
    found: dict[str, list[str]] = {id: [] for id in verdicts()}
    for id, row in verdicts().items():
        for other in row["depends"]:
            found[other].append(id)
    return found


@cache
def errata_items() -> dict[str, list[str]]:
    """Return for each claim the items of the errata that list it: numbers, or a part's heading."""
    text = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for item in re.split(r"^###? ", text, flags=re.MULTILINE)[1:]:
        number = item.partition("\n")[0].partition(".")[0]
        for ids in re.findall(r"^```\{erratum\} (.*)$", item, re.MULTILINE):
            for id in ids.split():
                found.setdefault(id, []).append(number)
    return found
