"""``embedded-hunter trace``: write the trace of a run, event by event; see `traces.writing`."""

import argparse
import sys

from embedded_hunter.commands.run_input import add_run, run_from
from embedded_hunter.common.extras import UsageError
from embedded_hunter.run.jsonlines import dump
from embedded_hunter.traces.writing import trace_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    parser.add_argument("--out", metavar="FILE", help="file to write (default: standard output)")


def run(args: argparse.Namespace) -> int:
    """Write the trace. Return 1, and write nothing, if a given trace does not conform."""
    given = run_from(args.file, "is not a run")
    if given is None:
        return 1
    lines = map(dump, trace_of(given))
    if args.out is None:
        sys.stdout.writelines(lines)
        return 0
    try:
        with open(args.out, "w", encoding="utf-8") as file:
            file.writelines(lines)
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    return 0
