"""What `claims` prints, word for word, and what it runs; the verdicts are given."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reproduction.claims.evidence import Code, NotACheckout
from reproduction.claims.registry import Claim, RegistryError
from reproduction.claims.verdict import ClaimVerdict
from reproduction.cli import PROGRAM, main
from reproduction.commands import claims
from reproduction.commands.claims import lines_of
from spec.interface import command_spies

LONG = "A sentence of so many words that it does not fit into one line, which is not very difficult"
PROVED = ClaimVerdict(
    Claim(
        "first", "Lemma 1", "theorem", f"{LONG} of all: größer.",
        python=("embedded_hunter.node:Node", "embedded_hunter.tree:Tree.depth"),
        proof=("A.one", "A.two"), counterexample=("tests/test_a.py::test_no", "B.no"),
        correction=f"with one more. {LONG}",
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
FULL = """\
first: CORRECTED    Lemma 1
    A sentence of so many words that it does not fit into one line, which is not very difficult of
    all: größer.
    Corrected: with one more. A sentence of so many words that it does not fit into one line, which
    is not very difficult
    python     embedded_hunter.node.Node
               embedded_hunter.tree.Tree.depth
    proof      A.one
               A.two  (failed)
    refuted by tests/test_a.py::test_no
               B.no  (missing)
    theorems   C.more  (missing)
               C.all
    tests      tests/test_a.py::test_b  (failed)
               tests/test_a.py::test_no
               tests/test_a.py::test_c  (missing)
    run them   pytest --claim first
    checked    at abc, def+
"""
IN_BRIEF = """\
second: UNCHECKED    here
    It says so.
    verdict with complete evidence: proved
    proof      A.a
               A.b  (missing)
               A.c
               and 2 more
"""
RUN = """\
To produce the evidence: make -C proofs -f Makefile && pytest --long    \
(or python -m reproduction claims --check, which runs only what is missing)
"""
SHORT = "third: TESTED    there\n    It does.\n"


class Project:
    """The claims of a project, and what is run in it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *tables: list[ClaimVerdict]) -> None:
        self.tables, self.run = list(tables), list[Any]()
        monkeypatch.setattr(claims, "checkout", lambda start: ("root of", start))
        monkeypatch.setattr(claims, "code_of", lambda root: Code(f"commit of {root[0]}", "", ""))
        monkeypatch.setattr(claims, "load", lambda root: [row.claim.id for row in tables[0]])
        monkeypatch.setattr(claims, "rows", self.rows)
        monkeypatch.setattr(subprocess, "run", lambda *given, **how: self.run.append((given, how)))

    def rows(self, root: Any) -> list[ClaimVerdict]:
        assert root == ("root of", Path.cwd())
        return self.tables.pop(0) if len(self.tables) > 1 else self.tables[0]


def test_a_claim_is_shown_in_brief_or_in_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Project(monkeypatch, [PROVED, BRIEF, TESTED])
    assert main(["claims", "first"]) == 0
    last = "1 claim at commit of root of: 1 corrected\n"
    assert capsys.readouterr().out == f"{FULL}\n{last}"
    assert main(["claims", "third", "second"]) == 0
    shown = IN_BRIEF.replace("and 2 more", "A.d\n               A.e")
    last = f"2 claims at commit of root of: 1 tested, 1 unchecked\n{RUN}"
    assert capsys.readouterr().out == f"{shown}\n{SHORT}\n{last}"
    assert main(["claims"]) == 0
    last = f"3 claims at commit of root of: 1 tested, 1 corrected, 1 unchecked\n{RUN}"
    assert capsys.readouterr().out == f"{FULL}\n{IN_BRIEF}\n{SHORT}\n{last}"


def test_a_grade_is_shown_with_its_reason_and_counted() -> None:
    graded = replace(TESTED, claim=replace(TESTED.claim, grade="slip", reason="One letter."))
    assert lines_of(graded, full=False)[2] == "    Grade: slip. One letter."
    assert claims.grades_of([graded, TESTED]) == ["Not as printed: 1. By grade: 1 slip"]
    assert claims.grades_of([TESTED]) == []


def test_a_list_of_three_is_shown_whole() -> None:
    """In brief, of a longer one the first three and how many more there are."""
    three = ClaimVerdict(
        Claim("x", "y", "sentence", "z", python=("a:b", "c:d", "e:f")), "tested", {}, {}, ()
    )
    assert lines_of(three, full=False)[2:] == [
        "    python     a.b",
        "               c.d",
        "               e.f",
    ]


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
@pytest.mark.parametrize("function", ["checkout", "rows", "code_of"])
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
PYTEST = [sys.executable, "-m", "pytest", "-q", "--missing-evidence"]


def row(verdict: str, tests: Any = (), theorems: Any = ()) -> ClaimVerdict:
    return ClaimVerdict(Claim("x", "p", "sentence", "s"), verdict, dict(tests), dict(theorems), ())


@pytest.mark.parametrize(
    ("table", "steps"),
    [
        ([row("tested", {"t": "there"}, {"A.a": "there"})], []),
        ([row("tested"), row("tested", {"t": "missing"})], [PYTEST]),
        ([row("tested"), row("unchecked"), row("tested")], [PYTEST]),
        ([row("open", {"t": "failed"})], []),
        ([row("tested", {}, {"A.a": "there", "A.b": "missing"}), row("tested")], [MAKE]),
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
    assert main(["claims", "--check"]) == int(not steps and unchanged != "TESTED")
    how = {"cwd": ("root of", Path.cwd()), "check": False, "stdout": sys.stderr}
    assert project.run == [((step,), how) for step in steps]
    printed = capsys.readouterr()
    assert printed.err == "".join(f"$ {' '.join(step)}\n" for step in steps)
    # What is shown is what became of it; verdicts are computed once more only if something ran.
    assert printed.out.startswith(f"x: {'PROVED' if steps else unchanged}    p\n")


@pytest.mark.parametrize(("options", "examples"), [([], "1000"), (["--examples", "7"], "7")])
@pytest.mark.parametrize("code", [0, 1])
def test_an_attack_is_run_in_the_folder_of_the_tests(
    options: list[str], examples: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    Project(monkeypatch, [PROVED, TESTED])
    run: list[Any] = []

    def spy(command: list[str], **how: Any) -> subprocess.CompletedProcess[str]:
        run.append((command, how))
        return subprocess.CompletedProcess(command, code)

    monkeypatch.setattr(claims, "checkout", lambda start: Path("root"))
    monkeypatch.setattr(claims, "rows", lambda root: [PROVED, TESTED])
    monkeypatch.setattr(subprocess, "run", spy)
    assert main(["claims", "first", "third", "--attack", *options]) == code
    command = [sys.executable, "-m", "attacks", "first", "third", "--examples", examples]
    assert run == [(command, {"cwd": Path("root") / "tests", "check": False})]


def test_an_attack_needs_ids_and_its_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(monkeypatch, [PROVED, TESTED])
    alone = "--attack needs ids, and allows no other option but --examples"
    assert complaint(capsys, "--attack") == alone
    for other in ("--check", "--json"):
        assert complaint(capsys, "--attack", "first", other) == alone
    number = "--examples needs --attack and a number of at least 1"
    assert complaint(capsys, "first", "--examples", "3") == number
    assert complaint(capsys, "first", "--attack", "--examples", "0") == number
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    missing = "--attack needs hypothesis: pip install -e '.[test]' in the checkout"
    assert complaint(capsys, "first", "--attack") == missing
    assert not project.run


@pytest.mark.parametrize("verdict", ["open", "unchecked", "failing", "tested", "refuted"])
def test_the_exit_code_is_that_of_the_claims_shown(
    verdict: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """1 if some is open, unchecked or failing when all has been run."""
    Project(monkeypatch, [TESTED, row(verdict), TESTED])
    bad = verdict in ("open", "unchecked", "failing")
    assert main(["claims", "--check"]) == int(bad)
    assert main(["claims", "--check", "third"]) == 0
    assert main(["claims"]) == 0
    capsys.readouterr()


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
