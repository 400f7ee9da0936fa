"""`trace` writes the run that `minimize` makes; `check` says what the checker says of a file."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from embedded_hunter import minimize
from embedded_hunter.cli import main
from embedded_hunter.commands.kit import FOLDER as KIT
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.run.policies import settings_of
from embedded_hunter.traces import events as trace
from embedded_hunter.traces.check import check
from spec.interface.command_spies import complaint

GOLDEN = KIT / "golden"


EVERY: dict[str, Any] = {
    "problem": "rosenbrock", "n": 30, "d": 3, "d-e": 4, "maxfun": 70, "eta": 0.4, "K": 5,
    "M": 0.5, "h-max": 3, "policy": "indexed", "seed": 6,
}  # fmt: skip


FOREST: dict[str, Any] = {"policy": "forest", "n-embeddings": 3, "d": 4, "maxfun": 60, "seed": 2}


CASES: list[dict[str, Any]] = [{}, EVERY, FOREST]


def given(options: dict[str, Any]) -> list[str]:
    return [word for name, value in options.items() for word in (f"--{name}", str(value))]


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("options", CASES)
def test_the_trace_is_that_of_the_run_that_minimize_makes(
    options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """With every option at its default, or away from it; value by value."""
    assert main(["trace", *given(options)]) == 0
    text = capsys.readouterr().out
    report = check(text.splitlines())
    assert report.conforms, str(report)
    head, *events = lines_of(text)
    o: dict[str, Any] = {
        "problem": "ackley", "n": 100, "d": 2, "d-e": 2, "maxfun": 50, "seed": 0,
    } | options  # fmt: skip
    names = {"eta": "eta", "K": "K", "M": "M", "h-max": "h_max", "policy": "policy"}
    names["n-embeddings"] = "n_embeddings"
    settings: dict[str, Any] = {name: o[key] for key, name in names.items() if key in o}
    policy = settings.pop("policy", "fresh")
    expected = settings_of(policy, o["n"], o["d"], o["maxfun"], **settings)
    assert head["settings"] == expected.as_json()
    problem, values = PROBLEMS[o["problem"]](o["n"], o["d-e"], o["seed"]), []

    def recorded(x: Any) -> float:
        values.append(float(problem(x)))
        return values[-1]

    result = minimize(
        recorded,
        problem.bounds,
        d=o["d"],
        maxfun=o["maxfun"],
        rng=o["seed"],
        policy=policy,
        **settings,
    )
    assert [event["value"] for event in events if event["event"] == "evaluate"] == values
    assert events[-1]["answer"] == result.fun


def test_a_trace_goes_into_a_file_or_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", "--seed", "3"]) == 0
    expected = capsys.readouterr().out
    path = tmp_path / "run.jsonl"
    assert main(["trace", "--seed", "3", "--out", str(path)]) == 0
    assert capsys.readouterr().out == ""
    assert path.read_text() == expected
    assert complaint(capsys, "trace", "--K", "4").startswith("K must be an odd integer >= 3, got 4")
    assert "d_e" in complaint(capsys, "trace", "--d-e", "200")
    path = tmp_path / "none" / "run.jsonl"
    said = complaint(capsys, "trace", "--out", str(path))
    assert said == f"--out {path}: No such file or directory"


class _Stdin(io.TextIOWrapper):
    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content))


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
        monkeypatch.setattr("sys.stdin", _Stdin(content))
        assert main(["check", name]) == int(broken)
        assert capsys.readouterr().out == expected


def test_what_is_no_trace_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is read as bytes: a line that is not UTF-8 is the line that is named."""
    path = tmp_path / "run.jsonl"
    said = complaint(capsys, "check", str(path))
    assert said == f"{path} cannot be read: No such file or directory"
    path.write_bytes(b'{"format": "\xff"}\n')
    assert complaint(capsys, "check", str(path)).startswith(f"{path} is not a trace: line 1 is not")


class _Endless(io.RawIOBase):
    """A head, then a line or lines without an end; at most so many bytes are read."""

    def __init__(self, line: bytes, most: int, head: bytes = b"") -> None:
        self._line, self._left, self._head = line, most, head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            count = min(len(buffer), len(self._head))
            buffer[:count], self._head = self._head[:count], self._head[count:]
            return count
        count = len(buffer) // len(self._line) * len(self._line)
        self._left -= count
        assert self._left > 0, "it was read on and on"
        buffer[:count] = self._line * (count // len(self._line))
        return count


@pytest.mark.parametrize(
    ("line", "why"),
    [(b"\0", "line 1 has more than 16777216 bytes"), (b"y\n", "line 1 is not JSON")],
)  # fmt: skip
def test_a_file_without_an_end_is_not_read_for_ever(
    line: bytes, why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stdin:
        buffer = io.BufferedReader(_Endless(line, 2**25))

    monkeypatch.setattr("sys.stdin", Stdin())
    assert complaint(capsys, "check", "-").startswith(f"- is not a trace: {why}")


HEAD = (
    b'{"format": "embedded-hunter trace", "version": 1, "settings": {"n": 9, "d": 2, "v": %d, '
    b'"K": 3, "h_max": 9, "eta": "3/10", "M": "1", "sigma": 1, "policy": "fresh", '
    b'"sampler": "norm"}}\n'
    b'{"event": "evaluate", "h": 0, "i": 0, "c": [0, 0], "p": 1, "value": 1.5}\n'
)


@pytest.mark.long
@pytest.mark.parametrize("v", [1, 40, 10**15])
@pytest.mark.parametrize(
    ("line", "verdict"),
    [(b'{"event": "evaluate", "h": 0, "i": 0, "c": [0, 0], "p": 1, "value": 1}\n', "Line 3 of "),
     (b'{"event": "sweep", "sweep": 1, "limit": 0}\n', "Line 4 of ")],
    ids=["evaluations", "sweeps"],
)  # fmt: skip
def test_lines_without_an_end_after_a_header_are_not_read_for_ever(
    line: bytes,
    verdict: str,
    v: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each line may be one of a trace; whatever budget the header claims, one is wrong soon."""

    class Stdin:
        buffer = io.BufferedReader(_Endless(line, 2**22, HEAD % v))

    monkeypatch.setattr("sys.stdin", Stdin())
    assert main(["check", "-"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("Line 3 of " if v == 1 else verdict)


def test_a_line_of_the_greatest_length_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "LONGEST", 4)
    assert list(trace.lines_of(io.BytesIO(b"abc\nabcd"))) == [b"abc\n", b"abcd"]
    with pytest.raises(FormatError, match=r"^line 2 has more than 4 bytes$"):
        list(trace.lines_of(io.BytesIO(b"abc\nabcde")))


def test_check_accepts_a_reading(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In `first-steps` the children are evaluated from left to right: 0, then 2."""
    lines = (GOLDEN / "first-steps.jsonl").read_text().splitlines(keepends=True)
    first, second = [k for k, line in enumerate(lines) if '"evaluate"' in line][1:3]
    lines[first], lines[second] = lines[second], lines[first]
    path = tmp_path / "other.jsonl"
    path.write_text("".join(lines))
    assert main(["check", str(path)]) == 1
    assert "differs from reading 1 of the errata" in capsys.readouterr().out
    assert main(["check", "--reading", "children=any", str(path)]) == 0
    assert "conforms" in capsys.readouterr().out
    assert complaint(capsys, "check", "--reading", "children=some", str(path)).startswith(
        "--reading: "
    )
