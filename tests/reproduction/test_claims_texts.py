"""Specification of `claims.texts`: what belongs to the text and to the tests of a claim."""

from pathlib import Path

import pytest
from claims_project import CLAIM, FILES, write

from reproduction.claims.texts import Files, Texts, meaning

LEMMA = "Lemma a : True.\nProof.\n  intros; auto. - easy.\n  { now apply b. }\nQed.\n"


@pytest.mark.parametrize(
    "left_out",
    [
        "(* Definition x := 1. *)\n",
        '(* "*)" (* nested *) *)\n',
        LEMMA,
        LEMMA.replace("Lemma", "Local Theorem"),
        "Corollary c : True.\nProof. exact I. Qed.\n",
        "#[local] Remark r (n : nat) : n = n.\nProof using n.\n  all: reflexivity.\nQed.\n",
    ],
)
def test_comments_lemmas_and_proofs_have_no_meaning(left_out: str) -> None:
    before, after = "Definition d := 0.\n", "Fixpoint f (n : nat) := n.\n"
    assert meaning(before + left_out + after) == meaning(before + after)


@pytest.mark.parametrize(
    "kept",
    [
        "Definition d := 0.\n",
        "Notation \"'True' x\" := (x = x) (at level 10).\n",
        "Hypothesis h : False.\n",
        "Lemma a : True.\nProof.\n  exact I.\nDefined.\n",
        "Lemma a : True.\nProof. Admitted.\n",
        "Axiom a : False.\n",
        # What is defined amid a proof is defined.
        'Lemma a : True.\nProof.\n  Notation "x = y" := True.\n  exact I.\nQed.\n',
        'Lemma a : True.\nProof.\n  #[local] Notation "x = y" := True.\n  exact I.\nQed.\n',
        'Definition a := "(*".\nDefinition b := "*)".\n',
    ],
)
def test_what_defines_has_a_meaning(kept: str) -> None:
    shown = " ".join(meaning(LEMMA + kept + LEMMA).split())
    assert " ".join(kept.split()) in shown
    assert "easy" not in shown


ROCQ = {
    "docs/claims.toml": CLAIM + 'proof = ["A.a"]',
    "proofs/_CoqProject": "-Q . P\n\nC.v\nmore/B.v\nA.v\nD.v\n",
    "proofs/statements.txt": "Printed.\n\nA.a\n     : c =\n       d\n\nA.b\n     : True\n",
    "proofs/A.v": "From P Require Import\n  B.\nTheorem a : c = d.\nProof. easy. Qed.\n",
    "proofs/more/B.v": "Require P.C.\nDefinition c := 1.\n",
    "proofs/C.v": "Definition d := 1.\n",
    "proofs/D.v": "Definition e := 1.\n",
}


def test_the_text_of_a_claim_reaches_all_files_that_say_what_its_theorems_mean(
    tmp_path: Path,
) -> None:
    write(tmp_path, ROCQ)
    found = Texts(Files(tmp_path).text).of("lemma-9")
    assert '"statement": "What is claimed."' in found.pop("docs/claims.toml")
    assert found == {
        "A.a": "     : c =\n       d",
        "A.v": "From P Require Import B.",
        "B.v": "Require P.C.\nDefinition c := 1.",
        "C.v": "Definition d := 1.",
    }


def test_a_claim_that_is_not_there_has_no_text(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    texts = Texts(Files(tmp_path).text)
    assert texts.of("lemma-8") == {}
    assert list(texts.of("lemma-9")) == ["docs/claims.toml"]


TESTS = {
    "tests/a/test_one.py": "import math, helper\nfrom deep.inside import (\n    leaf,\n)\n",
    "tests/a/helper.py": 'TEXT = (HERE / "data.txt").read_text()\nSELF = "helper.py"\n',
    "tests/a/data.txt": "import unused\n",
    "tests/deep/__init__.py": "",
    "tests/deep/inside/__init__.py": "from deep import other\n",
    "tests/deep/inside/leaf.py": "def f():\n    import late\n",
    "tests/deep/other.py": "",
    "tests/late.py": 'ABOVE = "../outside.py"\n',
    "tests/unused.py": "",
    "outside.py": "",
    "src/math.py": "",
}


def test_the_files_of_a_test_are_those_below_tests_that_it_imports_or_names(
    tmp_path: Path,
) -> None:
    write(tmp_path, TESTS)
    files = Files(tmp_path)
    assert files.closure(["tests/late.py"]) == ["tests/late.py"]
    assert files.closure(["tests/a/test_one.py"]) == [
        "tests/a/data.txt", "tests/a/helper.py", "tests/a/test_one.py",
        "tests/deep/__init__.py", "tests/deep/inside/__init__.py", "tests/deep/inside/leaf.py",
        "tests/deep/other.py", "tests/late.py",
    ]  # fmt: skip


def test_the_files_that_judge_are_those_that_exist(tmp_path: Path) -> None:
    names = [
        ".ci/run", "conftest.py", "proofs/check.pl", "pytest.ini",
        "src/reproduction/claims/verdict.py", "tests/a/b/conftest.py", "tests/conftest.py",
    ]  # fmt: skip
    write(tmp_path, {**dict.fromkeys(names, ""), "tests/a/test_it.py": "", "a/conftest.py": ""})
    assert Files(tmp_path).judges() == names


def test_a_hash_is_of_names_and_texts(tmp_path: Path) -> None:
    write(tmp_path, {"a": "x", "b": "x"})
    files = Files(tmp_path)
    hashes = {files.hash(names) for names in (["a"], ["b"], ["a", "b"], [], ["gone"])}
    assert len(hashes) == 5
    write(tmp_path, {"a": "y"})
    assert Files(tmp_path).hash(["a"]) not in hashes
