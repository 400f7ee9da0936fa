"""Specification of `claims.texts`: what belongs to the text and to the tests of a claim."""

from pathlib import Path

from claims_project import CLAIM, FILES, write

from reproduction.claims.texts import Files, Texts

ROCQ = {
    "docs/claims.toml": CLAIM + 'proof = ["A.a"]',
    "docs/paper/hypotheses.md": "# Page\n\n## One\n\nIn prose: [p](q). In Rocq: {rocq}`A.b`.\n"
    "\n## Two\n\nIn prose: [p](q). In Rocq: {rocq}`A.a`.\n| 1 | always | `c` |\n",
}


def test_the_text_of_a_claim_is_all_that_says_what_its_theorems_mean(tmp_path: Path) -> None:
    write(tmp_path, FILES | ROCQ)
    found = Texts(Files(tmp_path).text).of("lemma-9")
    assert '"statement": "What is claimed."' in found.pop("docs/claims.toml")
    assert found == {
        "proofs/statements.txt": "As printed.",
        "A.a": "     : True",
        "docs/paper/hypotheses.md, A.a": "Two\n\nIn prose: [p](q). In Rocq: {rocq}`A.a`.\n"
        "| 1 | always | `c` |\n",
        "proofs/meanings.txt": "A.a 01\nA.c 03\nB.d 04",
    }


def test_a_theorem_that_carries_the_id_is_part_of_the_text(tmp_path: Path) -> None:
    headlines = FILES["proofs/headline.txt"] + "b | A | eq-1 lemma-9 | True.\n"
    write(tmp_path, FILES | ROCQ | {"proofs/headline.txt": headlines})
    found = Texts(Files(tmp_path).text).of("lemma-9")
    assert found["A.b"] == "     : True"
    assert "A.b 02" in found["proofs/meanings.txt"].splitlines()


def test_the_sources_of_a_change_are_those_of_the_definitions_that_differ(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    sources = Texts(Files(tmp_path).text).sources
    assert sources("A.a 01\nB.d 04", "A.a 01\nB.d 05") == ["proofs/B.v"]
    assert sources("", "A.a 01\nB.d 04") == ["proofs/B.v", "proofs/A.v"]
    assert sources("A.a 01", "A.a 01") == []


def test_a_claim_that_is_not_there_has_no_text(tmp_path: Path) -> None:
    write(tmp_path, FILES | {"proofs/headline.txt": ""})
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


def test_the_files_of_a_test_are_those_below_tests_that_it_imports_or_names(tmp_path: Path) -> None:
    write(tmp_path, TESTS)
    files = Files(tmp_path)
    assert files.closure(["tests/late.py"]) == ["tests/late.py"]
    assert files.closure(["tests/a/test_one.py"]) == [
        "tests/a/data.txt", "tests/a/helper.py", "tests/a/test_one.py",
        "tests/deep/__init__.py", "tests/deep/inside/__init__.py", "tests/deep/inside/leaf.py",
        "tests/deep/other.py", "tests/late.py",
    ]  # fmt: skip


def test_the_files_of_the_checks_are_those_that_exist(tmp_path: Path) -> None:
    names = [
        ".ci/run", "conftest.py", "proofs/check.py", "proofs/meanings.ltac2", "pytest.ini",
        "src/reproduction/claims/verdict.py", "tests/a/b/conftest.py", "tests/conftest.py",
    ]  # fmt: skip
    write(tmp_path, {**dict.fromkeys(names, ""), "tests/a/test_it.py": "", "a/conftest.py": ""})
    assert Files(tmp_path).checks() == names


def test_a_hash_is_of_names_and_texts(tmp_path: Path) -> None:
    write(tmp_path, {"a": "x", "b": "x"})
    files = Files(tmp_path)
    hashes = {files.hash(names) for names in (["a"], ["b"], ["a", "b"], [], ["gone"])}
    assert len(hashes) == 5
    write(tmp_path, {"a": "y"})
    assert Files(tmp_path).hash(["a"]) not in hashes
