"""The common part of `compare` and `race`: options, checks, and the last lines printed."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.common.extras import UsageError, extra
from reproduction.campaign import WorkersDied
from reproduction.commands import add_jobs, check_counts, one_of, require_folder, require_pool
from reproduction.kept_runs import RunFile
from reproduction.methods import METHODS


def add_campaign(
    parser: argparse.ArgumentParser, names: Iterable[str], runs: int, folder: str
) -> None:
    """Declare the options."""
    names = tuple(names)
    parser.add_argument(
        "--methods",
        nargs="+",
        type=one_of(names, "method"),
        metavar="METHOD",
        help=f"some of: {', '.join(names)} (default: all that can run)",
    )
    parser.add_argument(
        "--runs",
        type=integer,
        default=runs,
        help="runs of each method with each budget; the number of a run is its seed "
        f"(default: {runs})",
    )
    add_jobs(parser)
    parser.add_argument(
        "--out",
        metavar="DIR",
        default=folder,
        help=f"folder of runs.csv, tables.md and the figure (default: {folder})",
    )
    parser.add_argument("--no-figure", action="store_true", help="do not draw the figure")


def prepare(args: argparse.Namespace, available: Sequence[str]) -> tuple[str, ...]:
    """Refuse what cannot be run here; return the methods, all that can run unless given."""
    check_counts(args.runs, args.jobs)
    require_folder("--out", args.out)
    extra("pandas", "compare")
    if not args.no_figure:
        extra("matplotlib")
    names = tuple(args.methods or available)
    for name in names:
        if (needed := METHODS[name].needs) is not None:
            extra(needed, "compare")
    require_pool(args, "compare")
    return names


@contextmanager
def finish(
    args: argparse.Namespace, names: Iterable[str]
) -> Iterator[Callable[[RunFile, Sequence[Path]], None]]:
    """Turn what can go wrong into an error of usage; give what prints cost and files."""

    def show(file: RunFile, written: Sequence[Path]) -> None:
        evaluations, seconds = file.cost()
        print(
            f"{args.out}: {evaluations:,} evaluations in {seconds:,.0f} seconds of processor time"
        )
        for path in (file.path, *written):
            print(path)
        missing = [name for name in names if not METHODS[name].installed]
        if args.methods is None and missing:
            print(
                f"not installed (pip install -e '.[compare]' in a checkout): {', '.join(missing)}"
            )

    try:
        yield show
    except (ValueError, OSError, WorkersDied) as error:
        raise UsageError(str(error)) from None
