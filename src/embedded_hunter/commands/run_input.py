"""How the commands read a run: from its own file, from a trace, or from the standard input."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from embedded_hunter.extras import UsageError
from embedded_hunter.run.jsonlines import FormatError, dump
from embedded_hunter.traces.events import lines_of
from embedded_hunter.traces.recorded import START, trace_of_file


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

    Parameters
    ----------
    name
        The file of a run, of any policy, finished or not, or a trace; - is the standard input.
    otherwise
        What the message says of a file for which the block raises `FormatError`.

    Raises
    ------
    UsageError
        If the file cannot be read, or the block raises `FormatError`.
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
