"""The bench along n, v, d and M: what varies is what is said. Nothing here is timed."""

import json
from typing import Any

import pytest

from embedded_hunter.cli import main
from embedded_hunter.commands import scaling
from embedded_hunter.commands.scaling import AXES, BASE, POLICIES, QUICK_AXES, Point, measure


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

    for name in ("front_door", "drawing", "multiplying", "order_of_matrices"):
        spy(name)
    point = measure(axis, 17, policy, coordinates=1000)
    expected = base | {axis: 17}
    problem, v, used, d, M = seen["front_door"]
    assert {"n": problem.n, "v": v, "d": d, "M": M} == expected
    assert used == policy
    if policy == "fresh":
        assert seen["drawing"][0] == expected["n"]
    else:
        rows, _, _, columns = seen["multiplying"]
        assert (rows, columns) == (expected["n"], expected["d"])
        assert seen["order_of_matrices"][1:] == (expected["v"], expected["d"], expected["M"])
    assert min(point.floor, point.run) > 0


def test_the_ratio_is_that_of_run_and_floor() -> None:
    assert Point("n", 10, "fresh", floor=4.0, run=5.0).ratio == 1.25


def test_the_command_prints_all_points(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        scaling, "measure", lambda axis, value, policy, _: Point(axis, value, policy, 2.0, 3.0)
    )
    assert main(["bench", "scaling", "--quick", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [(p["axis"], p["value"], p["policy"]) for p in report["points"]] == [
        (axis, value, policy)
        for axis, values in QUICK_AXES.items()
        for policy in POLICIES
        for value in values
    ]
    assert {p["ratio"] for p in report["points"]} == {1.5}
    assert report["base"] == BASE
    assert report["command"] == "embedded-hunter bench scaling --quick"
    assert report["commit"]
    assert report["date"].endswith("UTC")
    assert main(["bench", "scaling"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(POLICIES) * sum(map(len, AXES.values()))
    assert "1.500 x floor" in lines[0]
