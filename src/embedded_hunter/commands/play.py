"""``embedded-hunter play``: write a run as a web page that steps through it."""

import argparse
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.commands.run_input import add_run, run_from
from embedded_hunter.common.extras import UsageError
from embedded_hunter.plots.player import Player
from embedded_hunter.plots.steps import steps_of

MOST = 20_000
"""Default of --steps. A page of this many steps has about 2 MB."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
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
    """Write the page. Return 1, and write nothing, if a trace does not conform.

    A run that has not ended is shown as far as it goes.
    """
    if args.steps < 1:
        raise UsageError(f"--steps must be at least 1, got {args.steps}")
    given = run_from(args.file, "cannot be played")
    if given is None:
        return 1
    steps = steps_of(given, most=args.steps)
    title = f"{'A run' if args.file == '-' else Path(args.file).name}, step by step"
    try:
        Path(args.out).write_text(Player(steps).page(title), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    what = "the whole run" if steps.complete else "the run begins with them"
    print(f"{args.out}: {len(steps.steps)} steps, {what}")
    return 0
