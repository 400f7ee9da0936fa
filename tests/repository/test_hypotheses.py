"""The hypotheses of the pages on the paper, and that they are those that Rocq prints."""

import re
from pathlib import Path

import pytest

from reproduction.claims import references as sources

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "paper"
PAGE = (FOLDER / "hypotheses.md").read_text(encoding="utf-8")
PRINTED = (ROOT / "proofs" / "statements.txt").read_text(encoding="utf-8")
OPENING, CLOSING = "([{", ")]}"
DESCRIBED = ("for example", "every run", "the first state of each run", "no hypotheses")
"""One of these is in a line that describes instances and names no theorem about them."""


def listed(page: str) -> dict[str, list[str]]:
    """Return what a page says of each theorem: its premises and its conclusion, as in Rocq."""
    found = {}
    for section in page.split("\n### ")[1:]:
        (name,) = re.findall(r"^In prose: .+ In Rocq: \{rocq\}`([^`]+)`\.$", section, re.MULTILINE)
        found[name] = re.findall(r"^\| (?:\d+|then) \| .+ \| `([^`]+)` \|$", section, re.MULTILINE)
    return found


def cut(text: str, mark: str) -> tuple[str, str] | None:
    """Cut a text at the first mark that is in no bracket (and no part of ``<->``)."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in OPENING) - (letter in CLOSING)
        if depth == 0 and text.startswith(mark, place) and not text[:place].endswith("<"):
            return text[:place].strip(), text[place + len(mark) :].strip()
    return None


def premises(statement: str) -> list[str]:
    """Return the premises of a statement, and its conclusion, without the names that it binds."""
    rest = " ".join(statement.split())
    found = []
    while True:
        if rest.startswith("forall ") and (parts := cut(rest, ",")):
            rest = parts[1]
        elif not rest.startswith("exists ") and (parts := cut(rest, "-> ")):
            found.append(parts[0])
            rest = parts[1]
        else:
            return [*found, rest]


def printed() -> dict[str, list[str]]:
    """Return the premises and the conclusion of each theorem, as Rocq prints them."""
    blocks = (block.partition("\n     : ") for block in PRINTED.split("\n\n")[1:])
    return {head.split()[0]: premises(statement) for head, _, statement in blocks}


def test_every_theorem_of_the_page_exists_and_every_section_has_rows() -> None:
    found = listed(PAGE)
    assert len(found) == PAGE.count("\n### ") >= 60
    assert set(found) <= set(sources.theorems(ROOT))
    for section in PAGE.split("\n### ")[1:]:
        labels = re.findall(r"^\| (\d+|then) \|", section, re.MULTILINE)
        assert labels == [*map(str, range(1, len(labels))), "then"]
    numbered = sum(bool(re.match(r"\| (\d+|then) \|", line)) for line in PAGE.splitlines())
    assert numbered == sum(map(len, found.values()))


@pytest.mark.parametrize("section", PAGE.split("\n### ")[1:], ids=lambda text: text.split("\n")[0])
def test_every_section_says_what_satisfies_its_hypotheses(section: str) -> None:
    """The line follows that of the theorem; an instance is another theorem, or it is described."""
    found = re.findall(r"^In prose: .+ \{rocq\}`(.+)`\.\nInstance: (.+\.)$", section, re.MULTILINE)
    ((name, instance),) = found
    named = set(re.findall(r"\{rocq\}`([^`]+)`", instance))
    assert named <= sources.theorems(ROOT).keys() - {name}
    assert named or any(words in instance for words in DESCRIBED)


@pytest.mark.claim("lemma-1", "lemma-2", "theorem-1", "theorem-2", "indexed-regret-bound")
def test_the_hypotheses_of_the_page_are_those_that_rocq_prints() -> None:
    """`make -C proofs` compares the printed statements with what Rocq says."""
    said = printed()
    for name, rows in listed(PAGE).items():
        assert rows == said[name], name


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_every_theorem_that_a_page_names_exists(path: Path) -> None:
    named = set(re.findall(r"`([A-Z]\w+\.[a-z][\w']{2,})`", path.read_text(encoding="utf-8")))
    assert named <= set(sources.theorems(ROOT))
