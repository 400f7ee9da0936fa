"""``embedded-hunter bench``: what a run costs; see `overhead` and `scaling`."""

import argparse

from embedded_hunter.commands import overhead, scaling


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the benches."""
    benches = parser.add_subparsers(title="benches", dest="bench", required=True)
    overhead.add_bench(benches)
    scaling.add_bench(benches)


def run(args: argparse.Namespace) -> int:
    """Run the bench that was chosen."""
    status: int = args.measure(args)
    return status
