"""The registry of claims against the project: no id dangles, none is uncovered, none is typed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.claims import references, registry
from reproduction.claims.collector import NAME, Collector
from reproduction.claims.evidence import Code, Suite, Theorems
from reproduction.claims.verdict import SLOW, judge

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
    plugin = request.config.pluginmanager.get_plugin(NAME)
    assert isinstance(plugin, Collector)
    if plugin.whole_suite:
        return plugin.claims
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    written = json.loads((ROOT / ".evidence" / "tests.json").read_text(encoding="utf-8"))
    found: dict[str, list[str]] = written["collected"]
    return found


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
    assert {id for ids in collected.values() for id in ids} - {SLOW} <= set(CLAIMS)


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


@pytest.mark.long
def test_every_source_exists_and_no_claim_is_uncovered(collected: dict[str, list[str]]) -> None:
    """If each test has passed and each theorem is built, each claim has its verdict."""
    theorems, code = references.theorems(ROOT), Code("commit", "sources", "proofs")
    assert len(theorems) > 100
    tests = Suite()
    tests.collect(code, collected)
    tests.record(code, dict.fromkeys(collected, "passed"))
    built = Theorems(code.proofs, code.commit, dict.fromkeys(theorems, frozenset[str]()))
    rows = judge(CLAIMS, theorems, tests, built, code)
    assert [row for row in rows if row.verdict not in (row.claim.rule, "open")] == []


def test_every_python_object_exists() -> None:
    names = [name for claim in CLAIMS.values() for name in claim.python]
    assert len(names) > 80
    for name in names:
        registry.resolve(name)
