"""The registry of claims against the project: no id dangles, none is uncovered, none is typed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from embedded_hunter.claims import registry, sources
from embedded_hunter.claims.collector import NAME, Collector
from embedded_hunter.claims.evidence import Suite, Theorems, checkout, code_of, parse_theorems
from embedded_hunter.claims.verdict import SLOW, VERDICTS, functions, judge

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


def test_what_a_claim_rests_on_is_said() -> None:
    assert sum(bool(claim.depends) for claim in CLAIMS.values()) >= 110
    assert set(CLAIMS["theorem-2"].depends) >= {"lemma-1", "lemma-2"}


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


def test_every_source_exists_and_no_claim_is_uncovered(tests_of: dict[str, list[str]]) -> None:
    theorems, tests = sources.theorems(ROOT), sources.test_functions(ROOT)
    assert len(theorems) > 100
    assert sources.missing_sources(CLAIMS, theorems, tests, tests_of) == []


def test_every_python_object_exists() -> None:
    assert sum(len(claim.python) for claim in CLAIMS.values()) > 80
    assert registry.missing_objects(CLAIMS) == []


CLAIM = """
[[claim]]
id = "lemma-9"
place = "Lemma 9"
kind = "theorem"
statement = "What is claimed."
"""


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (CLAIM + 'verdict = "proved"', "unknown keys verdict"),
        (CLAIM + 'status = "tested"', "unknown keys status"),
        (CLAIM + CLAIM, "claims that stand twice: lemma-9"),
        (CLAIM + 'depends = ["lemma-8"]', "lemma-9: depends on unknown lemma-8"),
        (CLAIM + 'depends = ["lemma-9"]', "depend on each other: lemma-9, lemma-9"),
        (
            f'{CLAIM}depends = ["eq-9"]{CLAIM.replace("lemma-9", "eq-9")}depends = ["lemma-9"]',
            "depend on each other: ",
        ),
        (CLAIM.replace('kind = "theorem"', ""), "missing kind"),
        (CLAIM.replace("theorem", "rumour"), "kind must be one of"),
        (CLAIM.replace("lemma-9", "Lemma 9"), "an id is made of"),
        (CLAIM + 'python = "embedded_hunter.node:Node"', "python must be a list"),
        (CLAIM.replace('"What is claimed."', "3"), "statement must be a text"),
        (CLAIM.replace("What is claimed.", " "), "statement must be a text"),
        (CLAIM + 'correction = "What holds."', "without a counterexample"),
        (CLAIM + 'proof = ["A.b"]\ncounterexample = ["A.b"]', "proves and refutes: A.b"),
        (CLAIM.replace("[[claim]]", "[[claims]]"), "unknown tables: claims"),
        (CLAIM + "proof = [", "not TOML"),
    ],
)
def test_a_broken_registry_is_refused(broken: str, message: str) -> None:
    with pytest.raises(registry.RegistryError, match=message):
        registry.parse(broken)
    assert list(registry.parse(CLAIM)) == ["lemma-9"]


THEOREMS = {"Lemma9.it_holds": ["lemma-9"], "Lemma9.it_fails": []}
TESTS = {"tests/test_9.py::test_it", "tests/test_9.py::test_against", "tests/test_9.py::test_bare"}
TESTS_OF = {"lemma-9": ["tests/test_9.py::test_it", "tests/test_9.py::test_against"]}


@pytest.mark.parametrize(
    ("added", "tests_of", "message"),
    [
        ('proof = ["Lemma9.gone"]', TESTS_OF, "no theorem Lemma9.gone"),
        ('counterexample = ["Lemma9.gone"]', TESTS_OF, "no theorem Lemma9.gone"),
        ('counterexample = ["tests/test_9.py::test_gone"]', TESTS_OF, "no test tests/test_9.py::"),
        ('counterexample = ["tests/test_9.py::test_bare"]', TESTS_OF, "carries no claim"),
        ("", {}, "uncovered, no test of it carries its id"),
        (
            'counterexample = ["tests/test_9.py::test_against"]\ncorrection = "What holds."',
            {"lemma-9": ["tests/test_9.py::test_against"]},
            "uncovered, no test of the correction",
        ),
    ],
)
def test_a_missing_source_is_found(
    added: str, tests_of: dict[str, list[str]], message: str
) -> None:
    broken = sources.missing_sources(registry.parse(CLAIM + added), THEOREMS, TESTS, tests_of)
    assert len(broken) == 1
    assert broken[0].startswith("claim lemma-9: ")
    assert message in broken[0]


@pytest.mark.parametrize(
    "added",
    [
        "",
        'proof = ["Lemma9.it_holds"]',
        'counterexample = ["Lemma9.it_fails"]\ncorrection = "What holds."',
        'counterexample = ["tests/test_9.py::test_against"]\nproof = ["Lemma9.it_holds"]',
    ],
)
def test_a_sound_registry_has_no_missing_source(added: str) -> None:
    claims = registry.parse(CLAIM + added)
    assert sources.missing_sources(claims, THEOREMS, TESTS, TESTS_OF) == []


def test_an_empirical_claim_may_wait() -> None:
    claims = registry.parse(CLAIM.replace("theorem", "empirical"))
    assert sources.missing_sources(claims, {}, set(), {}) == []


@pytest.mark.parametrize(
    "name", ["embedded_hunter.gone:Node", "embedded_hunter.node:Gone", "embedded_hunter.node"]
)
def test_a_missing_python_object_is_found(name: str) -> None:
    claims = registry.parse(CLAIM + f'python = ["{name}"]')
    assert registry.missing_objects(claims) == [f"claim lemma-9: no Python object {name}"]


def test_ids_are_read_from_docstrings_and_comments(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(
        '"""Sum (claim eq-9; refuted), (equation (2); claims ``eq-2`` and lemma-1)."""\n'
        "# The paper claims ``1 - eta`` (claims of others)\n# (claims coverage, eq-3)\n",
        encoding="utf-8",
    )
    assert [id for id, _ in sources.ids_of_docstrings(tmp_path)] == [
        "eq-9", "eq-2", "lemma-1", "coverage", "eq-3",
    ]  # fmt: skip
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "A.v").write_text(
        "(** Claim [eq-9]. *)\nTheorem x : True.\n(** Claims [a-1], [b-2] and\n [c]. *)\n"
        "(** Claim [d], repaired. *) Definition z := 0.\n(** [e] *)\nTheorem w : True.",
        encoding="utf-8",
    )
    (tmp_path / "proofs" / "headline.txt").write_text(
        "# theorem | file | ids | sentence\n\nx | A | eq-9 | x > |y|.\nw | A |  | True.\n",
        encoding="utf-8",
    )
    assert sources.theorems(tmp_path) == {"A.x": ["eq-9"], "A.w": []}
    assert list(sources.ids_of_rocq(tmp_path)) == [
        *((id, "proofs/A.v") for id in ("eq-9", "a-1", "b-2", "c", "d")), ("eq-9", "A.x"),
    ]  # fmt: skip
    assert sources.dangling_ids({}, [("eq-9", "A.x")]) == ["A.x: no claim eq-9"]


def test_this_checkout_is_found_from_below() -> None:
    assert checkout(ROOT / "tests" / "repo") == ROOT
    assert len(code_of(ROOT).sources) == 64


REFUTED = 'counterexample = ["tests/test_9.py::test_against"]\n'
CORRECTED = REFUTED + 'correction = "What holds."\n'
PROVED = 'proof = ["Lemma9.it_holds"]\n'
IT, AGAINST = "tests/test_9.py::test_it[3-a]", "tests/test_9.py::test_against"
AXIOM = "ClassicalDedekindReals.sig_not_dec"


def verdict_of(
    text: str,
    *,
    outcomes: dict[str, str] | None = None,
    assumptions: dict[str, frozenset[str]] | None = None,
    ran_at: str = "now",
    collected_at: str = "now",
    proofs_at: str = "now",
    collected: dict[str, list[str]] | None = None,
) -> str:
    from embedded_hunter.claims.evidence import Code

    outcomes = {IT: "passed", AGAINST: "passed"} if outcomes is None else outcomes
    collected = {IT: ["lemma-9"], AGAINST: ["lemma-9"]} if collected is None else collected
    tests = Suite(
        collected,
        collected_at,
        {
            test: {"outcome": outcome, "sources": ran_at, "commit": "abc"}
            for test, outcome in outcomes.items()
        },
    )
    assumptions = {"Lemma9.it_holds": frozenset()} if assumptions is None else assumptions
    theorems = Theorems(proofs_at, "abc", assumptions)
    (row,) = judge(
        registry.parse(text), {"Lemma9.it_holds": ["lemma-9"]}, tests, theorems,
        Code("abc", "now", "now"),
    )  # fmt: skip
    assert row.verdict in VERDICTS
    return row.verdict


def test_each_verdict_from_its_evidence() -> None:
    assert verdict_of(CLAIM) == "tested"
    assert verdict_of(CLAIM.replace("theorem", "definition")) == "implemented"
    assert verdict_of(CLAIM.replace("theorem", "algorithm")) == "implemented"
    assert verdict_of(CLAIM + PROVED) == "proved"
    assert verdict_of(CLAIM + REFUTED) == "refuted"
    assert verdict_of(CLAIM + CORRECTED) == "corrected (tested)"
    assert verdict_of(CLAIM + CORRECTED + PROVED) == "corrected"
    waiting = CLAIM.replace("theorem", "empirical")
    assert verdict_of(waiting) == "tested"
    assert verdict_of(waiting, collected={}) == "open"


@pytest.mark.parametrize("text", [CLAIM, CLAIM + REFUTED, CLAIM + CORRECTED])
def test_tests_of_other_code_do_not_count(text: str) -> None:
    assert verdict_of(text) != "unchecked"
    assert verdict_of(text, ran_at="before") == "unchecked"
    assert verdict_of(text, collected_at="before") == "unchecked"
    assert verdict_of(text, outcomes={}) == "unchecked"
    assert verdict_of(text, outcomes={IT: "skipped", AGAINST: "skipped"}) == "unchecked"
    assert verdict_of(text, collected={}) == "unchecked"


def test_half_of_the_evidence_is_not_enough() -> None:
    half = {IT: "passed"}
    assert verdict_of(CLAIM, outcomes=half) == "unchecked"
    assert verdict_of(CLAIM + CORRECTED, outcomes=half) == "unchecked"
    assert verdict_of(CLAIM + CORRECTED, outcomes={AGAINST: "passed"}) == "unchecked"
    # Suite beside the counterexample are not what the verdicts "refuted" and "corrected" ask for.
    assert verdict_of(CLAIM + REFUTED, outcomes={AGAINST: "passed"}) == "refuted"
    assert verdict_of(CLAIM + CORRECTED + PROVED, outcomes={AGAINST: "passed"}) == "corrected"
    assert verdict_of(CLAIM + CORRECTED + PROVED, outcomes=half) == "unchecked"
    assert verdict_of(CLAIM + PROVED, outcomes={}) == "proved"


def test_theorems_of_other_sources_or_with_other_axioms_do_not_count() -> None:
    for text in (CLAIM + PROVED, CLAIM + CORRECTED + PROVED):
        assert verdict_of(text, proofs_at="before") == "unchecked"
        assert verdict_of(text, assumptions={}) == "unchecked"
        reals = {"Lemma9.it_holds": frozenset({AXIOM})}
        assert verdict_of(text, assumptions=reals) == verdict_of(text)
        foreign = {"Lemma9.it_holds": frozenset({AXIOM, "Lemma9.wishful"})}
        assert verdict_of(text, assumptions=foreign) == "failing"


def test_a_failed_test_fails_the_claim_whatever_else_it_has() -> None:
    for text in (CLAIM, CLAIM + PROVED, CLAIM + REFUTED, CLAIM + CORRECTED + PROVED):
        assert verdict_of(text, outcomes={IT: "failed", AGAINST: "passed"}) == "failing"
    # A failure of other code says nothing about this one.
    assert verdict_of(CLAIM, outcomes={IT: "failed"}, ran_at="before") == "unchecked"


def test_slow_tests_are_asked_for_only_where_there_are_no_others() -> None:
    slow = {IT: ["lemma-9"], AGAINST: ["lemma-9", SLOW]}
    assert verdict_of(CLAIM, collected=slow, outcomes={IT: "passed"}) == "tested"
    only = {IT: ["lemma-9", SLOW]}
    assert verdict_of(CLAIM, collected=only, outcomes={}) == "unchecked"
    assert verdict_of(CLAIM, collected=only, outcomes={IT: "passed"}) == "tested"


def test_what_the_proof_build_leaves_is_read() -> None:
    printed = """sources 12ab
commit 34cd+
A.closed: Closed under the global context
A.real: ClassicalDedekindReals.sig_forall_dec ClassicalDedekindReals.sig_not_dec
A.foreign: wishful
"""
    theorems = parse_theorems(printed.splitlines())
    assert (theorems.sources, theorems.commit) == ("12ab", "34cd+")
    assert theorems.assumptions == {
        "A.closed": frozenset(),
        "A.real": {AXIOM, "ClassicalDedekindReals.sig_forall_dec"},
        "A.foreign": {"wishful"},
    }
    assert theorems.allowed("A.closed")
    assert theorems.allowed("A.real")
    assert not theorems.allowed("A.foreign")
