"""``embedded-hunter play``: write a run as a web page that steps through it."""

import argparse
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.commands.run_input import add_run, trace_from
from embedded_hunter.extras import UsageError
from embedded_hunter.plots.forest_steps import steps_of_forest
from embedded_hunter.plots.hunter_steps import steps_of
from embedded_hunter.plots.player import Player
from embedded_hunter.plots.steps import Steps
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.run.policies import policy_of
from embedded_hunter.traces.check import check
from embedded_hunter.traces.events import open_trace

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
    name = args.file
    if args.steps < 1:
        raise UsageError(f"--steps must be at least 1, got {args.steps}")
    with trace_from(name, "cannot be played") as given:
        lines = list(given)
        report = check(lines)
        if report.deviation is not None and report.deviation.line <= len(lines):
            print(report)
            return 1
        steps = _steps(lines, args.steps)
    title = f"{'A run' if name == '-' else Path(name).name}, step by step"
    try:
        Path(args.out).write_text(Player(steps).page(title), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    what = "the whole run" if steps.complete else "the run begins with them"
    print(f"{args.out}: {len(steps.steps)} steps, {what}")
    return 0


def _steps(lines: list[bytes], most: int) -> Steps:
    settings, events = open_trace(lines)
    if policy_of(settings).is_algorithm_1:
        return steps_of(lines, most)
    values = [float(event["value"]) for _, event in events if event["event"] == "evaluate"]
    if not values:
        raise FormatError("the run has no value")
    return steps_of_forest(settings, values, most)
