"""``embedded-hunter demo``: compare four methods in 10,000 dimensions, in a table and a picture.

The problem is Ackley's function of 10,000 variables, of which 10 matter. Uniform random search and
the three policies run with the same budget. The table is printed while they run. The picture also
shows a small problem with the cells of the search space.
"""

import argparse
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import Bounds

from embedded_hunter.commands import require_folder, seed
from embedded_hunter.common.extras import UsageError, extra
from embedded_hunter.matrices import Floats
from embedded_hunter.plots.growth import (
    draw_lowest_values,
    draw_partition,
    last_sweep,
    values_on,
)
from embedded_hunter.plots.pictures import Curves, picture
from embedded_hunter.plots.steps import steps_of_run
from embedded_hunter.projection import Indexed
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.outcomes import Objective
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__

LEGEND = """\
EmbeddedHunter  the paper's text: a new matrix for every evaluation. The search is close to a random
                search over radii, whatever its tree does.
indexed         our variant of it: matrices are kept, so that the tree matters.
forest          our extension, which is not in the paper; we recommend it. It is not told how many
                variables matter.
"""


@dataclass(frozen=True)
class Size:
    """Sizes of the problems and of the runs."""

    n: int = 10_000
    d: int = 10
    d_e: int = 10
    v: int = 2_000
    runs: int = 5
    n_plane: int = 100
    v_plane: int = 250
    side: int = 90


@dataclass
class TimedRun:
    """One run of one method."""

    best: Floats
    """Best value so far, shape (evaluations,)."""
    seconds: float


def ackley(z: Floats) -> Any:
    """Ackley's function of points as columns; its least value is 0, where every z_i is 0.4634."""
    t = 5 * z - 2.317
    radius, waves = np.sqrt(np.mean(t * t, axis=0)), np.mean(np.cos(2 * np.pi * t), axis=0)
    return 20 + math.e - 20 * np.exp(-0.2 * radius) - np.exp(waves)


def hidden_ackley(n: int, d_e: int, seed: int) -> Objective:
    """Return Ackley's function of d_e of n variables, which are drawn at random."""
    where = np.random.default_rng(seed).choice(n, d_e, replace=False)
    return lambda x: ackley(x[where])


Method = Callable[[Objective, int, int, int], Floats]
"""Takes f on [-1, 1]^n, n, a budget and a seed; returns the values of the evaluations."""


def random_search(fun: Objective, n: int, v: int, seed: int) -> Floats:
    """Evaluate points that are uniform on [-1, 1]^n."""
    rng = np.random.default_rng(seed)
    return np.array([fun(rng.uniform(-1.0, 1.0, n)) for _ in range(v)])


def hunt(fun: Objective, n: int, v: int, seed: int, **given: Any) -> Floats:
    """Evaluate what `minimize` asks for."""
    box = Bounds(np.full(n, -1.0), np.full(n, 1.0))
    values: Floats = minimize(fun, box, maxfun=v, rng=seed, **given).history["value"]
    return values


def methods(d: int) -> dict[str, Method]:
    """Return the compared methods."""
    return {
        "uniform random search": random_search,
        "EmbeddedHunter": partial(hunt, policy="fresh", d=d),
        "indexed": partial(hunt, policy="indexed", d=d),
        "forest": hunt,
    }


def compare(fun: Objective, size: Size, seed: int) -> dict[str, list[TimedRun]]:
    """Run every method with the seeds `seed`, `seed` + 1, ...; print each value when it is known.

    The printed table has the best value of each run, their median, and the microseconds per
    evaluation, with those of the function itself.
    """
    columns = [f"seed {seed + k}" for k in range(size.runs)] + ["median", "us/eval"]
    print(f"  {'best value of':<25}" + "".join(f"{name:>10}" for name in columns), flush=True)
    compared: dict[str, list[TimedRun]] = {}
    for label, method in methods(size.d).items():
        print(f"  {label:<25}", end="", flush=True)
        runs = compared[label] = []
        for k in range(size.runs):
            start = time.perf_counter()
            best = np.minimum.accumulate(method(fun, size.n, size.v, seed + k))
            runs.append(TimedRun(best, time.perf_counter() - start))
            print(f"{runs[-1].best[-1]:>10.3g}", end="", flush=True)
        median = np.median([run.best[-1] for run in runs])
        each = 1e6 * sum(run.seconds for run in runs) / sum(run.best.size for run in runs)
        print(f"{median:>10.3g}{each:>10.0f}", flush=True)
    return compared


def curves(compared: Mapping[str, list[TimedRun]]) -> dict[str, Floats]:
    """Return the best values so far of each method, shape (runs, v).

    The curve of a run that ended early continues at its last value.
    """
    longest = max(run.best.size for runs in compared.values() for run in runs)
    return {
        label: np.array([np.pad(run.best, (0, longest - run.best.size), "edge") for run in runs])
        for label, runs in compared.items()
    }


def draw_plane(ax: Any, size: Size, seed: int) -> None:
    """Minimise Ackley's function of two effective variables; draw the cells of Y after the run.

    The run has one matrix and d = 2. Black lines surround where the function is low on Y.
    """
    settings = Settings(size.n_plane, 2, size.v_plane, M=0, h_max=8, policy="indexed")
    steps = steps_of_run(settings, ackley, seed, rows=2)
    A = Indexed(settings, np.random.default_rng(seed), 2).matrix(1)
    draw_partition(ax, steps, last_sweep(steps) + 1)
    draw_lowest_values(ax, steps, values_on(steps, ackley, A, size.side))
    ax.set_title(
        "Cells of the search space: smaller where values are low\n"
        f"Ackley, n = {size.n_plane}, $d_e$ = d = 2, one fixed matrix, {size.v_plane} evaluations"
    )


def demo(out: Path, seed: int, size: Size) -> list[Path]:
    """Run the methods and draw the picture; return the files written."""
    extra("matplotlib")  # before any work
    out.mkdir(parents=True, exist_ok=True)
    print(
        f"Four methods minimise Ackley's function of {size.n:,} variables, {size.d_e} of which "
        f"matter.\nIts least value is 0. Each run has {size.v:,} evaluations; d = {size.d}.\n",
        flush=True,
    )
    compared = compare(hidden_ackley(size.n, size.d_e, seed), size, seed)
    print(f"\n{LEGEND}", flush=True)
    return picture(
        lambda ax: draw_plane(ax, size, seed),
        Curves(
            f"Ackley, n = {size.n:,}, $d_e$ = {size.d_e}, d = {size.d}; least value 0\n"
            f"lines: medians of {size.runs} runs; bands: best to worst",
            curves(compared),
        ),
        f"embedded-hunter {__version__}: embedded-hunter demo --seed {seed}",
        out / "demo",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--out",
        default="embedded-hunter-demo",
        help="folder of the picture (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=seed, default=0, help="seed of the runs (default: %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Run the demo at its full size."""
    require_folder("--out", args.out)
    start = time.perf_counter()
    try:
        files = demo(Path(args.out), args.seed, Size())
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error}") from None
    print("Picture: " + ", ".join(map(str, files)))
    print(f"The demo took {time.perf_counter() - start:.0f} s.")
    return 0
