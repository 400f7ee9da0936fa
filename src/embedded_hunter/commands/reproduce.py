"""``embedded-hunter reproduce``: the experiments of Table 1; see `experiments.campaign`.

``embedded-hunter reproduce forest`` is the study of the defaults of the policy ``forest``.
"""

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from embedded_hunter.commands.provenance import provenance
from embedded_hunter.experiments.campaign import WorkersDied, reproduce
from embedded_hunter.experiments.figure_1.plan import (
    EXPERIMENTS,
    PROBLEM_NAMES,
    PROFILES,
    algorithms_of,
)
from embedded_hunter.experiments.forest_defaults import study
from embedded_hunter.extras import UsageError, extra


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "experiments",
        nargs="*",
        metavar="EXPERIMENT",
        default=["all"],
        help=f"all (default), or some of: {', '.join(EXPERIMENTS)}; or forest alone: a study "
        "of the defaults of that policy, with --runs and --out",
    )
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        default="paper",
        help="paper: the paper's text; released: the behaviour of the authors' program",
    )
    parser.add_argument("--runs", type=int, default=20, help="runs of each cell (default: 20)")
    parser.add_argument(
        "--jobs", type=int, default=1, help="parallel workers; -1: one for each processor"
    )
    parser.add_argument(
        "--backend",
        choices=["loky", "dask"],
        default="loky",
        help="joblib's: processes here, or a Dask cluster",
    )
    parser.add_argument(
        "--scheduler", help="address of the Dask scheduler (a cluster on this machine if not given)"
    )
    parser.add_argument(
        "--out", metavar="DIR", help="folder of the results (default: results-PROFILE)"
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help="make all n rows of the matrices; by default only the rows that the function reads, "
        "which has the same law",
    )
    parser.add_argument("--problems", nargs="+", choices=PROBLEM_NAMES, default=PROBLEM_NAMES)
    parser.add_argument("--algorithms", nargs="+", choices=algorithms_of("paper"))
    parser.add_argument(
        "--values",
        nargs="+",
        type=int,
        metavar="X",
        help="values of the x axis, such as 100 of scalability (default: all)",
    )


def run(args: argparse.Namespace) -> int:
    """Run what is missing, and say what is there."""
    names = list(EXPERIMENTS) if "all" in args.experiments else args.experiments
    folder = args.out or f"results-{args.profile}"
    if args.runs < 1 or args.jobs == 0 or args.jobs < -1:
        raise UsageError("--runs must be at least 1, --jobs at least 1 or -1")
    if args.experiments == ["forest"]:
        return _study(Path(args.out or "results-forest"), args.runs)
    if args.jobs != 1 or args.backend == "dask":
        extra("joblib")
    cluster = _client(args.scheduler) if args.backend == "dask" else nullcontext()
    with cluster:
        try:
            store = reproduce(
                names,
                folder,
                profile=args.profile,
                runs=args.runs,
                problems=args.problems,
                algorithms=args.algorithms,
                values=args.values,
                jobs=args.jobs,
                backend=args.backend,
                full=args.full,
            )
        except OSError as error:
            raise UsageError(f"--out {folder}: {error}") from None
        except (ValueError, WorkersDied) as error:
            raise UsageError(str(error)) from None
    evaluations, seconds = store.cost()
    store.close()
    rows = "all rows" if args.full else "effective rows only"
    print(
        f"{folder}: {evaluations:,} evaluations in {seconds:,.0f} seconds of processor time, "
        f"{seconds / evaluations * 1e6:.1f} microseconds each ({rows})\n"
        f"embedded-hunter figure {folder} draws and compares them"
    )
    return 0


def _study(folder: Path, runs: int) -> int:
    try:
        study(folder, runs, print, str(provenance("reproduce forest")["commit"]))
    except (OSError, ValueError) as error:
        raise UsageError(f"--out {folder}: {error}") from None
    print(f"{folder}/study.md has the tables")
    return 0


def _client(scheduler: str | None) -> AbstractContextManager[object]:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "dask's distributed is not installed; it comes with: "
            "pip install -e '.[dask]' in a checkout"
        ) from None
    connect: Callable[[str | None], AbstractContextManager[object]] = Client
    return connect(scheduler)
