"""The bibliography: what an entry says; each entry is cited, and each citation has an entry."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
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
