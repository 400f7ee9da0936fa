"""Specification of `claims.evidence`: for which code evidence counts, and how it is kept."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from repository.claims_project import FILES, committed, git, write
from reproduction.claims.evidence import (
    AXIOMS_OF_THE_REALS,
    SOURCES,
    NotACheckout,
    SuiteReport,
    Theorems,
    checkout,
    commit_of,
    read_report,
    read_theorems,
    unchanged,
    write_report,
)

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


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
        lambda root: write(root, {"proofs/A.v": "Theorem a : False.\n"}),
    ],
)
def test_a_change_of_sources_is_one_committed_or_not(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    root = committed(tmp_path, FILES)
    before = commit_of(root)
    assert before == git(root, "rev-parse", "HEAD")[:10]
    change(root)
    assert commit_of(root) == before + "+"
    assert not unchanged(root, before, *SOURCES)
    assert not unchanged(root, before + "+", *SOURCES)
    git(root, "add", "-A")
    assert not unchanged(root, before, *SOURCES)
    git(root, "commit", "-q", "-m", "Change")
    assert not unchanged(root, before, *SOURCES)
    assert unchanged(root, commit_of(root), *SOURCES)


@needs_git
def test_other_files_and_what_git_ignores_do_not_count(tmp_path: Path) -> None:
    root = committed(tmp_path, FILES)
    before = commit_of(root)
    write(root, {"README.md": "x", "docs/index.md": "x", "src/ignored.py": "x", ".evidence/x": ""})
    assert commit_of(root) == before
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Say more")
    assert commit_of(root) != before
    assert unchanged(root, before, *SOURCES)
    write(root, {"src/b.py": ""})
    assert unchanged(root, before, "proofs")
    assert not unchanged(root, before, *SOURCES)
    assert not unchanged(root, "", "proofs")
    assert not unchanged(root, "0123456789", "proofs")


@needs_git
def test_the_script_of_the_proofs_writes_what_is_read(tmp_path: Path) -> None:
    """Of the proofs of a commit; if they are changed, it does not count."""
    script = (Path(__file__).parents[2] / "proofs" / "evidence.sh").read_text(encoding="utf-8")
    root = committed(tmp_path, {**FILES, "proofs/evidence.sh": script})
    subprocess.run(["sh", "proofs/evidence.sh"], cwd=root, check=True)
    built = Theorems(git(root, "rev-parse", "--short=10", "HEAD"), {"A.a": frozenset({"x", "y"})})
    assert read_theorems(root) == built
    write(root, {"proofs/A.v": "Theorem a : False.\n"})
    assert read_theorems(root) == Theorems()
    subprocess.run(["sh", "proofs/evidence.sh"], cwd=root, check=True)
    assert read_theorems(root) == Theorems()


@needs_git
def test_what_git_says_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("LC_ALL", "C")
    with pytest.raises(NotACheckout, match=f"^git cannot read {tmp_path}: fatal: not a git repo"):
        commit_of(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotACheckout, match=r"^git cannot be run: .*No such file.*'git'"):
        commit_of(tmp_path)


# --- tests.json ----------------------------------------------------------------------------------


@needs_git
def test_what_is_written_is_read_again_also_if_a_later_write_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = committed(tmp_path, FILES)
    report = SuiteReport(commit_of(root), {"z::test[‖y‖]": ["y", "x"]}, {"z::test[‖y‖]": "passed"})
    for _ in range(2):  # the folder is there the second time
        write_report(root, report)
        assert read_report(root) == report

    def broken(self: Path, text: str, encoding: str) -> int:
        self.write_bytes(text.encode(encoding)[:5])
        raise OSError("no space")

    monkeypatch.setattr(Path, "write_text", broken)
    with pytest.raises(OSError, match="no space"):
        write_report(root, SuiteReport("abc", {}, {}))
    monkeypatch.undo()
    assert read_report(root) == report
    write(root, {"src/a.py": "A = 2\n"})
    assert read_report(root) == SuiteReport()  # of other code


GOOD: dict[str, Any] = {"commit": "HEAD", "claims": {"‖": ["x"]}, "outcomes": {"‖": "passed"}}


@needs_git
@pytest.mark.parametrize(
    "content",
    [
        None, b"", b"{", b"[]", b"null", b"\xff", b"{}",
        *(json.dumps({key: GOOD[key] for key in GOOD if key != gone}).encode() for gone in GOOD),
    ],
)  # fmt: skip
def test_of_a_damaged_file_nothing_is_left(tmp_path: Path, content: bytes | None) -> None:
    root = committed(tmp_path, FILES)
    (root / ".evidence").mkdir()
    (root / ".evidence" / "tests.json").write_text(json.dumps(GOOD), encoding="utf-8")
    assert read_report(root) == SuiteReport(**GOOD)
    (root / ".evidence" / "tests.json").unlink()
    if content is not None:
        (root / ".evidence" / "tests.json").write_bytes(content)
    assert read_report(root) == SuiteReport()


def test_a_theorem_may_assume_the_axioms_of_the_reals() -> None:
    axioms = frozenset(AXIOMS_OF_THE_REALS)
    theorems = Theorems("", {"A.closed": frozenset(), "A.all": axioms, "A.no": axioms | {"wish"}})
    assert [theorems.allowed(name) for name in theorems.assumptions] == [True, True, False]
