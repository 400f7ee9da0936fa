"""The commands that read a run, from its own file or from a trace."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import minimize
from embedded_hunter.cli import main
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.traces.check import check
from tool.checkpoints import BOUNDS, logged, other, value_at
from tool.command_spies import complaint

GOLDEN = KIT / "golden"


RUNS: dict[str, dict[str, Any]] = {
    "fresh": {"policy": "fresh", "d": 2, "maxfun": 50},
    "indexed": {"policy": "indexed", "d": 3, "eta": 0.4, "K": 5, "M": 0.5, "h_max": 3},
    "forest": {"n_embeddings": 3, "dimensions": [2, 4]},
    "forest of 12 variables": {"bounds": [(-2.0, 3.0)] * 12},
    "extended": {"policy": "fresh", "d": 2, "maxfun": 30},
}


@pytest.fixture(params=RUNS)
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, OptimizeResult]:
    """The file of a run of each kind, and its result."""
    path, given = tmp_path / "run.jsonl", RUNS[request.param]
    run = {"bounds": BOUNDS, "maxfun": 70, "rng": 6, "checkpoint": path, **given}
    result = minimize(value_at, **run)
    if request.param == "extended":
        result = minimize(value_at, **{**run, "maxfun": 80})
    return path, result


def traced(path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["trace", str(path)]) == 0
    return capsys.readouterr().out.splitlines()


def values_in(lines: list[str]) -> list[float]:
    events = [json.loads(line) for line in lines]
    return [event["value"] for event in events if event.get("event") == "evaluate"]


def test_the_trace_of_a_run_follows_from_its_file(
    recorded: tuple[Path, OptimizeResult], capsys: pytest.CaptureFixture[str]
) -> None:
    path, result = recorded
    lines = traced(path, capsys)
    report = check(lines)
    assert report.conforms, str(report)
    assert values_in(lines) == result.history["value"].tolist()
    assert json.loads(lines[-1])["answer"] == result.fun
    settings = json.loads(lines[0])["settings"]
    begun = json.loads(path.read_bytes().splitlines()[0])["settings"]
    assert settings == begun | {"v": settings["v"]}
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == f"{report}\n"


def test_a_run_that_has_not_ended_is_traced_as_far_as_it_goes(
    recorded: tuple[Path, OptimizeResult], capsys: pytest.CaptureFixture[str]
) -> None:
    """Its file is cut at any place after the first value."""
    path, _ = recorded
    whole, content = traced(path, capsys), path.read_bytes()
    lines = content.splitlines(keepends=True)
    for at in range(2, len(lines) - 1, 9):
        path.write_bytes(b"".join(lines[:at]) + lines[at][: at % 20])
        assert capsys.readouterr().err == ""
        begun = traced(path, capsys)
        assert begun[1:] == whole[1 : len(begun)]
        assert values_in(begun) == values_in(whole)[: len(logged(path))]


def test_a_trace_goes_into_a_file_or_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, path = tmp_path / "run.jsonl", tmp_path / "trace.jsonl"
    other(run)
    expected = traced(run, capsys)
    assert main(["trace", str(run), "--out", str(path)]) == 0
    assert capsys.readouterr().out == ""
    assert path.read_text().splitlines() == expected == traced(path, capsys)
    said = complaint(capsys, "trace", str(run), "--out", str(tmp_path / "none" / "trace.jsonl"))
    assert said == f"--out {tmp_path / 'none' / 'trace.jsonl'}: No such file or directory"
    said = complaint(capsys, "trace", str(tmp_path / "none"))
    assert said == f"{tmp_path / 'none'} cannot be read: No such file or directory"
    content = run.read_bytes()
    for damage, says in (
        (b"", f"{run} is not a run: the trace is empty"),
        (b"{}\n", f"{run} is not a run: line 1 must have format"),
        (content.splitlines(keepends=True)[0], f"{run} is not a run: the run has no value"),
        (content.replace(b'"value": ', b'"value": 1', 1), f"{run} is not a run: line 2 does not"),
    ):
        run.write_bytes(damage)
        assert complaint(capsys, "trace", str(run)).startswith(says)


def test_the_file_of_a_run_without_a_value_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a trace that has the header alone."""
    run, trace = tmp_path / "run.jsonl", tmp_path / "trace.jsonl"
    minimize(sum, [(-1, 1)] * 5, policy="fresh", d=2, maxfun=9, rng=0, checkpoint=run)
    assert main(["trace", str(run), "--out", str(trace)]) == 0
    said = []
    for path in (run, trace):
        path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
        assert main(["check", str(path)]) == 1
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert said[0].startswith("Line 2 of the trace breaks ")


@pytest.mark.parametrize("broken", [False, True])
def test_a_trace_is_judged_from_a_file_and_from_the_standard_input(
    broken: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = (GOLDEN / "first-steps.jsonl").read_bytes().splitlines(keepends=True)
    content = b"".join([*lines[:5], *lines[6:]] if broken else lines)
    (tmp_path / "run.jsonl").write_bytes(content)
    expected = f"{check(content.splitlines())}\n"
    assert expected.startswith("Line 6 of" if broken else "The trace conforms to Algorithm 1: ")
    for name in (str(tmp_path / "run.jsonl"), "-"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(["check", name]) == int(broken)
        assert capsys.readouterr().out == expected


def test_what_is_no_trace_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is read as bytes: a line that is not UTF-8 is the line that is named."""
    path = tmp_path / "run.jsonl"
    said = complaint(capsys, "check", str(path))
    assert said == f"{path} cannot be read: No such file or directory"
    path.write_bytes(b'{"format": "\xff"}\n')
    assert complaint(capsys, "check", str(path)).startswith(f"{path} is not a run: line 1 is not")
