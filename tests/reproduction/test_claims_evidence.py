"""Specification of `claims.evidence`: for which code evidence counts, and how it is kept."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from claims_project import FILES, committed, git, write, write_theorems

from reproduction.claims.evidence import (
    AXIOMS_OF_THE_REALS,
    GATES,
    Code,
    NotACheckout,
    Suite,
    Theorems,
    checkout,
    code_of,
    hash_of_proofs,
    parse_theorems,
    read_tests,
    read_theorems,
    write_tests,
)

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
LISTS = "".join(FILES[f"proofs/{name}.txt"] for name in ("meanings", "statements"))


@pytest.mark.parametrize("gone", [None, "docs/claims.toml", "tests", "proofs", ".git"])
def test_a_checkout_has_registry_tests_proofs_and_git(tmp_path: Path, gone: str | None) -> None:
    write(tmp_path, {**FILES, ".git": "gitdir: elsewhere"})
    below = tmp_path / "src" / "deep"
    below.mkdir()
    if gone is None:
        assert checkout(tmp_path) == checkout(below) == tmp_path
        return
    (tmp_path / gone).rename(tmp_path / "elsewhere")
    with pytest.raises(NotACheckout) as caught:
        checkout(below)
    assert str(caught.value) == (
        f"{below} is not inside a git checkout of EmbeddedHunter: the claims, their tests and "
        "their proofs are not part of the installed package"
    )


@needs_git
@pytest.mark.parametrize(
    "change",
    [
        lambda root: write(root, {"src/a.py": "A = 2\n"}),
        lambda root: write(root, {"tests/new.txt": "new\n"}),
        lambda root: write(root, {"docs/algorithm.toml": "\n"}),
        lambda root: write(root, {"docs/results/a.csv": "1\n"}),
        lambda root: write(root, {"pyproject.toml": "\n"}),
        lambda root: write(root, {"src/b.py": "", "srcs/a": ""}),
        lambda root: (root / "src" / "a.py").unlink(),
        lambda root: (root / "src" / "a.py").rename(root / "src" / "b.py"),
    ],
)
def test_a_change_of_sources_is_one_committed_or_not(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    root = committed(tmp_path, FILES)
    before = code_of(root)
    change(root)
    changed = code_of(root)
    assert changed.sources != before.sources
    assert changed.proofs == before.proofs
    assert changed.commit == before.commit + "+"
    git(root, "add", "-A")
    assert code_of(root) == changed
    git(root, "commit", "-q", "-m", "Change")
    after = code_of(root)
    assert (after.sources, after.proofs) == (changed.sources, changed.proofs)
    assert after.commit == git(root, "rev-parse", "HEAD")[:10] != before.commit


@needs_git
def test_other_files_and_what_git_ignores_do_not_count(tmp_path: Path) -> None:
    root = committed(tmp_path, FILES)
    before = code_of(root)
    write(root, {"README.md": "x", "docs/index.md": "x", "src/ignored.py": "x", ".evidence/x": ""})
    assert code_of(root) == before
    link = root / "src" / "link"
    link.symlink_to(root / "src")  # to a folder: no file
    assert code_of(root).sources == before.sources
    link.unlink()
    write(root, {"src/ü x.py": "A\n"})
    assert code_of(root).sources != before.sources
    (root / "src" / "ü x.py").unlink()
    assert code_of(root) == before


@pytest.mark.parametrize("name", GATES)
def test_the_files_of_the_checks_are_part_of_the_proofs(tmp_path: Path, name: str) -> None:
    write(tmp_path, FILES)
    before = hash_of_proofs(tmp_path)
    path = tmp_path / "proofs" / name.replace("*", "statements")
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(old + "# more\n", encoding="utf-8")
    assert hash_of_proofs(tmp_path) != before


@needs_git
def test_the_script_of_the_proofs_writes_what_is_read(tmp_path: Path) -> None:
    root = committed(tmp_path, FILES)
    shutil.copy(Path(__file__).parents[2] / "proofs" / "evidence.sh", root / "proofs")
    subprocess.run(["sh", "proofs/evidence.sh"], cwd=root, check=True)
    assert read_theorems(root).sources == hash_of_proofs(root)
    assert read_theorems(root).assumptions == {"A.a": frozenset({"x", "y"})}


@needs_git
def test_what_git_says_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("LC_ALL", "C")
    with pytest.raises(NotACheckout, match=f"^git cannot read {tmp_path}: fatal: not a git repo"):
        code_of(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotACheckout, match=r"^git cannot be run: .*No such file.*'git'"):
        code_of(tmp_path)


# --- tests.json ----------------------------------------------------------------------------------

BEFORE, NOW = Code("abc", "before", "p"), Code("def+", "now", "p")


def test_outcomes_add_up_and_a_collection_drops_what_is_gone() -> None:
    tests = Suite()
    assert (tests.collected, tests.collected_at, tests.outcomes) == ({}, "", {})
    tests.record(BEFORE, {"a": "passed", "b": "failed"})
    tests.record(NOW, {"b": "passed", "c": "skipped"})
    of_a = {"outcome": "passed", "sources": "before", "commit": "abc"}
    of_b = {"outcome": "passed", "sources": "now", "commit": "def+"}
    of_c = {"outcome": "skipped", "sources": "now", "commit": "def+"}
    assert tests == Suite({}, "", {"a": of_a, "b": of_b, "c": of_c})
    assert [tests.outcome(test, NOW) for test in "abcd"] == ["", "passed", "skipped", ""]
    claims = {"b": ["x"], "a": ["x", "y"], "new": ["y"]}
    tests.collect(NOW, claims)
    assert tests == Suite(
        {"b": ["x"], "a": ["x", "y"], "new": ["y"]}, "now", {"a": of_a, "b": of_b}
    )
    claims["later"] = []
    assert "later" not in tests.collected


def test_what_is_written_is_read_again_also_if_a_later_write_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = Suite()
    tests.record(BEFORE, {"z::test[‖y‖]": "passed", "a::test": "failed"})
    tests.collect(NOW, {"z::test[‖y‖]": ["y", "x"]})
    for _ in range(2):  # the folder is there the second time
        write_tests(tmp_path, tests)
        assert read_tests(tmp_path) == tests

    def broken(self: Path, text: str, encoding: str) -> int:
        self.write_bytes(text.encode(encoding)[:5])
        raise OSError("no space")

    monkeypatch.setattr(Path, "write_text", broken)
    with pytest.raises(OSError, match="no space"):
        write_tests(tmp_path, Suite({"a": []}, "now", {}))
    monkeypatch.undo()
    assert read_tests(tmp_path) == tests


GOOD: dict[str, Any] = {"collected": {"‖": ["x"]}, "collected_at": "now", "outcomes": {}}


@pytest.mark.parametrize(
    "content",
    [
        None, b"", b"{", b"[]", b"null", b"\xff", b"{}",
        *(json.dumps({key: GOOD[key] for key in GOOD if key != gone}).encode() for gone in GOOD),
    ],
)  # fmt: skip
def test_of_a_damaged_file_nothing_is_left(tmp_path: Path, content: bytes | None) -> None:
    (tmp_path / ".evidence").mkdir()
    if content is not None:
        (tmp_path / ".evidence" / "tests.json").write_bytes(content)
    assert read_tests(tmp_path) == Suite()


# --- theorems.txt --------------------------------------------------------------------------------

AXIOM = "ClassicalDedekindReals.sig_not_dec"
PRINTED = f"""sources 12ab
commit 34cd+
A.closed: Closed under the global context
A.real: ClassicalDedekindReals.sig_forall_dec {AXIOM}
A.foreign: wishful  {AXIOM}
A.colon: a: b
"""
ASSUMED = {
    "A.closed": frozenset[str](),
    "A.real": frozenset({AXIOM, "ClassicalDedekindReals.sig_forall_dec"}),
    "A.foreign": frozenset({"wishful", AXIOM}),
    "A.colon": frozenset({"a:", "b"}),
}


def test_what_the_proof_build_leaves_is_read(tmp_path: Path) -> None:
    assert read_theorems(tmp_path) == Theorems() == Theorems("", "", {})
    write_theorems(tmp_path, PRINTED)
    assert read_theorems(tmp_path) == Theorems("12ab", "34cd+", ASSUMED)
    write_theorems(tmp_path, "commit a b\nA.‖: ‖\n")
    assert read_theorems(tmp_path) == Theorems("", "a b", {"A.‖": frozenset("‖")})


def test_a_theorem_may_assume_the_axioms_of_the_reals() -> None:
    theorems = parse_theorems(PRINTED.splitlines())
    assert theorems.allowed("A.closed")
    assert theorems.allowed("A.real")
    assert not theorems.allowed("A.foreign")
    assert Theorems("", "", {"A.all": frozenset(AXIOMS_OF_THE_REALS)}).allowed("A.all")
