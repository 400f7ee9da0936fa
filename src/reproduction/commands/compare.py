"""``python -m reproduction compare``: methods on the same problems; see `benchmark`."""

import argparse

from embedded_hunter.commands import integer, require_folder
from embedded_hunter.extras import UsageError, extra
from reproduction.benchmark import plan
from reproduction.benchmark.runs import make_runs, present
from reproduction.campaign import WorkersDied
from reproduction.commands import add_jobs, check_counts, one_of, require_pool
from reproduction.methods import METHODS, in_benchmark


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--sets",
        nargs="+",
        choices=plan.SETS,
        default=list(plan.MAIN),
        help=f"sets of problems (default: {' '.join(plan.MAIN)})",
    )
    parser.add_argument(
        "--budgets",
        nargs="+",
        type=integer,
        choices=plan.BUDGETS,
        default=list(plan.BUDGETS),
        help="evaluation budgets of the runs (default: all)",
    )
    parser.add_argument(
        "--methods",
        nargs="+",
        type=one_of(in_benchmark(), "method"),
        metavar="METHOD",
        help=f"some of: {', '.join(in_benchmark())} (default: all that are installed)",
    )
    parser.add_argument(
        "--problems",
        nargs="+",
        choices=plan.FUNCTIONS,
        default=plan.FUNCTIONS,
        help="problems (default: all)",
    )
    parser.add_argument(
        "--runs", type=integer, default=plan.RUNS, help=f"runs of each cell (default: {plan.RUNS})"
    )
    add_jobs(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        default="results-compare",
        help="folder of the results (default: results-compare)",
    )
    parser.add_argument(
        "--no-runs",
        action="store_true",
        help="make no runs; only make the tables and the figure of the stored results",
    )
    parser.add_argument(
        "--pages",
        nargs="+",
        metavar="FILE",
        default=[],
        help="Markdown pages whose tables and numbers are updated, instead of tables.md",
    )
    parser.add_argument("--no-figure", action="store_true", help="do not draw the figure")


def run(args: argparse.Namespace) -> int:
    """Make the missing runs, the tables and the figure, and print where they are."""
    check_counts(args.runs, args.jobs)
    require_folder("--out", args.out)
    extra("pandas", "compare")
    if not args.no_figure:
        extra("matplotlib")
    try:
        if not args.no_runs:
            _make_runs(args)
        written = present(args.out, not args.no_figure, args.pages)
    except (ValueError, OSError, WorkersDied) as error:
        raise UsageError(str(error)) from None
    for path in written:
        print(path)
    return 0


def _make_runs(args: argparse.Namespace) -> None:
    names = plan.available() if args.methods is None else tuple(args.methods)
    for name in names:
        needed = METHODS[name].needs
        if needed is not None:
            extra(needed, "compare")
    require_pool(args, "compare")
    wanted = plan.tasks(args.sets, args.budgets, args.runs, names, args.problems)
    evaluations, seconds = make_runs(wanted, args.out, jobs=args.jobs, cluster=args.cluster).cost()
    print(f"{args.out}: {evaluations:,} evaluations in {seconds:,.0f} seconds of processor time")
    left_out = [name for name in in_benchmark() if name not in plan.available()]
    if left_out:
        print(f"not installed (pip install -e '.[compare]' in a checkout): {', '.join(left_out)}")
