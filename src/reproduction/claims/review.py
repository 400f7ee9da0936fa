"""The reviews of the claims, ``docs/claims_read.toml``: what was read of each claim, and when.

No program can tell whether a theorem says what a claim says, or whether a test tests it. A person
reads both, once. The file has one line for each claim: the commit at which it was read, the hash of
its text, the hash of the files of its tests, and the number of its tests. The hash of the checks,
the files that turn tests and proofs into verdicts, is the same for all claims.
`reproduction.claims.texts` says what all these are.

If a hash changes, or a test is missing, the claim is ``unchecked``, whatever the tests and the
proofs say, until ``python -m reproduction claims --read`` has shown the difference since that
commit and renewed the line.

The file also says of which commit the release is (see `reproduction.claims.release`). The line of a
claim that was read since ends with ``new``.
"""

import difflib
import json
import subprocess
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from reproduction.claims.evidence import code_of
from reproduction.claims.registry import RegistryError
from reproduction.claims.texts import MEANINGS, Files, Texts, hash_of

PATH = "docs/claims_read.toml"
HEAD = "# Written by `python -m reproduction claims --read`; see reproduction.claims.review.\n"
UNREAD = "it has not been read"
TEXT = "its entry, a theorem, a definition, a hypothesis or a copied file has changed since"
TESTS = "a file of its tests has changed since it was read"
CHECKED = "a file of the checks has changed since it was read"


class ReviewError(ValueError):
    """The file of the reviews does not have its format, or nothing can be stored now."""


class Review(NamedTuple):
    """What was read of a claim."""

    commit: str
    text: str
    """The hash of its text."""
    tests: str
    """The hash of the files of its tests."""
    cases: int
    """The number of its tests."""
    new: bool = True
    """Whether it was read after the release."""


@dataclass(frozen=True)
class Reviews:
    """The content of the file."""

    claims: Mapping[str, Review]
    checks: tuple[str, str] = ("", "")
    """The commit at which the files of the checks (`texts.CHECKS`) were read, and their hash."""
    release: tuple[str, str] = ("", "")
    """The commit of the release, and the hash of its sources."""


def read(root: Path) -> Reviews:
    """Read the file of a checkout. Without a file nothing was read.

    Raises
    ------
    ReviewError
        If the file does not have the format of `write`.
    """
    try:
        content = tomllib.loads((root / PATH).read_text(encoding="utf-8"))
        claims = {}
        for id, line in content["claim"].items():
            commit, text, tests, cases, *new = line.split()
            claims[id] = Review(commit, text, tests, int(cases), new == ["new"])
        (checked, checks), (released, sources) = content["checks"], content["release"]
        return Reviews(claims, (checked, checks), (released, sources))
    except FileNotFoundError:
        return Reviews({})
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise ReviewError(f"{PATH} does not have its format: {error!r}") from None


def write(root: Path, reviews: Reviews) -> None:
    """Write the file."""
    pairs = ("checks", "release")
    lines = [HEAD, *(f"{name} = {json.dumps(getattr(reviews, name))}" for name in pairs)]
    lines += ["", "[claim]"]
    for id, (*line, new) in sorted(reviews.claims.items()):
        lines.append(f'{id} = "{" ".join(map(str, line))}{" new" * new}"')
    (root / PATH).write_text("\n".join(lines) + "\n", encoding="utf-8")


class Present:
    """What a reader of a checkout reads now.

    Parameters
    ----------
    collected
        The claims of each test, by node id; None if they are not known.
    """

    def __init__(self, root: Path, collected: Mapping[str, Sequence[str]] | None) -> None:
        self.files = Files(root)
        self.texts = Texts(self.files.text)
        self.known = collected is not None
        self._tests: dict[str, list[str]] = {}
        for test, ids in (collected or {}).items():
            for id in ids:
                self._tests.setdefault(id, []).append(test.partition("::")[0])

    def tests(self, id: str) -> list[str]:
        """Return the files of the tests of a claim."""
        return self.files.closure(set(self._tests.get(id, ())))

    def of(self, id: str, commit: str = "") -> Review:
        """Return what a reader of a claim reads."""
        text, tests = hash_of(self.texts.of(id)), self.files.hash(self.tests(id))
        return Review(commit, text, tests, len(self._tests.get(id, ())))

    @property
    def checks(self) -> str:
        """The hash of the files of the checks."""
        return self.files.hash(self.files.checks())

    def problems(self, then: Reviews) -> dict[str, list[str]]:
        """Return, for each claim that has to be read again, a sentence for each reason.

        The tests are not compared if they are not known.
        """
        checked = [CHECKED] * (self.checks != then.checks[1])
        found = {}
        for id in self.texts.claims:
            if (old := then.claims.get(id)) is None:
                found[id] = [UNREAD]
            elif reasons := self._changes(old, self.of(id)) + checked:
                found[id] = reasons
        return found

    def _changes(self, old: Review, new: Review) -> list[str]:
        found = [TEXT] * (new.text != old.text)
        if self.known:
            found += [TESTS] * (new.tests != old.tests)
            if new.cases < old.cases:
                found.append(f"it has {new.cases} tests; when it was read it had {old.cases}")
        return found


def renew(root: Path, collected: Mapping[str, Sequence[str]], ids: Sequence[str]) -> list[str]:
    """Store that some claims have been read. Return the differences as lines.

    Parameters
    ----------
    collected
        The claims of each test, by node id.
    ids
        The claims that were read.

    Raises
    ------
    ReviewError
        If the checkout differs from its commit.
    """
    commit = code_of(root).commit
    if commit.endswith("+"):
        raise ReviewError(f"the code differs from commit {commit[:-1]}: commit it first")
    now, then = Present(root, collected), read(root)
    lines = _differences(root, now, then, ids)
    new = {id: now.of(id, commit) for id in ids}
    changed = {id for id in ids if then.claims.get(id, ())[1:4] != new[id][1:4]}
    claims = dict(then.claims) | {id: new[id] for id in changed}
    reviews = replace(
        then,
        claims={id: line for id, line in claims.items() if id in now.texts.claims},
        checks=(commit, now.checks) if now.checks != then.checks[1] else then.checks,
    )
    write(root, reviews)
    return lines


def _differences(root: Path, now: Present, then: Reviews, ids: Iterable[str]) -> list[str]:
    """Return what has changed since claims were read, each difference once."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout

    @cache
    def texts(commit: str) -> Texts:
        return Texts(lambda name: git("show", f"{commit}:{name}"))

    def files(commit: str, names: Iterable[str]) -> list[str]:
        new = [name for name in names if (commit, name) not in shown]
        shown.update((commit, name) for name in new)
        return git("diff", commit, "--", *new).splitlines() if new else []

    shown: set[tuple[str, str]] = set()
    problems = now.problems(then)
    lines: list[str] = []
    if now.checks != then.checks[1] and then.checks[0]:
        lines += files(then.checks[0], now.files.checks())
    for id in ids:
        reasons = [reason for reason in problems.get(id, ()) if reason != CHECKED]
        if not reasons:
            continue
        lines += ["", f"{id}: {'; '.join(reasons)}"]
        old = then.claims.get(id, Review("", "", "", 0))
        if old.commit and not git("rev-parse", "--verify", "-q", f"{old.commit}^{{commit}}"):
            lines.append(f"commit {old.commit} is not in this clone: read the claim as a new one")
            old = old._replace(commit="")
        before: Mapping[str, str] = {}
        if old.commit:
            try:
                before = texts(old.commit).of(id)
            except RegistryError as error:
                lines.append(f"at commit {old.commit}: {error}")
        after = now.texts.of(id)
        for name in dict.fromkeys([*before, *after]):
            a, b = before.get(name, ""), after.get(name, "")
            if a != b and (old.commit or name != MEANINGS) and (b, name) not in shown:
                lines += difflib.unified_diff(
                    a.splitlines(), b.splitlines(), f"{name}, as read", f"{name}, now", lineterm=""
                )
                shown.add((b, name))
        if old.commit:
            changed = now.texts.sources(before.get(MEANINGS, ""), after.get(MEANINGS, ""))
            lines += files(old.commit, changed)
        if old.commit and old.tests != now.of(id).tests:
            named = git("grep", "-lF", f'"{id}"', old.commit, "--", "tests").splitlines()
            lines += files(old.commit, {*now.tests(id), *(n.partition(":")[2] for n in named)})
    return lines
