"""Specification of `claims.references`: the theorems with their ids."""

from pathlib import Path

from repository.claims_project import write
from reproduction.claims import references


def test_the_ids_of_the_theorems_are_read(tmp_path: Path) -> None:
    first = "A.x | eq-9 d | none | x > |y|.\n     : forall y,\n | P y | y\n"
    lines = f"Theorems.\n\n{first}\nA.w |  | z | ‖y‖.\n     : True\n"
    write(tmp_path, {"proofs/statements.txt": lines})
    assert references.theorems(tmp_path) == {"A.x": ["eq-9", "d"], "A.w": []}
    assert references.headlines(tmp_path)["A.x"] == (["eq-9", "d"], "none", "x > |y|.")
