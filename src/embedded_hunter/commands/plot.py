"""``embedded-hunter plot``: show where the evaluations of a run went."""

import argparse
import sys
from pathlib import Path

from embedded_hunter.extras import UsageError, extra
from embedded_hunter.plots.evaluations import evaluations_of, picture
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.traces.events import lines_of
from embedded_hunter.version import __version__


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "trace", metavar="TRACE", help="file of JSON lines (see trace --out); - for standard input"
    )
    parser.add_argument(
        "--out",
        metavar="NAME",
        default="run",
        help="write NAME.svg and NAME.png (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the table and write the picture."""
    extra("matplotlib")
    name = args.trace
    try:
        if name == "-":
            found = evaluations_of(lines_of(sys.stdin.buffer))
        else:
            with open(name, "rb") as file:
                found = evaluations_of(lines_of(file))
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from None
    except FormatError as error:
        raise UsageError(f"{name} is not a trace: {error}") from None
    settings = found.settings
    caption = (
        f"embedded-hunter {__version__}: policy {settings.as_json()['policy']}, n = {settings.n}, "
        f"d = {settings.d}, v = {settings.v}"
    )
    try:
        written = picture(found, caption, Path(args.out))
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    print("\n".join([found.table(), *map(str, written)]))
    return 0
