"""The page of hypotheses against Rocq: each theorem's premises are the ones that Rocq prints."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from embedded_hunter.claims import sources

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
PAGE = (ROOT / "docs" / "paper" / "hypotheses.md").read_text(encoding="utf-8")
MODULES = (
    "Lattice Model Nodes Steps Order Sweep Lemma1 Theorem2 Theorem2Real Theorem2Paper Vectors "
    "Cells Packing Expectation Moments Indexed IndexedRegret IndexedTheorem2 IndexedRate "
    "IndexedCoverage Coverage Forest ForestSteps ForestDefault ForestRegret RealValues"
)
OPENING, CLOSING = "([{", ")]}"


def listed() -> dict[str, list[str]]:
    """Return what the page says of each theorem: its premises and its conclusion, as in Rocq."""
    found = {}
    for section in PAGE.split("\n## ")[1:]:
        (name,) = re.findall(r"\{rocq\}`([^`]+)`", section)
        found[name] = re.findall(r"^\| (?:\d+|then) \| .+ \| `([^`]+)` \|$", section, re.MULTILINE)
    return found


def cut(text: str, mark: str) -> tuple[str, str] | None:
    """Cut a text at the first mark that is in no bracket."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in OPENING) - (letter in CLOSING)
        if depth == 0 and text.startswith(mark, place):
            return text[:place].strip(), text[place + len(mark) :].strip()
    return None


def premises(statement: str) -> list[str]:
    """Return the premises of a statement, and its conclusion, without the names that it binds."""
    rest = " ".join(statement.split())
    found = []
    while True:
        if rest.startswith("forall ") and (parts := cut(rest, ",")):
            rest = parts[1]
        elif parts := cut(rest, "-> "):
            found.append(parts[0])
            rest = parts[1]
        else:
            return [*found, rest]


def printed(names: list[str]) -> dict[str, list[str]]:
    """Return what Rocq prints of theorems, by the last part of their names."""
    lines = [
        "From Coq Require Import List Reals.",
        f"From EmbeddedHunter Require Import {MODULES}.",
        "From EmbeddedHunter Require Ceiling.",
        "Open Scope R_scope.",
        "Set Printing Width 100000.",
        "Set Printing Depth 100000.",
        *(f"Check @{name}." for name in names),
    ]
    command = ["coqtop", "-q", "-Q", str(PROOFS), "EmbeddedHunter"]
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=True
    )
    blocks = re.findall(
        r"^@?([\w'.]+)\n? +: (.*?)(?=\n(?:\n|@?[\w'.]+\n? +: |\Z)|\Z)",
        done.stdout,
        re.DOTALL | re.MULTILINE,
    )
    return {name.rpartition(".")[2]: premises(text) for name, text in blocks}


def test_a_statement_is_cut_into_its_premises() -> None:
    said = premises("forall (a : nat) (b : nat -> R), (forall c, c < a -> b c = 0) ->\n a < 1")
    assert said == ["(forall c, c < a -> b c = 0)", "a < 1"]
    assert premises("A -> forall n : nat, B n -> C n -> D") == ["A", "B n", "C n", "D"]


def test_every_theorem_of_the_page_exists_and_every_section_has_rows() -> None:
    found = listed()
    assert len(found) == PAGE.count("\n## ") >= 15
    assert set(found) <= set(sources.theorems(ROOT))
    for rows in found.values():
        assert len(rows) >= 4
    numbered = sum(bool(re.match(r"\| (\d+|then) \|", line)) for line in PAGE.splitlines())
    assert numbered == sum(map(len, found.values()))


@pytest.mark.claim("lemma-1", "lemma-2", "theorem-1", "theorem-2", "indexed-regret-bound")
def test_the_hypotheses_of_the_page_are_those_that_rocq_prints() -> None:
    """Skipped where the proofs have not been built (``make -C proofs``)."""
    built = all(
        (vo := path.with_suffix(".vo")).is_file() and vo.stat().st_mtime >= path.stat().st_mtime
        for path in PROOFS.glob("*.v")
        if path.name in (PROOFS / "_CoqProject").read_text(encoding="utf-8")
    )
    if not (built and shutil.which("coqtop")):
        assert not os.environ.get("EMBEDDED_HUNTER_REQUIRE_COQ"), "build the proofs first"
        pytest.skip("the proofs have not been built")
    found = listed()
    said = printed(list(found))
    assert {name.rpartition(".")[2] for name in found} == set(said)
    for name, rows in found.items():
        assert rows == said[name.rpartition(".")[2]], name
