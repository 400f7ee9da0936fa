"""``python -m reproduction race``: the methods on functions of one's own; see `benchmark.race`."""

import argparse
import os
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.common.extras import UsageError
from reproduction.benchmark import race, setup
from reproduction.benchmark.plan import make_runs
from reproduction.benchmark.report import present
from reproduction.commands.campaigns import add_campaign, finish, prepare
from reproduction.methods import METHODS

NAMES = tuple(name for name, method in METHODS.items() if race.takes_part(method))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--function", nargs="+", required=True, metavar="FILE.py:NAME",
        help="functions f(x), x of shape (n,), that return a number; attributes of a function: "
        "`bounds`, a pair (low, high) or n of them, `optimum`, its least value, "
        "`effective_dimension`, the number of variables that matter; bbob:f8,d_e=5 or "
        "bbob:f8,d_e=5,rotated is a function of COCO hidden in n variables")  # fmt: skip
    add("--method", nargs="+", default=[], metavar="FILE.py:NAME",
        help="methods of your own: functions of a problem and a generator")  # fmt: skip
    add("--reference", metavar="METHOD",
        help="the method that is compared with each other one (default: the first of --method, "
        "else forest, else the first of --methods)")  # fmt: skip
    add("--n", type=integer, help="number of variables, if the attribute `bounds` has no n pairs")
    add("--bounds", nargs=2, type=float, metavar=("LOW", "HIGH"), default=race.BOUNDS,
        help="bounds of every variable, of functions without `bounds` (default: -1 1)")  # fmt: skip
    add("--told", type=integer, metavar="D",
        help="what methods are told in place of `effective_dimension`; those that must be told "
        "how many variables matter take no part if neither is there")  # fmt: skip
    add("--budgets", nargs="+", type=integer, default=list(race.BUDGETS), metavar="V",
        help=f"evaluations of a run (default: {' '.join(map(str, race.BUDGETS))})")  # fmt: skip
    add_campaign(parser, NAMES, race.RUNS, "results-race")


def run(args: argparse.Namespace) -> int:
    """Make the missing runs, the tables and the picture, and print where they are."""
    functions = [
        race.OwnFunction(_absolute(place), args.n, tuple(args.bounds), args.told)
        for place in args.function
    ]
    with finish(args, NAMES) as show:
        told = all(function.told is not None for function in functions)
        names = prepare(args, race.available(told=told))
        own = [os.path.abspath(place) for place in args.method]
        wanted = race.starts(functions, names, args.budgets, args.runs, own)
        there = list(dict.fromkeys(start.method for start in wanted))
        reference = _reference(args.reference, there, own=bool(own))
        file = make_runs(wanted, args.out, part=race.PART, jobs=args.jobs, cluster=args.cluster)
        found = race.results_of(file, functions, wanted)
        setting = setup.header(functions, wanted, reference)
        written = present(found, args.out, not args.no_figure, setting=setting, reference=reference)
        tex = Path(args.out) / "tables.tex"
        words = setup.sentences(functions, wanted, reference)
        tex.write_text(setup.latex(found, words), encoding="utf-8")
        show(file, [written[0], tex, *written[1:]])
    if args.methods is None and not told:
        needing = [name for name in NAMES if METHODS[name].told_d_e]
        print(f"left out, without --told D: {', '.join(needing)}")
    if warning := setup.too_few(args.runs, len(there) - 1):
        print(warning)
    return 0


def _absolute(place: str) -> str:
    return place if place.startswith("bbob:") else os.path.abspath(place)


def _reference(given: str | None, there: list[str], *, own: bool) -> str:
    """Return the method that is compared with each other one; refuse one that does not run."""
    name = there[0] if own else "forest" if "forest" in there else there[0]
    if given is None:
        return name
    name = os.path.basename(given)
    if name not in there:
        raise UsageError(f"--reference {given} is none of the methods: {', '.join(there)}")
    return name
