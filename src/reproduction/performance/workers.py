"""How much faster several workers are, measured by ``python -m reproduction bench workers``.

The points of one visit are evaluated together, those of two visits never. With w workers a run
whose visits make b_1, b_2, ... evaluations takes sum ceil(b_t / w) turns, and one worker takes
sum b_t. The objective waits and computes next to nothing, so that the measurement hardly depends
on the load of the machine and on the number of its processors.

A visit depends on the values of the visits before it:

- Within a sweep, the leaves of depth l + 1 include the children that the visit of depth l has
  made. Their values decide which leaves are expanded.
- The first visit of a sweep depends on the last one of the sweep before in the same way.
- In a forest, the points of a generation of a local search depend on the values of the generations
  before it. The values also decide which local search is continued next.

With the default class rule, a visit of a forest expands at most two leaves, one for each queue. So
it makes at most 2 (K - 1) evaluations. A generation of a local search makes at most eight, one of
the evolution strategy twelve, and twice as many after each restart. More
workers than a visit has evaluations save nothing; a larger K makes larger visits of the forest.

The sweeps of a forest do not depend on the values that its local searches find, so a visit of the
forest could be asked for together with one of a local search. That is not done: evaluations are
numbered in the order of the visits, in traces and checkpoints as well.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.matrices import Floats
from embedded_hunter.run.drive import drive, one_by_one
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.policies import search_of, settings_of

N, D, SEED = 100, 4, 0
BOUNDS = [(-1.0, 1.0)] * N
KINDS: dict[str, dict[str, Any]] = {
    "fresh": {"policy": "fresh"},
    "fresh, K = 11": {"policy": "fresh", "K": 11},
    "indexed": {"policy": "indexed"},
    "forest": {"policy": "forest"},
    "forest, K = 11": {"policy": "forest", "K": 11},
}
"""The runs that are measured: a name, and arguments of `minimize`."""


def objective(x: Floats) -> float:
    """Return a squared distance in two coordinates, without waiting."""
    return float((x[3] - 0.3) ** 2 + (x[11] + 0.6) ** 2)


def waiting(x: Floats, seconds: float) -> float:
    """Return the value of `objective` after some time."""
    time.sleep(seconds)
    return objective(x)


def batches(kind: str, maxfun: int) -> list[int]:
    """Return the numbers of evaluations of the visits of a run of `KINDS`."""
    settings = settings_of(n=N, d=D, v=maxfun, **KINDS[kind])
    search = search_of(settings, np.random.default_rng(SEED))
    return [len(values) for _, values in drive(search, one_by_one(objective))]


def turns(sizes: list[int], workers: int) -> int:
    """Return the number of turns of a run whose visits have these sizes."""
    return sum(-(-size // workers) for size in sizes)


def measure(kind: str, v: int, workers: Sequence[int], milliseconds: float) -> dict[str, Any]:
    """Run with each number of workers, and say how many turns and seconds each run takes.

    The turns of w workers are the sum of ceil(b / w) over the visits.

    Raises
    ------
    AssertionError
        If the results are not the same.
    """
    sizes = batches(kind, v)
    times: list[float] = []
    results: list[OptimizeResult] = []
    for count in workers:
        begun = time.perf_counter()
        results.append(
            minimize(
                waiting, BOUNDS, args=(milliseconds / 1000,), d=D, maxfun=v, rng=SEED,
                workers=count, **KINDS[kind],
            )
        )  # fmt: skip
        times.append(time.perf_counter() - begun)
        if not np.array_equal(results[0].x, results[-1].x) or results[0].nit != results[-1].nit:
            raise AssertionError("the runs differ")
    return {
        "kind": kind,
        "maxfun": v,
        "workers": list(workers),
        "turns": [turns(sizes, count) for count in workers],
        "seconds": times,
    }
