"""The subcommands of ``python -m reproduction``, one module each, imported when it is called.

Each module has two functions: ``add_arguments(parser)`` declares the options, and
``run(args) -> int`` returns the exit code of the process (0 for success). The table of
`reproduction.cli` lists the modules.
"""

import argparse
from collections.abc import Callable, Iterable

from embedded_hunter.commands import did_you_mean
from embedded_hunter.extras import UsageError


def one_of(known: Iterable[str], kind: str) -> Callable[[str], str]:
    """Return a function that checks a name of an argument.

    It replaces `choices` of argparse where the list of allowed names is long.

    Parameters
    ----------
    known
        The allowed names.
    kind
        What the names stand for, such as "method"; for the error message.
    """
    names = tuple(known)

    def name(text: str) -> str:
        if text not in names:
            question = did_you_mean(text, names)
            raise argparse.ArgumentTypeError(f"there is no {kind} {text!r:.50}{question}")
        return text

    return name


def check_jobs(jobs: int) -> None:
    """Refuse a number of workers that means nothing."""
    if jobs == 0 or jobs < -1:
        raise UsageError(f"--jobs must be an integer >= 1, or -1, got {jobs}")
