"""Campaigns: a run is whole or missing, and the same whoever makes it."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reproduction.campaign import WorkersDied, complete, performed
from reproduction.cli import main
from reproduction.figure_1.runs import reproduce
from reproduction.kept_runs import FILE, Line, RunFile, read

CHEAP: dict[str, Any] = {
    "runs": 2,
    "problems": ("ackley", "rosenbrock"),
    "algorithms": ("uniform_random_search", "radial_random_search_uniform"),
}
WHAT = ("number-of-embeddings",)


def rows(folder: Path) -> list[tuple[Any, ...]]:
    lines = read(folder / FILE)
    return sorted(lines[["function", "method", "M", "run", "value"]].itertuples(index=False))


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, ...]]:
    folder = tmp_path_factory.mktemp("serial")
    reproduce(WHAT, folder, **CHEAP)
    return rows(folder)


@pytest.mark.long
def test_two_workers_make_the_same_runs(serial: list[tuple[Any, ...]], tmp_path: Path) -> None:
    options = ["--runs", "2", "--out", str(tmp_path), "--jobs", "2", "--no-figure"]
    chosen = ["--problems", *CHEAP["problems"], "--algorithms", *CHEAP["algorithms"]]
    assert main(["reproduce", *WHAT, *options, *chosen]) == 0
    assert rows(tmp_path) == serial


# The engine, with runs that take no time


def lines_of(k: int) -> list[Line]:
    """A run has a line at each of two budgets."""
    return [{"method": "a", "v": v, "run": k} for v in (1, 2)]


class Made:
    """In the place of a function that makes runs."""

    def __init__(self) -> None:
        self.runs: list[int] = []

    def __call__(self, k: int) -> list[Line]:
        self.runs.append(k)
        return [{**line, "value": k / 3} for line in lines_of(k)]


def test_only_what_is_missing_is_made_and_a_run_is_whole_or_missing(tmp_path: Path) -> None:
    file, made = RunFile(tmp_path / FILE, part="x"), Made()
    complete(file, [0, 1], lines_of, made)
    complete(file, [0, 1, 2], lines_of, made)
    assert made.runs == [0, 1, 2]
    whole = file.path.read_bytes()
    file.path.write_bytes(whole[: whole[:-1].rindex(b"\n") + 1])  # one of two lines of run 2
    complete(RunFile(tmp_path / FILE, part="x"), [0, 1, 2], lines_of, made)
    assert made.runs == [0, 1, 2, 2]
    assert list(file.lines()["run"]) == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_sees_how_many_runs_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    complete(RunFile(tmp_path / FILE), [0, 1, 2], lines_of, Made())
    counted = "\r1 of 3 runs\r2 of 3 runs\r3 of 3 runs\n"
    assert screen.getvalue() == (counted if terminal else "")


class Died(Exception):
    """A worker died."""


def test_a_worker_that_died_ends_the_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    """After what was finished before."""

    def pool(calls: Iterator[Any]) -> Iterator[Any]:
        yield next(calls)
        raise Died

    def parallel(*given: Any, **named: Any) -> Any:
        said.append((given, named))
        return pool

    said: list[Any] = []
    joblib = SimpleNamespace(Parallel=parallel, delayed=lambda work: work)
    errors = SimpleNamespace(TerminatedWorkerError=Died, BrokenProcessPool=KeyError)
    monkeypatch.setitem(sys.modules, "joblib", joblib)
    monkeypatch.setitem(sys.modules, "joblib.externals.loky.process_executor", errors)
    found = performed(range(5), Made(), 2)
    assert next(found)[0]["run"] == 0
    with pytest.raises(WorkersDied, match="a worker died; start again to go on"):
        next(found)
    assert said == [((2,), {"return_as": "generator_unordered", "batch_size": 1})]


def test_one_job_needs_no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert len(list(performed(range(5), Made()))) == 5
