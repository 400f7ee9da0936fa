"""The benchmark's campaign and what it writes: runs that are missing, files, numbers of pages."""

from pathlib import Path

import pytest

from reproduction.benchmark import plan
from reproduction.benchmark.pages import cite, fill
from reproduction.benchmark.plan import HiddenFunction, Start, lines_of, make_runs, starts
from reproduction.benchmark.results import Condition, results_of
from reproduction.kept_runs import Line

ANYTIME, OTHER = "uniform_random_search", "resoo"


# The pages


def test_each_table_is_put_into_its_place_and_nothing_else_changes() -> None:
    page = (
        "<!-- table: a b -->\nold\n| x |\n<!-- end -->\nbetween\n"
        "<!-- table: c --><!-- end -->\nend of page\n"
    )
    tables = {"a b": "| 1 |\n", "c": "| 2 |\n", "d": "| 3 |\n"}
    filled = fill(page, tables)
    assert filled == (
        "<!-- table: a b -->\n\n| 1 |\n\n<!-- end -->\nbetween\n"
        "<!-- table: c -->\n\n| 2 |\n\n<!-- end -->\nend of page\n"
    )
    assert fill(filled, tables) == filled
    assert fill("no table\n", {}) == "no table\n"


def test_a_table_that_there_is_not_or_that_has_no_end_is_refused() -> None:
    for page, said in (
        ("<!-- table: e -->\n<!-- end -->", "there is no table 'e': c, d"),
        ("<!-- table: c -->\n", "every <!-- table: NAME --> needs its <!-- end -->"),
        ("<!-- end -->\n", "every <!-- table: NAME --> needs its <!-- end -->"),
    ):
        with pytest.raises(ValueError, match=f"^{said}$"):
            fill(page, {"c": "", "d": ""})


def test_a_number_of_a_page_is_the_mean_or_median_of_its_cell() -> None:
    """(1 + 2 + 6 + 11)/4 = 5 and (2 + 6)/2 = 4; a number ends at a space, bracket or comment."""
    cell, other = Condition("rotated", "ackley", "fresh", 100), Condition("wider", "a", "b", 1)
    found = {cell: (1.0, 2.0, 6.0, 11.0), other: (0.5, 0.25)}
    mean, median = (f"<!-- {what}: rotated ackley fresh 100 -->" for what in ("mean", "median"))
    third = "<!-- mean: wider a b 1 -->"
    page = f"of (?{mean}) and 1.2e-3{median} or a<b>9{third}."
    filled = cite(page, found)
    assert filled == f"of (5{mean}) and 4{median} or a<0.38{third}."
    assert cite(filled, found) == filled
    with pytest.raises(ValueError, match=r"^there is no cell 'rotated ackley fresh 100'$"):
        cite(page, {other: (1.0,)})


# The runs that are missing


class Performed:
    """In the place of `perform`: a value that is a function of the run, at each budget of it."""

    def __init__(self) -> None:
        self.made: list[Start] = []

    def __call__(self, start: Start) -> list[Line]:
        self.made.append(start)
        lines = [{**line, "value": 1 + start.run + 1 / line["v"]} for line in lines_of(start)]
        return [*lines[:-1], lines[-1] | {"evaluations": start.v, "seconds": 0.5}]


@pytest.fixture
def performed(monkeypatch: pytest.MonkeyPatch) -> Performed:
    done = Performed()
    monkeypatch.setattr(plan, "perform", done)
    return done


def listed(method: str, *budgets: int, runs: int = 1) -> list[Start]:
    return starts([HiddenFunction("rotated", "ackley")], [method], budgets, runs)


def test_a_run_is_made_once_and_an_anytime_one_serves_smaller_budgets(
    tmp_path: Path, performed: Performed
) -> None:
    first = listed(ANYTIME, 100, 300) + listed(OTHER, 300)
    assert make_runs(first, tmp_path).cost() == (600, 1.0)
    assert performed.made == first
    again = [*listed(ANYTIME, 100, 300), *listed(ANYTIME, 100, 1000), *listed(OTHER, 100, 300)]
    assert make_runs(again, tmp_path).cost() == (300 + 300 + 1000 + 100, 2.0)
    assert performed.made[2:] == [*listed(ANYTIME, 100, 1000), *listed(OTHER, 100)]
    _, more = listed(ANYTIME, 100, runs=2)
    assert make_runs([more], tmp_path).cost() == (1800, 2.5)
    assert performed.made[4:] == [more]  # the longer run of run 0 does not serve run 1
    found = results_of(make_runs([], tmp_path).lines())
    assert found == {
        Condition("rotated", "ackley", name, v): tuple(
            1 + run + 1 / v for run in range(1 + (name == ANYTIME and v == 100))
        )
        for name in (ANYTIME, OTHER)
        for v in (100, 300, 1000)
        if (name, v) != (OTHER, 1000)
    }
