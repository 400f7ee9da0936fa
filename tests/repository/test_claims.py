"""The registry of claims against the project: no id dangles, none is uncovered, none is typed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.claims import references, registry
from reproduction.claims.evidence import SuiteReport, Theorems
from reproduction.claims.report import claims_of, whole_suite
from reproduction.claims.verdict import ClaimVerdict, judge

ROOT = Path(__file__).parents[2]
CLAIMS = registry.load(ROOT)
_ID = r"(?:``)?[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:``)?"
IN_DOCSTRING = re.compile(rf"[(;]\s*claims?\s+({_ID}(?:(?:,|,?\s+and)\s+{_ID})*)\s*[);.]")
"""``(claim eq-3)``, ``(claims eq-3 and coverage)``, ``(equation (2); claim eq-2)``."""
IN_COMMENT = re.compile(r"Claims?((?:[\s,]*(?:and\s+)?\[[a-z0-9-]+\])+)")
"""``Claim [eq-3].``, ``Claims [eq-3] [coverage].``"""
pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")


@pytest.fixture(scope="module")
def collected(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """The ids of each test: as this run sees them, or a collection of its own."""
    if whole_suite(request.config) and request.config.getoption("long"):
        return {item.nodeid: claims_of(item) for item in request.session.items}
    listing = """
import pytest, sys
class Listing:
    def pytest_collection_finish(self, session):
        for item in session.items:
            print("TEST", *dict(item.user_properties)["claims"], item.nodeid, sep="\\t")
sys.exit(pytest.main(["--long", "--collect-only", "-q", "-p", "no:cacheprovider"], [Listing()]))
"""
    command = [sys.executable, "-c", listing]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = re.findall(r"^TEST\t(.*)$", done.stdout, re.MULTILINE)
    return {test: ids for *ids, test in (line.split("\t") for line in lines)}


def test_the_claims_that_do_not_hold_as_printed_have_a_grade() -> None:
    refuted = {id for id, claim in CLAIMS.items() if claim.counterexample}
    assert {id for id, claim in CLAIMS.items() if claim.grade} == refuted
    assert len(refuted) > 50
    empirical = {id for id in refuted if CLAIMS[id].kind == "empirical"}
    assert {id for id in refuted if CLAIMS[id].grade == "empirical"} == empirical


def test_what_is_proved_of_the_program_rests_on_the_theorem_about_its_model() -> None:
    """That the model has the run of the listing, or of the rules of the forest."""
    proved = [claim for claim in CLAIMS.values() if claim.proof and claim.modelled]
    assert len(proved) > 20
    for claim in proved:
        of_the_forest = "embedded_hunter.forest.search:hunt_forest" in claim.python
        behind, todo = set(), [claim.id]
        while todo:
            if (id := todo.pop()) not in behind:
                behind.add(id)
                todo += CLAIMS[id].depends
        assert ("forest-rules" if of_the_forest else "one-run") in behind, claim.id
    assert "SpecIsModel.hunt_is_algorithm_1" in CLAIMS["one-run"].proof
    assert "SpecForestIsModel.hunt_is_the_policy_forest" in CLAIMS["forest-rules"].proof
    assert "python-text" in CLAIMS["sweep-expands"].depends


@pytest.mark.long
def test_no_marker_names_an_unknown_claim(collected: dict[str, list[str]]) -> None:
    assert len(collected) > 300
    assert {id for ids in collected.values() for id in ids} <= set(CLAIMS)


def test_no_docstring_names_an_unknown_claim() -> None:
    named = [
        (word.strip("`"), path)
        for path in (ROOT / "src").rglob("*.py")
        for match in IN_DOCSTRING.finditer(path.read_text(encoding="utf-8"))
        for word in re.split(r",?\s+and\s+|,\s+", match[1])
    ]
    assert len(named) > 50
    assert [(id, path) for id, path in named if id not in CLAIMS] == []


def test_no_rocq_comment_and_no_theorem_names_an_unknown_claim() -> None:
    named = [
        (id, str(path))
        for path in (ROOT / "proofs").rglob("*.v")
        for match in IN_COMMENT.finditer(path.read_text(encoding="utf-8"))
        for id in re.findall(r"\[([a-z0-9-]+)\]", match[1])
    ]
    assert len(named) > 100
    named += [(id, name) for name, ids in references.theorems(ROOT).items() for id in ids]
    assert [(id, place) for id, place in named if id not in CLAIMS] == []


def with_all_evidence(tests: dict[str, list[str]]) -> list[ClaimVerdict]:
    """Return the claims as if each of these tests had passed, and each theorem were built."""
    theorems = references.theorems(ROOT)
    assert len(theorems) > 100
    report = SuiteReport("commit", tests, dict.fromkeys(tests, "passed"))
    built = Theorems("commit", dict.fromkeys(theorems, frozenset[str]()))
    return judge(CLAIMS, theorems, report, built)


def test_with_all_evidence_each_claim_has_its_verdict() -> None:
    """With its counterexamples, one more test, and one that compares implementations."""
    more = ["tests/differential/test_implementations.py::test_it", "tests/test_a.py::test_it"]
    tests = {
        f"{test}[{id}]": [id]
        for id, claim in CLAIMS.items()
        for test in (*claim.refuting_tests, *more)
    }
    assert [row for row in with_all_evidence(tests) if row.verdict != row.claim.rule] == []


@pytest.mark.long
def test_every_source_exists_and_no_claim_is_uncovered(collected: dict[str, list[str]]) -> None:
    rows = with_all_evidence(collected)
    assert [row for row in rows if row.verdict not in (row.claim.rule, "open")] == []


def test_every_python_object_exists() -> None:
    names = [name for claim in CLAIMS.values() for name in claim.python]
    assert len(names) > 80
    for name in names:
        registry.resolve(name)
