"""``embedded-hunter plot``: show where the evaluations of a run went."""

import argparse
from pathlib import Path

from embedded_hunter.commands.run_input import add_run, run_from
from embedded_hunter.common.extras import UsageError, extra
from embedded_hunter.plots.evaluations import evaluations_of, plot
from embedded_hunter.plots.pictures import saved
from embedded_hunter.version import __version__


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    parser.add_argument(
        "--out",
        metavar="NAME",
        default="run",
        help="write NAME.svg and NAME.png; NAME may have either ending (default: %(default)s)",
    )
    parser.add_argument(
        "--optimum", metavar="F", type=float, help="draw the differences from this least value"
    )


def run(args: argparse.Namespace) -> int:
    """Print the table and write the picture. Return 1 if the trace does not conform."""
    extra("matplotlib")
    if not Path(args.out).name:
        raise UsageError(f"--out must name a file, got {args.out!r}")
    given = run_from(args.file, "is not a run")
    if given is None:
        return 1
    found, settings = evaluations_of(given), given.settings
    caption = (
        f"embedded-hunter {__version__}: policy {settings.policy}, n = {settings.n}, "
        f"d = {settings.d}, v = {settings.v}"
    )
    try:
        written = saved(plot(found, optimum=args.optimum), caption, Path(args.out))
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    except ValueError as error:  # of --optimum
        raise UsageError(str(error)) from None
    print("\n".join([found.table(), *map(str, written)]))
    return 0
