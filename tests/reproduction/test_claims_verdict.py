"""Specification of `claims.verdict`: each verdict from its evidence, and the rows of the table."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from claims_project import CLAIM, CORRECTION, FILES, committed, write_theorems

from reproduction.claims import registry
from reproduction.claims.evidence import Code, Suite, Theorems, code_of, write_tests
from reproduction.claims.verdict import (
    SLOW,
    VERDICTS,
    ClaimVerdict,
    State,
    function,
    functions,
    judge,
    rows,
    waiting,
)

IT, AGAINST = "tests/test_9.py::test_it[3-a]", "tests/test_9.py::test_against"
REFUTED = f'counterexample = ["{AGAINST}"]\n'
CORRECTED = REFUTED + CORRECTION
PROVED = 'proof = ["Lemma9.it_holds"]\n'
DEFINITION = CLAIM.replace("theorem", "definition")
AXIOM = "ClassicalDedekindReals.sig_not_dec"
CODE = Code("abc", "now", "now in Rocq")


def suite(
    outcomes: dict[str, str], collected: dict[str, list[str]], *, ran_at: str = "now",
    collected_at: str = "now",
) -> Suite:  # fmt: skip
    """Evidence of tests, all of one commit."""
    kept = {
        test: {"outcome": outcome, "sources": ran_at, "commit": "abc"}
        for test, outcome in outcomes.items()
    }
    return Suite(collected, collected_at, kept)


def row_of(
    text: str,
    *,
    outcomes: dict[str, str] | None = None,
    assumptions: dict[str, frozenset[str]] | None = None,
    ran_at: str = "now",
    collected_at: str = "now",
    proofs_at: str = "now in Rocq",
    collected: dict[str, list[str]] | None = None,
) -> ClaimVerdict:
    outcomes = {IT: "passed", AGAINST: "passed"} if outcomes is None else outcomes
    collected = {IT: ["lemma-9"], AGAINST: ["lemma-9"]} if collected is None else collected
    tests = suite(outcomes, collected, ran_at=ran_at, collected_at=collected_at)
    assumptions = {"Lemma9.it_holds": frozenset()} if assumptions is None else assumptions
    theorems = Theorems(proofs_at, "abc", assumptions)
    claims = registry.parse(text)
    (row,) = judge(claims, {"Lemma9.it_holds": ["lemma-9"]}, tests, theorems, CODE)
    assert row.verdict in VERDICTS
    return row


def test_each_verdict_from_its_evidence() -> None:
    assert row_of(CLAIM).verdict == "tested"
    assert row_of(DEFINITION).verdict == "implemented"
    assert row_of(CLAIM.replace("theorem", "algorithm")).verdict == "implemented"
    assert row_of(CLAIM + PROVED).verdict == "proved"
    assert row_of(CLAIM + REFUTED).verdict == "refuted"
    assert row_of(CLAIM + CORRECTED).verdict == "corrected (tested)"
    assert row_of(CLAIM + CORRECTED + PROVED).verdict == "corrected"


def test_a_claim_about_experiments_may_be_open() -> None:
    waiting = CLAIM.replace("theorem", "empirical")
    assert row_of(waiting).verdict == "tested"
    assert row_of(waiting, collected={}).verdict == "open"
    # Open: all tests are known, and none is of it. Nor is it open if it is to be refuted.
    assert row_of(waiting, collected={}, collected_at="before").verdict == "unchecked"
    assert row_of(waiting, outcomes={}).verdict == "unchecked"
    assert row_of(waiting + REFUTED, collected={}).verdict == "unchecked"
    assert row_of(CLAIM, collected={}).verdict == "unchecked"


@pytest.mark.parametrize("text", [CLAIM, DEFINITION, CLAIM + REFUTED, CLAIM + CORRECTED])
def test_tests_of_other_code_do_not_count(text: str) -> None:
    assert row_of(text).verdict != "unchecked"
    assert row_of(text, ran_at="before").verdict == "unchecked"
    assert row_of(text, collected_at="before").verdict == "unchecked"
    assert row_of(text, outcomes={}).verdict == "unchecked"
    for outcome in ("skipped", "there", "PASSED"):
        kept = {IT: outcome, AGAINST: outcome}
        row = row_of(text, outcomes=kept)
        assert row.verdict == "unchecked"
        assert row.tests == {IT: "missing", AGAINST: "missing"}
    assert row_of(text, collected={}).verdict == "unchecked"


@pytest.mark.parametrize("kind", ["definition", "theorem"])
def test_all_tests_must_be_known_where_tests_decide(kind: str) -> None:
    """Also for what is proved: a test that is not known could have failed."""
    text = CLAIM.replace("theorem", kind)
    for added in ("", REFUTED, CORRECTED, CORRECTED + PROVED):
        assert row_of(text + added, collected_at="before").verdict == "unchecked"
    assert row_of(text + PROVED, collected_at="before").verdict == "unchecked"
    assert row_of(text + PROVED, collected={}).verdict == "proved"
    by_theorem = 'counterexample = ["Lemma9.it_holds"]\n'
    assert row_of(text + by_theorem, collected_at="before").verdict == "unchecked"
    assert row_of(text + by_theorem + CORRECTION, collected_at="before").verdict == "unchecked"


def test_half_of_the_evidence_is_not_enough() -> None:
    half = {IT: "passed"}
    assert row_of(CLAIM, outcomes=half).verdict == "unchecked"
    assert row_of(CLAIM + CORRECTED, outcomes=half).verdict == "unchecked"
    assert row_of(CLAIM + CORRECTED, outcomes={AGAINST: "passed"}).verdict == "unchecked"
    # A test beside the counterexample or the theorem that did not run lowers the verdict.
    assert row_of(CLAIM + REFUTED, outcomes={AGAINST: "passed"}).verdict == "unchecked"
    proved = CLAIM + CORRECTED + PROVED
    assert row_of(proved, outcomes={AGAINST: "passed"}).verdict == "unchecked"
    assert row_of(proved, outcomes=half).verdict == "unchecked"
    assert row_of(CLAIM + PROVED, outcomes={}).verdict == "unchecked"
    assert row_of(CLAIM + PROVED, outcomes={IT: "skipped", AGAINST: "passed"}).verdict == (
        "unchecked"
    )
    two = f'counterexample = ["{AGAINST}", "tests/test_9.py::test_it"]\n'
    assert row_of(CLAIM + two).verdict == "refuted"
    assert row_of(CLAIM + two, outcomes=half).verdict == "unchecked"
    assert row_of(CLAIM + two, outcomes={AGAINST: "passed"}).verdict == "unchecked"
    # A counterexample does not support the correction.
    alone = {AGAINST: ["lemma-9"]}
    assert row_of(CLAIM + CORRECTED, collected=alone).verdict == "unchecked"


def test_a_counterexample_that_carries_another_claim_does_not_count() -> None:
    elsewhere = {IT: ["lemma-9"], AGAINST: ["lemma-8"]}
    row = row_of(CLAIM + REFUTED, collected=elsewhere)
    assert row.verdict == "unchecked"
    assert set(row.tests) == {IT}


def test_a_theorem_that_carries_another_claim_does_not_count() -> None:
    claims = registry.parse(CLAIM + PROVED)
    built = Theorems("now in Rocq", "abc", {"Lemma9.it_holds": frozenset()})
    tests = suite({}, {})
    for ids, word in ((["lemma-9"], "proved"), (["lemma-8"], "unchecked")):
        (row,) = judge(claims, {"Lemma9.it_holds": ids}, tests, built, CODE)
        assert row.verdict == word


def test_a_proved_claim_about_the_program_asks_for_tests_of_the_program() -> None:
    of_regret = CLAIM + PROVED + 'python = ["embedded_hunter.regret:b_value"]\n'
    assert row_of(of_regret).verdict == "proved"
    assert row_of(of_regret, collected={}).verdict == "unchecked"
    of_hunter = CLAIM + PROVED + 'python = ["embedded_hunter.hunter:hunt"]\n'
    assert row_of(of_hunter).verdict == "unchecked"
    compared = "tests/conformance/test_implementations.py::test_it"
    known = {IT: ["lemma-9"], compared: ["lemma-9"]}
    passed = {IT: "passed", compared: "passed"}
    assert row_of(of_hunter, collected=known, outcomes=passed).verdict == "proved"
    assert row_of(of_hunter, collected=known, outcomes={IT: "passed"}).verdict == "unchecked"
    slow = {IT: ["lemma-9"], compared: ["lemma-9", SLOW]}
    assert row_of(of_hunter, collected=slow, outcomes={IT: "passed"}).verdict == "unchecked"


def test_a_claim_is_unchecked_if_one_on_which_it_depends_is() -> None:
    checked = row_of(CLAIM)

    def named(id: str, verdict: str, *depends: str) -> ClaimVerdict:
        claim = replace(checked.claim, id=id, depends=depends)
        return replace(checked, claim=claim, verdict=verdict)

    table = [
        named("last", "refuted", "middle"), named("middle", "tested", "open", "first"),
        named("open", "open"), named("first", "unchecked"), named("alone", "tested", "open"),
        named("broken", "failing", "first"), named("after", "proved", "broken"),
    ]  # fmt: skip
    assert [(row.verdict, row.waits_for) for row in waiting(table)] == [
        ("unchecked", ("middle",)), ("unchecked", ("first",)), ("open", ()), ("unchecked", ()),
        ("tested", ()), ("failing", ()), ("unchecked", ("broken",)),
    ]  # fmt: skip


def test_every_theorem_that_carries_the_id_must_be_there() -> None:
    built = {"Lemma9.it_holds": frozenset[str]()}
    assert row_of(CLAIM, assumptions=built).verdict == "tested"
    assert row_of(CLAIM, assumptions={}).verdict == "unchecked"


def test_theorems_of_other_sources_or_with_other_axioms_do_not_count() -> None:
    for text in (CLAIM + PROVED, CLAIM + CORRECTED + PROVED):
        assert row_of(text, proofs_at="before").verdict == "unchecked"
        assert row_of(text, assumptions={}).verdict == "unchecked"
        reals = {"Lemma9.it_holds": frozenset({AXIOM})}
        assert row_of(text, assumptions=reals).verdict == row_of(text).verdict
        foreign = {"Lemma9.it_holds": frozenset({AXIOM, "Lemma9.wishful"})}
        assert row_of(text, assumptions=foreign).verdict == "failing"
    # Every theorem is asked for, among those that prove and those that refute.
    more = 'proof = ["Lemma9.it_holds", "Lemma9.gone"]\n'
    assert row_of(CLAIM + more).verdict == "unchecked"
    assert row_of(CLAIM + PROVED + 'counterexample = ["Lemma9.gone"]').verdict == "unchecked"


def test_a_failed_test_fails_the_claim_whatever_else_it_has() -> None:
    for text in (CLAIM, CLAIM + PROVED, CLAIM + REFUTED, CLAIM + CORRECTED + PROVED):
        assert row_of(text, outcomes={IT: "failed", AGAINST: "passed"}).verdict == "failing"
    # A failure of other code says nothing about this one.
    assert row_of(CLAIM, outcomes={IT: "failed"}, ran_at="before").verdict == "unchecked"


def test_slow_tests_are_asked_for_only_where_there_are_no_others() -> None:
    slow = {IT: ["lemma-9"], AGAINST: ["lemma-9", SLOW]}
    assert row_of(CLAIM, collected=slow, outcomes={IT: "passed"}).verdict == "tested"
    only = {IT: ["lemma-9", SLOW]}
    assert row_of(CLAIM, collected=only, outcomes={}).verdict == "unchecked"
    assert row_of(CLAIM, collected=only, outcomes={IT: "passed"}).verdict == "tested"
    # Of the counterexamples, too.
    text, cases = CLAIM + REFUTED, [f"{AGAINST}[1]", f"{AGAINST}[2]"]
    slow = {cases[0]: ["lemma-9"], cases[1]: ["lemma-9", SLOW]}
    assert row_of(text, collected=slow, outcomes={cases[0]: "passed"}).verdict == "refuted"
    assert row_of(text, collected=slow, outcomes={cases[1]: "passed"}).verdict == "unchecked"


# --- rows -----------------------------------------------------------------------------------------


def test_a_row_has_all_that_concerns_the_claim() -> None:
    eight = CLAIM.replace("lemma-9", "lemma-8")
    text = f"""{eight}{CLAIM}
        counterexample = ["{AGAINST}", "A.against"]
        proof = ["A.it"]"""
    collected = {IT: ["lemma-9", "lemma-8"], AGAINST: ["lemma-9"],
                 "t.py::test_b": ["lemma-9", SLOW],
                 "t.py::test_c": ["lemma-8"], "t.py::test_d": ["lemma-9"]}  # fmt: skip
    tests = suite({IT: "passed", "t.py::test_b": "failed", "t.py::test_c": "passed"}, collected)
    tests.outcomes[AGAINST] = {"outcome": "passed", "sources": "before", "commit": "0old"}
    tests.outcomes["t.py::test_c"]["commit"] = "another"
    theorems = {
        "A.it": ["lemma-9"],
        "A.against": ["lemma-8", "lemma-9"],
        "A.more": ["lemma-9", "x"],
        "A.other": ["x"],
    }
    assumed = {"A.it": frozenset({AXIOM}), "A.more": frozenset({"wishful"}),
               "A.other": frozenset[str]()}  # fmt: skip
    claims = registry.parse(text)
    found = judge(claims, theorems, tests, Theorems("now in Rocq", "rocq", assumed), CODE)
    assert [row.claim.id for row in found] == ["lemma-8", "lemma-9"]
    first, second = found
    assert first.tests == {"t.py::test_c": "there", IT: "there"}
    assert list(first.tests) == sorted(first.tests)
    assert first.theorems == {"A.against": "missing"}
    assert first.commits == ("abc", "another")
    assert first.verdict == "unchecked"
    assert second.tests == {
        "t.py::test_b": "failed", "t.py::test_d": "missing", AGAINST: "missing", IT: "there",
    }  # fmt: skip
    assert list(second.tests) == sorted(second.tests)
    assert second.theorems == {"A.it": "there", "A.against": "missing", "A.more": "failed"}
    assert second.commits == ("0old", "abc", "rocq")
    assert second.verdict == "failing"


def test_a_row_as_json() -> None:
    text = f"""{CLAIM.replace("lemma-9", "eq-9")}{CLAIM}
        python = ["a:b"]
        depends = ["eq-9"]
        {CORRECTED}{PROVED}"""
    claim = registry.parse(text)["lemma-9"]
    row = ClaimVerdict(
        claim, "unchecked", {IT: "there"}, {"Lemma9.it_holds": "missing"}, ("abc", "b")
    )
    found = json.loads(json.dumps(row.as_dict()))
    assert {name: found[name] for name in ("id", "rule", "verdict", "depends", "commits")} == {
        "id": "lemma-9", "rule": "corrected", "verdict": "unchecked", "depends": ["eq-9"],
        "commits": ["abc", "b"],
    }  # fmt: skip
    assert found["tests"] == {IT: "there"}


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_rows_of_a_checkout(tmp_path: Path) -> None:
    collected = {"tests/test_it.py::test_it": ["lemma-9"]}
    root = committed(tmp_path, {**FILES, "docs/claims.toml": f'{CLAIM}proof = ["A.a"]'})
    (claim,) = registry.load(root).values()
    assert rows(root) == [ClaimVerdict(claim, "unchecked", {}, {"A.a": "missing"}, ())]
    code = code_of(root)
    tests = Suite()
    tests.collect(code, collected)
    tests.record(replace(code, commit="abc"), {"tests/test_it.py::test_it": "passed"})
    write_tests(root, tests)
    built = f"sources {code.proofs}\ncommit def\nA.a: Closed under the global context\n"
    write_theorems(root, built)
    states: dict[str, State] = {"tests/test_it.py::test_it": "there"}
    assert rows(root) == [ClaimVerdict(claim, "proved", states, {"A.a": "there"}, ("abc", "def"))]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize(("name", "word"), [("test_it", "tested"), ("test_more", "unchecked")])
def test_a_test_that_nobody_wrote_is_no_evidence(tmp_path: Path, name: str, word: str) -> None:
    test = f"tests/test_it.py::{name}"
    root = committed(tmp_path, FILES | {"proofs/statements.txt": ""})
    tests, code = Suite(), code_of(root)
    tests.collect(code, {test: ["lemma-9"]})
    tests.record(code, {test: "passed"})
    write_tests(root, tests)
    assert [row.verdict for row in rows(root)] == [word]


def test_functions_are_named_without_their_parameters() -> None:
    assert function("a.py::test_b[1-[x]]") == "a.py::test_b"
    assert function("a.py::test_b") == "a.py::test_b"
    assert functions(["b.py::t[1]", "a.py::t", "b.py::t[2]"]) == ["b.py::t", "a.py::t"]
