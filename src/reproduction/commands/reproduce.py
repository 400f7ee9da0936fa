"""``python -m reproduction reproduce``: the experiments of Table 1; see `figure_1.runs`."""

import argparse

from embedded_hunter.commands import integer
from embedded_hunter.common.extras import UsageError, extra
from reproduction.campaign import WorkersDied
from reproduction.commands import add_jobs, check_counts, require_folder, require_pool
from reproduction.figure_1.plan import EXPERIMENTS, all_algorithms
from reproduction.figure_1.report import present
from reproduction.figure_1.runs import reproduce
from reproduction.problems.registry import OF_PAPER


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "experiments",
        nargs="*",
        metavar="EXPERIMENT",
        default=["all"],
        help=f"all (default), or some of: {', '.join(EXPERIMENTS)}",
    )
    parser.add_argument("--runs", type=integer, default=20, help="runs of each cell (default: 20)")
    add_jobs(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        default="results-paper",
        help="folder of the results (default: results-paper)",
    )
    parser.add_argument(
        "--problems",
        nargs="+",
        choices=OF_PAPER,
        default=OF_PAPER,
        help="problems (default: all)",
    )
    parser.add_argument(
        "--algorithms",
        nargs="+",
        choices=all_algorithms(),
        help="methods (default: all)",
    )
    parser.add_argument(
        "--values",
        nargs="+",
        type=integer,
        metavar="X",
        help="values on the x axis, such as 100 for scalability (default: all)",
    )
    parser.add_argument("--no-figure", action="store_true", help="write no figure and no report")


def run(args: argparse.Namespace) -> int:
    """Make the missing runs, draw the figure and write the report; print the cost and the files."""
    names = list(EXPERIMENTS) if "all" in args.experiments else args.experiments
    check_counts(args.runs, args.jobs)
    require_folder("--out", args.out)
    require_pool(args)
    for module in ("pandas", *(() if args.no_figure else ("matplotlib",))):
        extra(module)
    try:
        file = reproduce(
            names, args.out, runs=args.runs, problems=args.problems,
            algorithms=args.algorithms, values=args.values, jobs=args.jobs,
        )  # fmt: skip
        written = [] if args.no_figure else present(args.out, file.lines())
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error}") from None
    except (ValueError, WorkersDied) as error:
        raise UsageError(str(error)) from None
    evaluations, seconds = file.cost()
    print(
        f"{args.out}: {evaluations:,} evaluations in {seconds:,.0f} seconds of processor time, "
        f"{seconds / evaluations * 1e6:.1f} microseconds each"
    )
    for path in written:
        print(path)
    return 0
