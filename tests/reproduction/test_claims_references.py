"""Specification of `claims.sources`: where files name a claim, and which sources are missing."""

from pathlib import Path

import pytest
from claims_project import CLAIM, CORRECTION, write

from reproduction.claims import references as sources
from reproduction.claims import registry

EQ = CLAIM.replace("lemma-9", "eq-9")


def test_ids_are_read_from_docstrings_and_comments(tmp_path: Path) -> None:
    write(tmp_path, {
        "src/b/c.py": '"""What is (claims coverage and eq-2; and so on)."""',
        "src/a.py": '"""‖y‖ (claim eq-9; no), (equation (2); claims ``eq-2``, and lemma-1)."""\n'
        "# The paper claims ``1 - eta`` (claims of others)\n# (claims coverage, eq-3, a-4-b)\n"
        "# (claim Eq-4), (reclaim eq-5), claim eq-6.\n",
        "src/d.txt": "(claim eq-8)",
        "tests/e.py": "# (claim eq-8)",
    })  # fmt: skip
    found = list(sources.ids_of_docstrings(tmp_path))
    assert found == [
        *((id, "src/a.py") for id in ("eq-9", "eq-2", "lemma-1", "coverage", "eq-3", "a-4-b")),
        *((id, "src/b/c.py") for id in ("coverage", "eq-2")),
    ]


PROOFS = {
    "proofs/B.v": "(** Claim [x-9] ‖y‖. *)",
    "proofs/A.v": "(** Claim [eq-9]. *)\nTheorem x : True.\n(** Claims [a-1], [b-2] and\n [c]. *)\n"
    "(** Claim [d], repaired. *) Definition z := 0.\n(** [e] *)\nTheorem w : True.",
    "proofs/headline.txt": "# theorem | file | ids | ‖y‖\n\nx | A | eq-9  d | x > |y|.\n \n"
    "w | A |  | ‖y‖.\n",
    "proofs/more/C.v": "(** Claim [f]. *)",
}


def test_ids_are_read_from_the_proofs(tmp_path: Path) -> None:
    write(tmp_path, PROOFS)
    assert sources.theorems(tmp_path) == {"A.x": ["eq-9", "d"], "A.w": []}
    assert list(sources.ids_of_rocq(tmp_path)) == [
        *((id, "proofs/A.v") for id in ("eq-9", "a-1", "b-2", "c", "d")),
        ("x-9", "proofs/B.v"), ("f", "proofs/more/C.v"), ("eq-9", "A.x"), ("d", "A.x"),
    ]  # fmt: skip


def test_test_functions_are_those_at_the_top_level_of_files_of_tests(tmp_path: Path) -> None:
    write(tmp_path, {
        "tests/test_a.py": '"""‖y‖"""\ndef test_one(): ...\ndef helper(): ...\ntest_no = 1\n'
        "class TestIt:\n    def test_two(self): ...\ndef test_three(): ...\ndef a_test_4(): ...\n",
        "tests/b/test_c.py": "def test_one(): ...",
        "tests/helper.py": "def test_five(): ...",
        "test_d.py": "def test_six(): ...",
    })  # fmt: skip
    assert sources.test_functions(tmp_path) == {
        "tests/test_a.py::test_one", "tests/test_a.py::test_three", "tests/b/test_c.py::test_one",
    }  # fmt: skip


def test_dangling_ids_are_named_once_in_order() -> None:
    claims = registry.parse(CLAIM)
    named = [("eq-9", "B.x"), ("lemma-9", "A.x"), ("eq-9", "A.x"), ("eq-9", "B.x")]
    assert sources.dangling_ids(claims, named) == ["A.x: no claim eq-9", "B.x: no claim eq-9"]
    assert sources.dangling_ids(claims, [("lemma-9", "A.x")]) == []


THEOREMS = {"Lemma9.it_holds": ["lemma-9"], "Lemma9.it_fails": ["lemma-9"], "Lemma9.other": []}
IT, AGAINST, BARE = (f"tests/test_9.py::test_{name}" for name in ("it", "against", "bare"))
TESTS = {IT, AGAINST, BARE}
TESTS_OF = {"lemma-9": [IT, AGAINST]}


@pytest.mark.parametrize(
    ("added", "tests_of", "wrong"),
    [
        ('proof = ["Lemma9.gone", "Lemma9.it_holds"]', TESTS_OF, ["no theorem Lemma9.gone"]),
        ('counterexample = ["Lemma9.gone"]', TESTS_OF, ["no theorem Lemma9.gone"]),
        (f'counterexample = ["{IT}s"]', TESTS_OF, [f"no test {IT}s"]),
        (f'counterexample = ["{BARE}"]', TESTS_OF,
         [f"test {BARE} does not carry its id"]),
        ('proof = ["Lemma9.other"]', TESTS_OF, ["theorem Lemma9.other does not carry its id"]),
        ('python = ["a:b"]\nproof = ["Lemma9.it_holds"]', {},
         ["no test of its Python objects carries its id"]),
        ('python = ["embedded_hunter.node:Node"]\nproof = ["Lemma9.it_holds"]', TESTS_OF,
         ["no test in tests/conformance/ carries its id"]),
        ("", {}, ["no test of it carries its id"]),
        ("", {"lemma-8": [IT]}, ["no test of it carries its id"]),
        (f'counterexample = ["{AGAINST}"]\n{CORRECTION}', {"lemma-9": [AGAINST]},
         ["no test of its correction carries its id"]),
        (f'proof = ["A.b"]\ncounterexample = ["{BARE}", "{IT}s", "B.c"]', TESTS_OF,
         ["no theorem A.b", "no theorem B.c",
          f"test {BARE} does not carry its id",
          f"no test {IT}s"]),
    ],
)  # fmt: skip
def test_a_missing_source_is_found(
    added: str, tests_of: dict[str, list[str]], wrong: list[str]
) -> None:
    claims = registry.parse(CLAIM + added)
    found = sources.missing_sources(claims, THEOREMS, TESTS, tests_of)
    assert sorted(found) == sorted(f"claim lemma-9: {sentence}" for sentence in wrong)


def test_the_missing_sources_of_all_claims_are_found() -> None:
    claims = registry.parse(EQ + 'proof = ["A.b"]' + CLAIM.replace("theorem", "definition"))
    assert sources.missing_sources(claims, THEOREMS, TESTS, {}) == [
        "claim eq-9: no theorem A.b", "claim lemma-9: no test of it carries its id",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "added",
    [
        "",
        'proof = ["Lemma9.it_holds"]',
        'counterexample = ["Lemma9.it_fails"]\n' + CORRECTION,
        f'counterexample = ["{AGAINST}"]\nproof = ["Lemma9.it_holds"]',
        f'counterexample = ["{AGAINST}"]\n' + CORRECTION,
    ],
)
def test_a_sound_registry_has_no_missing_source(added: str) -> None:
    claims = registry.parse(CLAIM + added)
    assert sources.missing_sources(claims, THEOREMS, TESTS, TESTS_OF) == []


def test_what_is_proved_or_refuted_asks_for_no_other_test() -> None:
    for added in ('proof = ["Lemma9.it_holds"]', 'counterexample = ["Lemma9.it_fails"]'):
        claims = registry.parse(CLAIM + added)
        assert sources.missing_sources(claims, THEOREMS, TESTS, {}) == []


def test_an_empirical_claim_may_wait() -> None:
    claims = registry.parse(CLAIM.replace("theorem", "empirical"))
    assert sources.missing_sources(claims, {}, set(), {}) == []
