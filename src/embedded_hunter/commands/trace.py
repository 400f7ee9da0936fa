"""``embedded-hunter trace``: write the trace of a run, event by event; see `traces.events`."""

import argparse
import sys
from itertools import chain

from embedded_hunter.commands.run_input import add_run, trace_from
from embedded_hunter.common.extras import UsageError
from embedded_hunter.run.jsonlines import parse
from embedded_hunter.traces.events import settings_from


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    parser.add_argument("--out", metavar="FILE", help="file to write (default: standard output)")


def run(args: argparse.Namespace) -> int:
    """Write the trace."""
    with trace_from(args.file) as lines:
        first = next(lines, b"")
        settings_from(parse(first, 1))  # nothing is written for a file that is no run
        if args.out is None:
            for line in chain([first], lines):
                sys.stdout.write(line.decode())
            return 0
        try:
            with open(args.out, "wb") as file:
                file.writelines(chain([first], lines))
        except OSError as error:
            raise UsageError(f"--out {args.out}: {error.strerror}") from None
    return 0
