"""Specification of `claims.review`: what is stored, what is noticed, and what is shown."""

import shutil
from pathlib import Path

import pytest
from claims_project import CLAIM, FILES, committed, git, read_claims, write

from reproduction.claims import review
from reproduction.claims.evidence import code_of
from reproduction.claims.review import (
    CHECKED,
    TESTS,
    TEXT,
    UNREAD,
    Present,
    Review,
    ReviewError,
    Reviews,
    read,
    renew,
)

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
PROJECT = {**FILES, "docs/claims.toml": CLAIM + 'proof = ["A.a"]\n', "pytest.ini": "[pytest]\n"}
COLLECTED = {
    "tests/test_it.py::test_it[1]": ["lemma-9"], "tests/test_it.py::test_it[2]": ["lemma-9"],
    "tests/test_it.py::test_more": ["lemma-8"],
}  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return committed(tmp_path, PROJECT, COLLECTED)


def problems(root: Path, collected: dict[str, list[str]] | None = COLLECTED) -> list[str]:
    found = Present(root, collected).problems(read(root))
    assert found.keys() <= {"lemma-9"}
    return found.get("lemma-9", [])


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    assert read(tmp_path) == Reviews({})
    line = Review("c", "text", "tests", 3)
    for reviews in (
        Reviews({}),
        Reviews({"a-b": line._replace(new=False), "eq-1": line}, ("c", "j"), ("d", "sources")),
    ):
        review.write(tmp_path, reviews)
        assert read(tmp_path) == reviews
    text = (tmp_path / review.PATH).read_text(encoding="utf-8")
    assert text.splitlines()[-2:] == ['a-b = "c text tests 3"', 'eq-1 = "c text tests 3 new"']


@pytest.mark.parametrize(
    "content", ["x", "", '[claim]\neq-1 = "a b 3"', "<<<<<<< HEAD\n", "checks = []\n[claim]\n"]
)
def test_a_file_of_another_format_is_an_error(tmp_path: Path, content: str) -> None:
    write(tmp_path, {review.PATH: content})
    with pytest.raises(ReviewError, match=r"^docs/claims_read\.toml does not have its format: "):
        read(tmp_path)


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("docs/claims.toml", PROJECT["docs/claims.toml"].replace("What", "That"), TEXT),
        ("proofs/statements.txt", "Head.\n\nA.a\n     : 1 = 1\n", TEXT),
        ("proofs/meanings.txt", FILES["proofs/meanings.txt"].replace("04", "05"), TEXT),
        ("tests/test_it.py", "def test_it() -> None: pass\n", TESTS),
        ("pytest.ini", "[pytest]\naddopts = -k nothing\n", CHECKED),
        ("conftest.py", "", CHECKED),
    ],
)
def test_a_change_is_noticed(root: Path, file: str, content: str, reason: str) -> None:
    assert problems(root) == []
    write(root, {file: content})
    assert problems(root) == [reason]


def test_other_changes_are_none_for_the_claim(root: Path) -> None:
    more = CLAIM.replace("lemma-9", "lemma-8")
    other = FILES["proofs/meanings.txt"].replace("02", "05")
    write(root, {"proofs/meanings.txt": other, "src/a.py": "", "tests/test_new.py": ""})
    write(root, {"docs/claims.toml": PROJECT["docs/claims.toml"] + more})
    assert Present(root, COLLECTED).problems(read(root)) == {"lemma-8": [UNREAD]}


def test_a_change_of_a_file_that_the_proofs_copy_is_noticed(tmp_path: Path) -> None:
    copied = {"docs/claims.toml": CLAIM + 'copied = ["src/a.py"]\n'}
    root = committed(tmp_path, PROJECT | copied, COLLECTED)
    assert problems(root) == []
    write(root, {"src/a.py": "A = 2\n"})
    assert problems(root) == [TEXT]


def test_a_test_that_is_gone_is_noticed_and_a_new_one_is_none(root: Path) -> None:
    one, *others = COLLECTED
    assert problems(root, {other: COLLECTED[other] for other in others}) == [
        "it has 1 tests; when it was read it had 2"
    ]
    assert problems(root, {}) == [TESTS, "it has 0 tests; when it was read it had 2"]
    assert problems(root, {**COLLECTED, f"{one}[3]": ["lemma-9"]}) == []
    # Where the tests are not known, their number is not either.
    assert problems(root, None) == []


def test_what_has_changed_is_shown_once_and_stored(root: Path) -> None:
    """For two claims that share a file of tests, and a file of the checks."""
    more = CLAIM.replace("lemma-9", "lemma-8")
    write(root, {"docs/claims.toml": PROJECT["docs/claims.toml"] + more})
    git(root, "commit", "-q", "-am", "More")
    assert renew(root, COLLECTED, ["lemma-9", "lemma-8"])[1] == f"lemma-8: {UNREAD}"
    before = read(root)
    assert {line.commit for line in before.claims.values()} == {"abc", code_of(root).commit}
    git(root, "commit", "-q", "-am", "Read")
    first = code_of(root).commit
    write(root, {
        "tests/test_it.py": "def test_it() -> None: pass\n",
        "pytest.ini": "[pytest]\naddopts = -k nothing\n",
        "docs/claims.toml": (PROJECT["docs/claims.toml"] + more).replace("What", "That", 1),
    })  # fmt: skip
    review.write(root, Reviews(
        {id: line._replace(commit=first) for id, line in before.claims.items()},
        (first, before.checks[1]),
    ))  # fmt: skip
    with pytest.raises(ReviewError, match=rf"^the code differs from commit {first}: commit it"):
        renew(root, COLLECTED, ["lemma-9"])
    git(root, "commit", "-q", "-am", "Change")
    shown = renew(root, COLLECTED, ["lemma-9", "lemma-8"])
    assert [line for line in shown if line[:2] in ("+a", "-d", "+d", "- ", "+ ")] == [
        "+addopts = -k nothing",
        '- "statement": "What is claimed.",', '+ "statement": "That is claimed.",',
        "-def test_it() -> None: ...", "+def test_it() -> None: pass",
    ]  # fmt: skip
    after = read(root)
    now = code_of(root).commit
    assert {line.commit for line in after.claims.values()} == {after.checks[0]} == {now}
    assert problems(root) == []
    assert renew(root, COLLECTED, ["lemma-9"]) == []
    assert read(root) == after


def test_what_was_read_at_a_commit_that_is_not_there_is_shown_as_new(root: Path) -> None:
    assert read(root).claims["lemma-9"].commit == "abc"
    write(root, {"docs/claims.toml": PROJECT["docs/claims.toml"].replace("What", "That")})
    git(root, "commit", "-q", "-am", "Change")
    shown = renew(root, COLLECTED, ["lemma-9"])
    assert shown[2] == "commit abc is not in this clone: read the claim as a new one"
    assert '+ "statement": "That is claimed.",' in shown
    assert "+     : True" in shown


def test_a_claim_that_is_gone_is_dropped(root: Path) -> None:
    write(root, {"docs/claims.toml": CLAIM.replace("lemma-9", "lemma-8")})
    git(root, "commit", "-q", "-am", "Change")
    renew(root, COLLECTED, ["lemma-8"])
    assert list(read(root).claims) == ["lemma-8"]
    read_claims(root, COLLECTED)
    assert list(read(root).claims) == ["lemma-8"]
