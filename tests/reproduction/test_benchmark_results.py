"""The file of results of the benchmark: which runs it has, in which order, and what it refuses."""

from pathlib import Path

import pytest

from reproduction.benchmark import results
from reproduction.benchmark.results import Condition
from reproduction.figure_1.plan import Task
from reproduction.figure_1.runs import BestAt, Outcome


def run(cell: Condition, number: int, value: float) -> Outcome:
    task = Task("compare", *cell, number)
    return Outcome(task, (BestAt(cell.v, value),), cell.v, 0.5)


ORDERED = [
    Condition("axis-aligned", "fletcher_powell", "forest", 1000),
    Condition("axis-aligned", "ackley", "fresh", 300),
    Condition("axis-aligned", "ackley", "fresh", 10_000),
    Condition("axis-aligned", "ackley", "differential_evolution", 100),
    Condition("rotated", "ellipsoid", "resoo", 100),
]
"""By set, function, method and budget, each in the order of its list and not of its name."""


def test_a_cell_has_its_runs_in_order_up_to_the_first_gap() -> None:
    cell = Condition("rotated", "ackley", "fresh", 100)

    def of(*runs: int) -> dict[Condition, tuple[float, ...]]:
        return results.of_runs(run(cell, k, 0.5 + k) for k in runs)

    assert of(2, 0, 1) == {cell: (0.5, 1.5, 2.5)}
    assert of(0, 1, 3) == {cell: (0.5, 1.5)}
    assert of(1, 2) == of() == {}


def test_cells_stand_in_the_order_of_sets_functions_methods_and_budgets(tmp_path: Path) -> None:
    assert list(results.of_runs(run(cell, 0, 1.0) for cell in reversed(ORDERED))) == ORDERED
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
