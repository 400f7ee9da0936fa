"""The registry of claims against the project: no id dangles, none is uncovered, none is typed."""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from reproduction.claims import references as sources
from reproduction.claims import registry, review
from reproduction.claims.collector import NAME, Collector
from reproduction.claims.evidence import SOURCES, fingerprint
from reproduction.claims.verdict import SLOW, functions

ROOT = Path(__file__).parents[2]
CLAIMS = registry.load(ROOT)
pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")


@pytest.fixture(scope="module")
def tests_of(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """For each id the tests that carry it: as this run sees them, or a collection of its own."""
    plugin = request.config.pluginmanager.get_plugin(NAME)
    assert isinstance(plugin, Collector)
    claims = plugin.claims
    if not plugin.whole_suite:
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        written = json.loads((ROOT / ".evidence" / "tests.json").read_text(encoding="utf-8"))
        claims = written["collected"]
    found: dict[str, list[str]] = {}
    for test, ids in claims.items():
        for id in set(ids) - {SLOW}:
            found.setdefault(id, []).append(test)
    return {id: functions(tests) for id, tests in found.items()}


def test_every_claim_of_the_paper_is_there() -> None:
    """Counted in the paper: 9 equations or more, 4 assumptions, 17 lines, 5 rows, 20 panels, ..."""
    ids = set(CLAIMS)
    assert {f"alg1-line-{k}" for k in range(1, 18)} <= ids
    assert {f"assumption-{k}" for k in range(1, 5)} <= ids
    assert {f"supplement-a{k}" for k in range(1, 7)} <= ids
    numbered = {"theorem-1", "theorem-2", "lemma-1", "lemma-2", "definition-1", "definition-2"}
    assert numbered | {"eq-1", "eq-2", "eq-3", "eq-7", "coverage"} <= ids
    experiments = (
        "convergence", "scalability", "embedding-number", "effective-dimension", "knowledge",
    )  # fmt: skip
    problems = ("ellipsoid", "fletcher-powell", "rosenbrock", "ackley")
    assert {f"table-1-{e}" for e in experiments} <= ids
    assert {f"fig-1-{e}-{p}" for e in experiments for p in problems} <= ids
    assert sum(id.startswith("results-") for id in ids) >= 13
    assert len(ids) > 100


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
    assert "heaps-change-nothing" in CLAIMS["sweep-expands"].depends


@pytest.mark.long
def test_no_marker_names_an_unknown_claim(tests_of: dict[str, list[str]]) -> None:
    named = [(id, test) for id, tests in tests_of.items() for test in tests]
    assert len(named) > 300
    assert sources.dangling_ids(CLAIMS, named) == []


def test_no_docstring_names_an_unknown_claim() -> None:
    named = list(sources.ids_of_docstrings(ROOT))
    assert len(named) > 50
    assert sources.dangling_ids(CLAIMS, named) == []


def test_no_rocq_comment_names_an_unknown_claim() -> None:
    named = list(sources.ids_of_rocq(ROOT))
    assert len(named) > 100
    assert sources.dangling_ids(CLAIMS, named) == []


@pytest.mark.long
def test_every_source_exists_and_no_claim_is_uncovered(tests_of: dict[str, list[str]]) -> None:
    theorems, tests = sources.theorems(ROOT), sources.test_functions(ROOT)
    assert len(theorems) > 100
    assert sources.missing_sources(CLAIMS, theorems, tests, tests_of) == []


def test_every_python_object_exists() -> None:
    assert sum(len(claim.python) for claim in CLAIMS.values()) > 80
    assert registry.missing_objects(CLAIMS) == []


def test_every_copied_file_exists() -> None:
    copied = {name for claim in CLAIMS.values() for name in claim.copied}
    assert copied
    assert all((ROOT / name).is_file() for name in copied)


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True).stdout


def test_the_release_is_of_the_contents_of_its_commit() -> None:
    commit, released = review.read(ROOT).release
    assert commit, "python -m reproduction claims --release stores it"
    if git("rev-parse", "--is-shallow-repository").strip() == b"true":
        pytest.skip("a shallow clone has no old commits")
    packed = io.BytesIO(git("archive", "--format=tar", commit, "--", *SOURCES))
    with tarfile.open(fileobj=packed) as archive:
        contents = {
            member.name: file.read() for member in archive if (file := archive.extractfile(member))
        }
    assert fingerprint(contents) == released
