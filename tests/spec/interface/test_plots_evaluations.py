"""Where the evaluations of a run went: the table and the picture that `plot` makes of a trace."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import Settings, minimize
from embedded_hunter.cli import main
from embedded_hunter.commands.run_input import trace_from
from embedded_hunter.plots.evaluations import (
    COLORS,
    Evaluations,
    draw_sources,
    draw_values,
    evaluations_of,
    picture,
)
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.jsonlines import FormatError, dump
from embedded_hunter.run.policies import settings_of
from embedded_hunter.traces.events import header
from spec.interface.command_spies import complaint

FOREST = settings_of("forest", 10, 2, 9, n_embeddings=2)


def evaluate(p: int, value: float | str, h: int = 0) -> dict[str, Any]:
    return {"event": "evaluate", "h": h, "i": 0, "c": [0, 0], "p": p, "value": value}


def refine(q: int, center: tuple[int, int], mode: str) -> dict[str, Any]:
    return {"event": "refine", "q": q, "center": list(center), "mode": mode, "age": 0}


BY_HAND = [
    header(FOREST),
    evaluate(1, 8.0), evaluate(2, 9.0), evaluate(2, 4.0, h=1),
    refine(2, (1, 4), "diversify"), evaluate(3, 5.0), evaluate(3, 2.0),
    refine(3, (0, 0), "diversify"), evaluate(4, "inf"),
    refine(2, (1, 4), "intensify"), evaluate(3, 1.5), evaluate(3, 1.5),
    evaluate(1, 7.0),
]  # fmt: skip


TABLE = """\
               evaluations    best value  improvements
tree                     4             4             2
diversify                3             2             1
intensify                2           1.5             1
The best value is 1.5, at evaluation 7 of 9, by local search 1, begun at node (1, 4) of tree 2."""


def by_hand(*more: dict[str, Any]) -> Evaluations:
    return evaluations_of([dump(event) for event in (*BY_HAND, *more)])


def test_each_evaluation_belongs_to_a_tree_or_to_a_local_search_in_its_mode() -> None:
    run = by_hand()
    assert run.values.tolist() == [8, 9, 4, 5, 2, math.inf, 1.5, 1.5, 7]
    assert run.kinds == ["tree"] * 3 + ["diversify"] * 3 + ["intensify"] * 2 + ["tree"]
    assert run.sources.tolist() == [1, 2, 2, 3, 3, 4, 3, 3, 1]
    assert run.best().tolist() == [8, 8, 4, 4, 2, 2, 1.5, 1.5, 1.5]
    assert run.improving().tolist() == [0, 2, 4, 6]
    assert run.table() == TABLE
    assert [run.name(k) for k in (2, 5)] == ["tree 2", "local search 2, begun at the zero vector"]


def test_a_run_of_algorithm_1_is_told_apart_by_depth() -> None:
    run = evaluations_of(
        [dump(event) for event in (header(Settings(10, 2, 4)), evaluate(1, 3.0),
         evaluate(1, 4.0, h=1), evaluate(1, 2.0, h=1), evaluate(1, -1.0, h=2))]
    )  # fmt: skip
    assert set(run.kinds) == {"tree"}
    assert run.table().splitlines()[1:] == [
        "depth 0                  1             3             1",
        "depth 1                  2             2             1",
        "depth 2                  1            -1             1",
        "The best value is -1, at evaluation 4 of 4, by depth 2.",
    ]


@pytest.mark.parametrize("policy", ["fresh", "forest"])
def test_the_evaluations_of_a_real_trace_are_counted(policy: str, tmp_path: Path) -> None:
    """That of the forest is the example of the how-to, which says what its picture shows."""
    path = tmp_path / "run.jsonl"
    options = {"fresh": {"maxfun": 50}, "forest": {"n_embeddings": 5, "maxfun": 400}}
    given: dict[str, Any] = {"policy": policy, "d": 2, "rng": 0, **options[policy]}
    problem = PROBLEMS["ackley"](100, 2, 0)
    minimize(problem, problem.bounds, checkpoint=path, **given)
    with trace_from(str(path)) as trace:
        lines = [line.decode() for line in trace]
    run, events = evaluations_of(lines), [json.loads(line) for line in lines]
    made = [event for event in events if event.get("event") == "evaluate"]
    assert run.values.tolist() == [event["value"] for event in made]
    assert run.values[run.improving()[-1]] == events[-1]["answer"]
    expected = Counter(event["p" if policy == "forest" else "h"] for event in made)
    if policy == "forest":
        evolved = run.kinds.count("evolve")
        expected -= Counter({1: evolved})
        expected[0] = evolved
        searched = sum(number for p, number in expected.items() if p > run.trees == 5)
        assert searched == len(made) - evolved - run.kinds.count("tree")
        assert 0.24 * len(made) < evolved < 0.76 * len(made)
        assert 0.35 < searched / (len(made) - evolved) < 0.65
    assert Counter(run.sources.tolist()) == expected


def test_the_picture_has_every_value_once_in_the_colour_of_its_kind() -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    run = by_hand()
    figure, (above, below) = plt.subplots(2, 1)
    draw_values(above, run)
    draw_sources(below, run)
    *dots, best = above.lines
    assert sorted(float(v) for line in dots for v in line.get_ydata()) == sorted(
        run.values[np.isfinite(run.values)]
    )
    assert {line.get_label(): line.get_color() for line in dots} == {
        f"{kind}: {number} evaluations": COLORS[kind]
        for kind, number in (("tree", 4), ("diversify", 3), ("intensify", 2))
    }
    assert best.get_ydata().tolist() == run.best().tolist()
    *dots, rings, border = below.lines
    at = {(float(x), float(y)) for line in dots for x, y in zip(*line.get_data(), strict=True)}
    assert at == {(k + 1, p) for k, p in enumerate(run.sources)}
    assert rings.get_data()[0].tolist() == [1, 3, 5, 7]
    assert border.get_ydata()[0] == 2.5
    ticks = zip(below.get_yticks(), below.get_yticklabels(), strict=True)
    assert {at: label.get_text() for at, label in ticks} == {
        1: "tree 1", 2: "tree 2", 3: "local 1", 4: "local 2"
    }  # fmt: skip
    plt.close(figure)


@pytest.mark.parametrize("values", [[0.0, 0.0], ["inf", "inf"], [-2.0, -1.0], ["-inf", 1.0]])
def test_values_that_a_logarithm_cannot_show_are_drawn_without_a_warning(
    values: list[Any], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    events = [header(Settings(10, 2, 2)), *(evaluate(1, value) for value in values)]
    written = picture(evaluations_of(map(dump, events)), "x", tmp_path / "run")
    assert [path.name for path in written] == ["run.svg", "run.png"]
    assert all(path.stat().st_size > 1000 for path in written)


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ({"event": "evaluate", "p": 1}, "line 14: the event 'evaluate' has no field 'h'"),
        (evaluate(1, "0"), "line 14: value must be a number"),
        (evaluate(-1, 0), "line 14: p and h must not be negative, got -1"),
        (refine(2, (1, 4), "tall"), "line 14: mode must be intensify, diversify or evolve"),
        (refine(2, (1, -4), "intensify"), "line 14: q and center must not be negative"),
        (refine(-2, (1, 4), "intensify"), "line 14: q and center must not be negative"),
        ({"event": "refine", "q": 2, "center": 7}, "line 14: center must be a list of integers"),
    ],
)
def test_an_event_that_makes_no_sense_is_refused(event: dict[str, Any], says: str) -> None:
    with pytest.raises(FormatError, match=says):
        by_hand(event)


def test_a_center_far_below_any_node_is_read_at_once() -> None:
    assert by_hand(refine(9, (10**9, 5), "intensify")).centers[10].tree == 1


def test_the_command_prints_the_table_and_the_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    path, out = tmp_path / "run.jsonl", tmp_path / "picture"
    path.write_text("".join(map(dump, BY_HAND)), encoding="utf-8")
    assert main(["plot", str(path), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{TABLE}\n{out}.svg\n{out}.png\n"
    assert "policy forest, n = 10, d = 2, v = 9" in Path(f"{out}.svg").read_text(encoding="utf-8")
    none = tmp_path / "none"
    said = complaint(capsys, "plot", str(none))
    assert said == f"{none} cannot be read: No such file or directory"
    said = complaint(capsys, "plot", str(path), "--out", str(none / "run"))
    assert said == f"--out {none / 'run'}: No such file or directory"
    path.write_text(dump(header(FOREST)), encoding="utf-8")
    assert "is not a run: the trace has no evaluation" in complaint(capsys, "plot", str(path))
