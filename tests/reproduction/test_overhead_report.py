"""What `bench overhead` measures, in which order, and what it prints. Nothing here is timed."""

import io
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.policies import Policy
from reproduction.cli import main
from reproduction.commands import overhead
from reproduction.commands.overhead import (
    BUDGETS,
    D_E,
    LARGE,
    QUICK_BUDGETS,
    SEED,
    Large,
    Measurement,
    N,
    large_run,
    large_runs,
    measurements,
    peak_memory,
)

HEAD = (
    "Ackley, n = 10000, d = 10, d_e = 10; CPU microseconds per evaluation "
    f"(Python {platform.python_version()}, numpy {np.__version__}, load 0.1 0.2 0.3)\n"
)
TABLES = [
    "fresh                  floor      50.00 us per evaluation\n"
    "                    v = 1000      55.00 us    1.100 x floor\n"
    "                   v = 10000      66.00 us    1.320 x floor\n"
    "                growth from v = 1000 to 10000: 1.200\n",
    "effective rows         floor       5.00 us per evaluation\n"
    "                    v = 1000       4.00 us    0.800 x floor\n"
    "                   v = 10000       4.00 us    0.800 x floor\n"
    "                growth from v = 1000 to 10000: 1.000\n",
]
MEMORY = "memory: 346 bytes per leaf (v = 10000)\n"
LARGE_RUN = Large("n = 10, v = 1000, full rows", 1003, 1.26, 300 * 2**20, 41 * 2**20)
OF_LARGE = (
    "n = 10, v = 1000, full rows: 1003 evaluations in 1.3 s, peak memory 300 MiB "
    "(41 MiB before the run)\n"
)


class Output(io.StringIO):
    """A standard output that keeps what stood there at the last flush."""

    flushed = ""

    def flush(self) -> None:
        self.flushed = self.getvalue()


Bench = Callable[..., Output]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Run the command on measurements that are given."""

    def run(*options: str, budgets: tuple[int, ...] = QUICK_BUDGETS) -> Output:
        output, given = Output(), []

        def measured(asked: tuple[int, ...]) -> Iterator[Measurement]:
            given.append(asked)
            for k, (kind, floor, costs) in enumerate(
                [("fresh", 50.0, (55.0, 66.0, 67.0)), ("effective rows", 5.0, (4.0, 4.0, 4.0))]
            ):
                if "--json" not in options and "--quick" in options:  # it is said at once
                    assert output.flushed == HEAD + "".join(TABLES[:k])
                yield Measurement(kind, floor, dict(zip(budgets, costs, strict=False)))

        def per_leaf(v: int) -> float:
            given.append((v,))
            return 345.6

        def large() -> Iterator[Large]:
            given.append(())
            yield LARGE_RUN

        for name, spy in {
            "measurements": measured, "bytes_per_leaf": per_leaf, "large_runs": large,
            "load": lambda: "0.1 0.2 0.3",
            "provenance": lambda command: {"command": command, "commit": "abc"},
        }.items():  # fmt: skip
            monkeypatch.setattr(overhead, name, spy)
        monkeypatch.setattr(sys, "stdout", output)
        assert main(["bench", "overhead", *options]) == 0
        assert given == [budgets, (max(budgets),), *([()] if "--large" in options else [])]
        return output

    return run


def test_a_table_of_each_kind_of_run_then_the_memory(bench: Bench) -> None:
    """Each is said as soon as it is measured."""
    assert bench("--quick").getvalue() == HEAD + "".join(TABLES) + MEMORY
    assert bench("--quick", "--large").getvalue() == HEAD + "".join(TABLES) + MEMORY + OF_LARGE
    full = bench(budgets=BUDGETS).getvalue()
    assert "                  v = 100000      67.00 us    1.340 x floor\n" in full
    assert full.endswith("memory: 346 bytes per leaf (v = 100000)\n")


@pytest.mark.parametrize(
    ("options", "budgets"),
    [
        (["--quick", "--large"], QUICK_BUDGETS),
        (["--quick"], QUICK_BUDGETS),
        (["--large"], BUDGETS),
        ([], BUDGETS),
    ],
)
def test_the_json_has_everything_and_how_it_was_made(
    options: list[str], budgets: tuple[int, ...], bench: Bench
) -> None:
    text = bench("--json", *options, budgets=budgets).getvalue()

    def kind(name: str, floor: float, costs: list[float]) -> dict[str, Any]:
        runs = {str(v): cost for v, cost in zip(budgets, costs, strict=False)}
        ratios = {v: cost / floor for v, cost in runs.items()}
        growth = costs[len(budgets) - 1] / costs[0]
        return {"kind": name, "floor": floor, "runs": runs, "ratios": ratios, "growth": growth}

    expected = {
        "n": 10_000, "d": 10, "d_e": 10,
        "kinds": [
            kind("fresh", 50.0, [55.0, 66.0, 67.0]), kind("effective rows", 5.0, [4.0, 4.0, 4.0])
        ],
        "large": [asdict(LARGE_RUN)] if "--large" in options else [],
        "bytes_per_leaf": 345.6,
        "command": " ".join(["python -m reproduction bench overhead", *options]),
        "commit": "abc",
    }  # fmt: skip
    assert text == json.dumps(expected, indent=2) + "\n"


def test_each_kind_of_run_has_the_floor_that_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Problem, dimension and policy of the runs, and of the floor."""
    streams = ("front_door", "effective_rows", "drawing", "multiplying")
    for name in (*streams, "order_of_matrices"):

        def called(*args: Any, _name: str = name, **options: Any) -> Any:
            return (_name, *args, *options.items())

        monkeypatch.setattr(overhead, name, called)
    measured: list[tuple[Any, ...]] = []

    def measure(kind: str, budgets: tuple[int, ...], run: Callable[[int], Any], floor: Any) -> Any:
        measured.append((kind, budgets, run(7), floor))
        return kind

    monkeypatch.setattr(overhead, "measure", measure)
    kinds: list[Any] = list(measurements((5, 9, 6)))
    assert kinds == ["fresh", "indexed", "forest", "effective rows"]
    problem = measured[0][2][1]
    same, x = PROBLEMS["ackley"](N, D_E, SEED), np.linspace(-1, 1, N)
    assert (problem.n, problem.d_e, problem(x)) == (N, D_E, same(x))
    budgets = (5, 9, 6)
    assert measured == [
        ("fresh", budgets, ("front_door", problem, 7, "fresh"), ("drawing", N, problem)),
        (
            "indexed", budgets, ("front_door", problem, 7, "indexed"),
            ("multiplying", N, problem, ("order_of_matrices", problem, 9)),
        ),
        (
            "forest", budgets, ("front_door", problem, 7, "forest", 20),
            (
                "multiplying", N, problem,
                ("order_of_matrices", problem, 9, 20, ("policy", "forest")), 20,
            ),
        ),
        (
            "effective rows", budgets, ("effective_rows", problem, 7),
            ("drawing", D_E, problem.effective),
        ),
    ]  # fmt: skip


# --- the large runs ------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "policy"), [(None, "fresh"), (None, "forest"), (D_E, "fresh")])
def test_a_large_run_is_made_whole_and_its_memory_is_that_before_and_after(
    rows: int | None, policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[Any] = []

    def run(name: str) -> Callable[..., Iterator[int]]:
        def streams(problem: Any, *given: Any) -> Iterator[int]:
            events.append((name, problem.n, problem.d_e, *given))
            for turn in (400, 300, 300, 1):
                events.append(turn)
                yield turn

        return streams

    def peak() -> int:
        events.append("peak")
        return 1000 * len(events)

    clock = iter([5.0, 7.5])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(overhead, "peak_memory", peak)
    monkeypatch.setattr(overhead, "front_door", run("front_door"))
    monkeypatch.setattr(overhead, "effective_rows", run("effective_rows"))
    large = large_run(50, 1000, rows, policy)
    d = 2 * D_E if policy == "forest" else 10
    begun: tuple[Any, ...] = ("front_door", 50, D_E, 1000, policy, d)
    if rows:
        begun = ("effective_rows", 50, D_E, 1000)
    assert events == ["peak", begun, 400, 300, 300, "peak"]
    what = f"{policy}, n = 50, v = 1000, {'effective' if rows else 'full'} rows"
    assert large == Large(what, 1000, 2.5, peak_bytes=6000, baseline_bytes=1000)


def test_the_problem_of_a_large_run_is_that_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[Any] = []

    def stream(problem: Any, *given: Any) -> Iterator[int]:
        problems.append(problem)
        yield 10

    monkeypatch.setattr(overhead, "front_door", stream)
    large_run(60, 10, None, "fresh")
    x = np.linspace(-1, 1, 60)
    assert problems[0](x) == PROBLEMS["ackley"](60, D_E, SEED)(x)


def test_each_large_run_has_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new one, which has inherited no memory."""
    events: list[Any] = []

    class Executor:
        def __init__(self, workers: int, context: Any) -> None:
            events.append((workers, context.get_start_method()))

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *error: Any) -> None:
            events.append("closed")

        def submit(self, function: Any, *given: Any) -> Any:
            events.append((function, *given))
            return self

        def result(self) -> str:
            return "done"

    monkeypatch.setattr(overhead, "ProcessPoolExecutor", Executor)
    answers: list[Any] = list(large_runs())
    assert answers == ["done"] * len(LARGE)
    assert events == [
        event for given in LARGE for event in ((1, "spawn"), (overhead.large_run, *given), "closed")
    ]


@pytest.mark.parametrize(
    ("status", "platform", "expected"),
    [
        ("VmPeak:\t  99 kB\nVmHWM:\t   1234 kB\nVmRSS:\t  77 kB\n", "linux", 1024 * 1234),
        ("VmPeak:\t  99 kB\n", "linux", 1024 * 5678),
        ("", "freebsd", 1024 * 5678),
        ("", "darwin", 5678),
    ],
)
def test_the_peak_is_that_of_this_process_in_bytes(
    status: str, platform: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`getrusage` counts bytes on macOS, and KiB elsewhere."""
    import resource

    class Usage:
        ru_maxrss = 5678

    def usage(who: int) -> Usage:
        assert who == resource.RUSAGE_SELF
        return Usage()

    monkeypatch.setattr(overhead, "process_status", lambda: status)
    monkeypatch.setattr(resource, "getrusage", usage)
    monkeypatch.setattr(sys, "platform", platform)
    assert peak_memory() == expected


def test_the_status_is_that_of_this_process_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if Path("/proc/self/status").exists():
        assert f"\nPid:\t{os.getpid()}\n" in overhead.process_status()
    monkeypatch.setattr(Path, "exists", lambda path: False)
    assert overhead.process_status() == ""
