"""``embedded-hunter check``: check a trace, or the file of a run; see `traces.check`."""

import argparse

from embedded_hunter.commands.run_input import add_run, lines_from, run_or_trace
from embedded_hunter.run.run import Run
from embedded_hunter.traces.check import report_on


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    """Print the verdict. Return 0 if the trace conforms, 1 if not."""
    with lines_from(args.file) as lines:
        found = run_or_trace(lines)
        report = report_on(found) if isinstance(found, Run) else found.report()
    print(report)
    return 0 if report.conforms else 1
