"""What `claims` prints; the verdicts are given."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reproduction.claims.evidence import NotACheckout
from reproduction.claims.registry import Claim, RegistryError
from reproduction.claims.verdict import ClaimVerdict
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


def project(monkeypatch: pytest.MonkeyPatch, table: list[ClaimVerdict]) -> None:
    """Give the command the claims of a project."""
    monkeypatch.setattr(claims, "checkout", lambda start: ("root of", start))
    monkeypatch.setattr(claims, "commit_of", lambda root: f"commit of {root[0]}")
    monkeypatch.setattr(claims, "load", lambda root: [row.claim.id for row in table])
    monkeypatch.setattr(claims, "rows", lambda root: table if root[1] == Path.cwd() else [])


def test_a_claim_is_shown_in_a_line_or_in_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(monkeypatch, [PROVED, BRIEF, TESTED])
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
    assert "\nsecond: UNCHECKED    here\nthird: TESTED    there\n" in out
    assert "3 claims at commit of root of: 1 tested, 1 corrected, 1 unchecked\n" in out
    assert out.splitlines()[-1].startswith("To produce the evidence of a commit: ")
    assert main(["claims", "third", "second"]) == 0
    assert "A.e" in capsys.readouterr().out


def test_where_no_claim_is_checked_the_first_line_says_whose_verdicts_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are those of the release; with --check, what is missing is not glossed over."""
    unchecked = replace(PROVED, verdict="unchecked", commits=(), waits_for=("second",))
    project(monkeypatch, [unchecked, BRIEF])
    assert main(["claims"]) == 0
    first, empty, line, *lines = capsys.readouterr().out.splitlines()
    assert (first, empty) == (claims.NOT_RUN, "")
    assert line == "first: CORRECTED    Lemma 1"
    assert "second: PROVED    here" in lines
    assert "2 claims not checked at commit of root of: 1 proved, 1 corrected" in lines
    assert lines[-1].startswith("To produce the evidence of a commit: make -C proofs")
    assert not [line for line in lines[:-1] if "missing" in line or "waits for" in line]
    assert main(["claims", "--json"]) == 0
    found = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    assert [(r["verdict"], r["run_here"]) for r in found.values()] == [
        ("corrected", False), ("proved", False),
    ]  # fmt: skip
    assert main(["claims", "--check"]) == 1
    assert capsys.readouterr().out.startswith("first: UNCHECKED    Lemma 1\n")
    project(monkeypatch, [PROVED, BRIEF])
    assert main(["claims", "second"]) == 0
    assert capsys.readouterr().out.startswith("second: UNCHECKED    here\n")


def test_the_json_is_that_of_the_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(monkeypatch, [PROVED, BRIEF, TESTED])
    for arguments, expected in (([], [PROVED, BRIEF, TESTED]), (["third"], [TESTED])):
        assert main(["claims", "--json", *arguments]) == 0
        text = capsys.readouterr().out
        rows = [row.as_dict() for row in expected]
        assert text == json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_spies.complaint(capsys, "claims", *arguments, program=PROGRAM)


def test_ids_that_are_unknown_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(monkeypatch, [PROVED, BRIEF, TESTED])
    assert complaint(capsys, "--check", "z", "third", "a") == "no claim a, z"
    assert complaint(capsys, "thrid") == "no claim thrid; did you mean third?"


@pytest.mark.parametrize("error", [NotACheckout("not here"), RegistryError("claim x: no")])
@pytest.mark.parametrize("function", ["checkout", "rows", "commit_of"])
def test_what_is_wrong_is_told(
    function: str, error: Exception, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    project(monkeypatch, [TESTED])

    def failing(*given: Any) -> Any:
        raise error

    monkeypatch.setattr(claims, function, failing)
    assert complaint(capsys) == str(error)
