"""How much faster several workers are: ``python -m embedded_hunter.experiments.speedup``.

The points of one visit are evaluated together, those of two visits never: with w workers a run of
visits of b_1, b_2, ... evaluations takes sum ceil(b_t / w) turns; one worker takes sum b_t. No
scheme that makes the same run can be faster. The objective waits 20 ms and computes next to
nothing, so that the measurement hardly depends on the machine's load and number of cores.
"""

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult

from embedded_hunter.projection import Floats
from embedded_hunter.run.drive import drive, one_by_one
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.search import search_of
from embedded_hunter.settings import Settings

N, D, SEED = 100, 2, 0
BOUNDS = [(-1.0, 1.0)] * N


def objective(x: Floats) -> float:
    """Return a squared distance in two coordinates, without waiting."""
    return float((x[3] - 0.3) ** 2 + (x[11] + 0.6) ** 2)


def waiting(x: Floats, seconds: float) -> float:
    """Return the value of `objective` after some time."""
    time.sleep(seconds)
    return objective(x)


class Speedup(NamedTuple):
    """The time of a run with one and with several workers, in seconds."""

    K: int
    maxfun: int
    workers: int
    turns: int
    """Sum of ceil(b / workers) over the visits."""
    one: float
    several: float

    @property
    def allowed(self) -> float:
        """The speedup that the sizes of the visits allow."""
        return self.maxfun / self.turns

    @property
    def measured(self) -> float:
        """The measured speedup."""
        return self.one / self.several


def batches(K: int, maxfun: int) -> list[int]:
    """Return the numbers of evaluations of the visits of the run that is measured."""
    search = search_of(Settings(N, D, maxfun, K=K), np.random.default_rng(SEED))
    return [len(values) for _, values in drive(search, one_by_one(objective))]


def measure(K: int, maxfun: int, workers: int, seconds: float) -> Speedup:
    """Run with one and with several workers; the results must be the same."""
    turns = sum(-(-size // workers) for size in batches(K, maxfun))
    times, results = [], []
    for count in (1, workers):
        begun = time.perf_counter()
        results.append(_run(K, maxfun, count, seconds))
        times.append(time.perf_counter() - begun)
    if not (np.array_equal(results[0].x, results[1].x) and results[0].nit == results[1].nit):
        raise AssertionError("the runs differ")
    return Speedup(K, maxfun, workers, turns, *times)


def _run(K: int, maxfun: int, workers: int, seconds: float) -> OptimizeResult:
    return minimize(
        waiting, BOUNDS, args=(seconds,), d=D, K=K, maxfun=maxfun, rng=SEED, workers=workers
    )


def main(show: Callable[[str], object] = print) -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="What several workers save.")
    parser.add_argument("--maxfun", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--milliseconds", type=float, default=20, help="of an evaluation (20)")
    args = parser.parse_args()
    show(" K  visits' turns  one worker  several  measured  allowed")
    for K in (3, 5, 11):
        row = measure(K, args.maxfun, args.workers, args.milliseconds / 1000)
        show(
            f"{K:2}  {args.maxfun:6} -> {row.turns:<4} {row.one:9.2f} s {row.several:6.2f} s"
            f" {row.measured:9.2f} {row.allowed:8.2f}"
        )


if __name__ == "__main__":
    main()
