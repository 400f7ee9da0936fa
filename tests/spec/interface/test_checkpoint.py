"""Specification of `checkpoint`: a run that is killed at any moment goes on, bit for bit.

The default run kills 40 runs; ``HYPOTHESIS_PROFILE=nightly`` kills 1,000. Files that are refused:
`test_checkpoint_refused`.
"""

import errno
import os
import random
import signal
import struct
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from embedded_hunter import CheckpointError, CheckpointWriteError, minimize
from embedded_hunter.matrices import Floats
from embedded_hunter.run.box import Box
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.settings import Settings
from spec.algorithm.baselines import Spy
from spec.interface.checkpoints import (
    BOUNDS,
    BUDGET,
    RUN,
    N,
    logged,
    no_file_longer_than,
    other,
    same,
    value_at,
)

KILLS = 1000 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 40


@pytest.fixture(scope="module")
def undisturbed() -> tuple[OptimizeResult, list[bytes]]:
    """The run without a checkpoint, and its points in order."""
    spy = Spy(value_at)
    return minimize(spy, BOUNDS, rng=7, **RUN), [x.tobytes() for x in spy.points]


def attempt(path: Path, seed: int | None, calls: int, slow: float) -> int:
    """Start a run in a process of its own; its objective notes each point in a pipe."""
    pid = os.fork()
    if pid:
        return pid
    try:

        def fun(x: Floats) -> float:
            os.write(calls, struct.pack("i", len(x.tobytes())) + x.tobytes())
            time.sleep(slow)
            return value_at(x)

        minimize(fun, BOUNDS, rng=seed, checkpoint=path, objective="value_at", **RUN)
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

        def fun(x: Floats, known: dict[int, float] = after) -> float:
            nonlocal counted
            counted += 1
            assert number[x.tobytes()] not in known
            return value_at(x)

        result = minimize(fun, BOUNDS, rng=7, checkpoint=path, **RUN, objective="value_at")
        assert same(result, expected)
        assert counted == BUDGET - len(after)
    assert killed_within >= KILLS / 4, "the kills came too early or too late to mean anything"


@pytest.mark.parametrize("bits", [np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_any_generator_can_be_used(tmp_path: Path, bits: Any) -> None:
    path = tmp_path / "run.jsonl"
    first = minimize(value_at, BOUNDS, rng=np.random.Generator(bits(5)), checkpoint=path, **RUN)
    again = minimize(value_at, BOUNDS, rng=np.random.Generator(bits(5)), checkpoint=path, **RUN)
    assert same(first, again)
    assert same(first, minimize(value_at, BOUNDS, checkpoint=path, **RUN))
    with pytest.raises(CheckpointError, match=r"run: its seed is 5, this run's is 6$"):
        minimize(value_at, BOUNDS, rng=np.random.Generator(bits(6)), checkpoint=path, **RUN)
    used = np.random.Generator(bits(5))
    used.random()
    with pytest.raises(CheckpointError, match="its random generator is not in the state of this"):
        minimize(value_at, BOUNDS, rng=used, checkpoint=path, **RUN)


def test_h_max_may_be_given_and_must_then_be_that_of_the_file(tmp_path: Path) -> None:
    """When a run is extended."""
    path = tmp_path / "run.jsonl"
    other(path, policy="forest", d=None)
    with pytest.raises(CheckpointError, match=r"belongs to another run: its v is 60, this run's"):
        other(path, policy="forest", d=None, maxfun=150, h_max=12)
    assert other(path, policy="forest", d=None, maxfun=150, h_max=7).nfev == 150


# --- a disk that is full -------------------------------------------------------------------------


HOW: dict[str, dict[str, Any]] = {
    "serial": {},
    "two processes": {"workers": 2},
    "map": {"workers": map},
}


@pytest.mark.claim("determinism")
@pytest.mark.parametrize("size", [1500, 3000])
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


def noted(calls: str, x: Floats) -> float:
    """One byte in a file for each call."""
    with open(calls, "ab", buffering=0) as file:
        file.write(b".")
    return value_at(x)


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

    def fun(x: Floats) -> float:
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
