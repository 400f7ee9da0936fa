"""``embedded-hunter plot``: show where the evaluations of a run went."""

import argparse
from pathlib import Path

from embedded_hunter.commands.run_input import add_run, trace_from
from embedded_hunter.extras import UsageError, extra
from embedded_hunter.plots.evaluations import evaluations_of, picture
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.traces.check import check
from embedded_hunter.traces.events import open_trace
from embedded_hunter.version import __version__


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    parser.add_argument(
        "--out",
        metavar="NAME",
        default="run",
        help="write NAME.svg and NAME.png (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the table and write the picture. Return 1 if the trace does not conform."""
    extra("matplotlib")
    with trace_from(args.file) as given:
        lines = list(given)
        report = check(lines)
        if report.deviation is not None and report.deviation.line <= len(lines):
            print(report)
            return 1
        settings, events = open_trace(lines)
        values = [float(event["value"]) for _, event in events if event["event"] == "evaluate"]
        if not values:
            raise FormatError("the trace has no evaluation")
    found = evaluations_of(settings, values)
    caption = (
        f"embedded-hunter {__version__}: policy {settings.policy}, n = {settings.n}, "
        f"d = {settings.d}, v = {settings.v}"
    )
    try:
        written = picture(found, caption, Path(args.out))
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    print("\n".join([found.table(), *map(str, written)]))
    return 0
