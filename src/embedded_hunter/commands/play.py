"""``embedded-hunter play``: write a trace of Algorithm 1 as a web page that steps through it."""

import argparse
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.commands.trace_input import add_trace, trace_from
from embedded_hunter.extras import UsageError
from embedded_hunter.plots.hunter_steps import steps_of
from embedded_hunter.plots.player import Player
from embedded_hunter.traces.check import check

MOST = 20_000
"""Default of --steps. A page of so many steps has about 2 MB."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_trace(parser)
    parser.add_argument(
        "--out", metavar="FILE", default="play.html", help="file to write (default: %(default)s)"
    )
    parser.add_argument(
        "--steps",
        metavar="N",
        type=integer,
        default=MOST,
        help="stop at the first visit after N steps (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Write the page. Return 1, and write nothing, if the trace does not conform."""
    name = args.trace
    if args.steps < 1:
        raise UsageError(f"--steps must be at least 1, got {args.steps}")
    with trace_from(name, "cannot be played") as given:
        lines = list(given)
        report = check(lines)
        if not report.conforms:
            print(report)
            return 1
        steps = steps_of(lines, args.steps)
    title = f"{'A run' if name == '-' else Path(name).name}, step by step"
    try:
        Path(args.out).write_text(Player(steps).page(title), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    what = "the whole run" if steps.complete else "the run begins with them"
    print(f"{args.out}: {len(steps.steps)} steps, {what}")
    return 0
