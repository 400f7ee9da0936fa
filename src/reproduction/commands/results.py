"""``python -m reproduction results``: how the stored results were made; make them again."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from embedded_hunter.common.extras import UsageError
from reproduction.arithmetic import ENVIRONMENT, standard
from reproduction.commands import add_jobs, check_counts, one_of
from reproduction.provenance import commit_of_source
from reproduction.stored import headers
from reproduction.stored.catalogue import RESULTS, parts
from reproduction.stored.making import MAKERS, TOGETHER, Work, make


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    known = {*headers.read(RESULTS), *parts()}
    parser.add_argument(
        "names",
        nargs="*",
        type=one_of(known | {name.partition("/")[0] for name in known}, "result"),
        metavar="NAME",
        help="results, such as benchmark, or parts of them, such as benchmark/resoo (default: all)",
    )
    parser.add_argument(
        "--make",
        action="store_true",
        help="make the named results again. A command that was stopped goes on",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("results-made"),
        metavar="DIR",
        help="--make: keeps finished runs (default: results-made)",
    )
    add_jobs(parser)


def run(args: argparse.Namespace) -> int:
    """Print a line about each part."""
    check_counts(1, args.jobs)
    if args.make:
        return _make(args)
    _print(args.names)
    return 0


def _chosen(name: str, names: Sequence[str]) -> bool:
    return not names or name in names or name.partition("/")[0] in names


def _print(names: Sequence[str]) -> None:
    for name, header in headers.read(RESULTS).items():
        if _chosen(name, names):
            print(f"{name}: {headers.sentence(header)}", flush=True)


def _make(args: argparse.Namespace) -> int:
    if not args.names:
        raise UsageError("--make needs the names of results")
    known = parts()
    if closed := [name for name in args.names if not any(_chosen(part, [name]) for part in known)]:
        raise UsageError(f"the program of {', '.join(closed)} is not in this version")
    for result in MAKERS:
        of_result = [part for part in known.values() if part.result == result]
        wanted = [part for part in of_result if _chosen(part.name, args.names)]
        if not wanted:
            continue
        if result in TOGETHER:
            wanted = of_result
        if not (wanted[0].is_time or standard()):
            variables = " ".join(f"{name}='{value}'" for name, value in ENVIRONMENT.items())
            raise UsageError(f"values are stored with the variables {variables}: set them first")
        try:
            folder = args.folder / commit_of_source() / result
            make(result, Work(folder, wanted, args.jobs))
        except (ValueError, OSError) as error:
            raise UsageError(f"{result}: {error}") from None
        _print([part.name for part in wanted])
    return 0
