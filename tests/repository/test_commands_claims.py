"""What `claims` prints, and what it runs; the verdicts are given."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reproduction.claims.evidence import NotACheckout
from reproduction.claims.registry import Claim, RegistryError
from reproduction.claims.verdict import BAD, ClaimVerdict
from reproduction.cli import PROGRAM, main
from reproduction.commands import claims
from tool import command_spies

PROVED = ClaimVerdict(
    Claim(
        "first", "Lemma 1", "theorem", "It holds of all: größer.",
        python=("a.b:c", "d.e:F.g"), proof=("A.one", "A.two"),
        counterexample=("tests/test_a.py::test_no", "B.no"), correction="with one more",
        grade="slip", reason="One letter.",
    ),
    "corrected",
    {"tests/test_a.py::test_b[1]": "there", "tests/test_a.py::test_b[2]": "failed",
     "tests/test_a.py::test_no": "there", "tests/test_a.py::test_c[1]": "missing",
     "tests/test_a.py::test_c[2]": "there"},
    {"A.one": "there", "A.two": "failed", "B.no": "missing", "C.more": "missing", "C.all": "there"},
    ("abc", "def+"),
)  # fmt: skip
BRIEF = ClaimVerdict(
    Claim("second", "here", "sentence", "It says so.", proof=("A.a", "A.b", "A.c", "A.d", "A.e")),
    "unchecked", {}, {"A.b": "missing"}, (),
)  # fmt: skip
TESTED = ClaimVerdict(Claim("third", "there", "sentence", "It does."), "tested", {}, {}, ())


class Project:
    """The claims of a project, and what is run in it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *tables: list[ClaimVerdict]) -> None:
        self.tables, self.run = list(tables), list[Any]()
        monkeypatch.setattr(claims, "checkout", lambda start: ("root of", start))
        monkeypatch.setattr(claims, "commit_of", lambda root: f"commit of {root[0]}")
        monkeypatch.setattr(claims, "load", lambda root: [row.claim.id for row in tables[0]])
        monkeypatch.setattr(claims, "rows", self.rows)
        monkeypatch.setattr(subprocess, "run", lambda *given, **how: self.run.append((given, how)))

    def rows(self, root: Any) -> list[ClaimVerdict]:
        assert root == ("root of", Path.cwd())
        return self.tables.pop(0) if len(self.tables) > 1 else self.tables[0]


def test_a_claim_is_shown_in_brief_or_in_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In brief, of a list of more than three the first three and how many more there are."""
    Project(monkeypatch, [PROVED, BRIEF, TESTED])
    assert main(["claims", "first"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("first: CORRECTED    Lemma 1\n    It holds of all: größer.\n")
    assert "    python     a.b.c\n               d.e.F.g\n" in out
    assert "    tests      tests/test_a.py::test_b  (failed)\n" in out
    assert "               tests/test_a.py::test_c  (missing)\n    run them " in out
    assert out.endswith(
        "1 claim at commit of root of: 1 corrected\n"
        "Not as printed: 1, distinct defects: 1. By grade: 1 slip\n"
    )
    for line in (
        "Corrected: with one more", "Grade: slip. One letter.", "checked    at abc, def+",
        "proof      A.one", "A.two  (failed)", "refuted by tests/test_a.py::test_no",
        "B.no  (missing)", "theorems   C.more  (missing)",
    ):  # fmt: skip
        assert line in out
    assert main(["claims"]) == 0
    out = capsys.readouterr().out
    assert "\n\nsecond: UNCHECKED    here\n" in out
    assert "A.c\n               and 2 more\n\nthird: TESTED    there\n" in out
    assert "3 claims at commit of root of: 1 tested, 1 corrected, 1 unchecked\n" in out
    assert out.splitlines()[-1].startswith("To produce the evidence: make -C proofs")
    assert main(["claims", "third", "second"]) == 0
    assert "A.e" in capsys.readouterr().out


def test_where_no_claim_is_checked_the_first_line_says_whose_verdicts_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are those of the release; with --check, what is missing is not glossed over."""
    unchecked = replace(PROVED, verdict="unchecked", commits=(), waits_for=("second",))
    Project(monkeypatch, [unchecked, BRIEF])
    assert main(["claims"]) == 0
    first, empty, line, *lines = capsys.readouterr().out.splitlines()
    assert (first, empty) == (claims.NOT_RUN, "")
    assert line == "first: CORRECTED    Lemma 1"
    assert "second: PROVED    here" in lines
    assert "2 claims not checked at commit of root of: 1 proved, 1 corrected" in lines
    assert lines[-1].startswith("To produce the evidence: make -C proofs")
    assert not [line for line in lines[:-1] if "missing" in line or "waits for" in line]
    assert main(["claims", "--json"]) == 0
    found = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    assert [(r["verdict"], r["run_here"]) for r in found.values()] == [
        ("corrected", False), ("proved", False),
    ]  # fmt: skip
    assert main(["claims", "--check"]) == 1
    assert capsys.readouterr().out.startswith("first: UNCHECKED    Lemma 1\n")
    Project(monkeypatch, [PROVED, BRIEF])
    assert main(["claims", "second"]) == 0
    assert capsys.readouterr().out.startswith("second: UNCHECKED    here\n")


def test_the_json_is_that_of_the_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Project(monkeypatch, [PROVED, BRIEF, TESTED])
    for arguments, expected in (([], [PROVED, BRIEF, TESTED]), (["third"], [TESTED])):
        assert main(["claims", "--json", *arguments]) == 0
        text = capsys.readouterr().out
        rows = [row.as_dict() for row in expected]
        assert text == json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_spies.complaint(capsys, "claims", *arguments, program=PROGRAM)


def test_ids_that_are_unknown_are_named_before_anything_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(monkeypatch, [PROVED, BRIEF, TESTED])
    assert complaint(capsys, "--check", "z", "third", "a") == "no claim a, z"
    assert complaint(capsys, "thrid") == "no claim thrid; did you mean third?"
    assert not project.run


@pytest.mark.parametrize("error", [NotACheckout("not here"), RegistryError("claim x: no")])
@pytest.mark.parametrize("function", ["checkout", "rows", "commit_of"])
def test_what_is_wrong_is_told(
    function: str, error: Exception, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    Project(monkeypatch, [TESTED])

    def failing(*given: Any) -> Any:
        raise error

    monkeypatch.setattr(claims, function, failing)
    assert complaint(capsys) == str(error)


MAKE = ["make", "-C", "proofs", "-f", "Makefile"]
PYTEST = [sys.executable, "-m", "pytest", "-q", "--long"]


def row(verdict: str, tests: Any = (), theorems: Any = ()) -> ClaimVerdict:
    return ClaimVerdict(Claim("x", "p", "sentence", "s"), verdict, dict(tests), dict(theorems), ())


@pytest.mark.parametrize(
    ("table", "steps"),
    [
        ([row("tested", {"t": "there"}, {"A.a": "there"})], []),
        ([row("unchecked", {"t": "missing"}), row("open")], []),
        ([row("unchecked"), row("refuted")], [PYTEST]),
        ([row("open", {"t": "failed"})], []),
        ([row("tested", {"t": "there"}, {"A.a": "there", "A.b": "missing"})], [MAKE]),
        ([row("unchecked", {}, {"A.b": "missing"})], [MAKE, PYTEST]),
        ([row("failing", {"t": "failed"}, {"A.b": "failed"})], []),
    ],
)
def test_check_runs_what_is_missing_in_the_checkout(
    table: list[ClaimVerdict], steps: list[list[str]], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Their output goes where the words about them go; a step that fails stops nothing."""
    project = Project(monkeypatch, table, [row("proved")])
    unchanged = table[0].verdict.upper()
    assert main(["claims", "--check"]) == int(not steps and table[0].verdict in BAD)
    how = {"cwd": ("root of", Path.cwd()), "check": False, "stdout": sys.stderr}
    assert project.run == [((step,), how) for step in steps]
    printed = capsys.readouterr()
    assert printed.err == "".join(f"$ {' '.join(step)}\n" for step in steps)
    # What is shown is what became of it; verdicts are computed once more only if something ran.
    assert printed.out.startswith(f"x: {'PROVED' if steps else unchanged}    p\n")


def test_check_needs_a_commit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(monkeypatch, [row("unchecked")])
    monkeypatch.setattr(claims, "commit_of", lambda root: "abc+")
    expected = "evidence is that of a commit: commit your changes first"
    assert complaint(capsys, "--check") == expected
    assert not project.run
    assert main(["claims"]) == 0


def test_a_program_that_is_missing_is_told_and_the_rest_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(monkeypatch, [row("unchecked", {}, {"A.b": "missing"})])

    def run(step: list[str], **how: Any) -> None:
        project.run.append(step)
        if step == MAKE:
            raise FileNotFoundError("no such program")

    monkeypatch.setattr(subprocess, "run", run)
    assert main(["claims", "--check"]) == 1
    assert project.run == [MAKE, PYTEST]
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"$ {' '.join(MAKE)}", "make: no such program", f"$ {' '.join(PYTEST)}"]
