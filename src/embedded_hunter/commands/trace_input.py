"""How the commands read a trace: from a file, or from the standard input."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from embedded_hunter.extras import UsageError
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.traces.events import lines_of


def add_trace(parser: argparse._ActionsContainer, nargs: str | None = None) -> None:
    """Declare the argument `trace`."""
    parser.add_argument(
        "trace",
        metavar="TRACE",
        nargs=nargs,
        help="file of JSON lines (see trace --out); - for standard input",
    )


@contextmanager
def trace_from(name: str, otherwise: str = "is not a trace") -> Iterator[Iterable[bytes]]:
    """Give the block the lines of a file; - is the standard input.

    Raises
    ------
    UsageError
        If the file cannot be read, or the block raises `FormatError`; of such a file the message
        says `otherwise`.
    """
    try:
        if name == "-":
            yield lines_of(sys.stdin.buffer)
        else:
            with open(name, "rb") as file:
                yield lines_of(file)
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from None
    except FormatError as error:
        raise UsageError(f"{name} {otherwise}: {error}") from None
