"""Theorems that are instances of others: data that satisfy the hypotheses of the other theorem.

The comment before such a theorem ends in ``Instance of [File.theorem].``; several are joined by
``and``. Rocq checks that the data satisfy the hypotheses: the proof uses the other theorem.
"""

import re
from pathlib import Path

import pytest

from reproduction.claims import references

ROOT = Path(__file__).parents[2]
FILES = {path.stem: path for path in (ROOT / "proofs").glob("*/*.v")}
HEADLINES = references.headlines(ROOT)
NAMED = re.compile(r"Instance of (\[[\w.']+\](?:,? (?:and )?\[[\w.']+\])*)\.$")


def instances() -> dict[str, list[str]]:
    """Return for each theorem that is an instance the theorems of which it is one."""
    found = {name: NAMED.search(head.sentence) for name, head in HEADLINES.items()}
    return {name: re.findall(r"\[([\w.']+)\]", said[1]) for name, said in found.items() if said}


def proof(theorem: str) -> str:
    """Return the proof of a theorem."""
    file, name = theorem.split(".")
    source = FILES[file].read_text(encoding="utf-8")
    text = re.split(rf"^\s*(?:Theorem|Corollary) {re.escape(name)}(?![\w'])", source, flags=re.M)[1]
    return text.partition("Proof.")[2].partition("Qed.")[0]


def test_every_theorem_on_small_data_names_the_theorem_of_which_it_is_an_instance() -> None:
    files = {path.stem for path in (ROOT / "proofs" / "instances").glob("*.v")}
    small = {name for name in HEADLINES if name.partition(".")[0] in files}
    assert len(small) > 20
    assert small <= set(instances())


@pytest.mark.parametrize("instance", instances())
def test_an_instance_is_proved_by_the_theorem_that_it_names(instance: str) -> None:
    for theorem in instances()[instance]:
        assert theorem in HEADLINES
        assert theorem.partition(".")[2] in re.findall(r"[\w']+", proof(instance))
