"""``python -m reproduction race``: the methods on functions of one's own; see `benchmark.race`."""

import argparse
import os

from embedded_hunter.commands import integer, require_folder
from embedded_hunter.extras import UsageError, extra
from reproduction.benchmark import race
from reproduction.campaign import WorkersDied
from reproduction.commands import add_jobs, check_counts, one_of, require_pool
from reproduction.methods import METHODS

NAMES = tuple(name for name, method in METHODS.items() if race.takes_part(method))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--function", nargs="+", required=True, metavar="FILE.py:NAME",
        help="functions f(x), x of shape (n,), that return a number; an attribute `bounds` of a "
        "function is a pair (low, high) or n of them, `optimum` its least value")  # fmt: skip
    add("--n", type=integer, help="number of variables, if the attribute `bounds` has no n pairs")
    add("--bounds", nargs=2, type=float, metavar=("LOW", "HIGH"), default=race.BOUNDS,
        help="bounds of every variable, of functions without `bounds` (default: -1 1)")  # fmt: skip
    add("--told", type=integer, metavar="D",
        help="number of variables that matter, or a guess, for the methods that must be told it; "
        "without this option they take no part")  # fmt: skip
    add("--methods", nargs="+", type=one_of(NAMES, "method"), metavar="METHOD",
        help=f"some of: {', '.join(NAMES)} (default: all that can run)")  # fmt: skip
    add("--budgets", nargs="+", type=integer, default=list(race.BUDGETS), metavar="V",
        help=f"evaluations of a run (default: {' '.join(map(str, race.BUDGETS))})")  # fmt: skip
    add("--runs", type=integer, default=race.RUNS,
        help="runs of each method with each budget; the number of a run is its seed "
        f"(default: {race.RUNS})")  # fmt: skip
    add_jobs(parser)
    add("--out", metavar="DIR", default="results-race",
        help="folder of runs.csv, tables.md and the picture (default: results-race)")  # fmt: skip
    add("--no-figure", action="store_true", help="do not draw the picture")


def run(args: argparse.Namespace) -> int:
    """Make the missing runs, the tables and the picture, and print where they are."""
    check_counts(args.runs, args.jobs)
    require_folder("--out", args.out)
    extra("pandas", "compare")
    if not args.no_figure:
        extra("matplotlib")
    for name in args.methods or ():
        if (needed := METHODS[name].needs) is not None:
            extra(needed, "compare")
    require_pool(args, "compare")
    functions = [
        race.OwnFunction(os.path.abspath(place), args.n, tuple(args.bounds))
        for place in args.function
    ]
    try:
        wanted = race.starts(functions, args.methods, args.budgets, args.runs, args.told)
        file = race.race(wanted, args.out, jobs=args.jobs, cluster=args.cluster)
        written = race.present(file, wanted, not args.no_figure)
    except (ValueError, OSError, WorkersDied) as error:
        raise UsageError(str(error)) from None
    evaluations, seconds = file.cost()
    print(f"{args.out}: {evaluations:,} evaluations in {seconds:,.0f} seconds of processor time")
    for path in (file.path, *written):
        print(path)
    there = {start.method for start in wanted}
    for why, left_out in (
        ("without --told D", [m for m in NAMES if METHODS[m].told_d_e and args.told is None]),
        ("not installed (pip install -e '.[compare]' in a checkout)",
         [m for m in NAMES if not METHODS[m].installed]),
    ):  # fmt: skip
        if args.methods is None and (names := [m for m in left_out if m not in there]):
            print(f"left out, {why}: {', '.join(names)}")
    return 0
