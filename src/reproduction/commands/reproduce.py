"""``python -m reproduction reproduce``: the experiments of Table 1; see `figure_1.campaign`.

``python -m reproduction reproduce forest`` runs the study of the defaults of the policy ``forest``,
``python -m reproduction reproduce forest-constants`` that of the constants of its local search, and
``python -m reproduction reproduce forest-members`` that of its dimensions and shares.
"""

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from embedded_hunter.commands import integer, require_folder
from embedded_hunter.extras import UsageError, extra
from reproduction.figure_1.campaign import WorkersDied, reproduce
from reproduction.figure_1.plan import (
    EXPERIMENTS,
    PROBLEM_NAMES,
    PROFILES,
    algorithms_of,
)
from reproduction.studies import forest_constants, forest_defaults, forest_members
from reproduction.studies.study import Study, conduct

STUDIES: dict[str, Study] = {
    "forest": forest_defaults,
    "forest-constants": forest_constants,
    "forest-members": forest_members,
}
"""Modules of the studies of the policy ``forest``, by the names on the command line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "experiments",
        nargs="*",
        metavar="EXPERIMENT",
        default=["all"],
        help=f"all (default), or some of: {', '.join(EXPERIMENTS)}. Or only forest, a study of "
        "the defaults of that policy, or only forest-constants, a study of the constants of its "
        "local search, or only forest-members, a study of its dimensions and shares. These use "
        "--runs and --out",
    )
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        default="paper",
        help="paper: follow the text of the paper; released: behave like the authors' program "
        "(default: paper)",
    )
    parser.add_argument("--runs", type=integer, default=20, help="runs of each cell (default: 20)")
    parser.add_argument(
        "--jobs",
        type=integer,
        default=1,
        help="number of parallel workers; -1: one for each processor (default: 1)",
    )
    parser.add_argument(
        "--backend",
        choices=["loky", "dask"],
        default="loky",
        help="backend of joblib: loky (processes on this machine) or dask (a Dask cluster) "
        "(default: loky)",
    )
    parser.add_argument(
        "--scheduler",
        help="address of the Dask scheduler (default: start a cluster on this machine)",
    )
    parser.add_argument(
        "--out", metavar="DIR", help="folder of the results (default: results-PROFILE)"
    )
    parser.add_argument(
        "--full",
        action="store_true",
        help="draw all n rows of the matrices; by default only the rows that the function reads "
        "are drawn, and the values have the same law",
    )
    parser.add_argument(
        "--problems",
        nargs="+",
        choices=PROBLEM_NAMES,
        default=PROBLEM_NAMES,
        help="problems (default: all)",
    )
    parser.add_argument(
        "--algorithms",
        nargs="+",
        choices=algorithms_of("paper"),
        help="methods (default: all)",
    )
    parser.add_argument(
        "--values",
        nargs="+",
        type=integer,
        metavar="X",
        help="values on the x axis, such as 100 for scalability (default: all)",
    )


def run(args: argparse.Namespace) -> int:
    """Make the missing runs, and print their number and cost."""
    names = list(EXPERIMENTS) if "all" in args.experiments else args.experiments
    if args.runs < 1:
        raise UsageError(f"--runs must be an integer >= 1, got {args.runs}")
    if args.jobs == 0 or args.jobs < -1:
        raise UsageError(f"--jobs must be an integer >= 1, or -1, got {args.jobs}")
    only = args.experiments[0] if len(args.experiments) == 1 else ""
    folder = args.out or f"results-{only if only in STUDIES else args.profile}"
    require_folder("--out", folder)
    if only in STUDIES:
        return _study(only, Path(folder), args.runs)
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
        f"To draw the figure and write the report: python -m reproduction figure {folder}"
    )
    return 0


def _study(name: str, folder: Path, runs: int) -> int:
    try:
        conduct(STUDIES[name], folder, runs, print)
    except (OSError, ValueError) as error:
        raise UsageError(f"--out {folder}: {error}") from None
    print(f"The tables are in {folder}/study.md")
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
