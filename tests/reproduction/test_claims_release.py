"""Specification of `claims.release`: what is a release, and what a fresh clone shows of it."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from claims_project import CLAIM, FILES, committed, git, read_claims, write_theorems
from claims_project import write as write_files

from reproduction.claims import review
from reproduction.claims.evidence import Code, Suite, code_of, write_tests
from reproduction.claims.registry import table_of
from reproduction.claims.release import ReleaseError, shown, write
from reproduction.claims.verdict import SLOW, ClaimVerdict, rows
from reproduction.cli import main

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
TWO = CLAIM + CLAIM.replace("lemma-9", "lemma-8") + 'proof = ["A.a", "A.b"]\n'
"""Lemma 9 rests on tests, lemma 8 on theorems."""
HEADLINES = "a | A | lemma-8 | True.\nb | A | lemma-8 | True.\n"
IT = "tests/test_it.py::test_it"
AXIOM = "ClassicalDedekindReals.sig_not_dec"
COLLECTED = {
    f"{IT}[1]": ["lemma-9"],
    f"{IT}[2]": ["lemma-9", "lemma-8"],
    f"{IT}[3]": ["lemma-9", SLOW],
}
PASSED = {f"{IT}[1]": "passed", f"{IT}[2]": "passed"}


def project(tmp_path: Path) -> Path:
    files = {**FILES, "docs/claims.toml": TWO, "proofs/headline.txt": HEADLINES}
    return committed(tmp_path, files, COLLECTED)


def run_all(root: Path, outcomes: dict[str, str] = PASSED) -> Code:
    """Leave the evidence of a run of all tests and of a build of the proofs."""
    code = code_of(root)
    tests = Suite()
    tests.collect(code, COLLECTED)
    tests.record(code, outcomes)
    write_tests(root, tests)
    built = f"A.a: Closed under the global context\nA.b: {AXIOM}\n"
    write_theorems(root, f"sources {code.proofs}\ncommit {code.commit}\n{built}")
    return code


def released(tmp_path: Path) -> tuple[Path, str]:
    """Make a checkout of a release without evidence of its own, like a fresh clone."""
    root = project(tmp_path)
    commit = run_all(root).commit
    assert write(root, rows(root)) == commit
    git(root, "commit", "-q", "-am", "Release")
    shutil.rmtree(root / ".evidence")
    return root, commit


def verdicts(table: list[ClaimVerdict]) -> list[tuple[str, str, bool]]:
    return [(row.verdict, row.release, row.stale) for row in table]


def test_a_fresh_clone_shows_the_verdicts_of_the_release(tmp_path: Path) -> None:
    root, commit = released(tmp_path)
    assert [row.verdict for row in rows(root)] == ["unchecked", "unchecked"]
    assert verdicts(shown(root)) == [("tested", commit, False), ("proved", commit, False)]
    assert [row.commits for row in shown(root)] == [(commit,)] * 2


def test_the_installed_package_has_the_table_of_the_release(tmp_path: Path) -> None:
    table = table_of(project(tmp_path))
    assert [(claim["id"], claim["verdict"]) for claim in table] == [
        ("lemma-9", "tested"), ("lemma-8", "proved"),
    ]  # fmt: skip
    assert table[1]["proof"] == ("A.a", "A.b")
    assert table[0]["statement"] == "What is claimed."


def test_without_a_release_there_is_own_evidence_alone(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert shown(root) == rows(root)
    run_all(root)
    assert verdicts(shown(root)) == [("tested", "", False), ("proved", "", False)]


@pytest.mark.parametrize("name", ["tests/test_it.py", "proofs/A.v", "src/a.py"])
def test_where_the_code_has_changed_the_verdicts_are_stale(tmp_path: Path, name: str) -> None:
    root, commit = released(tmp_path)
    text = (root / name).read_text(encoding="utf-8")
    write_files(root, {name: f"{text}\n"})
    assert verdicts(shown(root)) == [("tested", commit, True), ("proved", commit, True)]


def test_own_evidence_comes_first(tmp_path: Path) -> None:
    root, _ = released(tmp_path)
    run_all(root, {**PASSED, f"{IT}[1]": "failed"})
    assert verdicts(shown(root)) == [("failing", "", False), ("proved", "", False)]


@pytest.mark.parametrize("reads", [False, True])
def test_a_claim_that_is_newer_than_the_release_is_unchecked(tmp_path: Path, reads: bool) -> None:
    """As is one whose text has changed, whether somebody has read the new text or not."""
    root, commit = released(tmp_path)
    weaker = TWO.replace("What is claimed.", "Less.", 1) + CLAIM.replace("lemma-9", "newer")
    write_files(root, {"docs/claims.toml": weaker})
    git(root, "commit", "-q", "-am", "Claim less")
    if reads:
        review.renew(root, COLLECTED, ["lemma-9", "lemma-8", "newer"])
    assert verdicts(shown(root)) == [
        ("unchecked", "", False), ("proved", commit, False), ("unchecked", "", False),
    ]  # fmt: skip


@pytest.mark.parametrize("outcomes", [{**PASSED, f"{IT}[2]": "failed"}, {f"{IT}[1]": "passed"}])
def test_a_claim_without_its_verdict_prevents_a_release(
    tmp_path: Path, outcomes: dict[str, str]
) -> None:
    root = project(tmp_path)
    run_all(root, outcomes)
    with pytest.raises(ReleaseError) as caught:
        write(root, rows(root))
    assert str(caught.value) == "these claims are failing, open or unchecked: lemma-9, lemma-8"
    assert review.read(root).release == ("", "")


@pytest.mark.parametrize("name", ["src/a.py", "docs/claims.toml"])
def test_code_that_is_not_committed_is_no_release(tmp_path: Path, name: str) -> None:
    root = project(tmp_path)
    write_files(root, {name: (root / name).read_text(encoding="utf-8") + "\n# more\n"})
    read_claims(root, COLLECTED)
    commit = run_all(root).commit
    with pytest.raises(ReleaseError) as caught:
        write(root, rows(root))
    assert str(caught.value) == f"the code differs from commit {commit[:-1]}: commit it first"


def test_the_gate_cannot_be_satisfied_by_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is of this very code, and would satisfy it; the steps that are run leave nothing."""
    root, _ = released(tmp_path)
    monkeypatch.chdir(root)
    assert main(["claims"]) == 0
    assert "2 claims at " in (printed := capsys.readouterr().out)
    assert "UNCHECKED" not in printed
    steps: list[Any] = []
    original = subprocess.run

    def run(step: list[str], **how: Any) -> Any:
        if step[0] == "git":
            return original(step, **how)
        return steps.append(step)

    monkeypatch.setattr(subprocess, "run", run)
    assert main(["claims", "--check"]) == 1
    assert steps == [
        ["make", "-C", "proofs", "-f", "Makefile"],
        [sys.executable, "-m", "pytest", "-q", "--missing-evidence"],
    ]  # fmt: skip
    assert capsys.readouterr().out.count("UNCHECKED") == 2
