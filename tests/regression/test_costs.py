"""The table of costs: what is timed is a method without the function. No test measures time."""

import gc
import math
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter import Search
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node, root
from embedded_hunter.settings import Settings
from embedded_hunter.tree import Tree
from reproduction import costs
from reproduction.costs import Cost
from reproduction.problems.registry import PROBLEMS


def test_the_function_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its 1000 seconds an evaluation, by a clock that stands still otherwise."""
    clock = 0.0

    def slow(x: Floats) -> Any:
        nonlocal clock
        clock += 1000 * x[0].size
        return x[0]

    monkeypatch.setattr(costs, "process_time", lambda: clock)
    monkeypatch.setattr(costs, "PROBLEMS", {"ackley": lambda *given: slow})
    for name in ("fresh", "uniform_random_search"):
        measured = costs.cost(name, 20, 40)
        assert clock == 40_000
        assert measured.microseconds == 0.0
        assert measured.mebibytes > 20
        clock = 0.0


def test_methods_are_measured_in_turns_and_the_least_time_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[str] = []

    class Here:
        def __init__(self, *given: Any) -> None:
            pass

        def __enter__(self) -> "Here":
            return self

        def __exit__(self, *given: object) -> None:
            pass

        def submit(self, _: Any, name: str, n: int, v: int) -> Any:
            log.append(name)
            found = Cost(name, n, v, 1000.0 / len(log) + n, 100.0 + n)
            return type("Future", (), {"result": lambda self: found})()

    monkeypatch.setattr(costs, "ProcessPoolExecutor", Here)
    measured = list(costs.measure(["fresh", "resoo"], [(4, 9), (8, 9)], 2))
    assert log == ["fresh", "resoo"] * 4
    times = [round(1000 / k + n) for k, n in ((3, 4), (4, 4), (7, 8), (8, 8))]
    assert [round(one.microseconds) for one in measured] == times
    costs.write(measured, tmp_path)
    found = costs.read(tmp_path)
    assert [one[:3] for one in found] == [one[:3] for one in measured]
    assert found[0].microseconds == 337.3
    *_, fresh, resoo = costs.table_of(found).splitlines()
    assert fresh == "| EmbeddedHunter | 337 | 151 | 108 |"
    assert resoo == "| RESOO | 254 | 133 | 108 |"


def test_a_leaf_costs_at_most_600_bytes() -> None:
    """All memory of a run, including the values of its evaluations, per leaf of its tree."""
    problem = PROBLEMS["ackley"](10_000, 10, 0)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    search = Search(Settings(10_000, 10, 1000), 0, rows=10)
    while queries := search.ask():
        search.tell(queries, [float(problem.effective(x)) for _, x in queries])
    del queries
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 150 < (after - before) / search.visit.tree.leaf_count < 600


@pytest.mark.claim("norm-classes")
def test_no_operation_ranges_over_the_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparisons of nodes for one expansion grow like the logarithm of a class, not its size."""
    count = 0
    less = Node.__lt__

    def counted(self: Node, other: Node) -> bool:
        nonlocal count
        count += 1
        return less(self, other)

    monkeypatch.setattr(Node, "__lt__", counted)
    tree = Tree()
    tree.add(root(1))
    size = 2**13
    for i in range(size):  # one class of many leaves at depth 1
        tree.add(Node(1, i, (1,), 1, float(-i % 97)))
    count = 0
    leaf = tree.norm_classes(1)[0][0]
    tree.replace(leaf, [Node(2, 3 * leaf.i + digit, (3,), 9, 0.0) for digit in range(3)])
    assert 0 < count <= 4 * math.log2(size)
