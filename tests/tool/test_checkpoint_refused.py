"""Files that cannot be resumed: of another run, machine or program, damaged, or in use.

None of them is changed.
"""

import json
import math
import os
from pathlib import Path

import pytest

from embedded_hunter import CheckpointError, Run, minimize
from embedded_hunter.run.checkpoint import Checkpoint
from embedded_hunter.run.policies import POLICIES
from embedded_hunter.settings import Settings
from tool.checkpoints import (
    BOUNDS,
    BUDGET,
    RUN,
    N,
    logged,
    other,
    resealed,
    sealed,
    value_at,
)
from tool.front_door import outcome

BEGUN = Run.begin(Settings(N, 2, BUDGET), 7, BOUNDS)


DAMAGE: list[tuple[bytes, bytes, str]] = [
    (b'"version": 6', b'"version": 5', "line 1: version 1.1.0 of embedded-hunter reads this file"),
    (b'"version": 6', b'"version": 4', "and version 6, got 'embedded-hunter run' and 4"),
    (b'"package": "', b'"package": "9.', "its package is '9."),
    (b'"format": "embedded-hunter run"', b'"format": "x"', "is not the file of a run: line 1"),
    (b'{"evaluation": 5,', b'{"evaluation": 4,', "line 6: evaluation 4 is logged twice"),
    (b'{"evaluation": 5,', b'{"evaluation": 61,', "61 is logged twice or beyond the budget"),
    (b'{"evaluation": 5,', b'{"evaluation": 5.0,', "evaluation must be an integer >= 1"),
    (b'{"evaluation": 5,', b'{"evaluation"; 5,', "line 6 is not JSON"),
    (b'{"evaluation": 5, "value": ', b'{"evaluation": 5, "value": null, "x": ', "a number"),
    (b'{"evaluation": 5, "value": ', b'{"evaluation": 5, "value": 1e999, "x": ', "value is"),
]


@pytest.mark.parametrize(("old", "new", "says"), DAMAGE)
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


# --- two runs, one file --------------------------------------------------------------------------


@pytest.mark.claim("determinism")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="begins two processes at a time")
def test_two_first_starts_at_a_time(tmp_path: Path) -> None:
    """One of them runs; the other is told that the file is in use, or finds the finished run."""
    undisturbed = outcome(minimize(value_at, BOUNDS, rng=7, **RUN))
    for k in range(5):
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
                    code = 0 if outcome(other(path)) == undisturbed else 4
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
    said, saying = os.pipe()
    reading, writing = os.pipe()
    parent = os.fork()
    if not parent:
        with Checkpoint(path, BEGUN) as first:
            queries = first.search.ask()
            if os.fork():
                os._exit(0)  # leaves nothing in order
            os.close(writing)
            answer = b"taken"
            try:
                first.tell(queries, [2.0])
            except RuntimeError:
                answer = b"refused"
            os.write(saying, answer)
            os.read(reading, 1)  # lives until the test has ended
            os._exit(0)
    os.waitpid(parent, 0)
    try:
        assert os.read(said, 10) == b"refused"
        with Checkpoint(path, BEGUN) as second:
            assert second.search.nfev == 0
    finally:
        for descriptor in (said, saying, reading, writing):
            os.close(descriptor)


def test_a_file_that_another_run_has_gone_on_with(tmp_path: Path) -> None:
    """With the same values it is this run's; with others it is not."""
    path = tmp_path / "run.jsonl"
    log = Checkpoint(path, BEGUN)
    with log:
        log.tell(log.search.ask(), [5.0])
    with Checkpoint(path, BEGUN) as later:
        later.tell(later.search.ask(1), [4.0])
    with log:
        assert log.search.run.known.tolist() == [5.0, 4.0]
    path.write_bytes(resealed(path.read_bytes().replace(b"4.0", b"6.0")))
    with pytest.raises(CheckpointError, match=r"of evaluation 2 is 6.0, this run's value is 4"):
        log.__enter__()


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
    assert str(caught.value).startswith(f"{path} is not a file")


@pytest.mark.parametrize("name", ["nowhere/run.jsonl", "a\0b", "x" * 300])
def test_a_path_that_cannot_be_opened_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(CheckpointError, match="cannot be opened: ") as caught:
        other(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []


# --- another machine -----------------------------------------------------------------------------


def written_elsewhere(path: Path, **changed: object) -> bytes:
    """Give the checkpoint the header of a machine with other versions, and more that differs."""
    line, *lines = path.read_bytes().splitlines(keepends=True)
    header = json.loads(line) | {"numpy": "1.99", "scipy": "0.9", **changed}
    header["crc32"] = header.pop("crc32")
    path.write_bytes(sealed(json.dumps(header).encode()) + b"".join(lines))
    return path.read_bytes()


@pytest.mark.parametrize("policy", POLICIES)
def test_a_run_of_a_machine_that_computes_other_points_is_refused(
    tmp_path: Path, policy: str
) -> None:
    path = tmp_path / "run.jsonl"
    run = {"policy": policy, "d": 2, "maxfun": 40}
    other(path, **run)
    wrong: tuple[object, ...] = ("0" * 16, {}, None)
    for found in wrong:
        content = written_elsewhere(path, probe=found)
        with pytest.raises(CheckpointError) as caught:
            other(path, **run)
        for told in ("computes other points", "NumPy '1.99'", "check_machine=False"):
            assert told in str(caught.value)
        assert path.read_bytes() == content
        other(path, **run, check_machine=False)
        assert path.read_bytes() == content


@pytest.mark.claim("determinism")
def test_other_versions_do_not_matter_if_the_points_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    expected = outcome(other(path))
    whole = written_elsewhere(path)
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:31]))
    assert outcome(other(path)) == expected


@pytest.mark.parametrize("complete", [True, False])
def test_a_file_of_another_objective_is_refused_before_anything_is_written(
    complete: bool, tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    other(path)
    if not complete:
        path.write_bytes(path.read_bytes()[: -len(path.read_bytes()) // 3])
    before = path.read_bytes()
    for change in ({}, {"maxfun": BUDGET + 20}):
        for objective in (lambda x: value_at(x) + 1e-3, lambda x: math.nan):
            with pytest.raises(CheckpointError, match="of another objective: its best value was"):
                minimize(objective, BOUNDS, checkpoint=path, rng=7, **{**RUN, **change})
            assert path.read_bytes() == before
    anyway = {"rng": 7, "check_machine": False, **RUN}
    assert minimize(lambda x: 9.0, BOUNDS, checkpoint=path, **anyway).nfev == BUDGET
