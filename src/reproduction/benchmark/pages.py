"""Tables and numbers of a page, made from the files: no number is copied by hand."""

import re
import statistics as plain
from collections.abc import Mapping
from pathlib import Path

from reproduction.benchmark.results import Condition, Results
from reproduction.tables import short


def update(page: Path, tables: Mapping[str, str], results: Results) -> None:
    """Bring the tables and the numbers of a file up to date (`fill`, `cite`)."""
    text = fill(page.read_text(encoding="utf-8"), tables)
    page.write_text(cite(text, results), encoding="utf-8")


def fill(page: str, tables: Mapping[str, str]) -> str:
    """Put tables into a page, each between ``<!-- table: NAME -->`` and ``<!-- end -->``.

    Raises
    ------
    ValueError
        If the page asks for a table that there is not, or a place is not closed.
    """

    def place(found: re.Match[str]) -> str:
        if found["name"] not in tables:
            raise ValueError(f"there is no table {found['name']!r}: {', '.join(tables)}")
        return f"{found['begin']}\n\n{tables[found['name']]}\n<!-- end -->"

    if page.count("<!-- table:") != page.count("<!-- end -->"):
        raise ValueError("every <!-- table: NAME --> needs its <!-- end -->")
    pattern = r"(?P<begin><!-- table: (?P<name>[^>]*?) -->).*?<!-- end -->"
    return re.sub(pattern, place, page, flags=re.DOTALL)


def cite(page: str, results: Results) -> str:
    """Put numbers into a page: ``0.1<!-- median: SET PROBLEM METHOD V -->``, mean likewise.

    The comment stands behind its number: a line of Markdown must not begin with one.

    Raises
    ------
    ValueError
        If there is no such cell.
    """

    def place(found: re.Match[str]) -> str:
        problem_set, problem, method, v = found["cell"].split()
        runs = results.get(Condition(problem_set, problem, method, int(v)))
        if runs is None:
            raise ValueError(f"there is no cell {found['cell']!r}")
        value = plain.fmean(runs) if found["what"] == "mean" else plain.median(runs)
        return f"{short(value)}{found['behind']}"

    pattern = r"[^\s(<]+(?P<behind><!-- (?P<what>mean|median): (?P<cell>[^>]*?) -->)"
    return re.sub(pattern, place, page)
