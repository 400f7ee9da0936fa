"""The printed statements of the Rocq theorems (`proofs/statements.txt`) against their list."""

import re
from pathlib import Path

from reproduction.claims import references as sources

ROOT = Path(__file__).parents[2]
STATEMENTS = (ROOT / "proofs" / "statements.txt").read_text(encoding="utf-8")


def test_every_listed_theorem_has_one_printed_statement_in_the_same_order() -> None:
    printed = re.findall(r"^(\w+\.[\w']+)\n     : \S", STATEMENTS, re.MULTILINE)
    assert len(printed) > 240
    assert printed == list(sources.theorems(ROOT))


def test_nothing_else_stands_between_the_statements() -> None:
    head, *blocks = STATEMENTS.rstrip("\n").split("\n\n")
    assert re.fullmatch(r"Each theorem .* as Rocq \d+\.\d+\.\d+ prints it\. .*", head)
    for block in blocks:
        name, *lines = block.split("\n")
        assert re.fullmatch(r"\w+\.[\w']+", name)
        assert all(line.startswith("     ") for line in lines), name
