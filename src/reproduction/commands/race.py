"""``python -m reproduction race``: many methods on the same functions; see `benchmark.race`."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.common.extras import UsageError, extra
from reproduction.benchmark import race, setup
from reproduction.benchmark.plan import make_runs
from reproduction.benchmark.report import present
from reproduction.campaign import WorkersDied
from reproduction.commands import add_jobs, check_counts, one_of, require_folder, require_pool
from reproduction.kept_runs import RunFile
from reproduction.methods import METHODS
from reproduction.problems.real import REAL

NAMES = tuple(name for name, method in METHODS.items() if race.takes_part(method))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--function", nargs="+", required=True, metavar="FILE.py:NAME",
        help="functions f(x), x of shape (n,), that return a number; attributes of a function: "
        "`bounds`, a pair (low, high) or n of them, `optimum`, its least value, "
        "`effective_dimension`, the number of variables that matter; f8,d_e=5 is one "
        "of COCO hidden in n variables, ackley,d_e=5,rotated one of the experiments, rover one "
        f"of practice (as are {', '.join([*REAL][1:])})")  # fmt: skip
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
    add("--methods", nargs="+", type=one_of(NAMES, "method"), metavar="METHOD",
        help=f"some of: {', '.join(NAMES)} (default: all that can run)")  # fmt: skip
    add("--runs", type=integer, default=race.RUNS,
        help="runs of each method with each budget; the number of a run is its seed "
        f"(default: {race.RUNS})")  # fmt: skip
    add_jobs(parser)
    add("--out", metavar="DIR", default="results-race",
        help="folder of runs.csv, the tables and the figure (default: results-race)")  # fmt: skip
    add("--no-figure", action="store_true", help="do not draw the figure")


def run(args: argparse.Namespace) -> int:
    """Make the missing runs, the tables and the picture, and print where they are."""
    try:
        _race(args)
    except (ValueError, OSError, WorkersDied) as error:
        raise UsageError(str(error)) from None
    return 0


def _race(args: argparse.Namespace) -> None:
    check_counts(args.runs, args.jobs)
    require_folder("--out", args.out)
    extra("pandas", "compare")
    if not args.no_figure:
        extra("matplotlib")
    require_pool(args, "compare")
    functions = [
        race.OwnFunction(_absolute(place), args.n, tuple(args.bounds), args.told)
        for place in args.function
    ]
    told = all(function.told is not None for function in functions)
    names = args.methods or race.available(told=told)
    for name in names:
        if (needed := METHODS[name].needs) is not None:
            extra(needed, "compare")
    own = [os.path.abspath(place) for place in args.method]
    wanted = race.starts(functions, names, args.budgets, args.runs, own)
    there = list(dict.fromkeys(start.method for start in wanted))
    reference = _reference(args.reference, there, own=bool(own))
    file = make_runs(wanted, args.out, part=race.PART, jobs=args.jobs)
    found = race.results_of(file, functions, wanted)
    setting = setup.header(functions, wanted, reference)
    written = present(found, args.out, not args.no_figure, setting=setting, reference=reference)
    tex = Path(args.out) / "tables.tex"
    words = setup.sentences(functions, wanted, reference)
    tex.write_text(setup.latex(found, words), encoding="utf-8")
    _print(args.out, file, [written[0], tex, *written[1:]])
    missing = [name for name in NAMES if not METHODS[name].installed]
    if args.methods is None and missing:
        print(f"not installed (pip install -e '.[compare]' in a checkout): {', '.join(missing)}")
    if args.methods is None and not told:
        needing = [name for name in NAMES if METHODS[name].told_d_e]
        print(f"left out, without --told D: {', '.join(needing)}")
    if warning := setup.too_few(args.runs, len(there) - 1):
        print(warning)


def _print(folder: str, file: RunFile, written: Sequence[Path]) -> None:
    """Print what the runs took and the names of the files."""
    evaluations, seconds = file.cost()
    print(f"{folder}: {evaluations:,} evaluations in {seconds:,.0f} seconds of processor time")
    print(*(file.path, *written), sep="\n")


def _absolute(place: str) -> str:
    return os.path.abspath(place) if ":" in place else place


def _reference(given: str | None, there: list[str], *, own: bool) -> str:
    """Return the method that is compared with each other one; refuse one that does not run."""
    name = there[0] if own else "forest" if "forest" in there else there[0]
    if given is None:
        return name
    name = os.path.basename(given)
    if name not in there:
        raise UsageError(f"--reference {given} is none of the methods: {', '.join(there)}")
    return name
