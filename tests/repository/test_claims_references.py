"""Specification of `claims.references`: the theorems with their ids, and the test functions."""

from pathlib import Path

from repository.claims_project import write
from reproduction.claims import references


def test_the_ids_of_the_theorems_are_read(tmp_path: Path) -> None:
    first = "A.x | eq-9 d | none | x > |y|.\n     : forall y,\n | P y | y\n"
    lines = f"Theorems.\n\n{first}\nA.w |  | z | ‖y‖.\n     : True\n"
    write(tmp_path, {"proofs/statements.txt": lines})
    assert references.theorems(tmp_path) == {"A.x": ["eq-9", "d"], "A.w": []}
    assert references.headlines(tmp_path)["A.x"] == (["eq-9", "d"], "none", "x > |y|.")


def test_test_functions_are_those_at_the_top_level_of_files_of_tests(tmp_path: Path) -> None:
    write(tmp_path, {
        "tests/test_a.py": '"""‖y‖"""\ndef test_one(): ...\ndef helper(): ...\ntest_no = 1\n'
        "class TestIt:\n    def test_two(self): ...\ndef test_three(): ...\ndef a_test_4(): ...\n",
        "tests/b/test_c.py": "def test_one(): ...",
        "tests/helper.py": "def test_five(): ...",
        "test_d.py": "def test_six(): ...",
    })  # fmt: skip
    assert references.test_functions(tmp_path) == {
        "tests/test_a.py::test_one", "tests/test_a.py::test_three", "tests/b/test_c.py::test_one",
    }  # fmt: skip
