"""The evidence: what one run of the tests and one build of the proofs have left in a checkout.

The folder ``.evidence/`` of a checkout (outside git) contains two files:

- ``tests.json``, written by ``pytest --long``: the commit, and the claims and the outcome of each
  test that has claims;
- ``theorems.txt``, written by ``make -C proofs`` when all its checks have passed: the commit. What
  each theorem assumes is in the list of statements, which these checks compare with Rocq.

Evidence is that of a commit. It counts as long as the files on which it rests are those of this
commit: for the tests `SOURCES`, for the theorems the folder ``proofs``.
"""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reproduction.claims.references import headlines

FOLDER = ".evidence"
REGISTRY = "docs/claims.toml"
PROOFS = "proofs"
SOURCES = ("src", "tests", PROOFS, "docs/algorithm.toml", "docs/results", "pyproject.toml")
CLOSED = "Closed under the global context"
AXIOMS_OF_THE_REALS = {
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
"""The only allowed assumptions of a theorem: the axioms of Rocq's standard library of the reals."""


class NotACheckout(Exception):
    """There is no checkout of the project, or git cannot read it."""


def checkout(start: Path) -> Path:
    """Return the root of the checkout that contains `start`.

    Raises
    ------
    NotACheckout
        If no folder at or above `start` holds the registry of claims, the tests and the proofs.
    """
    for root in (start, *start.parents):
        if all((root / part).exists() for part in (REGISTRY, "tests", "proofs", ".git")):
            return root
    raise NotACheckout(
        f"{start} is not inside a git checkout of EmbeddedHunter: the claims, their tests and "
        "their proofs are not part of the installed package"
    )


def commit_of(root: Path) -> str:
    """Return the commit of a checkout, with a ``+`` if `SOURCES` differ from it.

    Raises
    ------
    NotACheckout
        If git cannot read the checkout.
    """
    try:
        found = [
            subprocess.run(
                ["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True
            ).stdout.strip()
            for arguments in (
                ("rev-parse", "--short=10", "HEAD"), ("status", "--porcelain", "--", *SOURCES)
            )
        ]  # fmt: skip
    except OSError as error:
        raise NotACheckout(f"git cannot be run: {error}") from None
    except subprocess.CalledProcessError as error:
        raise NotACheckout(f"git cannot read {root}: {error.stderr.strip()}") from None
    return found[0] + ("+" if found[1] else "")


def unchanged(root: Path, commit: str, *parts: str) -> bool:
    """Return whether parts of a checkout are those of a commit, and nothing was added to them."""
    git = ["git", "-C", str(root)]
    same = subprocess.run([*git, "diff", "--quiet", commit, "--", *parts], capture_output=True)
    new = subprocess.run(
        [*git, "ls-files", "--others", "--exclude-standard", "--", *parts], capture_output=True
    )
    return same.returncode == new.returncode == 0 and not new.stdout


@dataclass(frozen=True)
class SuiteReport:
    """The content of ``tests.json``: what one run of all tests said."""

    commit: str = ""
    """Empty if there is no report."""
    claims: Mapping[str, list[str]] = field(default_factory=dict)
    """The ids of the claims of each test that has claims."""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    """The outcome of each of these tests."""


def read_report(root: Path) -> SuiteReport:
    """Read the report. Return an empty one if it is missing, unreadable or of other code."""
    try:
        content: Any = json.loads((root / FOLDER / "tests.json").read_text(encoding="utf-8"))
        report = SuiteReport(content["commit"], content["claims"], content["outcomes"])
    except (OSError, ValueError, KeyError, TypeError):
        return SuiteReport()
    return report if unchanged(root, report.commit, *SOURCES) else SuiteReport()


def write_report(root: Path, report: SuiteReport) -> None:
    """Write ``tests.json``. If writing fails, the old file is not changed."""
    folder = root / FOLDER
    folder.mkdir(exist_ok=True)
    new = folder / "tests.json.new"
    new.write_text(json.dumps(vars(report), indent=1, sort_keys=True), encoding="utf-8")
    new.replace(folder / "tests.json")


@dataclass(frozen=True)
class Theorems:
    """The theorems that were built, with their assumptions, and the commit."""

    commit: str = ""
    assumptions: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def allowed(self, name: str) -> bool:
        """Return whether a theorem assumes nothing but the axioms of the reals."""
        return self.assumptions[name] <= AXIOMS_OF_THE_REALS


def read_theorems(root: Path) -> Theorems:
    """Return what the built theorems assume, by the list of statements; none without evidence."""
    try:
        commit = (root / FOLDER / "theorems.txt").read_text(encoding="utf-8").strip()
    except OSError:
        return Theorems()
    if not unchanged(root, commit, PROOFS):
        return Theorems()
    found = {name: headline.assumptions for name, headline in headlines(root).items()}
    return Theorems(
        commit, {name: frozenset(() if a == CLOSED else a.split()) for name, a in found.items()}
    )
