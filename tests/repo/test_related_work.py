"""Related work: each page of results cites, each reference is cited, and no novelty is asserted."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
RELATED = "related-work.md"
RESULTS = [
    *(f"paper/{name}.md" for name in ("problem", "tree", "analysis", "supplement")),
    *(f"paper/{name}.md" for name in ("ours", "forest", "evaluations")),
    *("errata.md", "benchmark.md", "choosing.md", "proofs/index.md"),
]
NOT_SEEN = "full text not seen"
PAGES = {
    path.relative_to(DOCS).as_posix(): path.read_text("utf-8")
    for folder in (".", "paper", "proofs")
    for path in sorted((DOCS / folder).glob("*.md"))
}


def entries(text: str) -> dict[str, dict[str, str]]:
    """The fields of each entry of a BibTeX file."""
    return {
        key: dict(re.findall(r"^  (\w+) = \{(.*)\},?$", body, re.MULTILINE))
        for key, body in re.findall(r"^@\w+\{([^,]+),\n(.*?)^\}$", text, re.MULTILINE | re.DOTALL)
    }


def cited(text: str) -> set[str]:
    return {
        key
        for keys in re.findall(r"\{cite:[tp]\}`([^`]+)`", text)
        for key in re.split(r"\s*,\s*", keys)
    }


def unqualified(text: str) -> Iterator[str]:
    """Sentences that call something new, or the first, without "as far as we know"."""
    for paragraph in re.split(r"\n\s*\n|\n- ", text):
        line = re.sub(r"\s+", " ", paragraph)
        claims = re.search(r"\b(New\b|is new\b|are new\b|nobody|the first to)", line)
        if claims and "as far as we know" not in line.lower():
            yield line


BIB = (DOCS / "refs.bib").read_text("utf-8")
ENTRIES = entries(BIB)


def test_all_entries_are_read() -> None:
    assert len(ENTRIES) == BIB.count("\n@") + 1 >= 30


@pytest.mark.parametrize("key", ENTRIES)
def test_an_entry_says_who_what_when_and_where(key: str) -> None:
    fields = ENTRIES[key]
    assert {"author", "title", "year"} <= fields.keys()
    assert re.fullmatch(r"(19|20)\d\d", fields["year"])
    assert fields.keys() & {"booktitle", "journal", "eprint", "howpublished", "publisher"}
    if "eprint" in fields:
        assert re.fullmatch(r"\d{4}\.\d{4,5}", fields["eprint"])


def test_each_entry_is_cited_and_each_citation_has_an_entry() -> None:
    assert set().union(*map(cited, PAGES.values())) == set(ENTRIES)


def test_each_page_of_results_cites_earlier_work() -> None:
    assert [page for page in RESULTS if not cited(PAGES[page]) - {"embedded-bandits"}] == []


def test_each_work_that_was_not_read_is_marked() -> None:
    """Two texts were read."""
    text = re.sub(r"\s+", " ", PAGES[RELATED])
    marked = (cited(item) for item in re.split(r" - \*\*|## ", text) if NOT_SEEN in item)
    assert set().union(*marked) >= set(ENTRIES) - {"embedded-bandits", "remeda"}
    assert f"*{NOT_SEEN}*" in text  # says what the words mean


def test_the_page_says_what_a_note_of_an_entry_means() -> None:
    notes = [fields["note"] for fields in ENTRIES.values() if "note" in fields]
    assert any(note.startswith("Not checked: ") for note in notes)
    assert "a note says what of an entry we could not check" in " ".join(PAGES[RELATED].split())


def test_nothing_is_called_new_without_saying_what_was_searched() -> None:
    assert list(unqualified(PAGES[RELATED].split("\n## ", 1)[1])) == []
    assert "We searched these copies for" in PAGES[RELATED]
    assert list(unqualified("It is new.\n\n- **New:** the bound.")) == [
        "It is new.",
        "- **New:** the bound.",
    ]
