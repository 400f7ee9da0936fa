"""``embedded-hunter check``: check a trace of a run, or the runs of a program.

See `traces.check`, `traces.drive_program` and `traces.check_projection`.
"""

import argparse
import shlex
from pathlib import Path

from embedded_hunter.commands.run_input import add_run, lines_from, run_or_trace
from embedded_hunter.common.extras import UsageError
from embedded_hunter.run.run import Run
from embedded_hunter.traces.check import report_on
from embedded_hunter.traces.check_projection import check_points
from embedded_hunter.traces.drive_program import check_program, golden_runs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    what = parser.add_mutually_exclusive_group(required=True)
    add_run(what, nargs="?")
    what.add_argument(
        "--exec",
        metavar="COMMAND",
        dest="command",
        help="start this program and check its runs; the README of the kit describes the protocol",
    )
    what.add_argument(
        "--projection",
        metavar="FILE",
        help="check points: line k has x for the k-th vector of the kit's projection.jsonl",
    )
    driven = parser.add_argument_group("with --exec")
    driven.add_argument(
        "--timeout",
        metavar="S",
        type=float,
        default=60.0,
        help="longest time that the program may take for all runs (default: 60)",
    )
    driven.add_argument(
        "--out", metavar="FILE", help="write the run that does not conform to this file"
    )


def run(args: argparse.Namespace) -> int:
    """Print the verdict. Return 0 if the trace or all runs conform, 1 if not."""
    if args.command is not None:
        return _program(args)
    return _trace(args.file) if args.projection is None else _projection(args.projection)


def _trace(name: str) -> int:
    """Check a trace, or the file of a run."""
    with lines_from(name) as lines:
        found = run_or_trace(lines)
        report = report_on(found) if isinstance(found, Run) else found.report()
    print(report)
    return 0 if report.conforms else 1


def _projection(name: str) -> int:
    """Check the points that a program computed from the vectors of the kit."""
    with lines_from(name, "does not have the points of the vectors") as lines:
        wrong = check_points(lines)
    print(wrong or "All points conform: each coordinate is within its tolerance.")
    return 1 if wrong else 0


def _program(args: argparse.Namespace) -> int:
    """Check the runs of a program."""
    try:
        command = shlex.split(args.command)
    except ValueError as error:
        raise UsageError(f"--exec {args.command}: {error}") from None
    if not command:
        raise UsageError("--exec must name a program")
    if not 0 < args.timeout <= 86400:
        raise UsageError("--timeout must be > 0 and at most 86400")
    runs, name, lines, verdict = check_program(command, golden_runs(), args.timeout)
    if not verdict:
        print(f"All runs conform to Algorithm 1: {runs}.")
        return 0
    print(f"Run {runs} ({name}) does not conform:")
    text = "".join(lines)
    if args.out is None:
        print(text, end="")
    else:
        try:
            Path(args.out).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"--out {args.out} cannot be written: {error.strerror}") from None
        print(args.out)
    print(verdict)
    return 1
