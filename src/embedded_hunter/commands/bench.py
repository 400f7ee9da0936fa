"""``embedded-hunter bench``: measure the cost of a run; see `overhead` and `scaling`."""

import argparse

from embedded_hunter.commands import overhead, scaling


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the benches."""
    benches = parser.add_subparsers(title="benches", dest="bench", required=True)
    overhead.add_bench(benches)
    scaling.add_bench(benches)


def run(args: argparse.Namespace) -> int:
    """Run the chosen bench."""
    status: int = args.measure(args)
    return status
