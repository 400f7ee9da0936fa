"""``embedded-hunter check``: check a trace of a run; see `traces.check`."""

import argparse
import sys

from embedded_hunter.extras import UsageError
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.traces.check import check
from embedded_hunter.traces.events import lines_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "trace", metavar="TRACE", help="file of JSON lines (see trace --out); - for standard input"
    )


def run(args: argparse.Namespace) -> int:
    """Print the verdict. Return 0 if the trace conforms, 1 if not."""
    try:
        if args.trace == "-":
            report = check(lines_of(sys.stdin.buffer))
        else:
            with open(args.trace, "rb") as file:
                report = check(lines_of(file))
    except OSError as error:
        raise UsageError(f"{args.trace} cannot be read: {error.strerror}") from None
    except FormatError as error:
        raise UsageError(f"{args.trace} is not a trace: {error}") from None
    print(report)
    return 0 if report.conforms else 1
