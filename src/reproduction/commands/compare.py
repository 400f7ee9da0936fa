"""``python -m reproduction compare``: methods on the same problems; see `benchmark`."""

import argparse

from embedded_hunter.commands import integer
from reproduction.benchmark import plan
from reproduction.benchmark.report import present
from reproduction.benchmark.results import results_of
from reproduction.commands.campaigns import add_campaign, finish, prepare
from reproduction.methods import in_benchmark
from reproduction.problems.registry import PROBLEMS


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
        "--problems",
        nargs="+",
        choices=PROBLEMS,
        default=list(PROBLEMS),
        help="problems (default: all)",
    )
    add_campaign(parser, in_benchmark(), plan.RUNS, "results-compare")


def run(args: argparse.Namespace) -> int:
    """Make the missing runs, the tables and the figure, and print where they are."""
    names = prepare(args, plan.available())
    with finish(args, in_benchmark()) as show:
        wanted = plan.tasks(args.sets, args.budgets, args.runs, names, args.problems)
        file = plan.make_runs(wanted, args.out, jobs=args.jobs, cluster=args.cluster)
        show(file, present(results_of(file.lines()), args.out, not args.no_figure))
    return 0
