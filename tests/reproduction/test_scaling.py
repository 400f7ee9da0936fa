"""The bench along n, v, d and M: what varies is what is said. Nothing here is timed."""

import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from embedded_hunter.problems.hidden import PROBLEMS
from reproduction.cli import main
from reproduction.commands import scaling
from reproduction.commands.overhead import D_E, SEED, order_of_matrices
from reproduction.commands.scaling import AXES, BASE, POLICIES, QUICK_AXES, Point, measure


def test_the_axes_go_through_the_base() -> None:
    assert list(AXES) == list(QUICK_AXES) == list(BASE)
    for axis, values in AXES.items():
        assert BASE[axis] in values
        assert list(values) == sorted(set(values))


@pytest.mark.parametrize("axis", ["n", "v", "d", "M"])
@pytest.mark.parametrize("policy", POLICIES)
def test_one_parameter_varies_and_the_floor_has_it_too(
    axis: str, policy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = {"n": 30, "v": 40, "d": 3, "M": 2}
    monkeypatch.setattr(scaling, "BASE", base)
    seen: dict[str, tuple[Any, ...]] = {}

    def spy(name: str) -> None:
        original = getattr(scaling, name)

        def called(*args: Any) -> Any:
            seen[name] = args
            return original(*args)

        monkeypatch.setattr(scaling, name, called)

    for name in ("front_door", "drawing", "multiplying", "order_of_matrices", "take_turns"):
        spy(name)
    point = measure(axis, 17, policy, coordinates=1000)
    expected = base | {axis: 17}
    assert (point.axis, point.value, point.policy) == (axis, 17, policy)
    problem, v, used, d, M = seen["front_door"]
    assert {"n": problem.n, "v": v, "d": d, "M": M} == expected
    assert used == policy
    if policy == "fresh":
        assert seen["drawing"] == (expected["n"], problem)
    else:
        rows, of_floor, order, columns = seen["multiplying"]
        assert (rows, columns) == (expected["n"], expected["d"])
        assert of_floor is problem
        assert seen["order_of_matrices"] == (problem, expected["v"], expected["d"], expected["M"])
        assert order == order_of_matrices(*seen["order_of_matrices"])
    x = np.linspace(-1, 1, expected["n"])
    assert problem(x) == PROBLEMS["ackley"](expected["n"], D_E, SEED)(x)
    streams, evaluations = seen["take_turns"]
    assert len(streams) == 2
    assert evaluations == max(expected["v"], 1000 // expected["n"])
    assert min(point.floor, point.run) > 0


@pytest.mark.parametrize(
    ("n", "v", "coordinates", "evaluations"),
    [
        (100, 50, 1999.0, 50),
        (100, 50, 7999.0, 79),
        (100, 50, 10_000_200.0, 100_000),
        (100, 50, 9_999_999.0, 99_999),
        (100, 200_000, 10_000_100.0, 200_000),
    ],
)
def test_a_whole_run_is_made_and_as_many_coordinates_as_are_wanted(
    n: int, v: int, coordinates: float, evaluations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 100,000 evaluations, unless the run is longer. The floor comes first."""
    seen: list[Any] = []

    def turns(streams: list[Any], evaluations: int) -> list[float]:
        seen.append((streams, evaluations))
        return [2.0, 3.0]

    monkeypatch.setattr(scaling, "BASE", {"n": n, "v": v, "d": 10, "M": 5})
    monkeypatch.setattr(scaling, "take_turns", turns)
    monkeypatch.setattr(scaling, "drawing", lambda *given: "floor")
    monkeypatch.setattr(scaling, "front_door", lambda *given: "run")
    assert measure("M", 2, "fresh", coordinates) == Point("M", 2, "fresh", floor=2.0, run=3.0)
    assert seen == [(["floor", "run"], evaluations)]


def test_without_a_number_it_is_that_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a twentieth of it with ``--quick``."""
    seen: list[Any] = []
    monkeypatch.setattr(scaling, "measure", lambda *given: seen.append(given[3]))
    list(scaling.points(False))
    assert set(seen) == {2e8}
    seen.clear()
    list(scaling.points(True))
    assert set(seen) == {1e7}


def test_the_ratio_is_that_of_run_and_floor() -> None:
    assert Point("n", 10, "fresh", floor=4.0, run=5.0).ratio == 1.25


def test_the_command_prints_all_points(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        scaling, "measure", lambda axis, value, policy, _: Point(axis, value, policy, 2.0, 3.0)
    )
    assert main(["bench", "scaling", "--quick", "--json"]) == 0
    text = capsys.readouterr().out
    report = json.loads(text)
    assert text == json.dumps(report, indent=2) + "\n"
    assert [(p["axis"], p["value"], p["policy"]) for p in report["points"]] == [
        (axis, value, policy)
        for axis, values in QUICK_AXES.items()
        for policy in POLICIES
        for value in values
    ]
    assert {p["ratio"] for p in report["points"]} == {1.5}
    assert report["base"] == BASE
    assert report["command"] == "python -m reproduction bench scaling --quick"
    assert report["commit"]
    assert report["date"].endswith("UTC")
    assert main(["bench", "scaling"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(POLICIES) * sum(map(len, AXES.values()))
    assert lines[0] == ("fresh    n = 100     floor      2.00 us, run      3.00 us,  1.500 x floor")
    assert main(["bench", "scaling", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["command"] == "python -m reproduction bench scaling"


def test_a_point_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[str] = []

    class Output(io.StringIO):
        def flush(self) -> None:
            flushed.append(self.getvalue())

    def points(quick: bool) -> Iterator[Point]:
        assert quick
        for k in (1, 2):
            yield Point("n", 10, "fresh", 2.0, 3.0)
            assert len(flushed[-1].splitlines()) == k

    monkeypatch.setattr(scaling, "points", points)
    monkeypatch.setattr(sys, "stdout", Output())
    assert main(["bench", "scaling", "--quick"]) == 0
