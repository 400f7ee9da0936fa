"""The player: what its element and its page contain, and of which traces `play` writes one."""

import io
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import ForestSettings, Settings, hunter
from embedded_hunter.cli import main
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.forest.constants import SHARES
from embedded_hunter.plots.listing import RULES, TURN
from embedded_hunter.plots.player import Player
from embedded_hunter.plots.steps import Steps, steps_of
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.run import Run
from embedded_hunter.traces.reading import open_trace
from reproduction.growth import steps_of_run
from reproduction.problems.registry import PROBLEMS
from tool.command_spies import complaint

PROBLEM = PROBLEMS["ackley"](50, 2, 0)


def steps(d: int = 2) -> Steps:
    settings = Settings(50, d, 60, policy="indexed", h_max=4)
    return steps_of_run(settings, PROBLEM.effective, 4, rows=2)


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.data: dict[int, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        at = len(self.found) - 1
        self.data[at] = self.data.get(at, "") + data

    def of(self, tag: str, **given: str) -> list[dict[str, Any]]:
        return [a for t, a in self.found if t == tag and given.items() <= a.items()]


def data_of(text: str) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json">(.*?)</script>', text)
    fields: dict[str, Any] = json.loads(found)
    return fields


@pytest.mark.parametrize("whole", [Player.element, Player._repr_html_, lambda p: p.page("a < b")])
def test_the_player_loads_nothing(whole: Any) -> None:
    text = whole(Player(steps(), "0f"))
    assert text.count('<div class="eh-player"') == 1
    body = re.sub(r'"http://www.w3.org/2000/svg"', "", text)
    assert not re.search(r"https?:|\bsrc=|href=|@import|url\(", body)


def test_the_data_are_those_of_the_steps() -> None:
    seen, plane = steps(), "0f"
    assert data_of(Player(seen, plane).element()) == seen.as_json() | {"plane": plane}


def test_without_a_script_the_cells_after_the_run_are_shown_and_no_control() -> None:
    seen = steps()
    elements = Elements(Player(seen).element())
    cells = elements.of("rect", **{"class": "eh-cell"})
    leaves = list(seen.leaves_after(len(seen.steps)))
    assert len(cells) == len(leaves)
    area = sum(float(a["width"]) * float(a["height"]) for a in cells)
    assert area == pytest.approx(100**2, rel=1e-3)
    shade = [float(a["style"].removeprefix("--s:").removesuffix("%")) for a in cells]
    values = [node.f_star[-1][1] for node in leaves]
    assert shade[int(np.argmin(values))] == 100
    assert shade[int(np.argmax(values))] == 0
    by_value = [s for _, s in sorted(zip(values, shade, strict=True))]
    assert by_value == sorted(by_value, reverse=True)
    for name in ("eh-bar", "eh-hint"):
        assert ["hidden" in a for _, a in elements.found if a.get("class") == name] == [True]
    shown = [a["class"] for a in elements.of("figure") if "hidden" not in a]
    assert shown == ["eh-y", "eh-code"]


@pytest.mark.parametrize("d", [1, 3])
def test_cells_that_are_no_part_of_a_square_are_left_to_the_script(d: int) -> None:
    assert Elements(Player(steps(d)).element()).of("rect") == []


def test_the_code_is_that_of_the_hunter() -> None:
    """All lines from the initialization to the return, without their marks."""
    elements = Elements(Player(steps()).element())
    lines = [k for k, (tag, a) in enumerate(elements.found) if tag == "span" and "data-lines" in a]
    shown = "\n".join(elements.data[k] for k in lines).split("\n")
    source = Path(hunter.__file__).read_text(encoding="utf-8").splitlines()
    first = next(k for k, line in enumerate(source) if "# Alg. 1, initialization" in line)
    last = next(k for k, line in enumerate(source) if "# Alg. 1, line 17" in line)
    expected = [line.partition("  # Alg. 1,")[0][4:] for line in source[first : last + 1]]
    assert [line for line in shown if line] == [line for line in expected if line]
    numbers = [k for a in elements.of("span") for k in a.get("data-lines", "").split()]
    assert numbers == [str(k) for k in (*range(11), 13, 14, 17)]
    assert [a["data-lines"] for a in elements.of("li")] == [str(k) for k in range(18)]


def test_only_a_page_of_its_own_has_all_keys() -> None:
    player = Player(steps())
    assert 'data-keys="page"' in player.page("x")
    assert 'data-keys="page"' not in player._repr_html_()
    assert "<title>a &lt; b</title>" in player.page("a < b")


def test_a_run_of_the_forest_has_its_rules_and_values_and_no_line_of_algorithm_1() -> None:
    run = Run(ForestSettings(50, 60), values=[float(k * 7 % 11) for k in range(60)])
    elements = Elements(Player(steps_of(run)).element())
    numbers = [a["data-number"] for a in elements.of("li")]
    assert numbers == [f"F{k}" for k in range(1, 9)]
    (share,) = [text for name, _, text in RULES["forest"] if name == "F6"]
    assert f"less than 1/{SHARES.least}. " in share
    figures = [a["class"] for a in elements.of("figure")]
    assert figures == ["eh-rules", "eh-values", "eh-classes", "eh-x", "eh-tree"]
    plain = Elements(Player(steps(3)).element())
    assert [a["class"] for a in plain.of("figure")][:2] == ["eh-values", "eh-code"]


# --- the command ---------------------------------------------------------------------------------

GOLDEN = KIT / "golden"


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("*.jsonl")), ids=lambda path: path.stem)
def test_every_golden_trace_is_played_to_its_end(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its expansions, its generations, the leaves of all trees and every value."""
    out = tmp_path / "play.html"
    assert main(["play", str(path), "--out", str(out)]) == 0
    data = data_of(out.read_text(encoding="utf-8"))
    nodes, steps = data["nodes"], data["steps"]
    assert capsys.readouterr().out == f"{out}: {len(steps)} steps, the whole run\n"
    assert steps[-1][0] in ([17], [TURN])  # line 17, or a generation that the budget ends
    settings, events = open_trace(path.read_bytes().splitlines())
    *told, end = (event for _, event in events)
    made = [event for event in told if event["event"] == "evaluate"]
    values = [math.inf if e[3] is None else float(e[3]) for e in data["evaluations"]]
    assert values == pytest.approx([float(e["value"]) for e in made], 1e-5)
    for event, (_, node, p, *_) in zip(made, data["evaluations"], strict=True):
        assert p == event["p"]
        assert (node is None) == (event["c"] == [])
        if node is not None:
            assert nodes[node]["name"] == f"({event['h']}, {event['i']})"
    expanded = [f"({e['h']}, {e['i']})" for e in told if e["event"] == "expand"]
    assert [nodes[step[6]]["name"] for step in steps if step[0] == [8]] == expanded
    generations = [event for event in told if event["event"] == "refine"]
    assert len([step for step in steps if step[0] == [TURN]]) == len(generations)
    leaves = [node for node in nodes if node["born"] is not None and node["split"] is None]
    assert len(leaves) == end["leaves"]
    trees = policy_of(settings).trees(settings)
    expected = [[tree.d, pytest.approx(tree.side_as_float / 2, 1e-5)] for tree in trees]
    assert data["trees"] == expected


def test_the_standard_input_is_read_and_a_limit_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = (GOLDEN / "rounds.jsonl").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    out = tmp_path / "play.html"
    assert main(["play", "-", "--out", str(out), "--steps", "25"]) == 0
    settings, events = open_trace(content.splitlines())
    values = [float(event["value"]) for _, event in events if event["event"] == "evaluate"]
    steps = steps_of(Run(settings, values=values), most=25)
    assert not steps.complete
    assert len(data_of(out.read_text(encoding="utf-8"))["steps"]) == len(steps.steps)
    said = capsys.readouterr().out
    assert said == f"{out}: {len(steps.steps)} steps, the run begins with them\n"


def test_a_trace_that_does_not_conform_is_not_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (GOLDEN / "first-steps.jsonl").read_bytes().splitlines(keepends=True)
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"".join([*lines[:5], *lines[6:]]))
    out = tmp_path / "play.html"
    assert main(["check", str(broken)]) == 1
    expected = capsys.readouterr().out
    assert main(["play", str(broken), "--out", str(out)]) == 1
    assert capsys.readouterr().out == expected
    assert not out.exists()


def test_what_cannot_be_played_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, out = tmp_path / "none.jsonl", tmp_path / "none" / "play.html"
    assert complaint(capsys, "play", str(missing)).startswith(f"{missing} cannot be read: ")
    trace = GOLDEN / "ties.jsonl"
    said = complaint(capsys, "play", str(trace), "--out", str(out))
    assert said == f"--out {out}: No such file or directory"
    said = complaint(capsys, "play", str(trace), "--steps", "0")
    assert said == "--steps must be at least 1, got 0"
    text = tmp_path / "text.txt"
    text.write_text("no trace\n")
    assert f"{text} cannot be played: line 1 is not JSON" in complaint(capsys, "play", str(text))
