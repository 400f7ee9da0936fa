"""``python -m reproduction bench overhead``: compare the cost of a run with a floor.

The floor is the cost that no run can avoid. Four kinds of run on Ackley (d_e = 10 of n coordinates)
are compared, each with its own floor:

- ``fresh``: `minimize` as a user calls it. Floor: draw n normal numbers with the same generator,
  SFC64, scale, clip, call the objective.
- ``indexed``: `minimize`. Floor: multiply a stored matrix by a vector, clip, call the objective.
  The matrices come in the order in which a run needs them. (A run also draws them, each once: some
  ten for v = 1000, little more for larger budgets.)
- ``forest``: `minimize` with d = 2 d_e. Floor: as ``indexed``, one product for each evaluation. A
  run adds a column or two for K - 1 evaluations, but draws P matrices, and refinement fits small
  models.
- ``effective rows``: only the d_e coordinates that matter are computed. Floor: as ``fresh``, with
  d_e numbers and the objective of the effective coordinates.

A floor makes no decision and stores nothing. It draws as many numbers at a time as fit into a cache
and calls the objective on one point after another, as the run does.

The runs for each budget and the floor alternate in one process, in turns of some hundred
evaluations, until each has made as many evaluations as the largest budget (short runs are
repeated). So other load of the machine slows all of them alike. Times are CPU time of the thread.
"""

import argparse
import gc
import json
import platform
import re
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from embedded_hunter.forest.search import tree_of
from embedded_hunter.problems.hidden import PROBLEMS, Problem
from embedded_hunter.projection import key_from, stream
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.box import Box
from embedded_hunter.run.drive import drive, one_by_one
from embedded_hunter.run.evaluators import SERIAL_LIMIT, make_evaluator
from embedded_hunter.run.minimization import Minimization
from embedded_hunter.run.outcomes import Objective
from embedded_hunter.run.policies import Policy, search_of, settings_of
from embedded_hunter.settings import Settings
from reproduction.commands.provenance import load, provenance

BUDGETS = (1_000, 10_000, 100_000)
QUICK_BUDGETS = (1_000, 10_000)
N, D, D_E, PAPERS_M, SEED = 10_000, 10, 10, 5, 0
LARGE: tuple[tuple[int, int, int | None, Policy], ...] = (
    (N, 1_000_000, D_E, "fresh"),
    (1_000_000, 2_000, None, "fresh"),
    (1_000_000, 2_000, None, "forest"),
)
"""The large runs: n, v, the number of rows computed (None: all), and the policy."""
TURN = 1_000
"""Least number of evaluations of a turn. A turn also ends at the end of a run."""

Stream = Iterator[int]
"""An endless iterator. Each step makes some evaluations and yields their number."""


@dataclass
class Measurement:
    """The cost of one kind of run and of its floor, in CPU microseconds per evaluation."""

    kind: str
    floor: float
    runs: dict[int, float]
    """The cost of a run for each budget v."""

    def ratio(self, v: int) -> float:
        """Return the cost of a run of v evaluations divided by the floor."""
        return self.runs[v] / self.floor

    @property
    def growth(self) -> float:
        """The cost per evaluation at the largest budget divided by that at the smallest."""
        return self.runs[max(self.runs)] / self.runs[min(self.runs)]


@dataclass
class Large:
    """A large run in a process of its own."""

    what: str
    evaluations: int
    seconds: float
    peak_bytes: int
    """Greatest resident memory of the whole process, including interpreter and libraries."""
    baseline_bytes: int
    """The same after all imports, before the run begins."""


def front_door(
    problem: Problem, v: int, policy: Policy, d: int = D, M: int | None = None, **forest: Any
) -> Stream:
    """Runs of `minimize` on the full x, in turns."""
    rng = np.random.default_rng(SEED)
    settings = settings_of(policy, problem.n, d, v, **forest, **({} if M is None else {"M": M}))
    serial = make_evaluator(problem, (), 1, False)
    while True:
        hunter = EmbeddedHunter(settings, rng)
        run = Minimization(hunter, Box(problem.bounds), serial)
        before = 0
        while not hunter.finished:  # what Minimization.go does
            run.evaluate(run.ask())
            if hunter.nfev - before >= TURN:
                yield hunter.nfev - before
                before = hunter.nfev
        yield hunter.nfev - before


def effective_rows(problem: Problem, v: int) -> Stream:
    """Runs that make the effective coordinates only, in turns."""
    rng = np.random.default_rng(SEED)
    settings, objective = Settings(problem.n, D, v), problem.effective
    at_most = SERIAL_LIMIT // problem.d_e
    while True:
        hunter = EmbeddedHunter(settings, rng, rows=problem.d_e)
        before = 0
        while queries := hunter.ask(at_most):  # by hand: what asking and telling takes is measured
            hunter.tell(queries, [float(objective(x)) for _, x in queries])
            if hunter.nfev - before >= TURN:
                yield hunter.nfev - before
                before = hunter.nfev
        yield hunter.nfev - before


def drawing(rows: int, objective: Objective) -> Stream:
    """Floor of ``fresh``: draw, scale, clip, call the objective."""
    rng = stream(key_from(np.random.default_rng(SEED)))
    block = np.empty((max(1, SERIAL_LIMIT // rows), rows))
    points = list(block)
    while True:
        made = 0
        while made < TURN:
            rng.standard_normal(out=block)
            np.multiply(block, 0.3, out=block)
            block.clip(-1.0, 1.0, out=block)
            for x in points:
                objective(x)
            made += len(points)
        yield made


def multiplying(rows: int, objective: Objective, order: list[int], d: int = D) -> Stream:
    """Floor of ``indexed``: multiply by A_p, clip, call the objective, for each p in `order`."""
    rng = np.random.default_rng(SEED)
    A = {p: np.asfortranarray(rng.standard_normal((rows, d))) for p in set(order)}
    y, x = rng.standard_normal(d), np.empty(rows)
    while True:
        for first in range(0, len(order), TURN):
            turn = order[first : first + TURN]
            for p in turn:
                np.matmul(A[p], y, out=x)
                x.clip(-1.0, 1.0, out=x)
                objective(x)
            yield len(turn)


def order_of_matrices(
    problem: Problem, v: int, d: int = D, M: int | None = None, policy: Policy = "indexed"
) -> list[int]:
    """Return the number of the matrix of each evaluation of a run, in their order.

    An evaluation of a local search has the number of the matrix with which the search began.
    """
    settings = settings_of(policy, problem.n, d, v, **({} if M is None else {"M": M}))
    search = search_of(settings, np.random.default_rng(SEED), problem.d_e)
    order: list[int] = []
    for visit, _ in drive(search, one_by_one(problem.effective)):
        local = getattr(visit, "local", None)
        matrix = None if local is None else tree_of(local.center, settings.K) + 1
        order += [matrix or p for _, p in visit.evaluations]
    return order


def take_turns(streams: list[Stream], evaluations: int) -> list[float]:
    """Advance the streams in turns until each has made `evaluations` evaluations.

    Returns
    -------
    list of float
        CPU microseconds per evaluation of each stream.
    """
    made, spent = [0] * len(streams), [0.0] * len(streams)
    while min(made) < evaluations:
        for k, runs in enumerate(streams):
            if made[k] < evaluations:
                start = time.thread_time()
                made[k] += next(runs)
                spent[k] += time.thread_time() - start
    return [1e6 * seconds / count for seconds, count in zip(spent, made, strict=True)]


def measure(
    kind: str, budgets: tuple[int, ...], run: Callable[[int], Stream], floor: Stream
) -> Measurement:
    """Measure the runs of one kind and their floor."""
    floor_cost, *costs = take_turns([floor, *map(run, budgets)], max(budgets))
    return Measurement(kind, floor_cost, dict(zip(budgets, costs, strict=True)))


def measurements(budgets: tuple[int, ...]) -> Iterator[Measurement]:
    """Measure the four kinds of run, one after another."""
    problem = PROBLEMS["ackley"](N, D_E, SEED)
    yield measure("fresh", budgets, lambda v: front_door(problem, v, "fresh"), drawing(N, problem))
    yield measure(
        "indexed",
        budgets,
        lambda v: front_door(problem, v, "indexed"),
        multiplying(N, problem, order_of_matrices(problem, max(budgets))),
    )
    yield measure(
        "forest",
        budgets,
        lambda v: front_door(problem, v, "forest", 2 * D_E),
        multiplying(
            N, problem, order_of_matrices(problem, max(budgets), 2 * D_E, policy="forest"), 2 * D_E
        ),
    )
    yield measure(
        "effective rows",
        budgets,
        lambda v: effective_rows(problem, v),
        drawing(D_E, problem.effective),
    )


def bytes_per_leaf(v: int) -> float:
    """Return the memory of a run of v evaluations per leaf of its tree, in bytes (tracemalloc).

    All memory of the run is counted, including the values of its evaluations (8 bytes each).
    """
    problem = PROBLEMS["ackley"](N, D_E, SEED)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    hunter = EmbeddedHunter(Settings(N, D, v), SEED, rows=D_E)
    while queries := hunter.ask():  # by hand: what the hunter keeps is measured
        hunter.tell(queries, [float(problem.effective(x)) for _, x in queries])
    del queries
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / hunter.visit.tree.leaf_count


def large_run(n: int, v: int, rows: int | None, policy: Policy) -> Large:
    """Run once and return time and memory. Call it in a process of its own.

    With `rows` the policy must be ``fresh``.
    """
    problem = PROBLEMS["ackley"](n, D_E, SEED)
    baseline = peak_memory()
    d = 2 * D_E if policy == "forest" else D
    streams = effective_rows(problem, v) if rows else front_door(problem, v, policy, d)
    start, made = time.perf_counter(), 0
    while made < v:
        made += next(streams)
    seconds = time.perf_counter() - start
    what = f"{policy}, n = {n}, v = {v}, {'effective' if rows else 'full'} rows"
    return Large(what, made, seconds, peak_memory(), baseline)


def large_runs() -> Iterator[Large]:
    """Make a run of a million evaluations and runs in a million dimensions (`LARGE`)."""
    for large in LARGE:
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            yield process.submit(large_run, *large).result()


def peak_memory() -> int:
    """Return the greatest resident memory of this process so far, in bytes.

    On Linux it is read from /proc, because `getrusage` would include memory of the parent process.
    """
    if found := re.search(r"VmHWM:\s+(\d+) kB", process_status()):
        return 1024 * int(found[1])
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def process_status() -> str:
    """Return what Linux says about this process, and nothing on other systems."""
    file = Path("/proc/self/status")
    return file.read_text() if file.exists() else ""


def table(measured: Measurement) -> str:
    """Return a measurement as text."""
    lines = [f"{measured.kind:<16}{'floor':>12}  {measured.floor:9.2f} us per evaluation"]
    lines += [
        f"{'':<16}{f'v = {v}':>12}  {cost:9.2f} us{measured.ratio(v):9.3f} x floor"
        for v, cost in measured.runs.items()
    ]
    lines.append(
        f"{'':<16}growth from v = {min(measured.runs)} to {max(measured.runs)}: "
        f"{measured.growth:.3f}"
    )
    return "\n".join(lines)


def add_bench(benches: Any) -> None:
    """Declare the bench and its options."""
    overhead = benches.add_parser(
        "overhead",
        help="compare the cost of a run with a floor, the cost that no run can avoid",
        description="Measure the CPU time per evaluation of a run and of its floor, in turns in "
        "one process, and the memory per leaf.",
    )
    overhead.add_argument(
        "--quick", action="store_true", help=f"use only budgets up to {max(QUICK_BUDGETS)}"
    )
    overhead.add_argument(
        "--large",
        action="store_true",
        help="also make a run of 10^6 evaluations and two runs in 10^6 dimensions, and measure "
        "their peak memory",
    )
    overhead.add_argument("--json", action="store_true", help="print one JSON object")
    overhead.set_defaults(measure=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print the results."""
    budgets = QUICK_BUDGETS if args.quick else BUDGETS

    def say(text: str) -> None:
        if not args.json:
            print(text, flush=True)

    say(
        f"Ackley, n = {N}, d = {D}, d_e = {D_E}; CPU microseconds per evaluation "
        f"(Python {platform.python_version()}, numpy {np.__version__}, load {load()})"
    )
    report: dict[str, Any] = {"n": N, "d": D, "d_e": D_E, "kinds": [], "large": []}
    for measured in measurements(budgets):
        say(table(measured))
        ratios = {v: measured.ratio(v) for v in budgets}
        report["kinds"].append(asdict(measured) | {"ratios": ratios, "growth": measured.growth})
    report["bytes_per_leaf"] = bytes_per_leaf(max(budgets))
    say(f"memory: {report['bytes_per_leaf']:.0f} bytes per leaf (v = {max(budgets)})")
    for large in large_runs() if args.large else ():
        report["large"].append(asdict(large))
        say(
            f"{large.what}: {large.evaluations} evaluations in {large.seconds:.1f} s, "
            f"peak memory {large.peak_bytes / 2**20:.0f} MiB "
            f"({large.baseline_bytes / 2**20:.0f} MiB before the run)"
        )
    if args.json:
        words = [word for word in ("quick", "large") if getattr(args, word)]
        command = " ".join(
            ["python -m reproduction bench overhead", *(f"--{word}" for word in words)]
        )
        report |= provenance(command)
        print(json.dumps(report, indent=2))
    return 0
