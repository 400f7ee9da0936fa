"""``python -m reproduction reproduce``: the experiments of Table 1; see `figure_1.runs`."""

import argparse

from embedded_hunter.commands import integer, require_folder
from embedded_hunter.extras import UsageError, extra
from reproduction.campaign import WorkersDied
from reproduction.commands import add_jobs, check_counts, require_pool
from reproduction.figure_1.plan import EXPERIMENTS, PROFILES, algorithms_of
from reproduction.figure_1.runs import reproduce
from reproduction.landscapes import OF_PAPER


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "experiments",
        nargs="*",
        metavar="EXPERIMENT",
        default=["all"],
        help=f"all (default), or some of: {', '.join(EXPERIMENTS)}",
    )
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        default="paper",
        help="paper: follow the text of the paper; released: behave like the authors' program "
        "(default: paper)",
    )
    parser.add_argument("--runs", type=integer, default=20, help="runs of each cell (default: 20)")
    add_jobs(parser)
    parser.add_argument(
        "--out", metavar="DIR", help="folder of the results (default: results-PROFILE)"
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
    check_counts(args.runs, args.jobs)
    folder = args.out or f"results-{args.profile}"
    require_folder("--out", folder)
    require_pool(args)
    extra("pandas")
    try:
        evaluations, seconds = reproduce(
            names, folder, profile=args.profile, runs=args.runs, problems=args.problems,
            algorithms=args.algorithms, values=args.values, jobs=args.jobs,
            cluster=args.cluster,
        ).cost()  # fmt: skip
    except OSError as error:
        raise UsageError(f"--out {folder}: {error}") from None
    except (ValueError, WorkersDied) as error:
        raise UsageError(str(error)) from None
    print(
        f"{folder}: {evaluations:,} evaluations in {seconds:,.0f} seconds of processor time, "
        f"{seconds / evaluations * 1e6:.1f} microseconds each\n"
        f"To draw the figure and write the report: python -m reproduction figure {folder}"
    )
    return 0
