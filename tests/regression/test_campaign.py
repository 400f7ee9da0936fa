"""Campaigns: a run is whole or missing, and the same whoever makes it."""

import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reproduction import campaign
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


class Broken(Exception):
    """The pool is broken."""


class Joblib:
    """A pool that does its work here, and dies after so many runs; `said` is how it is used."""

    def __init__(self, *lives: int) -> None:
        self.lives = list(lives)
        self.said: list[Any] = []

    def Parallel(self, jobs: int, **given: Any) -> Callable[[Any], Iterator[Any]]:
        self.said.append({"n_jobs": jobs, **given})

        def pool(calls: Any) -> Iterator[Any]:
            left = self.lives.pop(0) if self.lives else 10**9
            for call in calls:
                if left == 0:
                    raise (Died, Broken)[len(self.lives) % 2](len(self.lives))
                left -= 1
                yield call()

        return pool

    def delayed(self, work: Any) -> Any:
        return lambda *given: partial(work, *given)


def use(monkeypatch: pytest.MonkeyPatch, joblib: Joblib) -> None:
    errors = SimpleNamespace(TerminatedWorkerError=Died, BrokenProcessPool=Broken)
    monkeypatch.setitem(sys.modules, "joblib", joblib)
    monkeypatch.setitem(sys.modules, "joblib.externals.loky.process_executor", errors)


def test_when_workers_die_only_what_is_missing_is_done_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for jobs, lives in ((2, (2, 0, 1)), (3, (0, 0, 0, 0)), (-1, ())):
        joblib, made = Joblib(*lives), Made()
        use(monkeypatch, joblib)
        found = list(performed(range(5), made, jobs))
        assert [lines[0]["run"] for lines in found] == made.runs == list(range(5))
        assert joblib.said == (len(lives) + 1) * [
            {"n_jobs": jobs, "return_as": "generator_unordered", "batch_size": 1}
        ]


def test_workers_that_keep_dying_end_the_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Joblib(1, 0, 0, 0, 0))
    found = performed(range(5), Made(), 2)
    assert next(found)[0]["run"] == 0
    with pytest.raises(WorkersDied) as caught:
        next(found)
    assert str(caught.value) == f"workers died {campaign.ATTEMPTS} times; start again to go on"
    assert isinstance(caught.value.__cause__, Died)


def test_one_job_needs_no_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert len(list(performed(range(5), Made()))) == 5
