"""``python -m reproduction race``: the methods on functions of one's own; see `benchmark.race`."""

import argparse
import os

from embedded_hunter.commands import integer
from reproduction.benchmark import race
from reproduction.benchmark.plan import make_runs
from reproduction.benchmark.report import present
from reproduction.commands.campaigns import add_campaign, finish, prepare
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
    add("--budgets", nargs="+", type=integer, default=list(race.BUDGETS), metavar="V",
        help=f"evaluations of a run (default: {' '.join(map(str, race.BUDGETS))})")  # fmt: skip
    add_campaign(parser, NAMES, race.RUNS, "results-race")


def run(args: argparse.Namespace) -> int:
    """Make the missing runs, the tables and the picture, and print where they are."""
    names = prepare(args, race.available(args.told))
    functions = [
        race.OwnFunction(os.path.abspath(place), args.n, tuple(args.bounds), args.told)
        for place in args.function
    ]
    with finish(args, NAMES) as show:
        wanted = race.starts(functions, names, args.budgets, args.runs)
        file = make_runs(wanted, args.out, part=race.PART, jobs=args.jobs, cluster=args.cluster)
        found = race.results_of(file, functions, wanted)
        show(file, present(found, args.out, not args.no_figure))
    if args.methods is None and args.told is None:
        told = [name for name in NAMES if METHODS[name].told_d_e]
        print(f"left out, without --told D: {', '.join(told)}")
    return 0
