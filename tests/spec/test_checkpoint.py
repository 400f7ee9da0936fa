"""Specification of `checkpoint`: a run that is killed at any moment goes on, bit for bit.

The default run kills 40 runs; ``HYPOTHESIS_PROFILE=nightly`` kills 1,000.
"""

import json
import os
import random
import signal
import struct
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import CheckpointError, EvaluationError, minimize
from embedded_hunter.box import Box
from embedded_hunter.checkpoint import Checkpoint
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__

N, BUDGET = 30, 60
BOUNDS = [(-2.0, 3.0)] * N
RUN: dict[str, Any] = {"d": 2, "maxfun": BUDGET, "M": 2}
KILLS = 1000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 40


def value_at(x: np.ndarray[Any, Any]) -> float:
    return float(abs(x[3] - 0.7) + abs(x[11] + 0.2) + 0.1 * x[5])


def same(a: OptimizeResult, b: OptimizeResult) -> bool:
    return bool(
        np.array_equal(a.x, b.x)
        and (a.fun, a.nfev, a.nit, a.nsweep, a.depth, a.nleaves, a.status)
        == (b.fun, b.nfev, b.nit, b.nsweep, b.depth, b.nleaves, b.status)
    )


@pytest.fixture(scope="module")
def undisturbed() -> tuple[OptimizeResult, list[bytes]]:
    """The run without a checkpoint, and its points in order."""
    points: list[bytes] = []

    def fun(x: np.ndarray[Any, Any]) -> float:
        points.append(x.tobytes())
        return value_at(x)

    return minimize(fun, BOUNDS, rng=7, **RUN), points


def logged(path: Path) -> dict[int, float]:
    """Number and value of each whole line of a checkpoint."""
    if not path.exists():
        return {}
    lines = path.read_bytes().split(b"\n")[1:-1]
    return {fields["evaluation"]: fields["value"] for fields in map(json.loads, lines)}


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", ["fresh", "indexed", "family"])
def test_a_checkpoint_changes_nothing(tmp_path: Path, policy: Any) -> None:
    path = tmp_path / "run.jsonl"
    plain = minimize(value_at, BOUNDS, rng=3, policy=policy, **RUN)
    kept = minimize(value_at, BOUNDS, rng=3, policy=policy, checkpoint=path, **RUN)
    assert same(plain, kept)
    values = logged(path)
    assert sorted(values) == list(range(1, BUDGET + 1))
    assert min(values.values()) == kept.fun


def attempt(path: Path, seed: int | None, calls: int, slow: float) -> int:
    """Start a run in a process of its own; its objective notes each point in a pipe."""
    pid = os.fork()
    if pid:
        return pid
    try:

        def fun(x: np.ndarray[Any, Any]) -> float:
            os.write(calls, struct.pack("i", len(x.tobytes())) + x.tobytes())
            time.sleep(slow)
            return value_at(x)

        minimize(fun, BOUNDS, rng=seed, checkpoint=path, **RUN)
    finally:
        os._exit(0)


@pytest.mark.claim("determinism")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes made by fork")
def test_killed_at_any_moment_the_run_is_the_same(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    expected, points = undisturbed
    number = {point: k for k, point in enumerate(points, 1)}
    rnd = random.Random(1)
    killed_within = 0
    for k in range(KILLS):
        path = tmp_path / f"{k}.jsonl"
        for _ in range(rnd.randint(1, 3)):
            before = logged(path)
            reading, writing = os.pipe()
            pid = attempt(path, 7, writing, 2e-4)
            os.close(writing)
            time.sleep(rnd.uniform(0, 0.03))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            with os.fdopen(reading, "rb") as pipe:
                content = pipe.read()
            size = 4 + 8 * N
            asked = [
                number[content[at + 4 : at + size]]
                for at in range(0, len(content) // size * size, size)
            ]
            after = logged(path)
            assert not set(asked) & set(before), "a logged evaluation was repeated"
            assert before.items() <= after.items(), "a logged evaluation was lost"
            assert len(asked) <= len(after) - len(before) + 1  # the one in progress
            killed_within += 0 < len(after) < BUDGET
        counted = 0

        def fun(x: np.ndarray[Any, Any], known: dict[int, float] = after) -> float:
            nonlocal counted
            counted += 1
            assert number[x.tobytes()] not in known
            return value_at(x)

        result = minimize(fun, BOUNDS, rng=7, checkpoint=path, **RUN)
        assert same(result, expected)
        assert counted == BUDGET - len(after)
    assert killed_within >= KILLS / 4, "the kills came too early or too late to mean anything"


def test_without_a_seed_the_file_gives_the_generator(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"

    def dies(x: np.ndarray[Any, Any]) -> float:
        if len(logged(path)) == 20:
            raise RuntimeError("enough")
        return value_at(x)

    with pytest.raises(EvaluationError):
        minimize(dies, BOUNDS, checkpoint=path, **RUN)
    assert len(logged(path)) == 20
    whole = minimize(value_at, BOUNDS, checkpoint=path, **RUN)
    again = minimize(value_at, BOUNDS, checkpoint=path, **RUN)
    assert whole.nfev == BUDGET
    assert same(whole, again)


@pytest.mark.parametrize("bits", [np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_any_generator_can_be_used(tmp_path: Path, bits: Any) -> None:
    path = tmp_path / "run.jsonl"
    first = minimize(value_at, BOUNDS, rng=np.random.Generator(bits(5)), checkpoint=path, **RUN)
    again = minimize(value_at, BOUNDS, rng=np.random.Generator(bits(5)), checkpoint=path, **RUN)
    assert same(first, again)
    with pytest.raises(CheckpointError, match="pass the run's rng"):
        minimize(value_at, BOUNDS, checkpoint=path, **RUN)
    with pytest.raises(CheckpointError, match="belongs to another run: its rng"):
        minimize(value_at, BOUNDS, rng=np.random.Generator(bits(6)), checkpoint=path, **RUN)


def test_infinite_values_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"

    def fun(x: np.ndarray[Any, Any]) -> float:
        return float("inf") if x[3] > 0 else value_at(x)

    first = minimize(fun, BOUNDS, rng=1, checkpoint=path, **RUN)
    assert '"inf"' in path.read_text()
    assert same(first, minimize(value_at, BOUNDS, rng=1, checkpoint=path, **RUN))


def test_a_torn_last_line_is_dropped(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    path = tmp_path / "run.jsonl"
    minimize(value_at, BOUNDS, rng=7, checkpoint=path, **RUN)
    whole = path.read_bytes()
    header = whole.index(b"\n") + 1
    for size in range(header, len(whole), 97):
        path.write_bytes(whole[:size])
        assert same(minimize(value_at, BOUNDS, rng=7, checkpoint=path, **RUN), undisturbed[0])
        assert path.read_bytes() == whole


def other(path: Path, **changed: Any) -> None:
    bounds = changed.pop("bounds", BOUNDS)
    seed = changed.pop("rng", 7)
    minimize(value_at, bounds, rng=seed, checkpoint=path, **{**RUN, **changed})


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        ({"maxfun": 61}, "its v is 60, this run's is 61"),
        ({"d": 3}, "its d is 2, this run's is 3"),
        ({"eta": 0.31}, "its eta is '3/10'"),
        ({"K": 5}, "its K is 3"),
        ({"M": 3}, "its M is '2'"),
        ({"h_max": 3}, "its h_max is 7"),
        ({"sigma": 0.5}, "its sigma is"),
        ({"policy": "indexed"}, "its policy is 'fresh'"),
        ({"sampler": "matrix"}, "its sampler is 'norm'"),
        ({"bounds": [(-2.0, 3.5)] * N}, "its bounds is"),
        ({"rng": 8}, "its rng is"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(
    tmp_path: Path, changed: dict[str, Any], names: str
) -> None:
    path = tmp_path / "run.jsonl"
    other(path)
    content = path.read_bytes()
    with pytest.raises(CheckpointError, match="belongs to another run") as error:
        other(path, **changed)
    assert names in str(error.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'"version": 1', b'"version": 2', "its version is 2, this run's is 1"),
        (b'"package": "', b'"package": "9.', "its package is '9."),
        (b'"format": "embedded-hunter checkpoint"', b'"format": "x"', "is not a checkpoint"),
        (b'{"evaluation": 5,', b'{"evaluation": 4,', "logged twice"),
        (b'{"evaluation": 5,', b'{"evaluation": 61,', "beyond the budget"),
        (b'{"evaluation": 5,', b'{"evaluation": 0,', "evaluation must be an integer >= 1"),
        (b'{"evaluation": 5,', b'{"evaluation": 5.0,', "evaluation must be an integer >= 1"),
        (b'{"evaluation": 5,', b'{"evaluation": true,', "evaluation must be an integer >= 1"),
        (b'{"evaluation": 5,', b'{"evaluation"; 5,', "line 6 is not JSON"),
        (b'{"evaluation": 5, ', b"[5], {", "line 6 is not JSON"),
        (b'{"evaluation": 5, "value": ', b'{"evaluation": 5, "value": NaN, "x": ', "not JSON"),
        (b'{"evaluation": 5, "value": ', b'{"evaluation": 5, "value": null, "x": ', "number"),
        (b'{"evaluation": 5, "value": ', b'{"evaluation": 5, "value": 1e999, "x": ', "range"),
    ],
)
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, old: bytes, new: bytes, says: str) -> None:
    path = tmp_path / "run.jsonl"
    other(path)
    content = path.read_bytes()
    assert old in content
    damaged = content.replace(old, new, 1)
    path.write_bytes(damaged)
    with pytest.raises(CheckpointError) as error:
        other(path)
    assert says in str(error.value)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("content", [b"", b"x", b"\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", b"1" * 9])
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(CheckpointError):
        other(path)
    assert path.read_bytes() == content


def test_one_run_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="locks are POSIX")
    path = tmp_path / "run.jsonl"
    settings = Settings(N, 2, BUDGET)
    with Checkpoint(path, settings, Box(BOUNDS), 1) as first:
        with (
            pytest.raises(CheckpointError, match="in use by another process"),
            Checkpoint(path, settings, Box(BOUNDS), 1),
        ):
            pass
        first.append(1, 2.0)
        assert first.values == {1: 2.0}
        assert logged(path) == {1: 2.0}
    with Checkpoint(path, settings, Box(BOUNDS), 1) as again:
        assert again.values == {1: 2.0}
    with pytest.raises(RuntimeError, match="not open"):
        again.append(2, 1.0)


def test_a_folder_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="cannot be read"):
        other(tmp_path)


def test_parallel_runs_are_resumed_too(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    """Values may be logged in any order; the run is the same."""
    path = tmp_path / "run.jsonl"
    other(path)
    header, *lines = path.read_text().splitlines(keepends=True)
    random.Random(3).shuffle(lines)
    path.write_text(header + "".join(lines[:40]))
    assert same(
        minimize(value_at, BOUNDS, rng=7, checkpoint=path, workers=map, **RUN), undisturbed[0]
    )


# --- what is wrong is told with its line ---------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "content", "says"),
    [
        (1, b'{"format"}', "line 1 is not JSON: Expecting"),
        (4, b"[]", "line 4 is not a JSON object"),
        (4, b'{"value": 1.0}', "line 4: evaluation must be an integer >= 1"),
        (4, b'{"evaluation": 3}', 'line 4: value must be a number, "inf" or "-inf"'),
        (4, b'{"evaluation": 3, "value": 1e400}', "line 4: value is out of the range of floats"),
        (4, b'{"evaluation": 2, "value": 1}',
         "line 4: evaluation 2 is logged twice or beyond the budget"),
        (4, b'{"evaluation": ' + b"9" * 90 + b', "value": 1}',
         f"line 4: evaluation {'9' * 60} ... is logged twice or beyond the budget"),
    ],
)  # fmt: skip
def test_a_damaged_line_is_named(tmp_path: Path, line: int, content: bytes, says: str) -> None:
    path = tmp_path / "run.jsonl"
    other(path)
    lines = path.read_bytes().splitlines()
    lines[line - 1] = content
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(CheckpointError) as caught:
        other(path)
    assert str(caught.value).startswith(f"{path} is damaged: {says}")


def test_a_file_without_a_line_has_no_header(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'{"format": "embedded-hunter checkp')
    with pytest.raises(CheckpointError) as caught:
        other(path)
    assert str(caught.value) == f"{path} is not a checkpoint: it has no header"


def test_the_header_says_what_the_run_depends_on(tmp_path: Path) -> None:
    settings = Settings(N, 2, BUDGET)
    with Checkpoint(tmp_path / "run.jsonl", settings, Box(BOUNDS), 1):
        pass
    header = json.loads((tmp_path / "run.jsonl").read_text())
    assert list(header) == ["format", "version", "package", "numpy", "settings", "bounds", "rng"]
    assert header["format"] == "embedded-hunter checkpoint"
    assert (header["package"], header["numpy"]) == (__version__, np.__version__)
    assert header["settings"] == settings.as_json()
    assert header["rng"] == np.random.default_rng(1).bit_generator.state


def test_entered_again_it_drops_what_was_torn_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    log = Checkpoint(path, Settings(N, 2, BUDGET), Box(BOUNDS), 1)
    for k in (1, 2, 3):
        with log:
            log.append(k, float(k))
        whole = path.read_bytes()
        path.write_bytes(whole + b'{"evaluation": 4, "val')
    with log:
        assert path.read_bytes() == whole
    assert logged(path) == {1: 1.0, 2: 2.0, 3: 3.0}
    with pytest.raises(RuntimeError, match=r"^the checkpoint is not open: enter it first$"):
        log.append(4, 1.0)


@pytest.mark.parametrize("length", [79, 80, 81, 200])
def test_what_is_long_is_told_in_short(tmp_path: Path, length: int) -> None:
    path = tmp_path / "run.jsonl"
    other(path)
    header, *lines = path.read_bytes().splitlines(keepends=True)
    fields = json.loads(header)
    fields["package"] = "9" * (length - 2)  # its repr has so many characters
    path.write_bytes(json.dumps(fields).encode() + b"\n" + b"".join(lines))
    with pytest.raises(CheckpointError) as caught:
        other(path)
    told = "'" + "9" * 77 + "'" if length == 79 else "'" + "9" * 59 + " ..."
    assert f": its package is {told}, this run's is " in str(caught.value)
