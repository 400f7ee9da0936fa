"""Specification of `checkpoint`: what may begin and resume a run, and when a value is safe.

`test_life_of_a_run` kills runs and fills the disk; `test_checkpoint_refused` has the files that are
refused.
"""

import errno
import math
import os
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter import (
    CheckpointError,
    CheckpointWriteError,
    EvaluationError,
    Run,
    minimize,
)
from embedded_hunter.matrices import Floats
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.settings import Settings
from tool.checkpoints import (
    BOUNDS,
    BUDGET,
    RUN,
    N,
    logged,
    no_file_longer_than,
    other,
    value_at,
)
from tool.front_door import outcome


@pytest.mark.parametrize("bits", [np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_any_generator_can_be_used(tmp_path: Path, bits: Any) -> None:
    path = tmp_path / "run.jsonl"
    first = minimize(value_at, BOUNDS, rng=np.random.Generator(bits(5)), checkpoint=path, **RUN)
    for rng in (np.random.Generator(bits(5)), None):
        again = minimize(value_at, BOUNDS, rng=rng, checkpoint=path, **RUN)
        assert outcome(again) == outcome(first)
    with pytest.raises(CheckpointError, match="its random generator is not in the state of this"):
        minimize(value_at, BOUNDS, rng=np.random.Generator(bits(6)), checkpoint=path, **RUN)
    used = np.random.Generator(bits(5))
    used.random()
    with pytest.raises(CheckpointError, match="its random generator is not in the state of this"):
        minimize(value_at, BOUNDS, rng=used, checkpoint=path, **RUN)


def test_h_max_may_be_given_and_must_then_be_that_of_the_file(tmp_path: Path) -> None:
    """When a run is extended."""
    path = tmp_path / "run.jsonl"
    other(path, policy="forest", d=None)
    with pytest.raises(CheckpointError, match=r"another run: its h_max is 7, this run's is 12$"):
        other(path, policy="forest", d=None, maxfun=150, h_max=12)
    with pytest.raises(CheckpointError, match=r"another run: its v is 60, this run's is 50$"):
        other(path, policy="forest", d=None, maxfun=50)
    assert other(path, policy="forest", d=None, maxfun=150, h_max=7).nfev == 150


def noted(calls: str, x: Floats) -> float:
    """One byte in a file for each call."""
    with open(calls, "ab", buffering=0) as file:
        file.write(b".")
    return value_at(x)


@pytest.mark.claim("determinism")
def test_a_full_disk_loses_no_value_of_two_processes(tmp_path: Path) -> None:
    path, calls = tmp_path / "run.jsonl", tmp_path / "calls"
    noting = partial(noted, str(calls))
    with no_file_longer_than(3000), pytest.raises(CheckpointWriteError) as caught:
        minimize(noting, BOUNDS, rng=7, checkpoint=path, workers=2, **RUN)
    error = caught.value
    assert (error.path, error.errno, error.filename) == (path, errno.EFBIG, str(path))
    assert str(error) == f"{path} cannot be written: File too large"
    assert error.result is not None
    assert (error.result.status, error.result.success) == (6, False)
    evaluated = calls.stat().st_size
    assert error.result.nfev == evaluated > len(logged(path))
    assert error.resume is not None
    with no_file_longer_than(3000), pytest.raises(CheckpointWriteError):
        error.resume()
    assert calls.stat().st_size == evaluated  # nothing is begun while the disk is full
    assert outcome(error.resume()) == outcome(minimize(value_at, BOUNDS, rng=7, **RUN))
    assert calls.stat().st_size == BUDGET  # no point was evaluated twice


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
    assert len(forced) == (BUDGET + 2 if fsync else 0)  # header, folder, values


def test_a_value_that_cannot_be_forced_to_the_device_counts_as_unwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    with Checkpoint(path, Run.begin(Settings(N, 2, BUDGET), 7, BOUNDS), fsync=True) as log:
        log.tell(log.search.ask(), [2.0])
        two, three = log.search.ask(2)
        before = path.read_bytes()

        def fails(descriptor: int) -> None:
            raise OSError(errno.EIO, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fails)
            with pytest.raises(CheckpointWriteError, match="cannot be written: Input/output error"):
                log.tell([two], [3.0])
        assert path.read_bytes() == before
        assert log.search.run.values[:2].tolist() == [2.0, 3.0]
        log.tell([three], [4.0])
    with log:
        log.write_missing()
        assert logged(path) == {1: 2.0, 2: 3.0, 3: 4.0}


def test_what_is_logged_by_hand_is_checked_as_what_is_told(tmp_path: Path) -> None:
    """Nothing is written for a value that is refused; NumPy's numbers are numbers."""
    path = tmp_path / "run.jsonl"
    with Checkpoint(path, Run.begin(Settings(N, 2, BUDGET), 7, BOUNDS)) as log:
        log.search.ask()
        log.write_missing()
        before = path.read_bytes()
        with pytest.raises(ValueError, match=r"evaluation 1: .* returned nan"):
            log.tell([1], [math.nan])
        assert path.read_bytes() == before
        log.tell([np.int64(1)], [np.float32(1)])  # type: ignore[list-item]
    assert Run.read(path).known.tolist() == [1.0]


def test_a_relative_path_is_that_of_the_folder_in_which_the_run_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    calls = 0

    def moves(x: Floats) -> float:
        nonlocal calls
        calls += 1
        os.chdir(tmp_path / "elsewhere")
        if calls == 20:
            raise OSError("the simulator crashed")
        return value_at(x)

    with pytest.raises(EvaluationError) as caught:
        minimize(moves, BOUNDS, rng=7, checkpoint="run.jsonl", **RUN)
    assert outcome(caught.value.resume()) == outcome(minimize(value_at, BOUNDS, rng=7, **RUN))
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("*.jsonl")] == [Path("run.jsonl")]
    assert len(logged(tmp_path / "run.jsonl")) == BUDGET
