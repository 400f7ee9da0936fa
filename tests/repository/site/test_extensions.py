"""What the site's own Sphinx extensions refuse: dead addresses, unmarked lines."""

import copy
import re
import sys
import tomllib

import numpy as np
import pytest

from repository.site.html_pages import ROOT

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
pytest.importorskip("sphinx", reason="Sphinx is not installed: pip install -e '.[docs]'")

import algorithm
import claims_data
import claims_table
import listings
import player

from embedded_hunter.plots.listing import MARK
from reproduction.problems.registry import PROBLEMS

PROBLEM = PROBLEMS["ackley"](50, 2, 0)

pytestmark = pytest.mark.docs
LISTING = tomllib.loads((ROOT / "docs/algorithm.toml").read_text(encoding="utf-8"))["algorithm"][0]
SOURCE, LITERAL = (
    (ROOT / LISTING[name]).read_text(encoding="utf-8").splitlines() for name in ("code", "literal")
)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("source:src/embedded_hunter/nothing.py", "there is no src/embedded_hunter/nothing.py"),
        ("source:proofs/model/Model.v#nu", "proofs/model/Model.v does not define nu"),
        ("source:src/embedded_hunter/node.py#Node.depth",
         "src/embedded_hunter/node.py does not define Node.depth"),
    ],
)  # fmt: skip
def test_an_address_that_leads_nowhere_is_refused(address: str, said: str) -> None:
    assert listings.problem(address) == said


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("proofs/model/Model.v", ("hunt", "nu_min", "settings", "cap_den")),
        ("src/embedded_hunter/node.py", ("Node", "Node.i", "Node.f_star", "children")),
    ],
)
def test_definitions_and_fields_have_an_address(path: str, names: tuple[str, ...]) -> None:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    for name in names:
        at = listings.anchors(path)[name]
        assert re.search(rf"\b{name.rpartition('.')[2]}\b", "".join(lines[at - 1 : at + 1]))


@pytest.mark.parametrize("source", [SOURCE, LITERAL], ids=["code", "literal"])
def test_the_page_of_algorithm_1_shows_every_line(source: list[str]) -> None:
    rows = algorithm.beside(source, LISTING)
    assert [k for row in rows for k in row.lines] == list(range(18))
    first = next(row for row in rows if row.code)
    shown = [line for row in rows for line in row.code if line.strip()]
    last = max(k for k, line in enumerate(source) if "# Alg. 1, line 17" in line)
    text = [MARK.sub("", line) for line in source[first.number - 1 : last + 1]]
    assert shown == [line for line in text if line.strip()]


def test_both_files_mark_the_same_lines_together() -> None:
    code, literal = (algorithm.beside(source, LISTING) for source in (SOURCE, LITERAL))
    assert [row.lines for row in code] == [row.lines for row in literal]


def test_a_line_of_the_code_without_its_mark_is_seen() -> None:
    source = [line.replace("  # Alg. 1, line 6", "") for line in SOURCE]
    rows = algorithm.beside(source, LISTING)
    assert [row.code for row in rows if row.lines == [6]] == [[]]


@pytest.mark.parametrize("run_here", [True, False])
def test_where_nothing_was_run_that_is_said_and_evidence_is_not_missing(run_here: bool) -> None:
    """A failed test is shown as failed all the same."""
    row = copy.deepcopy(claims_data.verdicts()["lemma-1"]) | {"run_here": run_here}
    said = "" if run_here else "(of the release; not checked in this build)"
    assert claims_data.checked_at(row) == said
    name = next(name for name in row["counterexample"] if "::" in name)
    table = object.__new__(claims_table.Table)
    row["tests"], row["theorems"] = {}, {}
    shown = table.test(name, row).astext() + table.theorem(row["proof"][0], row).astext()
    assert shown.count("(missing)") == (2 if run_here else 0)
    row["tests"] = {name: "failed"}
    assert table.test(name, row).astext().endswith("(failed)")


def test_the_background_is_the_rank_of_the_value_from_the_lower_left() -> None:
    assert player.shades(lambda z: z[0] + 10 * z[1], side=2) == "c840"
    digits = player.shades(PROBLEM.effective, side=16)
    assert sorted(digits) == sorted("0123456789abcdef" * 16)
    at = digits.index("f"), digits.rindex("f")
    x_star = PROBLEM.x_star_eff
    for k in at:
        z = np.array([2 * (k % 16) + 1, 2 * (k // 16) + 1]) / 16 - 1
        assert np.abs(z - x_star).max() < 0.6
