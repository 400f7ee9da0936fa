"""`python -m reproduction claims` and the recording plugin on a small project of their own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from claims_project import read_claims

import embedded_hunter
from reproduction.cli import main

SOURCE = Path(embedded_hunter.__file__).parents[1]
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
REGISTRY = "".join(
    f'[[claim]]\nid = "{id}"\nplace = "here"\nkind = "sentence"\nstatement = "It says so."\n'
    for id in ("one", "two", "three")
)
TESTS = """
import pytest

@pytest.mark.claim("one")
def test_one():
    assert True

@pytest.mark.claim("one", "two")
@pytest.mark.parametrize("k", [1, 2])
def test_two(k):
    assert k < LIMIT

LIMIT = 3
"""
COLLECTED = {
    "tests/test_first.py::test_one": ["one"],
    "tests/test_first.py::test_two": ["one", "two"],
}
PYTEST = "[pytest]\ntestpaths = tests\nmarkers = claim\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a checkout: a registry of three claims, tests of two, one Rocq file."""
    for folder in ("docs", "tests", "proofs", "src"):
        (tmp_path / folder).mkdir()
    (tmp_path / "docs" / "claims.toml").write_text(REGISTRY, encoding="utf-8")
    (tmp_path / "proofs" / "A.v").write_text("Theorem a : True.", encoding="utf-8")
    (tmp_path / "proofs" / "_CoqProject").write_text("-Q . A\n\nA.v\n", encoding="utf-8")
    (tmp_path / "proofs" / "headline.txt").write_text("a | A | three | True.\n", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(PYTEST, encoding="utf-8")
    (tmp_path / "tests" / "conftest.py").write_text(
        'pytest_plugins = ["reproduction.claims.collector"]\n', encoding="utf-8"
    )
    (tmp_path / "tests" / "test_first.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / ".gitignore").write_text(".evidence/\n__pycache__/\n.pytest_cache/\n", "utf-8")
    read_claims(tmp_path, COLLECTED)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    return tmp_path


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True)


def run_tests(root: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    environment.pop("PYTEST_ADDOPTS", None)
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["claims", "--json", *arguments]) == 0
    return {row["id"]: row for row in json.loads(capsys.readouterr().out)}


def verdicts(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    return {id: row["verdict"] for id, row in shown(capsys).items()}


@pytest.mark.long
def test_evidence_counts_for_the_code_at_which_it_was_obtained(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    fresh = {"one": "unchecked", "two": "unchecked", "three": "unchecked"}
    assert verdicts(capsys) == fresh
    # A run of some tests does not tell which others there are.
    run_tests(project, "tests/test_first.py::test_one")
    assert verdicts(capsys) == fresh
    assert "3 tests collected" in run_tests(project, "--collect-only")
    assert verdicts(capsys) == fresh
    # Evidence adds up, test by test.
    assert "1 passed, 2 deselected" in run_tests(project, "-k", "two and 1")
    assert verdicts(capsys) == fresh
    assert "1 passed, 2 deselected" in run_tests(project, "--missing-evidence")
    assert verdicts(capsys) == {"one": "tested", "two": "tested", "three": "unchecked"}
    assert "3 deselected" in run_tests(project, "--missing-evidence")
    assert "2 passed, 1 deselected" in run_tests(project, "--claim", "two")
    # A commit that changes no source keeps it; a change of sources, committed or not, does not.
    (project / "README").write_text("x", encoding="utf-8")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "Say")
    assert verdicts(capsys)["one"] == "tested"
    (project / "src" / "new.py").write_text("", encoding="utf-8")
    assert verdicts(capsys) == fresh
    (project / "src" / "new.py").unlink()
    assert verdicts(capsys)["one"] == "tested"
    # A failure is one.
    (project / "tests" / "test_first.py").write_text(TESTS.replace("= 3", "= 2"), "utf-8")
    run_tests(project)
    assert verdicts(capsys) == {"one": "failing", "two": "failing", "three": "unchecked"}
    assert "1 failed, 2 deselected" in run_tests(project, "--missing-evidence")
    row = shown(capsys, "two")["two"]
    assert row["tests"] == {
        "tests/test_first.py::test_two[1]": "there", "tests/test_first.py::test_two[2]": "failed"
    }  # fmt: skip
    assert len(row["commits"]) == 1
    assert row["commits"][0].endswith("+")  # not a commit as it stands


@pytest.mark.long
def test_an_error_in_a_fixture_and_a_skip_are_no_evidence(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    more = """
import pytest

@pytest.fixture
def broken():
    yield
    raise RuntimeError

@pytest.mark.claim("three")
def test_three(broken):
    assert True

@pytest.mark.claim("two")
def test_skipped():
    pytest.skip("no")
"""
    (project / "tests" / "test_second.py").write_text(more, encoding="utf-8")
    second = {
        "tests/test_second.py::test_three": ["three"],
        "tests/test_second.py::test_skipped": ["two"],
    }
    read_claims(project, COLLECTED | second)
    run_tests(project)
    assert verdicts(capsys) == {"one": "tested", "two": "unchecked", "three": "failing"}


@pytest.mark.long
def test_check_runs_what_is_missing(
    project: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    (project / "docs" / "claims.toml").write_text(REGISTRY + 'proof = ["A.a"]\n', "utf-8")
    (project / "proofs" / "statements.txt").write_text("Head.\n\nA.a\n     : True\n", "utf-8")
    (project / "proofs" / "Makefile").write_text("all:\n\t@sh evidence.sh\n", encoding="utf-8")
    (project / "proofs" / "assumptions.txt").write_text(
        "A.a: Closed under the global context\n", encoding="utf-8"
    )
    shutil.copy(SOURCE.parent / "proofs" / "evidence.sh", project / "proofs")
    read_claims(project, COLLECTED)
    assert main(["claims", "--check"]) == 0
    out, err = capfd.readouterr()
    assert "$ make -C proofs" in err
    assert "3 passed" in err
    assert "one: TESTED" in out
    assert "three: PROVED" in out
    assert out.rstrip().splitlines()[-1].endswith(": 1 proved, 2 tested")
    assert main(["claims", "--check", "one"]) == 0
    out, err = capfd.readouterr()
    assert err == ""  # nothing was missing
    assert "run them   pytest --claim one" in out


@pytest.mark.long
def test_check_says_what_it_could_not_check(
    project: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    assert main(["claims", "--check"]) == 1  # no test carries three
    assert "three: UNCHECKED" in capfd.readouterr().out


@pytest.mark.long
def test_what_has_changed_is_shown_and_read(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the tests of the present code alone, and of code that is committed."""
    monkeypatch.chdir(project)
    run_tests(project)
    assert verdicts(capsys)["one"] == "tested"
    git(project, "tag", "abc")
    (project / "tests" / "test_first.py").write_text(TESTS.replace("= 3", "= 4"), "utf-8")
    assert main(["claims", "--read"]) == 2
    assert "the list of tests is of other code: run pytest --collect" in capsys.readouterr().err
    run_tests(project)
    assert main(["claims", "--read"]) == 2
    assert "commit it first" in capsys.readouterr().err
    assert verdicts(capsys)["one"] == "unchecked"
    git(project, "commit", "-q", "-am", "Change")
    capsys.readouterr()
    assert main(["claims", "--read", "one"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert "one: a file of its tests has changed since it was read" in shown
    assert {"-LIMIT = 3", "+LIMIT = 4"} <= set(shown)
    assert shown[-1] == "docs/claims_read.toml: 1 claim read"
    assert verdicts(capsys) == {"one": "tested", "two": "unchecked", "three": "unchecked"}


def test_outside_a_checkout_it_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["claims"]) == 2
    assert "is not inside a git checkout of EmbeddedHunter" in capsys.readouterr().err


def test_an_unknown_id_and_a_broken_registry_are_named(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert main(["claims", "four"]) == 2
    assert "no claim four" in capsys.readouterr().err
    (project / "docs" / "claims.toml").write_text(REGISTRY + 'verdict = "proved"\n', "utf-8")
    assert main(["claims"]) == 2
    assert "verdicts are computed, not typed" in capsys.readouterr().err


@pytest.mark.long
def test_nothing_is_recorded_outside_a_git_checkout(project: Path) -> None:
    shutil.rmtree(project / ".git")
    assert "3 passed" in run_tests(project)
    assert not (project / ".evidence").exists()
    assert "need a git checkout" in run_tests(project, "--claim", "one")
