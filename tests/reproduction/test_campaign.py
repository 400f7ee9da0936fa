"""Campaigns: stored at once, resumed after any kill, the same whatever the jobs."""

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from reproduction.figure_1.campaign import reproduce
from reproduction.figure_1.store import STORE, Store

CHEAP: dict[str, Any] = {
    "runs": 2,
    "problems": ("ackley", "rosenbrock"),
    "algorithms": ("uniform_random_search", "radial_random_search_uniform"),
}
WHAT = ("number-of-embeddings",)


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "number-of-embeddings.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    folder = tmp_path_factory.mktemp("serial")
    reproduce(WHAT, folder, **CHEAP)
    return rows(folder)


def start(folder: Path) -> subprocess.Popen[bytes]:
    command = [
        *(sys.executable, "-m", "reproduction", "reproduce", *WHAT),
        *("--runs", "2", "--jobs", "2", "--out", str(folder)),
        *("--problems", *CHEAP["problems"], "--algorithms", *CHEAP["algorithms"]),
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def stored(folder: Path) -> int:
    return len(Store(folder, {}).outcomes) if (folder / STORE).exists() else 0


def wait_for(process: subprocess.Popen[bytes], folder: Path, count: int) -> None:
    while stored(folder) < count and process.poll() is None:
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    """The processes of the pool below a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
            command = (path.parent / "cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid and "popen_loky" in command:
            found.append(int(path.parent.name))
    return found


@pytest.mark.long
def test_killed_and_started_again_it_ends_with_the_same(
    serial: list[dict[str, str]], tmp_path: Path
) -> None:
    before = 0
    for _ in range(2):
        process = start(tmp_path)
        wait_for(process, tmp_path, before + 5)
        for pid in [process.pid, *children(process.pid)]:
            os.kill(pid, signal.SIGKILL)
        process.wait()
        after = stored(tmp_path)
        assert before + 5 <= after  # nothing that was stored is lost
        before = after
    assert before < len(serial), "the kills came too late to mean anything"
    reproduce(WHAT, tmp_path, **CHEAP)
    assert rows(tmp_path) == serial


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc").exists(), reason="finds workers through /proc")
def test_a_killed_worker_costs_nothing_but_time(
    serial: list[dict[str, str]], tmp_path: Path
) -> None:
    process = start(tmp_path)
    wait_for(process, tmp_path, 3)
    workers = children(process.pid)
    assert workers
    os.kill(workers[0], signal.SIGKILL)
    assert process.wait(timeout=120) == 0
    assert rows(tmp_path) == serial
