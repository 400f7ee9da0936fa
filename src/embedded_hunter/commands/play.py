"""``embedded-hunter play``: write a trace as a web page that steps through the run."""

import argparse
import sys
from pathlib import Path

from embedded_hunter.extras import UsageError
from embedded_hunter.plots.player import Player
from embedded_hunter.plots.steps import steps_of
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.traces.check import check
from embedded_hunter.traces.events import lines_of

MOST = 20_000
"""Default of --steps. A page of so many steps has about 2 MB."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "trace", metavar="TRACE", help="file of JSON lines (see trace --out); - for standard input"
    )
    parser.add_argument(
        "--out", metavar="FILE", default="play.html", help="file to write (default: %(default)s)"
    )
    parser.add_argument(
        "--steps",
        metavar="N",
        type=int,
        default=MOST,
        help="stop at the first visit after N steps (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Write the page. Return 1, and write nothing, if the trace does not conform."""
    name = args.trace
    if args.steps < 1:
        raise UsageError(f"--steps must be at least 1, got {args.steps}")
    try:
        if name == "-":
            lines = list(lines_of(sys.stdin.buffer))
        else:
            with open(name, "rb") as file:
                lines = list(lines_of(file))
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from None
    except FormatError as error:
        raise UsageError(f"{name} is not a trace: {error}") from None
    try:
        report = check(lines)
        if not report.conforms:
            print(report)
            return 1
        steps = steps_of(lines, args.steps)
    except FormatError as error:
        raise UsageError(f"{name} cannot be played: {error}") from None
    title = "Algorithm 1, step by step" if name == "-" else f"{Path(name).name}, step by step"
    try:
        Path(args.out).write_text(Player(steps).page(title), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    what = "the whole run" if steps.complete else "the run begins with them"
    print(f"{args.out}: {len(steps.steps)} steps, {what}")
    return 0
