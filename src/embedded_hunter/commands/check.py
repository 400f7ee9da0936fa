"""``embedded-hunter check``: check a trace of a run, or the runs of a program.

See `traces.check`, `traces.drive_program` and `traces.check_projection`.
"""

import argparse
import shlex
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.commands.run_input import add_run, trace_from
from embedded_hunter.common.extras import UsageError
from embedded_hunter.traces import drive_program
from embedded_hunter.traces.check import check
from embedded_hunter.traces.check_projection import check_points
from embedded_hunter.traces.instances import instances


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
        "--seconds",
        metavar="S",
        type=float,
        default=60.0,
        help="begin no other run when this time is over (default: 60)",
    )
    driven.add_argument(
        "--seed", metavar="N", type=integer, default=0, help="of the random instances (default: 0)"
    )
    driven.add_argument(
        "--timeout",
        metavar="S",
        type=float,
        default=10.0,
        help="longest time that the program may take for one line (default: 10)",
    )
    driven.add_argument(
        "--out", metavar="FILE", help="write the run that does not conform to this file"
    )


def run(args: argparse.Namespace) -> int:
    """Print the verdict. Return 0 if the trace or all runs conform, 1 if not."""
    if args.command is not None:
        return _program(args)
    return _trace(args) if args.projection is None else _projection(args.projection)


def _trace(args: argparse.Namespace) -> int:
    """Check a trace."""
    with trace_from(args.file) as lines:
        report = check(lines)
    print(report)
    return 0 if report.conforms else 1


def _projection(name: str) -> int:
    """Check the points that a program computed from the vectors of the kit."""
    with trace_from(name, "does not have the points of the vectors") as lines:
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
    if not 0 < args.timeout <= 86400 or not 0 <= args.seconds <= 10**9:
        raise UsageError("--timeout must be > 0 and at most 86400, --seconds >= 0")
    found = drive_program.search(command, instances(args.seed), args.seconds, args.timeout)
    if found.failure is None:
        print(f"All runs conform to Algorithm 1: {found.runs}.")
        return 0
    instance, lines, verdict = found.failure
    print(f"Run {found.runs} ({instance.name}) does not conform:")
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
