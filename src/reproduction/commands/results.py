"""``python -m reproduction results``: the stored results, and which are stale; see `stored`."""

import argparse
import time

from embedded_hunter.commands import integer
from embedded_hunter.extras import UsageError
from reproduction.commands import one_of
from reproduction.stored import stamps
from reproduction.stored.catalogue import Part, parts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    known = parts()
    parser.add_argument(
        "names",
        nargs="*",
        type=one_of({*known, *(name.partition("/")[0] for name in known)}, "result"),
        metavar="NAME",
        help="results, such as benchmark, or parts of them, such as benchmark/resoo (default: all)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help="say which are stale (default); exit code 1 if any is"
    )
    what.add_argument(
        "--confirm",
        action="store_true",
        help="make randomly drawn runs of what is stale again; where all have the same bits, "
        "store that they have",
    )
    parser.add_argument(
        "--runs", type=integer, default=5, help="runs that confirm a part (default: 5)"
    )


def run(args: argparse.Namespace) -> int:
    """Print a line about each part."""
    known = parts()
    chosen = [
        part for name, part in known.items()
        if not args.names or name in args.names or name.partition("/")[0] in args.names
    ]  # fmt: skip
    if args.confirm:
        return _confirm(chosen, args.runs)
    there = stamps.read()
    for part in chosen:
        print(f"{part.name}: {stamps.sentence(part, there[part.name])}")
    return int(any(stamps.stale(part, there[part.name]) for part in chosen))


def _confirm(chosen: list[Part], runs: int) -> int:
    if runs < 1:
        raise UsageError(f"--runs must be an integer >= 1, got {runs}")
    try:
        commit = stamps.commit_of_source()
    except ValueError as error:
        raise UsageError(str(error)) from None
    failed = False
    for part in chosen:
        there = stamps.read()
        if not stamps.stale(part, there[part.name]):
            continue
        if not part.stored():
            print(f"{part.name}: no run can be made again bit by bit")
            failed = True
            continue
        start = time.process_time()
        there[part.name], found = stamps.confirm(part, there[part.name], runs, commit)
        seconds = time.process_time() - start
        stamps.write(there)
        failed |= bool(found)
        line = f"{part.name}: {len(found)} of {runs} runs differ; {seconds:.1f} s"
        print(line, *found, sep="\n  ", flush=True)
    return int(failed)
