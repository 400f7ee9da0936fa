"""`python -m reproduction claims` and the recording plugin on a small project of their own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from claims_project import committed, write

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
STATEMENTS = "Head.\n\nA.a | three | Closed under the global context | True.\n     : True\n"
PYTEST = "[pytest]\ntestpaths = tests\nmarkers = claim\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a checkout: a registry of three claims, tests of two, one Rocq file."""
    files = {
        "docs/claims.toml": REGISTRY, "proofs/A.v": "Theorem a : True.",
        "proofs/_CoqProject": "-Q . A\n\nA.v\n", "proofs/statements.txt": STATEMENTS,
        "pytest.ini": PYTEST, "tests/test_first.py": TESTS,
        "tests/conftest.py": 'pytest_plugins = ["reproduction.claims.collector"]\n',
        ".gitignore": ".evidence/\n__pycache__/\n.pytest_cache/\n",
    }  # fmt: skip
    return committed(tmp_path, files)


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
def test_check_runs_what_is_missing(
    project: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    write(project, {
        "docs/claims.toml": REGISTRY + 'proof = ["A.a"]\n',
        "proofs/Makefile": "all:\n\t@sh evidence.sh\n",
    })  # fmt: skip
    shutil.copy(SOURCE.parent / "proofs" / "evidence.sh", project / "proofs")
    assert main(["claims", "--check"]) == 0
    out, err = capfd.readouterr()
    assert "$ make -C proofs -f Makefile" in err
    assert "3 passed" in err
    assert "one: TESTED" in out
    assert "three: PROVED" in out
    assert out.rstrip().splitlines()[-1].endswith(": 1 proved, 2 tested")
    assert main(["claims", "--check", "one"]) == 0
    out, err = capfd.readouterr()
    assert err == ""  # nothing was missing
    assert "run them   pytest --claim one" in out
