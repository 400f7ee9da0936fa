"""Specification of `checkpoint`: a run that is killed at any moment goes on, bit for bit.

The default run kills 40 runs; ``HYPOTHESIS_PROFILE=nightly`` kills 1,000.
"""

import errno
import json
import os
import random
import signal
import struct
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from scipy.optimize import OptimizeResult

from embedded_hunter import CheckpointError, CheckpointWriteError, EvaluationError, minimize
from embedded_hunter.run import checkpoint
from embedded_hunter.run.box import Box
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.run.probe import PARTS, probe
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__

N, BUDGET = 30, 60
BOUNDS = [(-2.0, 3.0)] * N
RUN: dict[str, Any] = {"d": 2, "maxfun": BUDGET, "M": 2}


def of(policy: str = "fresh", **changed: Any) -> dict[str, Any]:
    """The parameters of a run with this policy; a forest has no M."""
    run = {**RUN, "policy": policy, **changed}
    if policy == "forest":
        del run["M"]
    return run


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
    """Number and value of each whole line of a checkpoint that has one."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_bytes().split(b"\n")[1:-1]]
    return {fields["evaluation"]: fields["value"] for fields in lines if "evaluation" in fields}


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("policy", ["fresh", "indexed", "forest"])
def test_a_checkpoint_changes_nothing(tmp_path: Path, policy: Any) -> None:
    path = tmp_path / "run.jsonl"
    run = of(policy) | {"rng": 3}
    plain = minimize(value_at, BOUNDS, **run)
    kept = minimize(value_at, BOUNDS, checkpoint=path, **run)
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


@pytest.mark.long
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
    with pytest.raises(CheckpointError, match=r"run: its seed is 5, this run's is 6$"):
        minimize(value_at, BOUNDS, rng=np.random.Generator(bits(6)), checkpoint=path, **RUN)
    used = np.random.Generator(bits(5))
    used.random()
    with pytest.raises(CheckpointError, match="its random generator is not in the state of this"):
        minimize(value_at, BOUNDS, rng=used, checkpoint=path, **RUN)


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
    minimize(value_at, bounds, rng=seed, checkpoint=path, **of(**changed))


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
        ({"rng": 8}, "its seed is 7, this run's is 8"),
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


def sealed(line: bytes) -> bytes:
    """The line, with its end, with the checksum that fits the bytes before it."""
    text = line[: line.rindex(b', "crc32"')]
    return b'%s, "crc32": "%08x"}\n' % (text, zlib.crc32(text))


def resealed(content: bytes) -> bytes:
    return b"".join(sealed(line) for line in content.splitlines())


OLD = b'"version": 3'


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (OLD, b'"version": 2', "has version 2 of the checkpoint format; this program reads"),
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
    """Whoever made the damage has made the checksum fit."""
    path = tmp_path / "run.jsonl"
    other(path)
    content = path.read_bytes()
    assert old in content
    damaged = resealed(content.replace(old, new, 1))
    path.write_bytes(damaged)
    with pytest.raises(CheckpointError) as error:
        other(path)
    assert says in str(error.value)
    assert path.read_bytes() == damaged


@pytest.mark.long
@pytest.mark.claim("determinism")
@pytest.mark.parametrize("seed", [7, None])
def test_any_single_flipped_bit_is_refused_or_harmless(tmp_path: Path, seed: int | None) -> None:
    """Harmless: the value is evaluated again. The run is not begun where the flip is refused."""
    path, damaged = tmp_path / "run.jsonl", tmp_path / "damaged.jsonl"
    run: dict[str, Any] = {"bounds": [(-2.0, 3.0)] * 12, "d": 1, "maxfun": 5}
    expected = minimize(value_at, rng=7, checkpoint=path, **run)
    content = path.read_bytes()
    settings, box = Settings(12, 1, 5), Box(run["bounds"])
    values = logged(path)
    accepted = []
    for bit in range(8 * len(content)):
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        damaged.write_bytes(flipped)
        try:
            with Checkpoint(damaged, settings, box, seed) as log:
                assert log.values.items() <= values.items()
                assert np.array_equal(log.rng.random(3), np.random.default_rng(7).random(3))
        except CheckpointError:
            assert damaged.read_bytes() == flipped
        else:
            accepted.append(bit)
            again = minimize(value_at, rng=seed, checkpoint=damaged, **run)
            assert same(again, expected)
    assert accepted == list(range(8 * (len(content) - 1), 8 * len(content)))  # the last line's end


@pytest.mark.parametrize(
    "content", [b"x", b"\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", b"1" * 9, b"{}"]
)
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(CheckpointError):
        other(path)
    assert path.read_bytes() == content


@pytest.mark.claim("determinism")
def test_a_header_that_is_incomplete_is_written_again(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    """Nothing has been logged behind it; an empty file is one of these."""
    path = tmp_path / "run.jsonl"
    other(path)
    whole = path.read_bytes()
    header = whole.index(b"\n")
    for size in (0, 1, 20, 39, 40, 41, 200, header):
        path.write_bytes(whole[:size])
        assert same(minimize(value_at, BOUNDS, rng=7, checkpoint=path, **RUN), undisturbed[0])
        assert path.read_bytes() == whole


# --- two runs, one file --------------------------------------------------------------------------


def test_one_run_at_a_time(tmp_path: Path) -> None:
    """Also within a process, and also if somebody reads the file meanwhile."""
    pytest.importorskip("fcntl", reason="locks are POSIX")
    path = tmp_path / "run.jsonl"
    settings = Settings(N, 2, BUDGET)
    with Checkpoint(path, settings, Box(BOUNDS), 1) as first:
        path.read_bytes()
        second = Checkpoint(path, settings, Box(BOUNDS), 1)
        for _ in range(2):
            with pytest.raises(CheckpointError, match="in use by another run"), second:
                pass
        first.append(1, 2.0)
        assert first.values == {1: 2.0}
        assert logged(path) == {1: 2.0}
        with first:
            first.append(2, 3.0)
        first.append(3, 1.0)  # still entered, from without
    with second:
        assert second.values == {1: 2.0, 2: 3.0, 3: 1.0}
    with pytest.raises(RuntimeError, match=r"^the checkpoint is not open: enter it first$"):
        second.append(4, 1.0)


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("made", ["before there is a file", "while the other run goes on"])
def test_a_second_run_never_removes_a_line(tmp_path: Path, made: str) -> None:
    """Whatever it has seen before, it reads the file once it has the lock."""
    path = tmp_path / "run.jsonl"
    settings = Settings(N, 2, BUDGET, M=2)
    early = Checkpoint(path, settings, Box(BOUNDS), 7)
    if made == "while the other run goes on":
        with early:
            early.append(1, value_at(np.full(N, 0.5)))  # the center of the bounds
    other(path)
    content = path.read_bytes()
    with early:
        assert path.read_bytes() == content
        assert early.values == logged(path)
        assert len(early.values) == BUDGET


@pytest.mark.claim("determinism")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="begins two processes at a time")
def test_two_first_starts_at_a_time(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    """One of them runs; the other is told that the file is in use, or finds the finished run."""
    for k in range(10):
        path = tmp_path / f"{k}.jsonl"
        reading, writing = os.pipe()
        children = []
        for _ in range(2):
            pid = os.fork()
            if not pid:
                code = 3
                try:
                    os.close(writing)
                    os.read(reading, 1)  # until the parent closes the pipe
                    result = minimize(value_at, BOUNDS, rng=7, checkpoint=path, **RUN)
                    code = 0 if same(result, undisturbed[0]) else 4
                except CheckpointError as error:
                    code = 1 if "in use by another run" in str(error) else 5
                finally:
                    os._exit(code)
            children.append(pid)
        os.close(reading)
        os.close(writing)
        codes = sorted(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children)
        assert codes in ([0, 0], [0, 1])
        assert sorted(logged(path)) == list(range(1, BUDGET + 1))
        assert [file.name for file in tmp_path.iterdir() if file.suffix != ".jsonl"] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="is about fork")
def test_a_process_made_by_fork_does_not_keep_the_lock(tmp_path: Path) -> None:
    """Or a worker would keep it after its parent was killed."""
    path = tmp_path / "run.jsonl"
    settings = Settings(N, 2, BUDGET)
    said, saying = os.pipe()
    reading, writing = os.pipe()
    parent = os.fork()
    if not parent:
        with Checkpoint(path, settings, Box(BOUNDS), 1) as first:
            if os.fork():
                os._exit(0)  # leaves nothing in order
            os.close(writing)
            answer = b"taken"
            try:
                first.append(1, 2.0)
            except RuntimeError:
                answer = b"refused"
            os.write(saying, answer)
            os.read(reading, 1)  # lives until the test has ended
            os._exit(0)
    os.waitpid(parent, 0)
    try:
        assert os.read(said, 10) == b"refused"
        with Checkpoint(path, settings, Box(BOUNDS), 1) as second:
            assert second.values == {}
    finally:
        for descriptor in (said, saying, reading, writing):
            os.close(descriptor)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="is about fork")
def test_a_process_made_by_fork_does_not_release_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    settings = Settings(N, 2, BUDGET)
    with Checkpoint(path, settings, Box(BOUNDS), 1):
        pid = os.fork()
        if not pid:
            os._exit(0)
        os.waitpid(pid, 0)
        with (
            pytest.raises(CheckpointError, match="in use by another run"),
            Checkpoint(path, settings, Box(BOUNDS), 1),
        ):
            pass


# --- what is no file -----------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["folder", "FIFO", "device", "link to a folder"])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, what: str) -> None:
    path = tmp_path / "run.jsonl"
    if what == "folder":
        path.mkdir()
    elif what == "FIFO":
        os.mkfifo(path)
    elif what == "device":
        path = Path(os.devnull)
    else:
        path.symlink_to(tmp_path)
    with pytest.raises(CheckpointError) as caught:
        other(path)
    assert str(caught.value) == (
        f"{path} is not a file: a folder, FIFO or device cannot be a checkpoint"
    )


@pytest.mark.parametrize("name", ["nowhere/run.jsonl", "a\0b", "x" * 300])
def test_a_path_that_cannot_be_opened_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(CheckpointError, match="cannot be opened: ") as caught:
        other(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []


# --- a disk that is full -------------------------------------------------------------------------


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """As on a full disk: a write that goes beyond is cut, the next one fails (EFBIG)."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


HOW: dict[str, dict[str, Any]] = {
    "serial": {},
    "two processes": {"workers": 2},
    "map": {"workers": map},
}


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("size", [1500, 2000, 2048, 3000])
@pytest.mark.parametrize("how", HOW)
def test_a_full_disk_loses_no_value(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]], how: str, size: int
) -> None:
    path, calls = tmp_path / "run.jsonl", tmp_path / "calls"
    calls.touch()
    noting = partial(noted, str(calls))
    with no_file_longer_than(size), pytest.raises(CheckpointWriteError) as caught:
        minimize(noting, BOUNDS, rng=7, checkpoint=path, **RUN, **HOW[how])
    error = caught.value
    assert (error.path, error.errno, error.filename) == (path, errno.EFBIG, str(path))
    assert str(error) == f"{path} cannot be written: File too large"
    kept = logged(path)
    assert path.read_bytes().endswith(b"\n")  # what was written of a line is cut off
    assert error.result is not None
    assert (error.result.status, error.result.success) == (6, False)
    assert error.result.message == "The checkpoint could not be written."
    evaluated = calls.stat().st_size
    assert error.result.nfev == evaluated > len(kept)
    if how == "serial":
        assert evaluated == len(kept) + 1  # none is begun after the first failure
    assert error.resume is not None
    with no_file_longer_than(size), pytest.raises(CheckpointWriteError) as again:
        error.resume()
    assert calls.stat().st_size == evaluated  # nothing is begun while the disk is full
    assert again.value.resume is not None
    assert again.value.result is not None
    assert again.value.result.nfev == evaluated
    assert same(again.value.resume(), undisturbed[0])
    assert calls.stat().st_size == BUDGET  # no point was evaluated twice
    assert sorted(logged(path)) == list(range(1, BUDGET + 1))


def noted(calls: str, x: np.ndarray[Any, Any]) -> float:
    """One byte in a file for each call."""
    with open(calls, "ab", buffering=0) as file:
        file.write(b".")
    return value_at(x)


@pytest.mark.claim("determinism")
def test_an_answer_that_cannot_be_written_is_written_later(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    path = tmp_path / "run.jsonl"
    other(path)
    whole = path.read_bytes()
    path.unlink()
    with no_file_longer_than(len(whole) - 1), pytest.raises(CheckpointWriteError) as caught:
        other(path)
    assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:-1])
    assert caught.value.result is not None
    assert caught.value.result.nfev == BUDGET
    assert caught.value.resume is not None
    assert same(caught.value.resume(), undisturbed[0])
    assert path.read_bytes() == whole


@pytest.mark.parametrize("at", [25, 45])
def test_a_state_of_the_generator_is_not_lost_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """It is written with a value. If that fails, both are written later."""
    monkeypatch.setattr(checkpoint, "STRIDE", 5)
    path = tmp_path / "run.jsonl"
    other(path)
    lines = path.read_bytes().splitlines(keepends=True)
    k = next(k for k, line in enumerate(lines) if line.startswith(b'{"points"') and k >= at)
    path.unlink()
    size = len(b"".join(lines[: k + 1]))  # the state fits, its value does not
    with no_file_longer_than(size), pytest.raises(CheckpointWriteError) as caught:
        other(path)
    assert path.read_bytes() == b"".join(lines[:k])
    assert caught.value.resume is not None
    caught.value.resume()
    assert path.read_bytes() == b"".join(lines)


def test_a_header_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    with no_file_longer_than(100), pytest.raises(CheckpointWriteError):
        other(path)
    assert path.read_bytes() == b""
    other(path)
    assert len(logged(path)) == BUDGET


@pytest.mark.claim("determinism")
def test_a_file_that_was_removed_is_written_again(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    """Between a failure and `resume`: this process knows all that was logged."""
    path = tmp_path / "run.jsonl"
    failed: list[Any] = []

    def fails_once(x: np.ndarray[Any, Any]) -> float:
        if len(logged(path)) == 20 and not failed:
            failed.append(x)
            raise OSError("no licence")
        return value_at(x)

    with pytest.raises(EvaluationError) as caught:
        minimize(fails_once, BOUNDS, rng=7, checkpoint=path, **RUN)
    path.unlink()
    assert same(caught.value.resume(), undisturbed[0])
    assert len(logged(path)) == BUDGET


def test_a_file_that_another_run_has_gone_on_with(tmp_path: Path) -> None:
    """With the same values it is this run's; with others it is not."""
    path = tmp_path / "run.jsonl"
    settings = Settings(N, 2, BUDGET)
    log = Checkpoint(path, settings, Box(BOUNDS), 7)
    with log:
        log.append(2, 5.0)
    with Checkpoint(path, settings, Box(BOUNDS), 7) as later:
        later.append(3, 4.0)
    with log:
        assert log.values == {2: 5.0, 3: 4.0}
    path.write_bytes(resealed(path.read_bytes().replace(b"5.0", b"6.0")))
    with pytest.raises(CheckpointError, match=r"of evaluation 2 is 6.0, this run's value is 5"):
        log.__enter__()


# --- another machine -----------------------------------------------------------------------------


def written_elsewhere(path: Path, parts: dict[str, str]) -> bytes:
    """Give the checkpoint the header of a machine with other versions and these parts."""
    line, *lines = path.read_bytes().splitlines(keepends=True)
    header = json.loads(line)
    header |= {"numpy": "1.99", "scipy": "0.9", "probe": header["probe"] | parts}
    header["crc32"] = header.pop("crc32")
    path.write_bytes(sealed(json.dumps(header).encode()) + b"".join(lines))
    return path.read_bytes()


@pytest.mark.parametrize("part", PARTS)
def test_a_run_of_a_machine_that_computes_other_points_is_refused(
    tmp_path: Path, part: str
) -> None:
    path = tmp_path / "run.jsonl"
    run = {**PARTS[part], "maxfun": 40}
    other(path, **run)
    content = written_elsewhere(path, {part: "0" * 16})
    with pytest.raises(CheckpointError) as caught:
        other(path, **run)
    assert str(caught.value) == (
        f"{path} was written by a machine that computes other points, so this one cannot continue "
        f"the same run. Probes that differ: {part}. There: NumPy '1.99', SciPy '0.9'. Here: NumPy "
        f"{np.__version__!r}, SciPy {scipy.__version__!r}, and perhaps another processor. To "
        "continue with points of this machine, give check_machine=False (command line: --anyway)"
    )
    assert path.read_bytes() == content
    other(path, **run, check_machine=False)
    assert path.read_bytes() == content


@pytest.mark.claim("determinism")
def test_only_what_the_run_computes_with_is_compared(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    """Nor do other versions matter if the points are the same."""
    path = tmp_path / "run.jsonl"
    other(path)
    whole = written_elsewhere(path, dict.fromkeys(set(PARTS) - {"fresh"}, "0" * 16))
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:31]))
    assert same(minimize(value_at, BOUNDS, rng=7, checkpoint=path, **RUN), undisturbed[0])


@pytest.mark.parametrize("probe", [b"null", b"[1]", b'{"fresh": 5}', b"{}"])
def test_a_header_without_a_probe_is_refused(tmp_path: Path, probe: bytes) -> None:
    path = tmp_path / "run.jsonl"
    other(path)
    line, *lines = path.read_bytes().splitlines(keepends=True)
    begin = line.index(b'"probe": ') + len(b'"probe": ')
    line = sealed(line[:begin] + probe + b', "crc32"')
    path.write_bytes(line + b"".join(lines))
    with pytest.raises(CheckpointError, match="Probes that differ: fresh, "):
        other(path)


# --- what is promised ----------------------------------------------------------------------------


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("fsync", [False, True])
def test_fsync_comes_before_the_next_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fsync: bool
) -> None:
    path = tmp_path / "run.jsonl"
    forced: list[bytes] = []
    sync = os.fsync

    def noting(descriptor: int) -> None:
        forced.append(path.read_bytes())
        sync(descriptor)

    def fun(x: np.ndarray[Any, Any]) -> float:
        assert not fsync or forced[-1] == path.read_bytes()
        return value_at(x)

    monkeypatch.setattr(os, "fsync", noting)
    minimize(fun, BOUNDS, rng=7, checkpoint=path, fsync=fsync, **RUN)
    assert len(forced) == (BUDGET + 3 if fsync else 0)  # header, folder, values, answer


def test_a_value_that_cannot_be_forced_to_the_device_counts_as_unwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    with Checkpoint(path, Settings(N, 2, BUDGET), Box(BOUNDS), 7, fsync=True) as log:
        log.append(1, 2.0)
        before = path.read_bytes()

        def fails(descriptor: int) -> None:
            raise OSError(errno.EIO, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fails)
            with pytest.raises(CheckpointWriteError, match="cannot be written: Input/output error"):
                log.append(2, 3.0)
        assert path.read_bytes() == before
        assert log.values == {1: 2.0, 2: 3.0}
        log.append(3, 4.0)
    with log:
        assert logged(path) == {1: 2.0, 2: 3.0, 3: 4.0}


def slow_once(x: np.ndarray[Any, Any], folder: str, at: bytes) -> float:
    """Note each call that ends; at a certain point, wait for a file."""
    if x.tobytes() == at:
        while not os.path.exists(f"{folder}/go on"):
            time.sleep(0.01)
    with open(f"{folder}/calls", "ab", buffering=0) as file:
        file.write(b".")
    return value_at(x)


@pytest.mark.claim("determinism")
def test_a_slow_point_holds_no_other_value_back(tmp_path: Path) -> None:
    """Of a visit of twenty points the first is slow: the others are logged before it ends."""
    path, calls = tmp_path / "run.jsonl", tmp_path / "calls"
    run: dict[str, Any] = {"d": 1, "K": 21, "M": 0, "maxfun": BUDGET, "rng": 7}
    points: list[bytes] = []

    def noting(x: np.ndarray[Any, Any]) -> float:
        points.append(x.tobytes())
        return value_at(x)

    expected = minimize(noting, BOUNDS, **run)
    seen: list[int] = []

    def watch() -> None:
        deadline = time.monotonic() + 60
        while len(logged(path)) < 20 and time.monotonic() < deadline:
            time.sleep(0.01)
        seen.extend([len(logged(path)), calls.stat().st_size])
        (tmp_path / "go on").touch()

    watcher = threading.Thread(target=watch)
    watcher.start()
    given = (str(tmp_path), points[1])
    result = minimize(slow_once, BOUNDS, args=given, workers=2, checkpoint=path, **run)
    watcher.join()
    assert seen == [20, 20]  # all of the first two visits but one
    assert same(result, expected)


@pytest.mark.parametrize("objective", [None, "sphere", "a \u2028 name\n\ud800"])
def test_the_name_of_the_objective_is_compared(tmp_path: Path, objective: str | None) -> None:
    path = tmp_path / "run.jsonl"
    other(path, objective=objective)
    content = path.read_bytes()
    other(path, objective=objective)
    for another in {None, "sphere", "Sphere"} - {objective}:
        with pytest.raises(CheckpointError, match="belongs to another run: its objective is"):
            other(path, objective=another)
    assert path.read_bytes() == content


def test_parallel_runs_are_resumed_too(
    tmp_path: Path, undisturbed: tuple[OptimizeResult, list[bytes]]
) -> None:
    """Values may be logged in any order; the run is the same."""
    path = tmp_path / "run.jsonl"
    other(path)
    header, *lines, _ = path.read_bytes().splitlines(keepends=True)
    random.Random(3).shuffle(lines)
    path.write_bytes(header + b"".join(lines[:40]))
    assert same(
        minimize(value_at, BOUNDS, rng=7, checkpoint=path, workers=map, **RUN), undisturbed[0]
    )


# --- what is wrong is told with its line ---------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "content", "says"),
    [
        (1, b'{"format"}', "line 1 is not JSON: Expecting"),
        (4, b'{"evaluation": 3, "value": 1.0}', "line 4 does not match its checksum"),
        (4, b'{"evaluation": 3, "value": 1.0, "crc32": "00000000"}',
         "line 4 does not match its checksum"),
        (4, sealed(b'{"value": 1.0, "crc32"'), "line 4: evaluation must be an integer >= 1"),
        (4, sealed(b'{"evaluation": 3, "crc32"'),
         'line 4: value must be a number, "inf" or "-inf"'),
        (4, sealed(b'{"evaluation": 3, "value": 1e400, "crc32"'),
         "line 4: value is out of the range of floats"),
        (4, sealed(b'{"evaluation": 2, "value": 1, "crc32"'),
         "line 4: evaluation 2 is logged twice or beyond the budget"),
        (4, sealed(b'{"evaluation": ' + b"9" * 90 + b', "value": 1, "crc32"'),
         f"line 4: evaluation {'9' * 77}... is logged twice or beyond the budget"),
    ],
)  # fmt: skip
def test_a_damaged_line_is_named(tmp_path: Path, line: int, content: bytes, says: str) -> None:
    path = tmp_path / "run.jsonl"
    other(path)
    lines = path.read_bytes().splitlines()
    lines[line - 1] = content
    path.write_bytes(b"".join(line.rstrip(b"\n") + b"\n" for line in lines))
    with pytest.raises(CheckpointError) as caught:
        other(path)
    assert str(caught.value).startswith(f"{path} is damaged: {says}")


def test_a_file_without_a_line_has_no_header(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'{"format": "embedded-hunter trace"')
    with pytest.raises(CheckpointError) as caught:
        other(path)
    assert str(caught.value) == f"{path} is not a checkpoint: it has no header"


def test_the_header_says_what_the_run_depends_on(tmp_path: Path) -> None:
    settings = Settings(N, 2, BUDGET)
    with Checkpoint(tmp_path / "run.jsonl", settings, Box(BOUNDS), 1):
        pass
    header = json.loads((tmp_path / "run.jsonl").read_text())
    assert list(header) == [
        "format", "version", "package", "settings", "bounds", "objective", "rng",
        "seed", "numpy", "scipy", "probe", "crc32",
    ]  # fmt: skip
    assert header["format"] == "embedded-hunter checkpoint"
    assert header["package"] == __version__
    assert (header["numpy"], header["scipy"]) == (np.__version__, scipy.__version__)
    assert header["probe"] == dict(probe())
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
    path.write_bytes(sealed(json.dumps(fields).encode()) + b"".join(lines))
    with pytest.raises(CheckpointError) as caught:
        other(path)
    told = "'" + "9" * 76 + "..." if length > 80 else "'" + "9" * (length - 2) + "'"
    assert f": its package is {told}, this run's is " in str(caught.value)
