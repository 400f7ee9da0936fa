"""`play` writes a page of a trace that conforms, and nothing of any other."""

import io
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter.cli import main
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.plots.listing import TURN
from embedded_hunter.plots.steps import steps_of
from embedded_hunter.run.policies import policy_of
from embedded_hunter.run.run import Run
from embedded_hunter.traces.reading import open_trace
from tool.command_spies import complaint

GOLDEN = KIT / "golden"


def data_of(page: Path) -> dict[str, Any]:
    text = page.read_text(encoding="utf-8")
    (found,) = re.findall(r'<script type="application/json">(.*?)</script>', text)
    fields: dict[str, Any] = json.loads(found)
    return fields


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("*.jsonl")), ids=lambda path: path.stem)
def test_every_golden_trace_is_played_to_its_end(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its expansions, its generations, the leaves of all trees and every value."""
    out = tmp_path / "play.html"
    assert main(["play", str(path), "--out", str(out)]) == 0
    data = data_of(out)
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
    assert len(data_of(out)["steps"]) == len(steps.steps)
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
