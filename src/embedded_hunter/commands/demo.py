"""``embedded-hunter demo``: compare four methods in 10,000 dimensions.

The problem is Ackley's function of 10,000 variables, of which 10 matter. Uniform random search and
the three policies run with the same budget. The table is printed while they run.
"""

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import Bounds

from embedded_hunter.commands import seed
from embedded_hunter.matrices import Floats
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.outcomes import Objective

LEGEND = """\
EmbeddedHunter  the paper's text: a new matrix for every evaluation. The search is close to a random
                search over radii, whatever its tree does.
indexed         our variant of it: matrices are kept, so that the tree matters.
forest          our extension, which is not in the paper; we recommend it. It is not told how many
                variables matter.
"""


@dataclass(frozen=True)
class Size:
    """Sizes of the problem and of the runs."""

    n: int = 10_000
    d: int = 10
    d_e: int = 10
    v: int = 2_000
    runs: int = 5


def ackley(z: Floats) -> float:
    """Ackley's function; its least value is 0, where every z_i is 0.4634."""
    t = 5 * z - 2.317
    radius, waves = np.sqrt(np.mean(t * t)), np.mean(np.cos(2 * np.pi * t))
    return float(20 + math.e - 20 * np.exp(-0.2 * radius) - np.exp(waves))


def hidden_ackley(n: int, d_e: int, seed: int) -> Objective:
    """Return Ackley's function of d_e of n variables, which are drawn at random."""
    where = np.random.default_rng(seed).choice(n, d_e, replace=False)
    return lambda x: ackley(x[where])


Method = Callable[[Objective, int, int, int], float]
"""Takes f on [-1, 1]^n, n, a budget and a seed; returns the best value."""


def random_search(fun: Objective, n: int, v: int, seed: int) -> float:
    """Evaluate points that are uniform on [-1, 1]^n."""
    rng = np.random.default_rng(seed)
    return float(min([fun(rng.uniform(-1.0, 1.0, n)) for _ in range(v)]))


def hunt(fun: Objective, n: int, v: int, seed: int, **given: Any) -> float:
    """Evaluate what `minimize` asks for."""
    box = Bounds(np.full(n, -1.0), np.full(n, 1.0))
    return float(minimize(fun, box, maxfun=v, rng=seed, **given).fun)


def methods(d: int) -> dict[str, Method]:
    """Return the compared methods."""
    return {
        "uniform random search": random_search,
        "EmbeddedHunter": partial(hunt, policy="fresh", d=d),
        "indexed": partial(hunt, policy="indexed", d=d),
        "forest": hunt,
    }


def compare(fun: Objective, size: Size, seed: int) -> None:
    """Run every method with the seeds `seed`, `seed` + 1, ...; print each value when it is known.

    The printed table has the best value of each run, their median, and the microseconds per
    evaluation, with those of the function itself.
    """
    columns = [f"seed {seed + k}" for k in range(size.runs)] + ["median", "us/eval"]
    print(f"  {'best value of':<25}" + "".join(f"{name:>10}" for name in columns), flush=True)
    for label, method in methods(size.d).items():
        print(f"  {label:<25}", end="", flush=True)
        best, start = [], time.perf_counter()
        for k in range(size.runs):
            best.append(method(fun, size.n, size.v, seed + k))
            print(f"{best[-1]:>10.3g}", end="", flush=True)
        each = 1e6 * (time.perf_counter() - start) / (size.runs * size.v)
        print(f"{np.median(best):>10.3g}{each:>10.0f}", flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--seed", type=seed, default=0, help="seed of the runs (default: %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Run the demo at its full size."""
    size, start = Size(), time.perf_counter()
    print(
        f"Four methods minimise Ackley's function of {size.n:,} variables, {size.d_e} of which "
        f"matter.\nIts least value is 0. Each run has {size.v:,} evaluations; d = {size.d}.\n",
        flush=True,
    )
    compare(hidden_ackley(size.n, size.d_e, args.seed), size, args.seed)
    print(f"\n{LEGEND}\nThe demo took {time.perf_counter() - start:.0f} s.")
    return 0
