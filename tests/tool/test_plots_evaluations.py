"""Where the evaluations of a run went: the table and the picture that `plot` makes of a trace."""

import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import Influence, Settings, minimize, plot, report
from embedded_hunter.cli import main
from embedded_hunter.common.extras import UsageError
from embedded_hunter.forest.requests import Ask, FreePoint, LocalPoint, Request, TreePoint
from embedded_hunter.matrices import Floats
from embedded_hunter.node import Node
from embedded_hunter.plots.evaluations import (
    COLORS,
    HUGE,
    Evaluations,
    draw_sources,
    draw_values,
    evaluations_of,
)
from embedded_hunter.run.jsonlines import dump
from embedded_hunter.run.policies import PolicyName, policy_of, settings_of
from embedded_hunter.run.run import Run, Told
from embedded_hunter.traces.writing import header, trace_of
from reproduction.problems.registry import PROBLEMS
from tool.command_spies import complaint

FOREST = settings_of("forest", 10, 2, 9, n_embeddings=2)


def node(tree: int, h: int = 0, i: int = 0) -> TreePoint:
    return TreePoint(Node(h, i, (0, 0), 0), tree)


FIRST, SECOND = (Ask(q, center, "refine", 0) for q, center in ((2, node(1, 1, 4)), (3, node(0))))
AGAIN = FIRST._replace(age=2)
MADE: list[tuple[Request, float]] = [
    (node(0), 8.0), (node(1, 1), 9.0), (node(1, 1), 4.0),
    (LocalPoint(FIRST, (0.1, 0.1)), 5.0), (LocalPoint(FIRST, (0.2, 0.1)), 2.0),
    (LocalPoint(SECOND, (0.1, 0.1)), math.inf),
    (LocalPoint(AGAIN, (0.1, 0.1)), 1.5), (LocalPoint(AGAIN, (0.1, 0.1)), 1.5),
    (node(0, 1), 7.0),
]  # fmt: skip


TABLE = """\
                     evaluations    best value  improvements
tree                           4             4             2
local search                   5           1.5             2
The best value is 1.5, at evaluation 7 of 9, by local search 1, begun at node (1, 4) of tree 2."""


def by_hand() -> Evaluations:
    origin = policy_of(FOREST).origin
    values = np.array([value for _, value in MADE])
    return Evaluations(values, [origin(FOREST, request) for request, _ in MADE])


def test_each_evaluation_belongs_to_a_tree_or_to_a_local_search() -> None:
    run = by_hand()
    kinds = ["tree"] * 3 + ["local search"] * 5 + ["tree"]
    assert [origin.kind for origin in run.origins] == kinds
    assert run.rows.tolist() == [1, 2, 2, 3, 3, 4, 3, 3, 1]
    assert run.best().tolist() == [8, 8, 4, 4, 2, 2, 1.5, 1.5, 1.5]
    assert run.improving().tolist() == [0, 2, 4, 6]
    assert run.table() == TABLE
    assert [run.origins[k].phrase for k in (0, 2, 5)] == [
        "the zero vector", "tree 2, depth 1", "local search 2, begun at the zero vector"
    ]  # fmt: skip
    evolved = policy_of(FOREST).origin(FOREST, FreePoint("evolve", lambda: np.zeros(10)))
    assert evolved == ("evolution strategy", 0, "evolution strategy", "the evolution strategy")


def test_a_run_of_algorithm_1_is_told_apart_by_depth() -> None:
    run = evaluations_of(Run(Settings(10, 1, 9, M=0), values=[3.0, 4.0, 2.0, -1.0]))
    assert set(run.kinds) == {"tree"}
    assert run.table().splitlines()[1:] == [
        "depth 0                        1             3             1",
        "depth 1                        2             2             1",
        "depth 2                        1            -1             1",
        "The best value is -1, at evaluation 4 of 4, by depth 2.",
    ]


def test_the_evaluations_of_a_real_run_of_the_forest_are_counted() -> None:
    """That of the page on plots, which describes its picture."""
    problem = PROBLEMS["ackley"](100, 2, 0)
    made = minimize(problem, problem.bounds, d=2, n_embeddings=1, maxfun=400, rng=0).run
    events = list(trace_of(made))
    run = evaluations_of(made)
    assert run.values[run.improving()[-1]] == events[-1]["answer"]
    numbers = {kind: int(mask.sum()) for kind, (_, mask) in run.kinds.items()}
    evolved, uniform = numbers["evolution strategy"], numbers["uniform points"]
    asked = Counter(event["p"] for event in events if event.get("event") == "evaluate")
    expected = (asked - Counter({1: evolved + uniform})) | Counter({0: evolved, -1: uniform})
    assert Counter(run.rows.tolist()) == expected
    searched = sum(number for p, number in expected.items() if p > 1)
    assert searched == 400 - evolved - uniform - numbers["tree"] == numbers["local search"]
    assert 0.55 * 400 < evolved < 0.6 * 400
    assert 0.25 * 400 < searched < 0.3 * 400


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
        for kind, number in (("tree", 4), ("local search", 5))
    }
    assert best.get_ydata().tolist() == run.best().tolist()
    *dots, rings = below.lines
    at = {(float(x), float(y)) for line in dots for x, y in zip(*line.get_data(), strict=True)}
    assert at == {(k + 1, row) for k, row in enumerate(run.rows)}
    assert rings.get_data()[0].tolist() == [1, 3, 5, 7]
    ticks = zip(below.get_yticks(), below.get_yticklabels(), strict=True)
    assert {at: label.get_text() for at, label in ticks} == {
        1: "tree 1", 2: "tree 2", 3: "local search 1", 4: "local search 2"
    }  # fmt: skip
    plt.close(figure)


def drawn_axes(what: Any, **options: Any) -> list[Any]:
    return list(plot(what, **options).axes)


@pytest.mark.parametrize(
    ("values", "optimum", "scale", "drawn"),
    [
        ([0.0, 0.0], None, "linear", [0, 0]),
        ([4.0, 0.0], None, "log", [4]),
        ([math.inf, math.inf], None, "linear", []),
        ([-2.0, -1.0], None, "linear", [-2, -1]),
        ([-2.0, -1.0], -3.0, "log", [1, 2]),
        ([-2.0, -1.0], -1.5, "linear", [-0.5, 0.5]),
        ([-math.inf, 1.0], None, "log", [1]),
        ([1.5e308, -1.5e308], None, "linear", []),
        ([1.5e308, 1.0], -1.5e308, "linear", []),
    ],
)
def test_the_scale_is_logarithmic_where_all_that_is_drawn_is_positive(
    values: list[float], optimum: float | None, scale: str, drawn: list[float]
) -> None:
    """Also with the optimum, from which the differences are drawn; without a warning."""
    pytest.importorskip("matplotlib")
    above, _ = drawn_axes(Run(Settings(10, 2, 2), values=values), optimum=optimum)
    assert above.get_yscale() == scale
    *dots, best = above.lines
    assert [y for line in dots for y in line.get_ydata()] == drawn
    with np.errstate(over="ignore"):
        lowest = np.minimum.accumulate(values) - (optimum or 0)
    shown = (np.abs(lowest) < HUGE) & ((lowest > 0) | (scale == "linear"))
    assert best.get_ydata()[shown].tolist() == lowest[shown].tolist()
    assert np.isnan(best.get_ydata()[~shown]).all()
    above.figure.canvas.draw()


@pytest.mark.parametrize("policy", ["forest", "indexed"])
def test_a_result_is_drawn_as_its_run_and_leaves_nothing_open(policy: PolicyName) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    style, figures = dict(plt.rcParams), plt.get_fignums()
    result = minimize(lambda x: abs(x[3]), [(-1, 2)] * 8, policy=policy, d=2, maxfun=60, rng=1)
    for what in (result, result.run):
        above, below = drawn_axes(what)
        assert above.lines[-1].get_ydata().size == 60
        assert sum(line.get_xdata().size for line in below.lines[:-1]) == 60
    assert (dict(plt.rcParams), plt.get_fignums()) == (style, figures)


def test_the_effects_are_drawn_with_their_intervals() -> None:
    pytest.importorskip("matplotlib")
    order = np.arange(40)[::-1].astype(np.intp)
    effect: Floats = np.arange(41.0, 1.0, -1.0)
    interval = np.column_stack([effect - 0.5, effect + 0.25])
    (ax,) = drawn_axes(Influence(order, effect, interval, [], 9, "many matter"))
    assert ax.lines[0].get_xdata().tolist() == effect[:30].tolist()
    low, high = (line.get_xdata().tolist() for line in ax.lines[1:])
    assert (low, high) == (interval[:30, 0].tolist(), interval[:30, 1].tolist())
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [f"variable {i}" for i in order[:30]]
    assert (ax.get_title(), "(30 of 40 variables)" in ax.get_xlabel()) == ("many matter", True)
    nothing = Influence(order[:0], effect[:0], interval[:0], [order], 9, "cannot tell")
    plot(nothing).canvas.draw()


def test_what_cannot_be_drawn_is_refused() -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(TypeError, match="plot takes a result of minimize, a Run or an Influence"):
        plot(OptimizeResult(x=np.zeros(2)))
    with pytest.raises(ValueError, match="the run has no value"):
        plot(Run(Settings(10, 2, 2)))
    found = Influence(np.arange(0), np.zeros(0), np.zeros((0, 2)), [], 0, "cannot tell")
    with pytest.raises(ValueError, match="optimum must be None if there is no run"):
        plot(found, optimum=0.0)
    result = minimize(lambda x: abs(x[3]), [(-1, 2)] * 8, maxfun=9, rng=1)
    nothing: list[Any] = [result.run, None, {}]
    for what in nothing:
        with pytest.raises(TypeError, match=r"^result must be what `minimize` has returned, got "):
            report(what)
    with pytest.raises(TypeError, match=r"^found must be an Influence or None, got 5"):
        report(result, 5)  # type: ignore[arg-type]  # what a caller without types may give


def test_the_picture_needs_matplotlib_and_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        UsageError, match=r"matplotlib is not installed; it comes with: pip install"
    ):
        plot(Run(Settings(10, 2, 2), values=[1.0]))


@pytest.mark.parametrize("command", ["plot", "play", "trace", "check"])
def test_a_command_makes_a_run_again_once(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    path, made = tmp_path / "run.jsonl", []
    minimize(sum, [(-1, 1)] * 5, policy="fresh", d=2, maxfun=9, rng=0, checkpoint=path)
    replay = Run.visits

    def visits(run: Run) -> Iterator[Told]:
        made.append(run)
        return replay(run)

    monkeypatch.setattr(Run, "visits", visits)
    out = [] if command == "check" else ["--out", str(tmp_path / "out")]
    assert main([command, str(path), *out]) == 0
    assert len(made) == 1


def test_the_command_prints_the_table_and_the_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    path, out = tmp_path / "run.jsonl", tmp_path / "picture"
    problem = PROBLEMS["ackley"](10, 2, 0)
    minimize(problem, problem.bounds, policy="fresh", d=2, maxfun=9, rng=0, checkpoint=path)
    assert main(["plot", str(path), "--out", str(out)]) == 0
    *table, svg, png = capsys.readouterr().out.splitlines()
    assert (svg, png) == (f"{out}.svg", f"{out}.png")
    assert main(["plot", str(path), "--out", f"{out}.v1.5.png"]) == 0
    assert capsys.readouterr().out.endswith(f"{out}.v1.5.svg\n{out}.v1.5.png\n")
    for name in ("", ".", "/"):
        said = complaint(capsys, "plot", str(path), "--out", name)
        assert said == f"--out must name a file, got {name!r}"
    said = complaint(capsys, "plot", str(path), "--optimum", "nan")
    assert said == "optimum must be a finite number, got nan"
    assert table[0].split() == ["evaluations", "best", "value", "improvements"]
    assert "policy fresh, n = 10, d = 2, v = 9" in Path(svg).read_text(encoding="utf-8")
    none = tmp_path / "none"
    said = complaint(capsys, "plot", str(none))
    assert said == f"{none} cannot be read: No such file or directory"
    said = complaint(capsys, "plot", str(path), "--out", str(none / "run"))
    assert said == f"--out {none / 'run'}: No such file or directory"
    lines = list(map(dump, trace_of(Run.read(path))))
    path.write_text("".join([lines[0], *lines[2:]]), encoding="utf-8")
    assert main(["plot", str(path), "--out", str(out)]) == 1
    assert "breaks initialization" in capsys.readouterr().out
    path.write_text(dump(header(FOREST)), encoding="utf-8")
    assert "is not a run: the run has no value" in complaint(capsys, "plot", str(path))
