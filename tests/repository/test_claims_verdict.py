"""Specification of `claims.verdict`: each verdict from its evidence, and the rows of the table."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from repository.claims_project import CLAIM, CORRECTION, FILES, committed, write
from reproduction.claims import registry
from reproduction.claims.evidence import CLOSED, SuiteReport, Theorems, commit_of, write_report
from reproduction.claims.verdict import VERDICTS, ClaimVerdict, State, judge, rows, waiting

IT, AGAINST = "tests/test_9.py::test_it[3-a]", "tests/test_9.py::test_against"
AXIOM = "ClassicalDedekindReals.sig_not_dec"
COMPARED = "tests/differential/test_implementations.py::test_it"
BOTH = {IT: ["lemma-9"], AGAINST: ["lemma-9"]}
TABLE: list[tuple[str, dict[str, Any], str]] = [
    # All evidence is there: each kind and each source has its verdict.
    ("", {}, "tested"),
    ("definition", {}, "implemented"),
    ("algorithm", {}, "implemented"),
    ("empirical", {}, "tested"),
    ("proved", {}, "proved"),
    ("refuted", {}, "refuted"),
    ("corrected", {}, "corrected (tested)"),
    ("undecided", {}, "not decided"),
    ("undecided", {"collected": {}}, "unchecked"),
    ("undecided", {IT: "failed"}, "failing"),
    ("corrected proved", {}, "corrected"),
    # A claim about experiments is open if all tests are known, and none is of it.
    ("empirical", {"collected": {}}, "open"),
    ("empirical", {"collected": {}, "commit": ""}, "unchecked"),
    ("empirical refuted", {"collected": {}}, "unchecked"),
    ("", {"collected": {}}, "unchecked"),
    # Other theorems and tests: with other axioms, gone, of another claim.
    ("", {"assumed": {}}, "unchecked"),
    ("proved", {"assumed": {"Lemma9.it_holds": {AXIOM}}}, "proved"),
    ("proved", {"assumed": {"Lemma9.it_holds": {"Lemma9.wishful"}}}, "failing"),
    ("proved of another", {"carried": "lemma-8"}, "unchecked"),
    ("proved twice", {}, "unchecked"),
    ("refuted by a theorem", {}, "unchecked"),
    ("refuted", {"collected": {IT: ["lemma-9"], AGAINST: ["lemma-8"]}}, "unchecked"),
    ("corrected", {"collected": {AGAINST: ["lemma-9"]}}, "unchecked"),
    # A test that failed fails the claim, whatever else it has.
    *((name, {IT: "failed"}, "failing") for name in ("", "proved", "refuted", "corrected proved")),
    # A proved claim about the program requires tests, of the model also a comparison with it.
    ("proved of theory", {}, "proved"),
    ("proved of theory", {"collected": {}}, "unchecked"),
    ("proved of hunter", {}, "unchecked"),
    ("proved of hunter", {"collected": {IT: ["lemma-9"], COMPARED: ["lemma-9"]}}, "proved"),
    ("proved of hunter",
     {"collected": {IT: ["lemma-9"], COMPARED: ["lemma-9"]}, COMPARED: "skipped"}, "unchecked"),
    ("refuted", {"collected": {IT: ["lemma-9"]}}, "unchecked"),
    # A part of the evidence is missing, or there is no report.
    *(
        (name, missing, "unchecked")
        for name in ("", "definition", "proved", "refuted", "corrected", "corrected proved")
        for missing in (
            {IT: ""}, {IT: "skipped"}, {AGAINST: "skipped"}, {AGAINST: "PASSED"},
            {"collected": {}, "commit": ""},
        )
    ),
]  # fmt: skip
"""The claim, what its evidence is instead of complete, and the verdict."""
ADDED = {
    "undecided": 'undecided = "No runs."',
    "proved": 'proof = ["Lemma9.it_holds"]',
    "twice": 'counterexample = ["Lemma9.gone"]',
    "theorem": 'counterexample = ["Lemma9.gone"]',
    "refuted": f'counterexample = ["{AGAINST}"]',
    "corrected": f'counterexample = ["{AGAINST}"]\n{CORRECTION}',
    "theory": 'python = ["reproduction.theory:b_value"]',
    "hunter": 'python = ["embedded_hunter.hunter:hunt"]',
}


def claim_of(name: str) -> str:
    """Return the text of a claim with some of these words in its name."""
    words = name.split()
    kind = words[0] if words and words[0] not in ADDED else "theorem"
    if "theorem" in words:
        words.remove("refuted")
    lines = [ADDED[word] for word in words if word in ADDED]
    return CLAIM.replace("theorem", kind) + "\n".join(lines)


@pytest.mark.parametrize(("name", "evidence", "word"), TABLE)
def test_the_verdict_follows_from_the_evidence(
    name: str, evidence: dict[str, Any], word: str
) -> None:
    collected = evidence.get("collected", BOTH)
    outcomes = {test: evidence.get(test, "passed") for test in collected}
    tests = SuiteReport(evidence.get("commit", "abc"), collected, outcomes)
    assumed = evidence.get("assumed", {"Lemma9.it_holds": set()})
    built = {theorem: frozenset(axioms) for theorem, axioms in assumed.items()}
    carried = {"Lemma9.it_holds": [evidence.get("carried", "lemma-9")]}
    (row,) = judge(registry.parse(claim_of(name)), carried, tests, Theorems("abc", built))
    assert row.verdict == word
    assert row.verdict in VERDICTS


def test_a_claim_is_unchecked_if_one_on_which_it_depends_is() -> None:
    (claim,) = registry.parse(CLAIM).values()

    def named(id: str, verdict: str, *depends: str) -> ClaimVerdict:
        return ClaimVerdict(replace(claim, id=id, depends=depends), verdict, {}, {}, ())

    table = [
        named("last", "refuted", "middle"), named("middle", "tested", "open", "first"),
        named("open", "open"), named("first", "unchecked"), named("alone", "tested", "open"),
        named("broken", "failing", "first"), named("after", "proved", "broken"),
    ]  # fmt: skip
    assert [(row.verdict, row.waits_for) for row in waiting(table)] == [
        ("unchecked", ("middle",)), ("unchecked", ("first",)), ("open", ()), ("unchecked", ()),
        ("tested", ()), ("failing", ()), ("unchecked", ("broken",)),
    ]  # fmt: skip


# --- rows -----------------------------------------------------------------------------------------


def test_a_row_has_all_that_concerns_the_claim() -> None:
    claims = {IT: ["lemma-9", "x"], AGAINST: ["lemma-9"], "t.py::test_b": ["lemma-9"],
              "t.py::test_c": ["x"]}  # fmt: skip
    outcomes = dict.fromkeys(claims, "passed") | {"t.py::test_b": "failed", AGAINST: "skipped"}
    theorems = {"A.it": ["lemma-9"], "A.against": ["x", "lemma-9"], "A.more": ["lemma-9"]}
    assumed = {"A.it": frozenset({AXIOM}), "A.more": frozenset({"wishful"})}
    tests, proved = SuiteReport("abc", claims, outcomes), Theorems("rocq", assumed)
    (row,) = judge(registry.parse(CLAIM), theorems | {"A.o": ["x"]}, tests, proved)
    assert list(row.tests.items()) == sorted({
        "t.py::test_b": "failed", AGAINST: "missing", IT: "there",
    }.items())  # fmt: skip
    assert row.theorems == {"A.it": "there", "A.against": "missing", "A.more": "failed"}
    assert row.commits == ("abc", "rocq")
    assert row.verdict == "failing"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_rows_of_a_checkout(tmp_path: Path) -> None:
    files = {"docs/claims.toml": f'{CLAIM}proof = ["A.a"]',
             "proofs/statements.txt": f"A.a | lemma-9 | {CLOSED} | True.\n"}  # fmt: skip
    root = committed(tmp_path, FILES | files)
    (claim,) = registry.load(root).values()
    assert rows(root) == [ClaimVerdict(claim, "unchecked", {}, {"A.a": "missing"}, ())]
    commit, test = commit_of(root), "tests/test_it.py::test_it"
    write_report(root, SuiteReport(commit, {test: ["lemma-9"]}, {test: "passed"}))
    write(root, {".evidence/theorems.txt": f"{commit}\n"})
    states: dict[str, State] = {test: "there"}
    assert rows(root) == [ClaimVerdict(claim, "proved", states, {"A.a": "there"}, (commit,))]
