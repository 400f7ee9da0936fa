"""How the commands read a run: from its own file, from a trace, or from the standard input."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from embedded_hunter.common.extras import UsageError
from embedded_hunter.run.header import START
from embedded_hunter.run.jsonlines import FormatError
from embedded_hunter.run.run import Run
from embedded_hunter.traces.check import Follower


def add_run(parser: argparse.ArgumentParser) -> None:
    """Declare the argument `run`."""
    parser.add_argument(
        "file",
        metavar="RUN",
        help="file of a run (the checkpoint of minimize), or a trace; - for standard input",
    )


@contextmanager
def lines_from(name: str, otherwise: str = "is not a run") -> Iterator[Iterator[bytes]]:
    """Give the block the lines of a file; - is the standard input.

    UsageError if it cannot be read, or if the block raises `FormatError`: then the message says of
    the file what `otherwise` says.
    """
    try:
        if name == "-":
            yield iter(sys.stdin.buffer)
        else:
            with open(name, "rb") as file:
                yield iter(file)
    except BrokenPipeError:  # of what the block writes
        raise
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from None
    except FormatError as error:
        raise UsageError(f"{name} {otherwise}: {error}") from None


def run_or_trace(lines: Iterator[bytes]) -> Run | Follower:
    """Return the run of a file that `minimize` has written, of any other file the checked trace.

    FormatError if it is neither, or if it is damaged.
    """
    first = next(lines, b"")
    lines = chain([first], lines)
    return Run.from_lines(lines) if first.startswith(START) else Follower(lines)


def run_from(name: str, otherwise: str) -> Run | None:
    """Return a run, finished or not, with one value at least.

    `name` is the file of a run or a trace. If a trace breaks a rule, print the report of the check
    and return None. UsageError as for `lines_from`.
    """
    with lines_from(name, otherwise) as lines:
        found = run_or_trace(lines)
        if isinstance(found, Follower) and not found.is_beginning:
            print(found.report())
            return None
        run = found.run if isinstance(found, Follower) else found
        if not run.known.size:
            raise FormatError("the run has no value")
    return run
