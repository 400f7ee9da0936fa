"""The numbers of the best rule with fresh matrices (`experiments/bounds/optimal_rule.py`)."""

from pathlib import Path

import pytest

from embedded_hunter.experiments.bounds.optimal_rule import TITLES, main, read, table_of, write

DOCS = Path(__file__).parents[2] / "docs"
NUMBERS = DOCS / "results" / "optimal-rule" / "numbers.csv"


def test_the_page_shows_the_stored_numbers() -> None:
    page = (DOCS / "paper" / "ours.md").read_text(encoding="utf-8")
    _, found = page.split("<!-- table: optimal-rule -->\n\n")
    assert found.split("\n\n<!-- end -->")[0] == table_of(read(NUMBERS), TITLES)


def test_the_stored_numbers_are_in_the_order_of_what_they_bound() -> None:
    rows = read(NUMBERS)
    assert {row.v for row in rows} == {100, 1_000, 10_000}
    for row in rows:
        assert 0 < row.certified_low < row.least < row.mean < row.certified_high
        assert row.mean <= row.fixed
        assert row.gain > -4 * row.gain_error


def test_no_rule_gains_more_than_the_page_says() -> None:
    page = " ".join((DOCS / "paper" / "ours.md").read_text(encoding="utf-8").split())
    said = "no rule gains more than $.012$ (Ackley), $.17$ (Ellipsoid) or $.003$ (Rosenbrock)"
    assert said in page
    for name, most in (("ackley", 0.012), ("ellipsoid", 0.17), ("rosenbrock", 0.003)):
        (row,) = [row for row in read(NUMBERS) if row[:2] == (name, 10_000)]
        assert 0.7 * most < row.fixed - row.least <= most


def test_a_file_is_read_as_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "numbers.csv", read(NUMBERS))
    assert (tmp_path / "numbers.csv").read_bytes() == NUMBERS.read_bytes()
    assert main([str(tmp_path / "numbers.csv"), "--table"]) == 0
    assert "| Ellipsoid | 10,000 |" in capsys.readouterr().out
    (tmp_path / "numbers.csv").write_text("a,b\n")
    with pytest.raises(ValueError, match="has not the columns"):
        read(tmp_path / "numbers.csv")
