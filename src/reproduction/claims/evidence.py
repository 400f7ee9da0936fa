"""The evidence of test runs and proof builds, and the code for which it is valid.

The folder ``.evidence/`` of a checkout (outside git) contains two files:

- ``tests.json``, written by the pytest plugin. It holds the claims and the outcome of each test,
  with the commit and the fingerprint of the code at which the test ran. It also holds the list of
  tests found by the last collection of the whole suite, with the fingerprint of that collection. A
  run of some tests updates only these tests.
- ``theorems.txt``, written by ``make -C proofs`` when all its checks have passed. It holds the hash
  of the Rocq sources and the assumptions of each theorem.

Evidence is valid for the file contents at which it was obtained, whatever the commit. For a test
these are all of `SOURCES`, for a theorem the Rocq sources and the files of their checks (`GATES`).
"""

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = ".evidence"
REGISTRY = "docs/claims.toml"
SOURCES = (
    "src", "tests", "proofs", "docs/algorithm.toml", "docs/results", "pyproject.toml",
)  # fmt: skip
GATES = ("_CoqProject", "Makefile", "*.ltac2", "*.py", "*.sh", "*.txt")
"""Files of ``proofs`` that decide, with the Rocq sources, what ``make -C proofs`` checks."""
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


@dataclass(frozen=True)
class Code:
    """The code of a checkout."""

    commit: str
    """Its commit, with a ``+`` if the sources or the registry differ from it."""
    sources: str
    """Hash of the files of `SOURCES`."""
    proofs: str
    """Hash of the Rocq sources."""


def code_of(root: Path) -> Code:
    """Return the commit and the hashes of a checkout. Files that git ignores do not count.

    Raises
    ------
    NotACheckout
        If git cannot read the checkout.
    """
    contents = _contents(root)
    changed = _git(root, "status", "--porcelain", "--", *SOURCES, REGISTRY).strip()
    commit = _git(root, "rev-parse", "--short=10", "HEAD").strip() + ("+" if changed else "")
    return Code(commit, fingerprint(contents), hash_of_proofs(root))


def _contents(root: Path) -> dict[str, bytes]:
    """Return the contents of the files in `SOURCES`, by name."""
    listing = _git(root, "ls-files", "-co", "--exclude-standard", "-z", "--", *SOURCES)
    names = set(filter(None, listing.split("\0")))
    return {name: (root / name).read_bytes() for name in names if (root / name).is_file()}


def fingerprint(contents: Mapping[str, bytes]) -> str:
    """Return one hash of all names and contents, taken in the order of the names."""
    total = hashlib.sha256()
    for name in sorted(contents):
        total.update(f"{name}\0{hashlib.sha256(contents[name]).hexdigest()}\n".encode())
    return total.hexdigest()


def hash_of_proofs(root: Path) -> str:
    """Return the hash of the Rocq sources and then of `GATES`.

    The order of the sources is that in which ``_CoqProject`` lists them.
    """
    folder = root / "proofs"
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines()
    files = [folder / line for line in lines if line.endswith(".v")]
    files += [path for pattern in GATES for path in sorted(folder.glob(pattern))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except OSError as error:
        raise NotACheckout(f"git cannot be run: {error}") from None
    except subprocess.CalledProcessError as error:
        raise NotACheckout(f"git cannot read {root}: {error.stderr.strip()}") from None


@dataclass
class Suite:
    """The content of ``tests.json``."""

    collected: dict[str, list[str]] = field(default_factory=dict)
    """The claims of each test of a claim, at the last collection of the whole suite."""
    collected_at: str = ""
    """The hash of the sources at that collection."""
    outcomes: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each test the fields ``outcome``, ``sources`` and ``commit``."""

    def collect(self, code: Code, claims: Mapping[str, list[str]]) -> None:
        """Store the claims of all tests. Drop the outcomes of tests that no longer exist."""
        self.collected, self.collected_at = dict(claims), code.sources
        self.outcomes = {test: self.outcomes[test] for test in claims if test in self.outcomes}

    def record(self, code: Code, outcomes: Mapping[str, str]) -> None:
        """Store the outcomes of the tests of a run."""
        for test, outcome in outcomes.items():
            self.outcomes[test] = {
                "outcome": outcome, "sources": code.sources, "commit": code.commit,
            }  # fmt: skip

    def outcome(self, test: str, code: Code) -> str:
        """Return the outcome of a test, empty if it was not obtained for this code."""
        record = self.outcomes.get(test, {})
        return record["outcome"] if record.get("sources") == code.sources else ""


def read_tests(root: Path) -> Suite:
    """Read ``tests.json``. Return an empty suite if it is missing or unreadable."""
    try:
        content: Any = json.loads((root / FOLDER / "tests.json").read_text(encoding="utf-8"))
        return Suite(content["collected"], content["collected_at"], content["outcomes"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Suite()


def write_tests(root: Path, tests: Suite) -> None:
    """Write ``tests.json``. If writing fails, the old file is not changed."""
    folder = root / FOLDER
    folder.mkdir(exist_ok=True)
    new = folder / "tests.json.new"
    new.write_text(json.dumps(vars(tests), indent=1, sort_keys=True), encoding="utf-8")
    new.replace(folder / "tests.json")


@dataclass(frozen=True)
class Theorems:
    """The content of ``theorems.txt``: the assumptions of each theorem, and the sources' hash."""

    sources: str = ""
    commit: str = ""
    assumptions: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def allowed(self, name: str) -> bool:
        """Return whether a theorem assumes nothing but the axioms of the reals."""
        return self.assumptions[name] <= AXIOMS_OF_THE_REALS


def read_theorems(root: Path) -> Theorems:
    """Read ``theorems.txt``. Return no theorems if the file is missing."""
    try:
        text = (root / FOLDER / "theorems.txt").read_text(encoding="utf-8")
    except OSError:
        return Theorems()
    return parse_theorems(text.splitlines())


def parse_theorems(lines: Iterable[str]) -> Theorems:
    """Read the lines of ``theorems.txt``.

    The first lines are ``sources HASH`` and ``commit HASH``. One line follows for each theorem:
    ``File.theorem: Closed under the global context``, or its axioms after the colon.
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
