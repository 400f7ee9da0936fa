"""The errata: every item has its five parts, what they name exists, every Python block runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from reproduction.claims import references as sources
from reproduction.claims import registry

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
CLAIMS = registry.load(ROOT)
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
ITEMS = re.split(r"^### ", TEXT.split("## What the paper leaves open")[0], flags=re.MULTILINE)[1:]
READING = re.findall(
    r"^\d+\. \*\*.*?(?=^\d+\. \*\*|\Z)",
    TEXT.split("## What the paper leaves open")[1].split("\n## ")[0],
    re.DOTALL | re.MULTILINE,
)


def ids_of(line: str) -> list[str]:
    return re.findall(r"`([^`]+)`", line)


def claims_line(item: str) -> list[str]:
    lines = re.findall(r"^Claims?: (.*)\.$", item, re.MULTILINE)
    assert len(lines) == 1, item.splitlines()[0]
    return ids_of(lines[0])


def unknown(ids: list[str]) -> list[str]:
    return [id for id in ids if id not in CLAIMS]


def test_the_items_are_numbered_in_order() -> None:
    numbers = [int(item.partition(".")[0]) for item in ITEMS]
    assert numbers == list(range(1, len(ITEMS) + 1))
    assert len(numbers) >= 20
    numbered = [int(item.partition(".")[0]) for item in READING]
    assert numbered == list(range(1, len(READING) + 1))
    assert len(numbered) >= 12


@pytest.mark.parametrize("item", READING, ids=lambda item: str(item.partition(".")[0]))
def test_every_decision_names_claims_that_exist(item: str) -> None:
    last = re.search(r"((?:`[a-z0-9-]+`(?:,\s+)?)+)\s*\Z", item)
    assert last, item
    assert unknown(ids_of(last[1])) == []


PARTS = ("Sentence", "Verdict", "Counterexample", "Correction", "Proof")


def part(item: str, name: str) -> str:
    """Return the entry of an item's list, on one line; "" if there is none."""
    found = re.findall(
        rf"^- \*\*{name}\.\*\*\s(.*?)(?=^- \*\*|^\n)", item, re.DOTALL | re.MULTILINE
    )
    return " ".join(found[0].split()) if len(found) == 1 else ""


def missing_parts(item: str) -> list[str]:
    """Return which of the five parts an item lacks; a correction may also be a paragraph."""
    there = {name for name in PARTS if part(item, name)}
    if re.search(r"(?<!\*)\*Correction\.\*(?!\*)", item):
        there.add("Correction")
    return [name for name in PARTS if name not in there]


@pytest.mark.long
@pytest.mark.parametrize("item", ITEMS, ids=lambda item: str(item.partition(".")[0]))
def test_every_item_has_its_five_parts(item: str) -> None:
    assert missing_parts(item) == []
    ids = set(claims_line(item))
    judged = set(re.findall(r"\{verdict\}`([^`]+)`", part(item, "Verdict")))
    assert judged
    assert judged <= ids
    # What is run: tests, which exist, or the item's own block.
    named = set(re.findall(r"`(tests/\S+::\w+)`", part(item, "Counterexample")))
    assert named or "```python" in item
    assert named <= sources.test_functions(ROOT)
    refuting = {name for id in ids for name in CLAIMS[id].refuting_tests}
    if any(CLAIMS[id].refuting_tests for id in judged):
        assert named & refuting
    # What proves the correction: a theorem, a proof in prose that is there, or a measurement.
    proof = part(item, "Proof")
    theorems = set(re.findall(r"`([A-Z]\w*\.\w+)`", proof))
    assert theorems <= set(sources.theorems(ROOT))
    pages = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs" / "paper").glob("*.md"))
    prose = re.findall(r"\[[Ii]n prose\]\(#([a-z0-9-]+)\)", proof)
    assert all(f"\n({label})=\n" in pages for label in prose)
    measured = proof.startswith("None, these are measurements: `tests/")
    assert theorems or prose or measured


@pytest.mark.long
def test_one_command_runs_the_counterexamples_of_all_items() -> None:
    """`pytest --errata` collects every test that an item names, the blocks, and no other test."""
    command = [sys.executable, "-m", "pytest", "--errata", "--collect-only", "-q"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    collected = {line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line}
    named = {
        test
        for item in ITEMS
        for test in re.findall(r"`(tests/\S+::\w+)`", part(item, "Counterexample"))
    }
    assert len(named) > 25
    assert collected == named | {
        "tests/repository/test_errata.py::test_every_block_runs_and_asserts"
    }


def test_the_tests_and_theorems_that_are_named_exist() -> None:
    tests = re.findall(r"`(tests/[^`]*::[^`]*)`", TEXT)
    assert len(tests) > 10
    assert set(tests) <= sources.test_functions(ROOT)
    theorems = re.findall(r"`([A-Z]\w*\.[a-z]\w*)`", TEXT)
    assert len(theorems) > 5
    assert set(theorems) <= set(sources.theorems(ROOT))


def test_every_printed_form_that_is_refuted_is_in_the_errata() -> None:
    named = {id for item in ITEMS for id in claims_line(item)}
    refuted = {claim.id for claim in CLAIMS.values() if claim.counterexample}
    assert len(refuted) > 12
    assert refuted - named == set()


@pytest.mark.parametrize("block", BLOCKS)
def test_every_block_runs_and_asserts(block: str) -> None:
    assert re.search(r"^assert ", block, re.MULTILINE)
    exec(compile(block, "errata.md", "exec"), {})
