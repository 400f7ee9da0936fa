"""The subcommands of ``python -m reproduction``, one module each, imported when it is called.

Each module has two functions: ``add_arguments(parser)`` declares the options, and
``run(args) -> int`` returns the exit code of the process (0 for success). The table of
`reproduction.cli` lists the modules.
"""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from embedded_hunter.commands import integer
from embedded_hunter.common.extras import UsageError, did_you_mean, extra


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


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Declare the option of a campaign's workers."""
    parser.add_argument(
        "--jobs",
        type=integer,
        default=1,
        help="number of parallel workers; -1: one for each processor (default: 1)",
    )


def require_pool(args: argparse.Namespace, name: str = "experiments") -> None:
    """Refuse workers for which a module is missing; `name` is the extra that has it."""
    if args.jobs != 1:
        extra("joblib", name)


def check_counts(runs: int, jobs: int) -> None:
    """Refuse numbers of runs and of workers that mean nothing."""
    if runs < 1:
        raise UsageError(f"--runs must be an integer >= 1, got {runs}")
    if jobs == 0 or jobs < -1:
        raise UsageError(f"--jobs must be an integer >= 1, or -1, got {jobs}")


def require_folder(option: str, folder: str) -> None:
    """Raise UsageError unless an option names a folder, or something that does not exist yet."""
    if Path(folder).exists() and not Path(folder).is_dir():
        raise UsageError(f"{option} must be a folder, got {folder}, which is not a folder")
