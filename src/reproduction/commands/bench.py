"""``python -m reproduction bench``: measure what a run costs, and what saves time.

See `overhead`, `scaling`, `resuming` and `workers`.
"""

import argparse

from reproduction.commands import overhead, resuming, scaling, workers


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the benches."""
    benches = parser.add_subparsers(title="benches", dest="bench", required=True)
    overhead.add_bench(benches)
    scaling.add_bench(benches)
    resuming.add_bench(benches)
    workers.add_bench(benches)


def run(args: argparse.Namespace) -> int:
    """Run the chosen bench."""
    status: int = args.measure(args)
    return status
