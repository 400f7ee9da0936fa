"""The lines of Algorithm 1: in the paper, in hunter.py and in the literal brute_force.py."""

import html
import re
import tomllib
from pathlib import Path

import pytest

from embedded_hunter.plots import listing

ROOT = Path(__file__).parents[2]
DATA = ROOT / "docs" / "algorithm.toml"
ALGORITHM = tomllib.loads(DATA.read_text(encoding="utf-8"))["algorithm"][0]
FILES = pytest.mark.parametrize("file", [ALGORITHM["code"], ALGORITHM["literal"]])
MARK = re.compile(r"# Alg\. (\d+), lines? (\d+)(?:-(\d+))?$")
LINES = [f"alg1-line-{k}" for k in range(1, 18)]


def source_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def marked_lines(source: str) -> list[int]:
    """The lines of Algorithm 1 that the source marks, in the order of the source."""
    marked: list[int] = []
    for line in source.splitlines():
        if match := MARK.search(line):
            first, last = int(match[2]), int(match[3] or match[2])
            marked.extend(range(first, last + 1))
    return marked


def with_code(algorithm: dict[str, list[dict[str, object]]]) -> list[int]:
    return [k for k, line in enumerate(algorithm["lines"], 1) if line.get("code", True)]


@FILES
@pytest.mark.claim(*LINES)
def test_every_line_of_the_paper_is_marked_once_and_in_order(file: str) -> None:
    assert marked_lines(source_of(file)) == with_code(ALGORITHM)


@FILES
@pytest.mark.claim("alg1-input")
def test_the_initialization_is_marked_before_line_1(file: str) -> None:
    source = source_of(file)
    assert 0 < source.index("# Alg. 1, initialization") < source.index("# Alg. 1, line 1\n")


def plain(text: str) -> str:
    """Return a line of the listing without markup, braces and spaces."""
    text = html.unescape(re.sub(r"<[^<>]+>", "", text))
    text = re.sub(r"\\math(?:cal|rm|bf)\b", "", text)
    for command, symbol in (("\\gets", "←"), ("\\infty", "∞"), ("\\nu", "ν"), ("\\Gamma", "Γ"),
                            ("\\in", "∈")):  # fmt: skip
        text = re.sub(re.escape(command) + r"(?![a-z])", symbol, text)
    return re.sub(r"[\s${}^_\\*]+", "", text).replace("’", "'")


@pytest.mark.parametrize("k", range(18))
def test_the_listing_of_the_player_is_that_of_the_paper(k: int) -> None:
    lines = [ALGORITHM["initialization"][0], *(line["text"] for line in ALGORITHM["lines"])]
    words = lines[k]
    assert plain(listing.LINES[k]) == plain(words)
    assert listing.DEPTHS[k] == (len(words) - len(words.lstrip())) / 2
