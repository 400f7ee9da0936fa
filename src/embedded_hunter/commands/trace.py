"""``embedded-hunter trace``: write a run on a test problem as a trace; see `traces.events`."""

import argparse
import sys
from contextlib import nullcontext

import numpy as np

from embedded_hunter.commands import given, integer, seed
from embedded_hunter.commands.policy import add_policy
from embedded_hunter.extras import UsageError
from embedded_hunter.problems.hidden import PROBLEMS
from embedded_hunter.run.drive import drive, one_by_one
from embedded_hunter.run.jsonlines import Fields, FormatError, dump
from embedded_hunter.run.policies import search_of, settings_of
from embedded_hunter.traces.events import Write, traced_search, writing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--problem",
        choices=sorted(PROBLEMS),
        default="ackley",
        help="test problem (default: ackley)",
    )
    parser.add_argument("--n", type=integer, default=100, help="number of variables (default: 100)")
    parser.add_argument(
        "--d", type=integer, default=2, help="dimension of the search space Y (default: 2)"
    )
    parser.add_argument("--d-e", type=integer, default=2, help="effective dimension (default: 2)")
    parser.add_argument(
        "--maxfun", type=integer, default=50, help="evaluation budget v (default: 50)"
    )
    add_policy(parser, "fresh")
    parser.add_argument("--seed", type=seed, default=0, help="seed (default: 0)")
    parser.add_argument("--out", metavar="FILE", help="file to write (default: standard output)")


def run(args: argparse.Namespace) -> int:
    """Write the trace."""
    try:
        settings = settings_of(
            args.policy, args.n, args.d, args.maxfun,
            **given(args, "eta", "K", "M", "h_max", "n_embeddings"),
        )  # fmt: skip
        problem = PROBLEMS[args.problem](args.n, args.d_e, rng=np.random.default_rng(args.seed))
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
    try:
        with nullcontext(_print) if args.out is None else writing(args.out) as write:
            sink: Write = write
            search = traced_search(search_of(settings, args.seed), settings, sink)
            for _ in drive(search, one_by_one(problem)):
                pass
    except OSError as error:
        if args.out is None:
            raise
        raise UsageError(f"--out {args.out}: {error.strerror}") from None
    except FormatError as error:  # an index has more digits than Python's limit
        raise UsageError(str(error)) from None
    return 0


def _print(event: Fields) -> None:
    sys.stdout.write(dump(event))
