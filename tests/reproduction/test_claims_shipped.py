"""Specification of `claims.shipped`: the evidence of the release, and what a fresh clone shows."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from claims_project import CLAIM, FILES, committed, git, prints, write_theorems
from claims_project import write as write_files

from reproduction.claims.evidence import Code, Suite, code_of, write_tests
from reproduction.claims.shipped import (
    PATH,
    ShippedError,
    changed_since,
    read,
    rows_of_release,
    shown,
    write,
)
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
    "tests/test_it.py::test_long[1]": ["lemma-9", SLOW],
    "tests/test_it.py::test_skipped": ["lemma-9"],
}
PASSED = {f"{IT}[1]": "passed", f"{IT}[2]": "passed", "tests/test_it.py::test_skipped": "passed"}


def project(tmp_path: Path) -> Path:
    return committed(tmp_path, {**FILES, "docs/claims.toml": TWO, "proofs/headline.txt": HEADLINES})


def run_all(root: Path, outcomes: dict[str, str] | None = None) -> Code:
    """Leave the evidence of a run of all tests and of a build of the proofs."""
    code = code_of(root)
    tests = Suite()
    tests.collect(code, COLLECTED)
    tests.record(code, PASSED if outcomes is None else outcomes, prints(root, COLLECTED))
    write_tests(root, tests)
    built = f"A.a: Closed under the global context\nA.b: {AXIOM}\n"
    head = f"sources {code.proofs}\ncommit {code.commit}\n"
    write_theorems(root, head + built)
    return code


def forget(root: Path) -> None:
    """Be a fresh clone: have no evidence of one's own."""
    shutil.rmtree(root / ".evidence")


def verdicts(table: list[ClaimVerdict]) -> list[tuple[str, str, bool]]:
    return [(row.verdict, row.shipped, row.stale) for row in table]


def test_a_fresh_clone_shows_what_was_shipped(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert read(root) is None
    assert shown(root) == rows(root)
    code = run_all(root)
    own = rows(root)
    assert [row.verdict for row in own] == ["tested", "proved"]
    assert write(root).code == code
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Ship")
    # The file is no part of what it was computed from.
    assert (code_of(root).sources, code_of(root).commit) != (code.sources, code.commit)
    assert code_of(root).sources == code.sources
    assert shown(root) == own
    forget(root)
    assert [row.verdict for row in rows(root)] == ["unchecked", "unchecked"]
    assert verdicts(shown(root)) == [("tested", code.commit, False), ("proved", code.commit, False)]
    assert [row.commits for row in shown(root)] == [(code.commit,)] * 2
    assert changed_since(root, written(root)) == []


def written(root: Path) -> Any:
    found = read(root)
    assert found is not None
    return found


def test_the_file_is_written_by_function_and_by_axioms(tmp_path: Path) -> None:
    """The same tests and theorems decide as those it was made from; node ids are not kept."""
    root = project(tmp_path)
    code = run_all(root)
    write(root)
    content = json.loads((root / PATH).read_text(encoding="utf-8"))
    assert list(content.pop("parts")) == [
        "src", "tests", "proofs", "docs/algorithm.toml", "docs/results", "pyproject.toml",
    ]  # fmt: skip
    assert "claims --release" in content.pop("about")
    assert content.pop("claims").keys() == {"lemma-8", "lemma-9"}
    assert content == {
        **vars(code),
        "passed": {IT: "lemma-8 lemma-9", "tests/test_it.py::test_skipped": "lemma-9"},
        "not run": {IT: "lemma-9 (slow)", "tests/test_it.py::test_long": "lemma-9 (slow)"},
        "theorems": {"": ["A.a"], AXIOM: ["A.b"]},
    }
    found = written(root)
    assert found.tests.collected_at == code.sources
    assert set(found.tests.outcomes) == set(content["passed"])
    assert found.theorems.assumptions == {"A.a": frozenset(), "A.b": frozenset({AXIOM})}
    assert [row.verdict for row in rows_of_release(root, found)] == ["tested", "proved"]


def test_what_has_changed_since_is_stale(tmp_path: Path) -> None:
    """Of other tests, and of other proofs: the tests of what is proved are required, too."""
    root = project(tmp_path)
    commit = run_all(root).commit
    write(root)
    forget(root)
    write_files(root, {"tests/test_it.py": "def test_it() -> None: pass\n"})
    assert verdicts(shown(root)) == [("tested", commit, True), ("proved", commit, True)]
    assert changed_since(root, written(root)) == ["tests"]
    write_files(root, {"proofs/A.v": "Theorem a : False.\n"})
    assert verdicts(shown(root)) == [("tested", commit, True), ("proved", commit, True)]
    assert changed_since(root, written(root)) == ["tests", "proofs"]


def test_own_evidence_comes_first(tmp_path: Path) -> None:
    root = project(tmp_path)
    run_all(root)
    write(root)
    run_all(root, {**PASSED, f"{IT}[1]": "failed"})
    assert verdicts(shown(root)) == [("failing", "", False), ("proved", "", False)]


def test_a_claim_that_is_newer_stays_unchecked(tmp_path: Path) -> None:
    root = project(tmp_path)
    commit = run_all(root).commit
    write(root)
    forget(root)
    for kind in ("theorem", "empirical"):
        newer = CLAIM.replace("lemma-9", "newer").replace("theorem", kind)
        write_files(root, {"docs/claims.toml": TWO + newer})
        assert verdicts(shown(root)) == [
            ("tested", commit, False), ("proved", commit, False), ("unchecked", "", False),
        ]  # fmt: skip


BAD_CLAIMS = "these claims are failing, open or unchecked"


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        (
            {**PASSED, f"{IT}[2]": "failed"},
            f"{BAD_CLAIMS}: lemma-9, lemma-8",
        ),
        ({f"{IT}[1]": "passed"}, f"{BAD_CLAIMS}: lemma-9, lemma-8"),
    ],
)
def test_evidence_that_is_not_whole_is_not_shipped(
    tmp_path: Path, outcomes: dict[str, str], said: str
) -> None:
    root = project(tmp_path)
    run_all(root, outcomes)
    with pytest.raises(ShippedError) as caught:
        write(root)
    assert str(caught.value) == said
    assert not (root / PATH).exists()


def test_every_test_of_a_claim_is_run_also_where_theorems_decide(tmp_path: Path) -> None:
    root = project(tmp_path)
    code = run_all(root)
    tests = Suite()
    tests.collect(code, {**COLLECTED, "tests/test_it.py::test_more": ["lemma-8"]})
    tests.record(code, PASSED, prints(root, tests.collected))
    write_tests(root, tests)
    with pytest.raises(ShippedError, match=f"^{BAD_CLAIMS}: lemma-8$"):
        write(root)


def test_code_that_is_not_committed_is_not_shipped(tmp_path: Path) -> None:
    root = project(tmp_path)
    write_files(root, {"src/a.py": "A = 2\n"})
    commit = run_all(root).commit
    with pytest.raises(ShippedError) as caught:
        write(root)
    assert str(caught.value) == f"the code differs from commit {commit[:-1]}: commit it first"


@pytest.mark.parametrize("damage", ["", "[]", "{", "<<<<<<< HEAD\n", '{"commit": "x"}'])
def test_a_damaged_file_is_an_error(tmp_path: Path, damage: str) -> None:
    root = project(tmp_path)
    write_files(root, {PATH: damage})
    with pytest.raises(ShippedError, match=r"^docs/evidence.json does not have the format of .*: "):
        shown(root)


def test_the_gate_cannot_be_satisfied_by_the_shipped_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is of this very code, and would satisfy it; the steps that are run leave nothing."""
    root = project(tmp_path)
    run_all(root)
    write(root)
    forget(root)
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
        ["make", "-C", "proofs"], [sys.executable, "-m", "pytest", "-q", "--missing-evidence"],
    ]  # fmt: skip
    assert capsys.readouterr().out.count("UNCHECKED") == 2
