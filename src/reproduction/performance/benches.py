"""The benches: each makes its measurements and returns them as one JSON object.

``overhead`` and ``scaling`` compare the cost of runs of `minimize` on Ackley (d_e = 10 of n
coordinates) with their floors (`streams`). ``resume`` measures how long it takes to open a
checkpoint, ``workers`` what several workers save (`workers`).
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.policies import PolicyName
from embedded_hunter.settings import MatrixPolicy
from reproduction.performance import workers as several
from reproduction.performance.memory import bytes_per_leaf, large_runs
from reproduction.performance.streams import (
    D_E,
    SEED,
    D,
    N,
    Stream,
    drawing,
    effective_rows,
    front_door,
    multiplying,
    order_of_matrices,
    take_turns,
)

BUDGETS, QUICK_BUDGETS = (1_000, 10_000, 100_000), (1_000, 10_000)
BASE: Final = {"n": N, "v": 10_000, "d": D, "M": 5}
AXES: Final = {
    "n": (100, 1_000, 10_000, 100_000),
    "v": (100, 1_000, 10_000, 100_000),
    "d": (2, 5, 10, 20, 50),
    "M": (1, 2, 5, 8, 10, 20),
}
QUICK_AXES: Final = {"n": (100, 1_000), "v": (100, 1_000), "d": (2, 10), "M": (1, 5)}
POLICIES: Final[tuple[MatrixPolicy, ...]] = ("fresh", "indexed")
COORDINATES: Final = 2e8
"""Least number of coordinates of x that are computed at each value. At least one run is made."""
RESUMED: Final = {"n": N, "v": 100_000}
WORKERS: Final = (1, 2, 4, 8)
EVALUATIONS, MILLISECONDS = 200, 50
"""Of the runs with several workers: the objective waits, so processors hardly matter."""


def overhead(quick: bool = False, large: bool = False) -> dict[str, Any]:
    """Compare the CPU time of an evaluation with the floor, for four kinds of run and some budgets.

    Parameters
    ----------
    quick
        Only the smaller budgets.
    large
        Also a run of 10^6 evaluations and two in 10^6 dimensions, with their peak memory.
    """
    budgets = QUICK_BUDGETS if quick else BUDGETS
    kinds = [
        compared(kind, budgets, runs, floor) for kind, runs, floor in kinds_of_run(max(budgets))
    ]
    return {
        "n": N,
        "d": D,
        "d_e": D_E,
        "kinds": kinds,
        "large": list(large_runs()) if large else [],
        "bytes_per_leaf": bytes_per_leaf(max(budgets)),
    }


def kinds_of_run(v: int) -> Iterator[tuple[str, Callable[[int], Stream], Stream]]:
    """Return each kind of run: its name, its runs by their budget (at most v), and its floor."""
    problem = PROBLEMS["ackley"](N, D_E, SEED)
    yield "fresh", lambda v: front_door(problem, v, "fresh"), drawing(N, problem)
    order = order_of_matrices(problem, v)
    floor = multiplying(N, problem, order)
    yield "indexed", lambda v: front_door(problem, v, "indexed"), floor
    order = order_of_matrices(problem, v, 2 * D_E, policy="forest")
    floor = multiplying(N, problem, order, 2 * D_E)
    yield "forest", lambda v: front_door(problem, v, "forest", 2 * D_E), floor
    floor = drawing(D_E, problem.effective)
    yield "effective rows", lambda v: effective_rows(problem, v), floor


def compared(
    kind: str, budgets: tuple[int, ...], runs: Callable[[int], Stream], floor: Stream
) -> dict[str, Any]:
    """Measure microseconds per evaluation of the runs of one kind and of their floor.

    Each stream makes as many evaluations as the largest budget; short runs are repeated.
    """
    at_floor, *costs = take_turns([floor, *map(runs, budgets)], max(budgets))
    return {
        "kind": kind,
        "floor": at_floor,
        "runs": dict(zip(budgets, costs, strict=True)),
        "ratios": {v: cost / at_floor for v, cost in zip(budgets, costs, strict=True)},
        "growth": costs[-1] / costs[0],
    }


def scaling(quick: bool = False) -> dict[str, Any]:
    """Compare run and floor along n, v, d and M; the parameters that do not vary are `BASE`."""
    coordinates = COORDINATES / 20 if quick else COORDINATES
    points = [
        at(axis, value, policy, coordinates)
        for axis, values in (QUICK_AXES if quick else AXES).items()
        for policy in POLICIES
        for value in values
    ]
    return {"base": BASE, "points": points}


def at(axis: str, value: int, policy: MatrixPolicy, coordinates: float) -> dict[str, Any]:
    """Measure microseconds per evaluation of runs and their floor at one value of an axis."""
    n, v, d, M = (value if name == axis else default for name, default in BASE.items())
    problem = PROBLEMS["ackley"](n, D_E, SEED)
    floor = (
        drawing(n, problem)
        if policy == "fresh"
        else multiplying(n, problem, order_of_matrices(problem, v, d, M), d)
    )
    evaluations = max(v, int(min(100_000, coordinates / n)))
    at_floor, run = take_turns([floor, front_door(problem, v, policy, d, M)], evaluations)
    return {
        "axis": axis, "value": value, "policy": policy,
        "floor": at_floor, "run": run, "ratio": run / at_floor,
    }  # fmt: skip


def resume() -> dict[str, Any]:
    """Measure the seconds of a run, and of opening its checkpoint with and without the answer."""
    return {**RESUMED, "policies": [opened(policy, **RESUMED) for policy in get_args(PolicyName)]}


def opened(policy: PolicyName, n: int, v: int) -> dict[str, Any]:
    """Make a run with a checkpoint; open the complete file, then the file without its last line.

    The last line is the answer. Without it `minimize` makes the tree again from the values, and the
    points that it needs.
    """
    problem = PROBLEMS["ackley"](n, D_E, SEED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"

        def seconds() -> float:
            begun = time.perf_counter()
            minimize(
                problem, problem.bounds, d=D, maxfun=v, policy=policy, rng=SEED, checkpoint=path
            )
            return time.perf_counter() - begun

        run, complete = seconds(), seconds()
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
        return {"policy": policy, "run": run, "complete": complete, "incomplete": seconds()}


def workers() -> dict[str, Any]:
    """Measure the turns and the seconds of runs with 1, 2, 4 and 8 workers."""
    kinds = [several.measure(kind, EVALUATIONS, WORKERS, MILLISECONDS) for kind in several.KINDS]
    return {"milliseconds": MILLISECONDS, "kinds": kinds}


BENCHES: Mapping[str, tuple[Callable[..., dict[str, Any]], tuple[str, ...]]] = {
    "overhead": (overhead, ("quick", "large")),
    "scaling": (scaling, ("quick",)),
    "resume": (resume, ()),
    "workers": (workers, ()),
}
"""Each bench and its switches."""
