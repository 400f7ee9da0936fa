"""What test runs and proof builds leave behind, and for which code it counts.

In ``.evidence/`` of a checkout (outside git):

- ``tests.json``, written by the pytest plugin: for each test its claims, the outcome, the commit
  and the fingerprint of the code at which it was obtained; and the list of all tests that the last
  collection of the whole suite found, with its fingerprint. Runs of some tests update these tests.
- ``theorems.txt``, written by ``make -C proofs`` when all its gates have passed: for each theorem
  what it assumes, below the hash of the Rocq sources.

Evidence counts for the contents at which it was obtained, whatever the commit: of a test, all of
`SOURCES`; of a theorem, the Rocq sources.
"""

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = ".evidence"
SOURCES = ("src", "tests", "proofs", "docs/algorithm.toml", "docs/results", "pyproject.toml")
CLOSED = "Closed under the global context"
AXIOMS_OF_THE_REALS = {
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
"""All that a theorem may assume: the axioms of Rocq's standard library of the reals."""


class NotACheckout(Exception):
    """There is no checkout of the project here, or git cannot read it."""


def checkout(start: Path) -> Path:
    """Return the root of the checkout that contains `start`.

    Raises
    ------
    NotACheckout
        If no folder at or above `start` holds the registry of claims, the tests and the proofs.
    """
    for root in (start, *start.parents):
        if all((root / part).exists() for part in ("docs/claims.toml", "tests", "proofs", ".git")):
            return root
    raise NotACheckout(
        f"{start} is not inside a git checkout of EmbeddedHunter: the claims, their tests and "
        "their proofs are not part of the installed package"
    )


@dataclass(frozen=True)
class Code:
    """The code of a checkout: its commit (with a ``+`` if files differ from it) and contents."""

    commit: str
    sources: str
    """Hash of the files of `SOURCES`."""
    proofs: str
    """Hash of the Rocq sources."""


def code_of(root: Path) -> Code:
    """Look at the files of a checkout; files that git ignores do not count.

    Raises
    ------
    NotACheckout
        If git cannot read it.
    """
    contents = _contents(root)
    changed = _git(root, "status", "--porcelain", "--", *SOURCES).strip()
    commit = _git(root, "rev-parse", "--short=10", "HEAD").strip() + ("+" if changed else "")
    return Code(commit, fingerprint(contents), hash_of_proofs(root))


def _contents(root: Path) -> dict[str, bytes]:
    """Return the contents of the files of `SOURCES`, by name."""
    listing = _git(root, "ls-files", "-co", "--exclude-standard", "-z", "--", *SOURCES)
    names = set(filter(None, listing.split("\0")))
    return {name: (root / name).read_bytes() for name in names if (root / name).is_file()}


def fingerprint(contents: Mapping[str, bytes]) -> str:
    """Return one hash of named contents, in the order of their names."""
    total = hashlib.sha256()
    for name in sorted(contents):
        total.update(f"{name}\0{hashlib.sha256(contents[name]).hexdigest()}\n".encode())
    return total.hexdigest()


def hashes_of_parts(root: Path) -> dict[str, str]:
    """Return the fingerprint of each of `SOURCES`, to tell which of them have changed.

    Raises
    ------
    NotACheckout
        If git cannot read the checkout.
    """
    contents = _contents(root)
    return {
        part: fingerprint(
            {name: x for name, x in contents.items() if name == part or name.startswith(part + "/")}
        )
        for part in SOURCES
    }


def hash_of_proofs(root: Path) -> str:
    """Return the hash of the Rocq sources, one after another as ``_CoqProject`` lists them."""
    folder = root / "proofs"
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines()
    files = [folder / line for line in lines if line.endswith(".v")]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except OSError as error:
        raise NotACheckout(f"git does not run: {error}") from None
    except subprocess.CalledProcessError as error:
        raise NotACheckout(f"git does not know {root}: {error.stderr.strip()}") from None


@dataclass
class Suite:
    """The content of ``tests.json``."""

    collected: dict[str, list[str]] = field(default_factory=dict)
    """The claims of every test that carries some, at the last collection of the whole suite."""
    collected_at: str = ""
    """The hash of the sources at that collection."""
    outcomes: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each test ``outcome``, ``sources`` and ``commit``."""

    def collect(self, code: Code, claims: Mapping[str, list[str]]) -> None:
        """Take in the claims of all tests; what is known of tests that are gone is dropped."""
        self.collected, self.collected_at = dict(claims), code.sources
        self.outcomes = {test: self.outcomes[test] for test in claims if test in self.outcomes}

    def record(self, code: Code, outcomes: Mapping[str, str]) -> None:
        """Take in the outcomes of the tests of a run."""
        for test, outcome in outcomes.items():
            self.outcomes[test] = {
                "outcome": outcome, "sources": code.sources, "commit": code.commit
            }  # fmt: skip


def read_tests(root: Path) -> Suite:
    """Read ``tests.json``; of a file that is missing or unreadable nothing is left."""
    try:
        content: Any = json.loads((root / FOLDER / "tests.json").read_text(encoding="utf-8"))
        return Suite(content["collected"], content["collected_at"], content["outcomes"])
    except (OSError, ValueError, KeyError, TypeError):
        return Suite()


def write_tests(root: Path, tests: Suite) -> None:
    """Write ``tests.json``, at once or not at all."""
    folder = root / FOLDER
    folder.mkdir(exist_ok=True)
    new = folder / "tests.json.new"
    new.write_text(json.dumps(vars(tests), indent=1, sort_keys=True), encoding="utf-8")
    new.replace(folder / "tests.json")


@dataclass(frozen=True)
class Theorems:
    """The content of ``theorems.txt``: the assumptions of each theorem, and of which sources."""

    sources: str = ""
    commit: str = ""
    assumptions: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def allowed(self, name: str) -> bool:
        """Tell whether a theorem assumes nothing but the axioms of the reals."""
        return self.assumptions[name] <= AXIOMS_OF_THE_REALS


def read_theorems(root: Path) -> Theorems:
    """Read ``theorems.txt``; if it is missing, no theorem is known."""
    try:
        text = (root / FOLDER / "theorems.txt").read_text(encoding="utf-8")
    except OSError:
        return Theorems()
    return parse_theorems(text.splitlines())


def parse_theorems(lines: Iterable[str]) -> Theorems:
    """Read the lines ``sources HASH`` and ``commit HASH``, then one for each theorem.

    ``File.theorem: Closed under the global context``, or with its axioms after the colon.
    """
    head: dict[str, str] = {}
    found: dict[str, frozenset[str]] = {}
    for line in lines:
        name, colon, rest = line.partition(": ")
        if colon:
            found[name] = frozenset() if rest == CLOSED else frozenset(rest.split())
        else:
            key, _, head[key] = line.partition(" ")
    return Theorems(head.get("sources", ""), head.get("commit", ""), found)
