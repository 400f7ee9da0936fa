"""The memory of a run: bytes for each leaf, and the peak of a process that makes a large run."""

import gc
import re
import sys
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.asktell import EmbeddedHunter
from embedded_hunter.run.policies import PolicyName
from embedded_hunter.settings import Settings
from reproduction.performance.streams import D_E, SEED, D, N, effective_rows, front_door

LARGE: tuple[tuple[int, int, int | None, PolicyName], ...] = (
    (N, 1_000_000, D_E, "fresh"),
    (1_000_000, 2_000, None, "fresh"),
    (1_000_000, 2_000, None, "forest"),
)
"""The large runs: n, v, the number of rows computed (None: all), and the policy."""


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


def large_run(n: int, v: int, rows: int | None, policy: PolicyName) -> dict[str, Any]:
    """Run once; return seconds by the clock, and the peak memory of the process in bytes.

    Call it in a process of its own. The baseline is the peak before the run: interpreter and
    libraries. With `rows` the policy must be ``fresh``.
    """
    problem = PROBLEMS["ackley"](n, D_E, SEED)
    baseline = peak_memory()
    d = 2 * D_E if policy == "forest" else D
    streams = effective_rows(problem, v) if rows else front_door(problem, v, policy, d)
    start, made = time.perf_counter(), 0
    while made < v:
        made += next(streams)
    return {
        "what": f"{policy}, n = {n}, v = {v}, {'effective' if rows else 'full'} rows",
        "evaluations": made,
        "seconds": time.perf_counter() - start,
        "peak_bytes": peak_memory(),
        "baseline_bytes": baseline,
    }


def large_runs() -> Iterator[dict[str, Any]]:
    """Make a run of a million evaluations and runs in a million dimensions (`LARGE`)."""
    for large in LARGE:
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            yield process.submit(large_run, *large).result()


def peak_memory() -> int:
    """Return the greatest resident memory of this process so far, in bytes.

    On Linux it is read from /proc, because `getrusage` would include memory of the parent process.
    """
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"VmHWM:\s+(\d+) kB", status.read_text())):
        return 1024 * int(found[1])
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
