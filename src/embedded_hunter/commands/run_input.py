"""How the commands read a run: from its own file, from a trace, or from the standard input."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from embedded_hunter.common.extras import UsageError
from embedded_hunter.policy import Parameters
from embedded_hunter.run.header import START
from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.traces.check import check
from embedded_hunter.traces.events import lines_of, open_trace
from embedded_hunter.traces.recorded import trace_of_file


def add_run(parser: argparse._ActionsContainer, nargs: str | None = None) -> None:
    """Declare the argument `run`."""
    parser.add_argument(
        "file",
        metavar="RUN",
        nargs=nargs,
        help="file of a run (the checkpoint of minimize), or a trace; - for standard input",
    )


@contextmanager
def trace_from(name: str, otherwise: str = "is not a run") -> Iterator[Iterator[bytes]]:
    """Give the block the lines of a trace: those of a file, or those that follow from it.

    `name` is the file of a run, of any policy, finished or not, or a trace; - is the standard
    input. UsageError if it cannot be read, or if the block raises `FormatError`: then the message
    says of the file what `otherwise` says.
    """
    try:
        if name == "-":
            yield _trace(lines_of(sys.stdin.buffer))
        else:
            with open(name, "rb") as file:
                yield _trace(lines_of(file))
    except BrokenPipeError:  # of what the block writes
        raise
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from None
    except FormatError as error:
        raise UsageError(f"{name} {otherwise}: {error}") from None


def _trace(lines: Iterator[bytes]) -> Iterator[bytes]:
    first = next(lines, b"")
    lines = chain([first], lines)
    if not first.startswith(START):
        return lines
    return (dump(event).encode() for event in trace_of_file(lines))


def checked_run(name: str, otherwise: str) -> tuple[Parameters, list[Fields]] | None:
    """Return the settings of a run, finished or not, and its events `evaluate`, one at least.

    If it breaks a rule, print the report of the check and return None. The rest is as for
    `trace_from`.
    """
    with trace_from(name, otherwise) as given:
        lines = list(given)
        report = check(lines)
        if report.deviation is not None and report.deviation.line <= len(lines):
            print(report)
            return None
        settings, events = open_trace(lines)
        evaluations = [event for _, event in events if event["event"] == "evaluate"]
        if not evaluations:
            raise FormatError("the run has no value")
    return settings, evaluations
