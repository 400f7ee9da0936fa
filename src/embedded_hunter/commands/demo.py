"""``embedded-hunter demo``: show EmbeddedHunter on two problems, with tables and two pictures.

The problems are Ackley's function in 10,000 dimensions, of which 10 matter, and the validation
error of a Lasso with one penalty for each of 495 features. The three policies and uniform random
search run with the same budget.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import Bounds, OptimizeResult

from embedded_hunter.baselines.random_search import random_search
from embedded_hunter.commands import require_folder, seed
from embedded_hunter.commands.progress import progress
from embedded_hunter.extras import UsageError, extra
from embedded_hunter.node import Node
from embedded_hunter.plots.pictures import Panel, convergence, partition
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.problems.lasso import WeightedLasso
from embedded_hunter.projection import Floats
from embedded_hunter.run.drive import drive, one_by_one
from embedded_hunter.run.evaluators import Objective
from embedded_hunter.run.minimize import minimize
from embedded_hunter.run.search import Policy, search_of
from embedded_hunter.settings import Settings
from embedded_hunter.version import __version__

HONEST = """\
With fresh matrices (the text of the paper) the search is close to a random search over radii,
whatever its tree does: see "radial-collapse" in the documentation. With indexed matrices the tree
matters. We recommend the policy forest, which is not in the paper. Here it gets d as the effective
dimension, and so searches 2 d dimensions.
"""


@dataclass(frozen=True)
class Size:
    """Sizes of the problems and of the runs."""

    n: int = 10_000
    d: int = 10
    d_e: int = 10
    v: int = 10_000
    v_lasso: int = 300
    v_partition: int = 300
    runs: int = 3


@dataclass
class Run:
    """One run of one method."""

    best: Floats
    """Best value so far, shape (evaluations,)."""
    result: OptimizeResult
    seconds: float


Method = Callable[..., OptimizeResult]


def methods(d: int) -> dict[str, Method]:
    """Return the compared methods; each takes (fun, bounds, maxfun, rng, callback)."""

    def hunter(policy: Policy) -> Method:
        return lambda fun, bounds, **options: minimize(fun, bounds, d=d, policy=policy, **options)

    def forest(fun: Objective, bounds: Bounds, **options: Any) -> OptimizeResult:
        return minimize(fun, bounds, policy="forest", effective_dimension=d, **options)

    return {
        "EmbeddedHunter, forest": forest,
        "EmbeddedHunter, fresh": hunter("fresh"),
        "EmbeddedHunter, indexed": hunter("indexed"),
        "uniform random search": random_search,
    }


def run_methods(
    fun: Objective, bounds: Bounds, d: int, v: int, runs: int, seed: int
) -> dict[str, list[Run]]:
    """Run every method `runs` times, with the seeds `seed`, `seed` + 1, ..."""
    return {
        label: [one_run(label, method, fun, bounds, v, seed + k) for k in range(runs)]
        for label, method in methods(d).items()
    }


def one_run(label: str, method: Method, fun: Objective, bounds: Bounds, v: int, seed: int) -> Run:
    """Run a method once; record its values and its time."""
    values: list[float] = []

    def recorded(x: Floats) -> float:
        values.append(float(fun(x)))
        return values[-1]

    with progress(v, label) as advance:
        start = time.perf_counter()
        result = method(
            recorded, bounds, maxfun=v, rng=seed,
            callback=lambda intermediate_result: advance(intermediate_result.nfev),
        )  # fmt: skip
        seconds = time.perf_counter() - start
    return Run(np.minimum.accumulate(values), result, seconds)


def table(
    compared: dict[str, list[Run]], value: str, further: tuple[str, Callable[[OptimizeResult], str]]
) -> str:
    """Return a table with the median run of each method and the range of the best values."""
    name, show = further
    head = (value, name, "best to worst run", "evals", "depth", "leaves", "us/eval")
    # Two spaces before any cell: a number like 1.234e-08 has nine characters.
    widths = (max(len(value), 9) + 2, max(len(name), 9) + 2, 24, 7, 7, 8, 9)
    rows: list[tuple[str, tuple[object, ...]]] = [("", head)]
    for label, runs in compared.items():
        ranked = sorted(runs, key=lambda run: float(run.result.fun))
        middle = ranked[(len(ranked) - 1) // 2]
        result = middle.result
        tree = (result.depth, result.nleaves) if result.nleaves > 1 else ("-", "-")
        low, high = ranked[0].result.fun, ranked[-1].result.fun
        time_each = 1e6 * middle.seconds / result.nfev
        rows.append(
            (
                label,
                (f"{result.fun:.4g}", show(result), f"{low:.4g} to {high:.4g}", result.nfev, *tree,
                 f"{time_each:.0f}"),
            )
        )  # fmt: skip
    return "\n".join(
        f"  {label:<24}"
        + "".join(f"{cell!s:>{width}}" for cell, width in zip(row, widths, strict=True))
        for label, row in rows
    )


def curves(compared: dict[str, list[Run]]) -> dict[str, Floats]:
    """Return the best values so far of each method, shape (runs, v).

    The curve of a run that ended early continues at its last value.
    """
    longest = max(run.best.size for runs in compared.values() for run in runs)
    return {
        label: np.array([np.pad(run.best, (0, longest - run.best.size), "edge") for run in runs])
        for label, runs in compared.items()
    }


def leaves(settings: Settings, objective: Objective, rows: int, seed: int) -> list[Node]:
    """Run on the effective rows and return the leaves of the tree."""
    search = search_of(settings, np.random.default_rng(seed), rows)
    *_, (last, _) = drive(search, one_by_one(objective))
    return list(last.tree.leaves())


def ackley(size: Size, seed: int) -> Panel:
    """Compare the methods on Ackley; print the table and return the panel of the picture."""
    problem = PROBLEMS["ackley"](size.n, size.d_e, seed)
    title = f"Ackley, n = {size.n:,}, $d_e$ = {size.d_e}, d = {size.d}"
    print(
        f"\nAckley, n = {size.n:,} of which {size.d_e} matter, d = {size.d}, v = {size.v:,}; "
        f"median of {size.runs} runs; least value 0"
    )
    compared = run_methods(problem, problem.bounds, size.d, size.v, size.runs, seed)
    print(table(compared, "best value", ("regret", lambda r: f"{r.fun - problem.f_star:.4g}")))
    print("\n" + HONEST, end="")
    return Panel(title, "best value so far (least: 0)", curves(compared))


def lasso(size: Size, seed: int) -> Panel:
    """Compare the methods on the Lasso; print the table and return the panel of the picture."""
    objective = WeightedLasso()
    shared = np.full(objective.n, objective.shared_x)
    print(
        f"\nLasso on breast-cancer data, one penalty for each of n = {objective.n} features, "
        f"d = {size.d}, v = {size.v_lasso}; median of {size.runs} runs"
    )
    compared = run_methods(objective, objective.bounds, size.d, size.v_lasso, size.runs, seed)
    error = ("test error", lambda r: f"{objective.test_error(r.x):.4g}")
    print(table(compared, "validation error", error))
    print(
        f"  {'LassoCV, one penalty':<24}{objective(shared):>18.4g}"
        f"{objective.test_error(shared):>12.4g}"
    )
    print(
        "\nThe searches minimise the validation error, so it is optimistic for them. The test\n"
        "error is the error on patients whose data no method has used."
    )
    return Panel(
        f"Lasso, n = {objective.n}, d = {size.d}",
        "best validation error so far",
        curves(compared),
        ("LassoCV, one penalty", float(objective(shared))),
    )


def draw_partition(size: Size, seed: int, caption: str, path: Path) -> list[Path]:
    """Run the policies `fresh` and `indexed` with d = d_e = 2 and draw the partitions of Y."""
    problem = PROBLEMS["ackley"](size.n, 2, seed)
    budget = size.v_partition
    by_policy = {
        f"{policy} matrices": leaves(
            Settings(size.n, 2, budget, policy=policy), problem.effective, 2, seed
        )
        for policy in ("fresh", "indexed")
    }
    title = (
        f"The partition of Y after {budget} evaluations of Ackley (n = {size.n:,}, $d_e$ = d = 2): "
        "evaluations of each base point"
    )
    return partition(by_policy, Settings(size.n, 2, budget), title, caption, path)


def demo(out: Path, seed: int, size: Size) -> list[Path]:
    """Run both problems and draw the pictures; return the files written."""
    for module in ("matplotlib", "sklearn"):  # before any work
        extra(module)
    out.mkdir(parents=True, exist_ok=True)
    caption = f"embedded-hunter {__version__}: embedded-hunter demo --seed {seed}"
    panels = [ackley(size, seed), lasso(size, seed)]
    medians = caption + f" (lines: medians of {size.runs} runs; bands: best to worst)"
    return [
        *convergence(panels, medians, out / "convergence"),
        *draw_partition(size, seed, caption, out / "partition"),
    ]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--out",
        default="embedded-hunter-demo",
        help="folder of the pictures (default: %(default)s)",
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
    print("\nPictures: " + ", ".join(map(str, files)))
    print(f"The demo took {time.perf_counter() - start:.0f} s.")
    return 0
