"""Specification of `claims.registry`: what is read from a registry, and what makes it wrong."""

from pathlib import Path

import pytest

from repository.claims_project import CLAIM, CORRECTION, write
from reproduction.claims import references, registry
from reproduction.claims.registry import Claim, RegistryError

UNDECIDED = 'undecided = "No runs."'
EQ = CLAIM.replace("lemma-9", "eq-9")
REFUTED = CLAIM + 'counterexample = ["A.b"]\n'
AGAIN = (
    REFUTED.replace("lemma-9", "lemma-8")
    + """grade = "slip"
reason = "Why."
same_as = "lemma-9"
"""
)
KINDS = "definition, algorithm, assumption, theorem, sentence, supplement, empirical, ours"


def test_all_keys_are_read() -> None:
    claims = registry.parse(
        f"""{EQ}{CLAIM}
        python = ["a.b:c", "d:e"]
        proof = ["A.one", "A.two"]
        counterexample = ["tests/test_9.py::test_against", "B.three"]
        depends = ["eq-9"]
        grade = "constant"
        reason = '''
        Why $1
        \\le 2$.'''
        {CORRECTION}
        {AGAIN}"""
    )
    assert list(claims) == ["eq-9", "lemma-9", "lemma-8"]
    assert claims["lemma-8"].same_as == "lemma-9"
    assert registry.defects(claims.values()) == 1
    assert claims["eq-9"] == Claim("eq-9", "Lemma 9", "theorem", "What is claimed.")
    assert claims["lemma-9"] == Claim(
        "lemma-9", "Lemma 9", "theorem", "What is claimed.", ("a.b:c", "d:e"), ("A.one", "A.two"),
        ("tests/test_9.py::test_against", "B.three"), "What holds.", ("eq-9",),
        "constant", r"Why $1 \le 2$.",
    )  # fmt: skip
    assert claims["lemma-9"].refuting_tests == ("tests/test_9.py::test_against",)
    assert claims["lemma-9"].refuting_theorems == ("B.three",)
    assert registry.parse("") == {}


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (CLAIM + 'verdict = "proved"', "claim lemma-9: unknown keys verdict"),
        (CLAIM + EQ + CLAIM + EQ, "each id must occur once, these occur twice: lemma-9, eq-9"),
        (EQ + CLAIM + 'depends = ["lemma-8", "eq-9", "a"]', "claim lemma-9: depends on unknown"),
        (CLAIM + 'depends = ["lemma-9"]', "claims that depend on each other: lemma-9, lemma-9"),
        (CLAIM.replace('kind = "theorem"', ""), "claim lemma-9: missing kind"),
        ("[[claim]]", "claim (without id): missing id, kind, place, statement"),
        (CLAIM.replace("theorem", "rumour"), f"claim lemma-9: kind must be one of {KINDS}"),
        (CLAIM.replace("lemma-9", "Lemma 9"), "claim Lemma 9: an id must consist of lower-case"),
        (CLAIM.replace("lemma-9", "lemma-"), "claim lemma-: an id must consist of lower-case"),
        (CLAIM + 'python = "a.node:Node"', "claim lemma-9: python must be a list of non-empty"),
        (CLAIM + 'proof = ["A.b", 3]', "claim lemma-9: proof must be a list of non-empty strings"),
        (CLAIM.replace('"What is claimed."', "3"), "claim lemma-9: statement must be a non-empty"),
        (CLAIM.replace("What is claimed.", " "), "claim lemma-9: statement must be a non-empty"),
        (CLAIM + CORRECTION, "claim lemma-9: a correction requires a counterexample"),
        (CLAIM + 'grade = "slip"\nreason = "Why."', "claim lemma-9: a grade requires a"),
        (REFUTED + 'grade = "slip"', "claim lemma-9: a grade requires a reason, and a"),
        (REFUTED + 'reason = "Why."', "claim lemma-9: a grade requires a reason, and a"),
        (REFUTED + 'grade = "error"\nreason = "Why."', "claim lemma-9: grade must be one of"),
        (CLAIM + 'proof = ["A.c", "A.b"]\ncounterexample = ["A.b", "A.c", "A.d"]',
         "claim lemma-9: both proof and counterexample: A.b, A.c"),
        (AGAIN, "claim lemma-8: same_as requires a grade here, and there a claim with a grade"),
        (AGAIN + CLAIM, "claim lemma-8: same_as requires a grade here, and there a claim"),
        (AGAIN + AGAIN.replace("lemma-9", "lemma-8").replace("lemma-8", "lemma-9", 1),
         "claim lemma-8: same_as requires a grade here, and there a claim with a grade and"),
        (CLAIM + EQ + 'same_as = "lemma-9"', "claim eq-9: same_as requires a grade here, and"),
        (REFUTED + UNDECIDED, "claim lemma-9: undecided with a proof or a counterexample"),
        (CLAIM + 'proof = ["A.b"]\n' + UNDECIDED, "claim lemma-9: undecided with a proof or a"),
        (CLAIM.replace("[[claim]]", "[[claims]]"), "unknown tables: claims"),
        (CLAIM + "[notes]\n[ends]", "unknown tables: ends, notes"),
        (CLAIM + "proof = [", "docs/claims.toml is not TOML: "),
    ],
)  # fmt: skip
def test_a_broken_registry_is_refused(broken: str, message: str) -> None:
    with pytest.raises(RegistryError) as caught:
        registry.parse(broken)
    assert str(caught.value).startswith(message)
    assert list(registry.parse(CLAIM)) == ["lemma-9"]


@pytest.mark.parametrize(
    ("added", "kind", "rule"),
    [
        ("", "theorem", "tested"),
        ("", "empirical", "tested"),
        ("", "definition", "implemented"),
        ("", "algorithm", "implemented"),
        ('proof = ["A.b"]', "algorithm", "proved"),
        ('counterexample = ["A.b"]', "theorem", "refuted"),
        ('counterexample = ["A.b"]\nproof = ["A.c"]', "theorem", "refuted"),
        (UNDECIDED, "empirical", "not decided"),
        (CORRECTION + 'counterexample = ["A.b"]', "theorem", "corrected (tested)"),
        (CORRECTION + 'counterexample = ["A.b"]\nproof = ["A.c"]', "theorem", "corrected"),
    ],
)
def test_the_verdict_that_a_claim_asks_for(added: str, kind: str, rule: str) -> None:
    (claim,) = registry.parse(CLAIM.replace("theorem", kind) + added).values()
    assert claim.rule == rule


# --- the theorems with their ids -----------------------------------------------------------------


def test_the_ids_of_the_theorems_are_read(tmp_path: Path) -> None:
    first = "A.x | eq-9 d | none | x > |y|.\n     : forall y,\n | P y | y\n"
    lines = f"Theorems.\n\n{first}\nA.w |  | z | ‖y‖.\n     : True\n"
    write(tmp_path, {"proofs/statements.txt": lines})
    assert references.theorems(tmp_path) == {"A.x": ["eq-9", "d"], "A.w": []}
    assert references.headlines(tmp_path)["A.x"] == (["eq-9", "d"], "none", "x > |y|.")
