"""The readings of the claims, ``docs/claims_read.toml``: what each claim rested on when last read.

No program can tell whether a theorem says what a claim says, or whether a test tests it. A person
reads both, once. The file stores what was read:

- a fingerprint of the claim's entry in the registry;
- the statement of each theorem that a claim cites, as Rocq prints it, and the Rocq definitions that
  the statement uses;
- a fingerprint of each test function that carries the id of a claim, with its helpers, and the
  number of its cases for the claim.

If one of them changes, the claims concerned are ``unchecked``, whatever the tests and the proofs
say, until ``python -m reproduction claims --read`` has shown the difference and renewed the file. A
new test, or a new case of a test, does not need this.
"""

import difflib
import hashlib
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reproduction.claims.definitions import (
    RocqDefinitions,
    TestCode,
    statements,
)
from reproduction.claims.registry import Claim, fingerprint

PATH = "docs/claims_read.toml"
HEAD = "# Written by `python -m reproduction claims --read`; see reproduction.claims.reading.\n"
SECTIONS = ("claim", "cases", "test", "theorem", "definition")


class ReadingError(ValueError):
    """The file of the readings does not have its format."""


@dataclass
class Readings:
    """The content of the file. Each section maps a name to a text."""

    claim: dict[str, str] = field(default_factory=dict)
    """The fingerprint of each claim's entry."""
    cases: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each claim the number of cases of each test function that carries its id."""
    test: dict[str, str] = field(default_factory=dict)
    """The fingerprint of each of these test functions."""
    theorem: dict[str, str] = field(default_factory=dict)
    """The statement of each cited theorem."""
    definition: dict[str, str] = field(default_factory=dict)
    """The Rocq definitions that these statements use."""


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def cases_of(collected: Mapping[str, Sequence[str]]) -> dict[str, dict[str, int]]:
    """Return, for each claim, how many cases of each test function carry its id."""
    found: dict[str, Counter[str]] = {}
    for test, ids in collected.items():
        for id in ids:
            found.setdefault(id, Counter())[test.partition("[")[0]] += 1
    return {id: dict(sorted(count.items())) for id, count in found.items()}


def read(root: Path) -> Readings:
    """Read the file of a checkout. Without a file nothing was read.

    Raises
    ------
    ReadingError
        If the file does not have the format of `write`.
    """
    try:
        content: dict[str, Any] = tomllib.loads((root / PATH).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Readings()
    except (OSError, ValueError) as error:
        raise ReadingError(f"{PATH} cannot be read: {error}") from None
    if foreign := set(content) - set(SECTIONS):
        raise ReadingError(f"{PATH}: unknown tables {', '.join(sorted(foreign))}")
    return Readings(**content)


def write(root: Path, readings: Readings) -> None:
    """Write the file."""
    lines = [HEAD]
    for section in SECTIONS:
        if section == "cases":
            for id, count in sorted(readings.cases.items()):
                lines += [f"[cases.{id}]", *(f'"{t}" = {n}' for t, n in sorted(count.items())), ""]
            continue
        lines.append(f"[{section}]")
        for name, text in sorted(getattr(readings, section).items()):
            quoted = f"'''\n{text}'''" if section in ("theorem", "definition") else f'"{text}"'
            lines.append(f'"{name}" = {quoted}')
        lines.append("")
    (root / PATH).write_text("\n".join(lines), encoding="utf-8")


def present(
    root: Path,
    claims: Mapping[str, Claim],
    collected: Mapping[str, Sequence[str]],
    then: Readings,
) -> Readings:
    """Return what a reader of this checkout reads.

    Parameters
    ----------
    claims
        The registry.
    collected
        The claims of each test, by node id.
    then
        What was read before. Its tests are read again, whether they still exist or not.
    """
    cases = {id: count for id, count in cases_of(collected).items() if id in claims}
    tests = sorted({test for count in cases.values() for test in count} | then.test.keys())
    cited = {name for claim in claims.values() for name in claim.theorems}
    printed = {name: text for name, text in statements(root).items() if name in cited}
    known, code = RocqDefinitions(root), TestCode(root)
    used: dict[str, str] = {}
    for name, text in printed.items():
        used |= known.used_by(name, text)
    return Readings(
        {id: fingerprint(claims, [id]) for id in claims},
        cases,
        {test: _short(code.of(test)) for test in tests},
        printed,
        used,
    )


def changes(
    claim: Claim, then: Readings, now: Readings, known: RocqDefinitions
) -> list[tuple[str, str]]:
    """Return what has changed for a claim since it was read, as pairs of a section and a name.

    Parameters
    ----------
    claim
        A claim of the registry.
    then, now
        What was read, and what a reader reads now.
    known
        The Rocq definitions of the checkout.
    """
    names = [("claim", claim.id)]
    for theorem in claim.theorems:
        names.append(("theorem", theorem))
        used = known.used_by(theorem, now.theorem.get(theorem, ""))
        names += [("definition", name) for name in used]
    before, after = then.cases.get(claim.id, {}), now.cases.get(claim.id, {})
    names += [("test", test) for test in before]
    found = [
        (section, name)
        for section, name in dict.fromkeys(names)
        if getattr(now, section).get(name) is None
        or getattr(now, section)[name] != getattr(then, section).get(name)
    ]
    if now.cases:
        found += [("cases", test) for test, count in before.items() if after.get(test, 0) < count]
    return found


SENTENCES = {
    "claim": "its entry has changed since it was read",
    "theorem": "the statement of {} has changed since it was read",
    "definition": "the Rocq definition {} has changed since it was read",
    "test": "{} has changed since it was read",
    "cases": "{} has fewer cases than when it was read",
}


def problems(
    root: Path, claims: Mapping[str, Claim], collected: Mapping[str, Sequence[str]] | None
) -> dict[str, list[str]]:
    """Return, for each claim that has to be read again, a sentence for each reason.

    Parameters
    ----------
    claims
        The registry.
    collected
        The claims of each test, by node id, or None if they are not known. Then the numbers of
        cases are not compared.

    Raises
    ------
    ReadingError
        If the file does not have its format.
    """
    then, known = read(root), RocqDefinitions(root)
    now = present(root, claims, collected or {}, then)
    found = {}
    for claim in claims.values():
        if claim.id not in then.claim:
            found[claim.id] = ["it has not been read"]
        elif changed := changes(claim, then, now, known):
            found[claim.id] = [SENTENCES[section].format(name) for section, name in changed]
    return found


def renew(
    root: Path,
    claims: Mapping[str, Claim],
    collected: Mapping[str, Sequence[str]],
    ids: Sequence[str],
) -> list[str]:
    """Store that some claims have been read. Return the differences as lines.

    Parameters
    ----------
    claims, collected
        As in `present`.
    ids
        The claims that were read. A statement or test that other claims use too is read for them
        as well.
    """
    then, known = read(root), RocqDefinitions(root)
    now = present(root, claims, collected, then)
    lines: list[str] = []
    shown: set[tuple[str, str]] = set()
    for id in ids:
        changed = changes(claims[id], then, now, known)
        if changed:
            lines += ["", f"{id}: {claims[id].statement}"]
        for section, name in changed:
            if (section, name) not in shown:
                lines += _difference(section, name, id, then, now)
                shown.add((section, name))
        then.cases[id] = now.cases.get(id, {})
    for id in ids:
        then.claim[id] = now.claim[id]
        then.test.update({test: now.test[test] for test in now.cases.get(id, {})})
        for theorem in claims[id].theorems:
            if theorem in now.theorem:
                then.theorem[theorem] = now.theorem[theorem]
                then.definition.update(known.used_by(theorem, now.theorem[theorem]))
    write(root, _pruned(then, now))
    return lines


def _difference(section: str, name: str, id: str, then: Readings, now: Readings) -> list[str]:
    if section in ("theorem", "definition"):
        old, new = (getattr(r, section).get(name, "").splitlines() for r in (then, now))
        return list(difflib.unified_diff(old, new, f"{name}, as read", f"{name}, now", lineterm=""))
    if section == "cases":
        n, m = then.cases[id][name], now.cases.get(id, {}).get(name, 0)
        return [f"{name}: {n} cases, as read; {m} now"]
    return [SENTENCES[section].format(name)]


def _pruned(readings: Readings, now: Readings) -> Readings:
    """Return readings without the claims, tests and theorems that no longer exist."""
    cases = {id: count for id, count in readings.cases.items() if id in now.claim and count}
    tests = {test for count in cases.values() for test in count}
    return Readings(
        {id: hash for id, hash in readings.claim.items() if id in now.claim},
        cases,
        {test: hash for test, hash in readings.test.items() if test in tests},
        {name: text for name, text in readings.theorem.items() if name in now.theorem},
        {name: text for name, text in readings.definition.items() if name in now.definition},
    )
