"""The file of results of the benchmark: which runs it has, in which order, and what it refuses."""

from pathlib import Path
from typing import Any, cast

import pytest

from reproduction.benchmark import results
from reproduction.benchmark.results import Condition
from reproduction.figure_1.store import Store


class Rows:
    """A store of given rows: {set: [(problem, method, v, run, value), ...]}."""

    def __init__(self, rows: dict[str, list[tuple[str, str, int, int, float]]]) -> None:
        self.rows = rows

    def values(self, problem_set: str) -> list[tuple[str, str, int, int, float]]:
        return self.rows.get(problem_set, [])


def of(rows: dict[str, list[tuple[str, str, int, int, float]]]) -> dict[Condition, Any]:
    return results.of_store(cast("Store", Rows(rows)))


ORDERED = [
    Condition("axis-aligned", "fletcher_powell", "forest", 1000),
    Condition("axis-aligned", "ackley", "fresh", 300),
    Condition("axis-aligned", "ackley", "fresh", 10_000),
    Condition("axis-aligned", "ackley", "differential_evolution", 100),
    Condition("rotated", "ellipsoid", "resoo", 100),
]
"""By set, function, method and budget, each in the order of its list and not of its name."""


def test_a_cell_has_its_runs_in_order_up_to_the_first_gap() -> None:
    def rows(*runs: int) -> list[tuple[str, str, int, int, float]]:
        return [("ackley", "fresh", 100, run, 0.5 + run) for run in runs]

    cell = Condition("rotated", "ackley", "fresh", 100)
    assert of({"rotated": rows(2, 0, 1)}) == {cell: (0.5, 1.5, 2.5)}
    assert of({"rotated": rows(0, 1, 3)}) == {cell: (0.5, 1.5)}
    assert of({"rotated": rows(1, 2)}) == {}
    assert of({}) == {}


def test_cells_stand_in_the_order_of_sets_functions_methods_and_budgets(tmp_path: Path) -> None:
    rows: dict[str, list[tuple[str, str, int, int, float]]] = {}
    for cell in reversed(ORDERED):
        rows.setdefault(cell.problem_set, []).append((*cell[1:], 0, 1.0))
    assert list(of(rows)) == ORDERED
    results.write(dict.fromkeys(reversed(ORDERED), (1.0,)), tmp_path)
    assert list(results.read(tmp_path)) == ORDERED


def test_the_file_has_a_line_for_each_cell(tmp_path: Path) -> None:
    found = {ORDERED[0]: (1.0, 0.123456789, 1e-12), ORDERED[1]: (2e10,)}
    path = results.write(found, str(tmp_path))
    assert path == tmp_path / "results.csv"
    assert [p.name for p in tmp_path.iterdir()] == ["results.csv"]
    assert path.read_bytes().decode().split("\n") == [
        "set,problem,method,v,run 0,run 1,run 2",
        "axis-aligned,fletcher_powell,forest,1000,1,0.123457,1e-12",
        "axis-aligned,ackley,fresh,300,2e+10,,",
        "",
    ]
    assert results.read(tmp_path) == {**found, ORDERED[0]: (1.0, 0.123457, 1e-12)}
    results.write({}, tmp_path)
    assert path.read_bytes() == b"set,problem,method,v\n"
    assert results.read(str(tmp_path)) == {}


def test_what_is_no_file_of_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"holds no results\.csv: run `python -m reproduction compare` first$"
    ) as error:
        results.read(tmp_path)
    assert str(error.value).startswith(str(tmp_path))
    path = tmp_path / "results.csv"
    for head in ("problem,set,method,v,run 0", "set,problem,method", "x"):
        path.write_text(f"{head}\n", encoding="utf-8")
        with pytest.raises(ValueError, match="does not begin with") as error:
            results.read(tmp_path)
        assert str(error.value) == (
            f"{path} does not begin with the columns set, problem, method, v"
        )
