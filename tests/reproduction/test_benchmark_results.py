"""The results of the benchmark: which cells the lines of the table of runs have, in which order."""

from reproduction.benchmark.plan import lines_of
from reproduction.benchmark.results import Condition, results_of
from reproduction.figure_1.plan import Task
from reproduction.kept_runs import Line, frame

ORDERED = [
    Condition("axis-aligned", "fletcher_powell", "forest", 1000),
    Condition("axis-aligned", "ackley", "fresh", 300),
    Condition("axis-aligned", "ackley", "fresh", 10_000),
    Condition("axis-aligned", "ackley", "differential_evolution", 100),
    Condition("rotated", "ellipsoid", "resoo", 100),
]
"""By set, function, method and budget, each in the order of its list and not of its name."""


def line(cell: Condition, run: int, value: float) -> Line:
    return {**lines_of(Task("compare", *cell, run))[-1], "value": value}


def test_cells_stand_in_the_order_of_sets_functions_methods_and_budgets() -> None:
    found = results_of(frame(line(cell, 0, 1 / 3) for cell in reversed(ORDERED)))
    assert list(found) == ORDERED
    assert set(found.values()) == {(1 / 3,)}


def test_a_cell_has_the_values_of_its_runs() -> None:
    cell = ORDERED[0]
    assert results_of(frame(line(cell, k, k + 0.5) for k in (1, 0))) == {cell: (0.5, 1.5)}


def test_a_line_says_what_was_run_and_what_seeds_it() -> None:
    of_forest, of_search = (
        line(Condition("rotated", "ackley", name, 1000), 7, 0.0)
        for name in ("forest", "uniform_random_search")
    )
    assert of_forest == {
        "part": "benchmark", "set": "rotated", "method": "forest", "policy": "forest", "told": "",
        "function": "ackley", "kind": "rotated", "n": 1000, "d_e": 10, "v": 1000, "run": 7,
        "seed": "compare/rotated/ackley/family/1000/7", "value": 0.0,
    }  # fmt: skip
    assert (of_search["policy"], of_search["told"]) == ("", "")
    assert of_search["seed"] == "compare/rotated/ackley/uniform_random_search/None/7"
