"""The errata: every item has a correction and evidence, and every Python block runs."""

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


def claims_of(item: str) -> list[str]:
    (line,) = re.findall(r"^```\{erratum\} (.*)$", item, re.MULTILINE)
    return str(line).split()


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


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: str(item.partition(".")[0]))
def test_every_item_has_a_correction_and_the_evidence_for_it(item: str) -> None:
    """Something in it is refuted, and a theorem or a proof in prose stands behind what holds."""
    assert re.search(r"(?<!\*)\*Correction\.\*(?!\*)", item)
    ids = claims_of(item)
    assert unknown(ids) == []
    claims = [CLAIMS[id] for id in ids]
    judged = [claim for claim in claims if claim.grade]
    shown = any(claim.counterexample for claim in judged) or "\n```python\n" in item
    assert shown or re.search(r"`(tests/\S+::|Counterexample\w+\.)\w+`", item)
    measured = all(claim.kind == "empirical" or "fig-1" in claim.id for claim in judged)
    stated = re.search(r"`[A-Z]\w*\.[a-z]\w*`", item)
    assert any(claim.proof for claim in claims) or measured or stated or prose(ids)


def prose(ids: list[str]) -> bool:
    """Return whether a page of the paper proves one of the claims in words."""
    pages = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs" / "paper").glob("*.md"))
    return any(f"\n({id})=\n" in pages for id in ids)


@pytest.mark.long
def test_one_command_runs_all_counterexamples() -> None:
    """`pytest --errata` collects what refutes a claim, what the errata name, and no other test."""
    command = [sys.executable, "-m", "pytest", "--errata", "--collect-only", "-q"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    collected = {line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line}
    refuting = {name for claim in CLAIMS.values() for name in claim.refuting_tests}
    named = set(re.findall(r"`(tests/\S+::\w+)`", TEXT))
    assert len(refuting) > 25
    assert collected == {
        *refuting,
        *named,
        "tests/repository/test_errata.py::test_every_block_runs_and_asserts",
    }


def test_the_tests_and_theorems_that_are_named_exist() -> None:
    tests = re.findall(r"`(tests/[^`]*::[^`]*)`", TEXT)
    assert len(tests) > 10
    for test in tests:
        file, _, name = test.partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.M), test
    theorems = re.findall(r"`([A-Z]\w*\.[a-z]\w*)`", TEXT)
    assert len(theorems) > 5
    assert set(theorems) <= set(sources.theorems(ROOT))


def test_every_printed_form_that_is_refuted_is_in_the_errata() -> None:
    named = {id for item in ITEMS for id in claims_of(item)}
    refuted = {claim.id for claim in CLAIMS.values() if claim.counterexample}
    assert len(refuted) > 12
    assert refuted - named == set()


@pytest.mark.parametrize("block", BLOCKS)
def test_every_block_runs_and_asserts(block: str) -> None:
    assert re.search(r"^assert ", block, re.MULTILINE)
    exec(compile(block, "errata.md", "exec"), {})
